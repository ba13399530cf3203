// SPDX-License-Identifier: GPL-2.0-only
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "armspe.h"
#include "analysis/fields.h"
#include "analysis/hist.h"
#include "analysis/rows.h"
#include "analysis/tally.h"
#include "output/listing.h"
#include "symbols/disasm.h"
#include "symbols/disassembly.h"
#include "symbols/dso.h"
#include "symbols/resolve.h"
#include "symbols/srcline.h"
#include "symbols/symtab.h"
#include "util/hash.h"
#include "util/hash_table.h"
#include "util/memory.h"
#include "util/message.h"
#include "util/percent.h"

/* The samples of one instruction */
struct spot {
	uint64_t address;		/* the file's own, or the sampled one */
	uint64_t count;
	struct hist latency[2];		/* total, issue */
	uint64_t event[TALLY_EVENTS];
};

struct listing {
	const struct rows *rows;
	const struct tally *events;	/* only what tally_events() reads */
	char *symbol, *object;
	struct dso *dso;		/* of the first sample, NULL: no file */
	const char *found;		/* object of the first sample */
	bool several;			/* other objects have the symbol too */
	uint64_t count, all;		/* samples in the function, and in total */
	struct hash_table spots;	/* struct spot, by address */
	size_t functions;		/* printed so far */
	FILE *to;
};

static bool spot_used(const void *slot)
{
	return ((const struct spot *)slot)->count;
}

static uint64_t spot_hash(const void *slot)
{
	return hash_mix(((const struct spot *)slot)->address);
}

static bool same_spot(const void *slot, const void *address)
{
	return ((const struct spot *)slot)->address ==
	       *(const uint64_t *)address;
}

static const struct hash_kind spot_table = {
	sizeof(struct spot), 256, spot_used, spot_hash, same_spot,
};

static void spot_add(struct spot *spot, const struct listing *a,
		     const struct armspe_record *rec)
{
	static const unsigned int index[2] = {
		SPE_COUNTER_TOTAL, SPE_COUNTER_ISSUE,
	};
	size_t i;

	spot->count++;
	for (i = 0; i < 2; i++)
		if (rec->counter_valid >> index[i] & 1)
			hist_add(&spot->latency[i], rec->counter[index[i]]);
	for (i = 0; i < a->events->nr_events; i++)
		if (rec->valid & ARMSPE_HAS_EVENTS)
			spot->event[i] +=
				rec->events >> a->events->event_bit[i] & 1;
}

void listing_add(void *listing, const struct row *row)
{
	struct listing *a = listing;
	const struct place *place = &row->place;
	struct spot *spot;
	uint64_t address;

	a->all++;
	if (!place->symbol || strcmp(place->symbol, a->symbol) ||
	    (a->object && !strstr(place->object, a->object)))
		return;
	if (!a->found) {
		a->found = place->object;
		a->dso = place->dso;
	}
	if (strcmp(a->found, place->object)) {
		a->several = true;
		return;
	}
	address = place->dso ? place->file_address :
		armspe_addr_virtual(row->rec->addr[SPE_ADDR_PC]);
	spot = hash_table_add(&a->spots, &spot_table, hash_mix(address),
			      &address);
	spot->address = address;
	spot_add(spot, a, row->rec);
	a->count++;
}

static void print_spot(const struct listing *a, const struct spot *spot)
{
	size_t i;

	fprintf(a->to, "%8" PRIu64 " %6.2f%%", spot->count,
	       percent(spot->count, a->count));
	if (spot->latency[0].count)
		fprintf(a->to, " %8.1f %6u", hist_mean(&spot->latency[0]),
		       hist_percentile(&spot->latency[0], 99));
	else
		fprintf(a->to, " %8s %6s", "-", "-");
	if (spot->latency[1].count)
		fprintf(a->to, " %8.1f", hist_mean(&spot->latency[1]));
	else
		fprintf(a->to, " %8s", "-");
	for (i = 0; i < a->events->nr_events; i++)
		fprintf(a->to, " %11.2f%%", percent(spot->event[i], spot->count));
}

/* Source stays near the left: columns of events would push it off the screen. */
static void print_blank(const struct listing *a, bool is_code)
{
	fprintf(a->to, "%*s",
		40 + (is_code ? 13 * (int)a->events->nr_events : 0), "");
}

static void print_heads(const struct listing *a)
{
	size_t i;

	fprintf(a->to, "# %s in %s: %" PRIu64 " samples of %" PRIu64 "\n", a->symbol,
	       a->found, a->count, a->all);
	fprintf(a->to, "#%7s %7s %8s %6s %8s", "count", "share", "total", "p99",
	       "issue");
	for (i = 0; i < a->events->nr_events; i++)
		fprintf(a->to, " %12s", armspe_event_name(a->events->event_bit[i]));
	putc('\n', a->to);
}

static void print_disassembly(void *context, bool is_code, uint64_t address,
			      const char *line)
{
	const struct listing *a = context;
	const struct spot *spot = !is_code ? NULL :
		hash_table_find(&a->spots, &spot_table, hash_mix(address),
				&address);

	if (spot)
		print_spot(a, spot);
	else
		print_blank(a, is_code);
	fputs("  ", a->to);
	for (; *line; line++)
		putc(*line == '\t' || (unsigned char)*line >= ' ' ? *line :
		     '?', a->to);
	putc('\n', a->to);
}

static int spot_order(const void *x, const void *y)
{
	const struct spot *a = x, *b = y;

	return a->address < b->address ? -1 : a->address > b->address;
}

/* All spots by address, to be freed */
static struct spot *sorted_spots(const struct listing *a, size_t *count)
{
	struct spot *spots = xcalloc(a->spots.count, sizeof(*spots));
	const struct spot *slot = NULL;
	size_t n = 0;

	while ((slot = hash_table_next(&a->spots, &spot_table, slot)))
		spots[n++] = *slot;
	qsort(spots, n, sizeof(*spots), spot_order);
	*count = n;
	return spots;
}

/* Without a disassembly print the sampled addresses. */
static void print_addresses(const struct listing *a, const struct spot *spots,
			    size_t count)
{
	const char *file;
	size_t i;
	int line;

	for (i = 0; i < count; i++) {
		print_spot(a, &spots[i]);
		fprintf(a->to, "  %8" PRIx64, spots[i].address);
		if (a->dso && srcline_find(a->dso, spots[i].address, &file,
					   &line)) {
			fputs("  ", a->to);
			put_name(file, a->to);
			fprintf(a->to, ":%d", line);
		}
		putc('\n', a->to);
	}
}

static const struct symtab *symtab_of(const struct listing *a)
{
	return a->dso == &a->rows->symbols.kernel.file ?
		&a->rows->symbols.kernel.symtab : &a->dso->symtab;
}

/*
 * Print the function of the first spot, or the spot alone if it has none.  Returns
 * the number of spots in it, 0 if it cannot be disassembled.
 */
static size_t print_function(struct listing *a, const struct spot *spots,
			     size_t count)
{
	const struct symbol *symbol = symtab_find(symtab_of(a), spots->address);
	struct disassembly d = {
		.dso = a->dso, .fn = print_disassembly, .context = a,
		.symbols = symtab_of(a),
	};
	size_t in = 1;

	if (!symbol) {
		print_addresses(a, spots, 1);
		return 1;
	}
	while (in < count && spots[in].address < symbol->end)
		in++;
	/* A name may stand for several functions: static ones, or Rust's generic ones. */
	if (in < count || a->functions++)
		fprintf(a->to, "# function at %" PRIx64 "\n", symbol->start);
	d.start = symbol->start;
	d.end = symbol->end;
	return disasm_each(&d) ? 0 : in;
}

bool listing_print(struct listing *a, FILE *to)
{
	struct spot *spots;
	size_t count, i = 0, in = 1;

	if (!a->count)
		return false;
	a->to = to;
	a->functions = 0;
	spots = sorted_spots(a, &count);
	print_heads(a);
	for (; a->dso && a->dso->path && in && i < count; i += in)
		in = print_function(a, spots + i, count - i);
	print_addresses(a, spots + i, count - i);
	free(spots);
	return true;
}

struct listing *listing_new(const struct rows *rows, const struct tally *events,
			    const char *symbol, const char *object)
{
	struct listing *a = xcalloc(1, sizeof(*a));

	a->rows = rows;
	a->events = events;
	a->symbol = xformat("%s", symbol);
	a->object = object ? xformat("%s", object) : NULL;
	return a;
}

const char *listing_several(const struct listing *a)
{
	return a->several ? a->found : NULL;
}

void listing_free(struct listing *a)
{
	struct spot *spot = NULL;

	if (!a)
		return;
	while ((spot = hash_table_next(&a->spots, &spot_table, spot))) {
		hist_free(&spot->latency[0]);
		hist_free(&spot->latency[1]);
	}
	hash_table_free(&a->spots);
	free(a->symbol);
	free(a->object);
	free(a);
}
