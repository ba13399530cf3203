// SPDX-License-Identifier: GPL-2.0-only
/*
 * perf spe annotate: a function's instructions, and its source where there is
 * any, with the samples of each.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "armspe.h"
#include "disasm.h"
#include "rows.h"
#include "table.h"
#include "verbs.h"

/* The samples of one instruction */
struct spot {
	uint64_t address;		/* the file's own, or the sampled one */
	uint64_t count;
	struct hist latency[2];		/* total, issue */
	uint64_t event[TALLY_EVENTS];
};

struct annotate {
	struct rows rows;
	const char *symbol, *object;
	struct tally hottest;		/* without a symbol asked for */
	struct tally events;		/* only what tally_events() reads */
	struct dso *dso;		/* of the first sample, NULL: no file */
	const char *found;		/* its object */
	bool several;			/* objects that have such a symbol */
	uint64_t count;
	struct spot *spots;		/* hash by address, a power of two */
	size_t nr_spots, room_spots;
};

static void usage(FILE *to)
{
	fputs("usage: perf spe annotate [OPTIONS] [SYMBOL]\n"
	      "\n"
	      "Prints a function's disassembly, with its source where there is any, and\n"
	      "beside each instruction its samples: count, share, mean and 99th percentile\n"
	      "of the total latency, mean of the issue latency. Without SYMBOL it is the one\n"
	      "with most samples. Objdump disassembles: OBJDUMP names another.\n"
	      "\n"
	      "      --object NAME   the symbol of this file (a part of its name)\n"
	      "      --events LIST   how many in a hundred had these events\n"
	      ROWS_HELP, to);
}

static struct spot *spot_find(const struct annotate *a, uint64_t address)
{
	size_t mask = a->room_spots - 1;
	size_t slot = (address * 0x9e3779b97f4a7c15ULL >> 20) & mask;

	if (!a->room_spots)
		return NULL;
	while (a->spots[slot].count && a->spots[slot].address != address)
		slot = (slot + 1) & mask;
	return &a->spots[slot];
}

static void spots_grow(struct annotate *a)
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

static void spot_add(struct spot *spot, const struct annotate *a,
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
	for (i = 0; i < a->events.nr_events; i++)
		if (rec->valid & ARMSPE_HAS_EVENTS)
			spot->event[i] +=
				rec->events >> a->events.event_bit[i] & 1;
}

static void annotate_add(void *context, const struct row *row)
{
	struct annotate *a = context;
	const struct place *place = &row->place;
	struct spot *spot;
	uint64_t address;

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

static void print_spot(const struct annotate *a, const struct spot *spot)
{
	size_t i;

	printf("%8" PRIu64 " %6.2f%%", spot->count,
	       100.0 * (double)spot->count / (double)a->count);
	if (spot->latency[0].count)
		printf(" %8.1f %6u", hist_mean(&spot->latency[0]),
		       hist_percentile(&spot->latency[0], 99));
	else
		printf(" %8s %6s", "-", "-");
	if (spot->latency[1].count)
		printf(" %8.1f", hist_mean(&spot->latency[1]));
	else
		printf(" %8s", "-");
	for (i = 0; i < a->events.nr_events; i++)
		printf(" %11.2f%%", 100.0 * (double)spot->event[i] /
		       (double)spot->count);
}

static void print_nothing(const struct annotate *a)
{
	printf("%*s", 40 + 13 * (int)a->events.nr_events, "");
}

static void print_heads(const struct annotate *a)
{
	size_t i;

	printf("# %s in %s: %" PRIu64 " samples of %" PRIu64 "\n", a->symbol,
	       a->found, a->count, a->rows.kept);
	printf("#%7s %7s %8s %6s %8s", "count", "share", "total", "p99",
	       "issue");
	for (i = 0; i < a->events.nr_events; i++)
		printf(" %12s", armspe_event_name(a->events.event_bit[i]));
	putchar('\n');
}

static void print_disassembly(void *context, bool is_code, uint64_t address,
			      const char *line)
{
	const struct annotate *a = context;
	const struct spot *spot = is_code ? spot_find(a, address) : NULL;

	if (spot && spot->count)
		print_spot(a, spot);
	else
		print_nothing(a);
	fputs("  ", stdout);
	for (; *line; line++)
		putchar(*line == '\t' || (unsigned char)*line >= ' ' ? *line :
			'?');
	putchar('\n');
}

static int spot_order(const void *x, const void *y)
{
	const struct spot *a = x, *b = y;

	if (!a->count != !b->count)
		return a->count ? -1 : 1;
	return a->address < b->address ? -1 : a->address > b->address;
}

/* Without code: what the samples themselves tell */
static void print_addresses(const struct annotate *a)
{
	struct spot *spots = xcalloc(a->room_spots, sizeof(*spots));
	const char *file;
	size_t i;
	int line;

	memcpy(spots, a->spots, a->room_spots * sizeof(*spots));
	qsort(spots, a->room_spots, sizeof(*spots), spot_order);
	for (i = 0; i < a->nr_spots; i++) {
		print_spot(a, &spots[i]);
		printf("  %8" PRIx64, spots[i].address);
		if (a->dso && srcline_find(a->dso, spots[i].address, &file,
					   &line)) {
			fputs("  ", stdout);
			put_name(file, stdout);
			printf(":%d", line);
		}
		putchar('\n');
	}
	free(spots);
}

static int print_all(struct annotate *a)
{
	const struct symbol *symbol = NULL;
	size_t i;

	if (a->several)
		say("annotate: more than one file has samples in %s: this is %s's, --object chooses",
		    a->symbol, a->found);
	for (i = 0; a->dso && i < a->room_spots && !symbol; i++)
		if (a->spots[i].count)
			symbol = symtab_find(a->dso == &a->rows.symbols.kernel_file ?
					     &a->rows.symbols.kernel :
					     &a->dso->symtab,
					     a->spots[i].address);
	print_heads(a);
	if (symbol && a->dso->path &&
	    !disasm_each(a->dso->path, symbol->start, symbol->end,
			 print_disassembly, a))
		return EXIT_OK;
	print_addresses(a);
	return EXIT_OK;
}

/* The symbol with most samples, where none is named */
static bool choose(struct annotate *a)
{
	struct sample_totals totals;
	size_t i;

	if (a->symbol)
		return true;
	tally_by(&a->hottest, "annotate", "symbol,object");
	rows_walk(&a->rows, tally_add, &a->hottest, &totals);
	tally_sort(&a->hottest, SORT_COUNT);
	for (i = 0; i < a->hottest.nr_sorted && !a->symbol; i++) {
		const struct tally_row *row = a->hottest.sorted[i];

		if (!row->key[0].present || !row->key[1].present ||
		    (a->object && !strstr(row->key[1].text, a->object)))
			continue;
		a->symbol = row->key[0].text;
		a->object = row->key[1].text;
	}
	return a->symbol;
}

static int run(struct annotate *a)
{
	struct sample_totals totals;
	int rc = rows_open(&a->rows), shown = EXIT_INPUT;
	size_t i;

	if (rc != EXIT_OK)
		return rc;
	if (choose(a)) {
		rc = rows_each(&a->rows, annotate_add, a, &totals);
		if (a->count)
			shown = print_all(a);
		else
			say("annotate: no sample in %s; 'perf spe report' has the symbols",
			    a->symbol);
	} else {
		say("annotate: no sample has a symbol: --symfs, --vmlinux and --kallsyms name files that have");
	}
	for (i = 0; i < a->room_spots; i++) {
		hist_free(&a->spots[i].latency[0]);
		hist_free(&a->spots[i].latency[1]);
	}
	free(a->spots);
	tally_free(&a->hottest);
	rows_close(&a->rows);
	return rc == EXIT_OK ? shown : rc;
}

enum { OPT_OBJECT = 256, OPT_EVENTS };

static bool take_option(void *verb, int option)
{
	struct annotate *a = verb;

	switch (option) {
	case OPT_OBJECT:
		a->object = optarg;
		return true;
	case OPT_EVENTS:
		return tally_events(&a->events, "annotate", optarg);
	default:
		usage(stderr);
		return false;
	}
}

int verb_annotate(int argc, char **argv)
{
	static const struct option options[] = {
		{ "object", required_argument, NULL, OPT_OBJECT },
		{ "events", required_argument, NULL, OPT_EVENTS },
		ROWS_OPTIONS,
		{ 0 },
	};
	static const struct rows_grammar grammar = {
		.letters = ROWS_SHORT, .options = options,
		.usage = usage, .take = take_option,
	};
	struct annotate a = {
		.rows = { .verb = "annotate", .need = NEED_PLACE },
	};
	int rc;

	rc = rows_options(&a.rows, &grammar, &a, argc, argv);
	if (rc >= 0)
		goto out;
	rc = EXIT_USAGE;
	if (optind < argc)
		a.symbol = argv[optind++];
	if (rows_check(&a.rows, argc, argv))
		rc = run(&a);
out:
	filter_free(a.rows.filter);
	return rc;
}
