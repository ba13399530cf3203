// SPDX-License-Identifier: GPL-2.0-only
/*
 * perf spe report --html: reads the samples twice.  The first time finds the functions,
 * ranges of addresses and times of which the second time counts instructions and cells.
 * Memory depends on how many functions, instructions, pages and cache lines were sampled,
 * not on the number of samples.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/callers/callers.h"
#include "analysis/groups/groups.h"
#include "analysis/memory/memory.h"
#include "analysis/rows/rows.h"
#include "analysis/stats/stats.h"
#include "input/input.h"
#include "output/page/page.h"
#include "output/sentences/sentences.h"
#include "output/text/text.h"
#include "output/verbs/verbs.h"
#include "util/util.h"
#include "verbs/verbs.h"

#define LIMIT		1000u	/* rows of the table of functions */
#define TABLE_LIMIT	20u	/* rows of the tables of memory */
#define LINE_BYTES	64u

/* Which listing counts the samples of a function, by the pointers of its names */
struct listed {
	const char *object, *symbol;	/* object NULL: not used */
	struct listing *listing;	/* NULL: none */
};

struct walk {
	struct html_report *report;
	struct hash_table targets;	/* struct listed */
};

static const struct hash_kind target_table = {
	HASH_SLOTS(struct listed, object),
	.key = { HASH_NUMBER(struct listed, object), HASH_NUMBER(struct listed, symbol) },
};

static void add_row(void *context, const struct row *row)
{
	struct html_report *h = context;

	composition_add(&h->of, row);
	estimate_add(&h->estimate, row);
	flame_add(&h->flame, row);
	lines_add(&h->lines, row);
	pages_add(&h->mem.pages, row);
}

static void first_walk(void *context, const struct row_batch *b)
{
	struct html_report *h = context;

	groups_add(&h->groups, b);
	batch_each(b, add_row, h);
}

static struct listing *listing_of(const struct html_report *h,
				  const struct place *place)
{
	size_t i;

	for (i = 0; i < h->nr_codes; i++) {
		const struct group *g = h->codes[i].group;

		if (!strcmp(g->place.symbol, place->symbol) &&
		    !strcmp(g->place.object, place->object))
			return h->codes[i].listing;
	}
	return NULL;
}

static void add_code(struct walk *w, const struct row *row)
{
	const struct listed key = { .object = row->place->object,
				    .symbol = row->place->symbol };
	struct listed *target;

	if (!key.symbol || !key.object)
		return;
	target = hash_table_add(&w->targets, &target_table, &key);
	if (!target->object) {
		*target = key;
		target->listing = listing_of(w->report, row->place);
	}
	if (target->listing)
		listing_add(target->listing, row);
}

static void second_walk(void *context, const struct row *row)
{
	struct walk *w = context;
	struct mem_report *m = &w->report->mem;
	struct touch touch;
	size_t i;

	add_code(w, row);
	if (!m->nr_zoomed || !pages_touch(&m->pages, row, &touch))
		return;
	touchers_add(&m->touchers, &m->pages, row, &touch);
	for (i = 0; i < m->nr_zoomed; i++)
		heat_add(&m->zoomed[i], &touch);
}

/* The functions that cost most; then the table is sorted as the user wants. */
static void choose_codes(struct html_report *h, const struct tally *no_events)
{
	size_t i, k, nr = 0;

	groups_sort(&h->groups, MEASURE_COST);
	for (i = 0; i < h->groups.nr_sorted && nr < HTML_CODES; i++)
		if (h->groups.sorted[i]->place.symbol)
			h->codes[nr++].group = h->groups.sorted[i];
	groups_sort(&h->groups, h->sort);
	for (i = 0; i < nr; i++) {
		const struct group *group = h->codes[i].group;

		for (k = 0; k < h->groups.nr_sorted && k < h->limit; k++)
			if (h->groups.sorted[k] == group)
				break;
		if (k == h->groups.nr_sorted || k == h->limit)
			continue;
		h->codes[h->nr_codes++] = (struct page_code){
			group, k, listing_new(&h->mem.rows, no_events,
					      group->place.symbol,
					      group->place.object),
		};
	}
}

static int read_and_write(struct html_report *h, struct output *out)
{
	static const struct row_taker first = { .many = first_walk, .rows = true };
	static const struct tally no_events;
	struct walk walk = { .report = h };
	struct sample_totals again;
	int rc = rows_take(&h->mem.rows, &first, h, &h->totals);

	if (!h->totals.decoded.records && rc != EXIT_OK) {
		output_drop(out);
		return rc;
	}
	composition_finish(&h->of);
	h->estimate.part = h->mem.rows.kept != h->mem.rows.seen;
	estimate_finish(&h->estimate);
	flame_finish(&h->flame);
	lines_finish(&h->lines);
	pages_finish(&h->mem.pages);
	if (h->mem.pages.samples)
		mem_zoomed_begin(&h->mem, NULL);
	touchers_begin(&h->mem.touchers, &h->mem.rows, &h->mem.pages, h->mem.limit);
	choose_codes(h, &no_events);
	rows_walk(&h->mem.rows, second_walk, &walk, &again);
	touchers_finish(&h->mem.touchers);
	hash_table_free(&walk.targets);
	advice_say(&h->groups, &h->mem.rows.symbols.kernel);
	rows_none_kept(&h->mem.rows);
	html_report(h, out->to);
	return output_end(out, true) ? rc : EXIT_INPUT;
}

static void clear(struct html_report *h)
{
	size_t i;

	for (i = 0; i < h->nr_codes; i++)
		listing_free(h->codes[i].listing);
	for (i = 0; i < h->mem.nr_zoomed; i++)
		heat_free(&h->mem.zoomed[i]);
	touchers_free(&h->mem.touchers);
	composition_free(&h->of);
	estimate_free(&h->estimate);
	groups_free(&h->groups);
	flame_free(&h->flame);
	lines_free(&h->lines);
	pages_free(&h->mem.pages);
}

int report_html(struct rows *rows, const char *path, enum measure sort,
		uint64_t limit)
{
	struct html_report h = {
		.mem = { .rows = *rows, .limit = TABLE_LIMIT },
		.sort = sort,
		.lines = { .bytes = LINE_BYTES },
		.limit = limit ? (size_t)limit : LIMIT,
	};
	struct output *out;
	int rc;

	composition_init(&h.of, "report");
	h.mem.rows.need = NEED_PLACE;
	h.mem.rows.stacks_if_any = true;
	rc = rows_open(&h.mem.rows);
	if (rc == EXIT_OK) {
		estimate_init(&h.estimate, h.mem.rows.resolver.session);
		if (!nodes_init(&h.mem.pages.nodes, h.mem.rows.resolver.session))
			rc = EXIT_INPUT;
		out = output_begin("report", path);
		if (!out || read_and_write(&h, out) != EXIT_OK)
			rc = EXIT_INPUT;
		rows_close(&h.mem.rows);
	}
	*rows = h.mem.rows;
	clear(&h);
	return rc;
}
