// SPDX-License-Identifier: GPL-2.0-only
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "armspe.h"
#include "output/listing.h"
#include "symbols/disasm.h"

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
	const char *found;		/* its object */
	bool several;			/* objects that have such a symbol */
	uint64_t count, all;		/* samples in it, and anywhere */
	struct spot *spots;		/* hash by address, a power of two */
	size_t nr_spots, room_spots;
	FILE *to;
};

static struct spot *spot_find(const struct listing *a, uint64_t address)
{
	size_t mask = a->room_spots - 1;
	size_t slot = (address * 0x9e3779b97f4a7c15ULL >> 20) & mask;

	if (!a->room_spots)
		return NULL;
	while (a->spots[slot].count && a->spots[slot].address != address)
		slot = (slot + 1) & mask;
	return &a->spots[slot];
}

static void spots_grow(struct listing *a)
{
	struct spot *old = a->spots;
	size_t i, room = a->room_spots;

	a->room_spots = room ? 2 * room : 256;
	a->spots = xcalloc(a->room_spots, sizeof(*a->spots));
	for (i = 0; i < room; i++)
		if (old[i].count)
			*spot_find(a, old[i].address) = old[i];
	free(old);
}

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
	if (2 * a->nr_spots >= a->room_spots)
		spots_grow(a);
	spot = spot_find(a, address);
	a->nr_spots += !spot->count;
	spot->address = address;
	spot_add(spot, a, row->rec);
	a->count++;
}

static void print_spot(const struct listing *a, const struct spot *spot)
{
	size_t i;

	fprintf(a->to, "%8" PRIu64 " %6.2f%%", spot->count,
	       100.0 * (double)spot->count / (double)a->count);
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
		fprintf(a->to, " %11.2f%%", 100.0 * (double)spot->event[i] /
		       (double)spot->count);
}

static void print_nothing(const struct listing *a)
{
	fprintf(a->to, "%*s", 40 + 13 * (int)a->events->nr_events, "");
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
	const struct spot *spot = is_code ? spot_find(a, address) : NULL;

	if (spot && spot->count)
		print_spot(a, spot);
	else
		print_nothing(a);
	fputs("  ", a->to);
	for (; *line; line++)
		putc(*line == '\t' || (unsigned char)*line >= ' ' ? *line :
		     '?', a->to);
	putc('\n', a->to);
}

static int spot_order(const void *x, const void *y)
{
	const struct spot *a = x, *b = y;

	if (!a->count != !b->count)
		return a->count ? -1 : 1;
	return a->address < b->address ? -1 : a->address > b->address;
}

/* Without code: what the samples themselves tell */
static void print_addresses(const struct listing *a)
{
	struct spot *spots = xcalloc(a->room_spots, sizeof(*spots));
	const char *file;
	size_t i;
	int line;

	memcpy(spots, a->spots, a->room_spots * sizeof(*spots));
	qsort(spots, a->room_spots, sizeof(*spots), spot_order);
	for (i = 0; i < a->nr_spots; i++) {
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
	free(spots);
}

static const struct symtab *symtab_of(const struct listing *a)
{
	return a->dso == &a->rows->symbols.kernel_file ?
		&a->rows->symbols.kernel : &a->dso->symtab;
}

static const struct symbol *symbol_of(const struct listing *a)
{
	const struct symbol *symbol = NULL;
	size_t i;

	if (!a->dso)
		return NULL;
	for (i = 0; i < a->room_spots && !symbol; i++)
		if (a->spots[i].count)
			symbol = symtab_find(symtab_of(a),
					     a->spots[i].address);
	return symbol;
}

bool listing_print(struct listing *a, FILE *to)
{
	const struct symbol *symbol = symbol_of(a);
	struct disasm d = {
		.dso = a->dso, .fn = print_disassembly, .context = a,
	};

	if (!a->count)
		return false;
	a->to = to;
	print_heads(a);
	if (symbol) {
		d.symbols = symtab_of(a);
		d.start = symbol->start;
		d.end = symbol->end;
	}
	if (!symbol || !a->dso->path || disasm_each(&d))
		print_addresses(a);
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
	size_t i;

	if (!a)
		return;
	for (i = 0; i < a->room_spots; i++) {
		hist_free(&a->spots[i].latency[0]);
		hist_free(&a->spots[i].latency[1]);
	}
	free(a->spots);
	free(a->symbol);
	free(a->object);
	free(a);
}
