// SPDX-License-Identifier: GPL-2.0-only
/*
 * perf spe report --html: reads the samples several times.  The first time finds the functions,
 * ranges of addresses and times of which the second time counts instructions, cells and the samples
 * in each slice of time.  The third time reads them in file order, which the strides among the
 * findings need, and finds structures, of whose members a fourth time, if there are any, counts the
 * samples.
 * Memory depends on how many functions, instructions, pages and cache lines were sampled in
 * which slice, not on the number of samples.
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
#define LAYOUT_PERCENT	1.0	/* of the samples with an address that a structure on the page has */

/* Where the page has the samples of a function, by the pointers of its names */
struct listed {
	const char *object, *symbol;	/* object NULL: not used */
	uint64_t address;		/* of the place */
	bool has_address;
	size_t row;			/* of the table of functions; SIZE_MAX: none */
	size_t code;			/* in report->codes; HTML_CODES: none */
};

/* The second reading, of one thread */
struct walk {
	const struct html_report *report;
	struct mem_report mem;		/* of the thread */
	struct flame flame;
	struct slices slices;
	struct listing *listings[HTML_CODES];	/* of report->codes */
	struct hash_table targets;	/* struct listed */
};

static const struct hash_kind target_table = {
	HASH_SLOTS(struct listed, object),
	.key = {
		HASH_NUMBER(struct listed, object), HASH_NUMBER(struct listed, symbol),
		HASH_NUMBER(struct listed, address), HASH_NUMBER(struct listed, has_address),
	},
};

static void first_walk(void *context, const struct row_batch *b)
{
	struct html_report *h = context;

	groups_add(&h->groups, b);
	composition_add(&h->of, b);
	estimate_add(&h->estimate, b);
	lines_add(&h->lines, b);
	pages_add(&h->mem.pages, b);
}

static void first_free(void *part)
{
	struct html_report *h = part;

	composition_free(&h->of);
	estimate_free(&h->estimate);
	groups_free(&h->groups);
	lines_parts.free(&h->lines);
	pages_parts.free(&h->mem.pages);
}

static void first_begin(void *part, const void *like)
{
	const struct html_report *of = like;
	struct html_report *h = part;

	composition_free(&h->of);
	estimate_free(&h->estimate);
	groups_free(&h->groups);
	composition_init(&h->of, "report");
	estimate_init(&h->estimate, of->mem.rows.resolver.session);
	lines_parts.begin(&h->lines, &of->lines);
	pages_parts.begin(&h->mem.pages, &of->mem.pages);
}

static void first_merge(void *whole, void *part)
{
	struct html_report *h = whole, *from = part;

	groups_merge(&h->groups, &from->groups);
	composition_merge(&h->of, &from->of);
	estimate_merge(&h->estimate, &from->estimate);
	lines_parts.merge(&h->lines, &from->lines);
	pages_parts.merge(&h->mem.pages, &from->mem.pages);
}

static void find_target(const struct html_report *h, const struct place *place, struct listed *to)
{
	const struct group *group = groups_find(&h->groups, place);

	to->row = group ? h->row_of[group->number] : SIZE_MAX;
	for (to->code = 0; to->code < h->nr_codes; to->code++)
		if (h->codes[to->code].group == group)
			return;
	to->code = HTML_CODES;
}

static const struct listed *target_of(struct walk *w, const struct place *place)
{
	const struct listed key = {
		.object = place->object, .symbol = place->symbol, .address = place->address,
		.has_address = place->has_address,
	};
	struct listed *target = hash_table_add(&w->targets, &target_table, &key);

	if (!target->object) {
		*target = key;
		find_target(w->report, place, target);
	}
	return target;
}

/* Count record @i in its @slice: of all, of its function and of its instruction. */
static void add_slice(struct walk *w, const struct row_batch *b, size_t i, uint16_t slice,
		      const struct listed *target)
{
	struct slice_sum sample = {
		.slice = slice, .part = PAGE_ALL, .count = 1,
		.timed = batch_has(b, i, SPE_COUNTER_TOTAL), .cycles = batch_cycles(b, i),
	};

	slices_add(&w->slices, &sample);
	if (target->row == SIZE_MAX)
		return;
	sample.part = PAGE_FUNCTION;
	sample.number = (uint32_t)target->row;
	slices_add(&w->slices, &sample);
	if (target->code == HTML_CODES)
		return;
	sample.part = PAGE_CODE;
	sample.address = listing_address(b->place[i], b->pc[i]);
	slices_add(&w->slices, &sample);
}

static void second_walk(void *context, const struct row_batch *b)
{
	struct slice_sum memory = { .part = PAGE_MEMORY, .count = 1 };
	struct walk *w = context;
	struct touch touch;
	size_t k;

	flame_add(&w->flame, b);
	for (k = 0; k < b->nr; k++) {
		const size_t i = b->kept[k];
		const struct listed *target = target_of(w, b->place[i]);

		memory.slice = slices_at(&w->slices, b, i);
		add_slice(w, b, i, memory.slice, target);
		if (w->mem.nr_zoomed && mem_touch(&w->mem, b, i, &touch))
			slices_add(&w->slices, &memory);
		if (target->code != HTML_CODES)
			listing_add_one(w->listings[target->code], b, i);
	}
}

static const struct tally no_events;

static void second_free(void *part)
{
	struct walk *w = part;
	size_t i;

	for (i = 0; w->report && i < w->report->nr_codes; i++)
		listing_free(w->listings[i]);
	hash_table_free(&w->targets);
	flame_free(&w->flame);
	slices_free(&w->slices);
	mem_part_free(&w->mem);
}

static void second_begin(void *part, const void *like)
{
	const struct html_report *h = ((const struct walk *)like)->report;
	struct walk *w = part;
	size_t i;

	second_free(w);
	*w = (struct walk){ .report = h };
	slices_init(&w->slices, &h->span);
	w->flame.slices = &w->slices;
	mem_part_begin(&w->mem, &h->mem);
	for (i = 0; i < h->nr_codes; i++)
		w->listings[i] = listing_new(&h->mem.rows, &no_events,
					     h->codes[i].group->place.symbol,
					     h->codes[i].group->place.object);
}

static void second_merge(void *whole, void *part)
{
	struct walk *w = whole, *from = part;
	size_t i;

	for (i = 0; i < w->report->nr_codes; i++)
		listing_merge(w->listings[i], from->listings[i]);
	flame_merge(&w->flame, &from->flame);
	slices_merge(&w->slices, &from->slices);
	mem_part_merge(&w->mem, &from->mem);
}

/* What the second reading has found goes to the report. */
static void read_again(struct html_report *h)
{
	static const struct row_parts parts = {
		sizeof(struct walk), second_begin, second_merge, second_free,
	};
	const struct row_taker taker = {
		.take = second_walk, .columns = PAGES_COLUMNS, .in_order = !h->mem.pages.timed,
	};
	struct walk walk = { .report = h };
	struct sample_totals again;
	size_t i;

	rows_read(&h->mem.rows, &taker, &walk, &parts, &again);
	for (i = 0; i < h->nr_codes; i++)
		h->codes[i].listing = walk.listings[i];
	for (i = 0; i < h->mem.nr_zoomed; i++) {
		heat_free(&h->mem.zoomed[i]);
		h->mem.zoomed[i] = walk.mem.zoomed[i];
	}
	h->mem.touchers = walk.mem.touchers;
	touchers_finish(&h->mem.touchers);
	h->slices = walk.slices;
	h->flame = walk.flame;
	h->flame.slices = &h->slices;
	flame_finish(&h->flame);
	hash_table_free(&walk.targets);
}

/* Count record @i in its slice: of its cache line and of its access there. */
static void slice_line(struct html_report *h, const struct row_batch *b, size_t i)
{
	struct slice_sum sample = {
		.slice = slices_at(&h->slices, b, i), .count = 1, .number = PAGE_LINES, .part = PAGE_LINE,
		.timed = batch_has(b, i, SPE_COUNTER_TOTAL), .cycles = batch_cycles(b, i),
	};
	struct access access;
	const struct line *line = lines_find(&h->lines, b, i, &access);
	size_t at, side;

	if (!line)
		return;
	slices_add(&h->slices, &sample);
	for (at = 0; at < h->lines.nr_sorted && at < PAGE_LINES; at++)
		if (h->lines.sorted[at] == line)
			break;
	if (!line->shared || at == h->lines.nr_sorted || at == PAGE_LINES)
		return;
	sample.number = (uint32_t)at;
	sample.address = access.store;
	sample.snooped = lines_snooped(&h->lines, b, i);
	slices_add(&h->slices, &sample);
	for (side = 0; side < line->nr_accesses && side < PAGE_SIDES; side++)
		if (access_same(&line->accesses[side], &access))
			break;
	sample.part = PAGE_ACCESS;
	sample.address = side;
	if (side < line->nr_accesses && side < PAGE_SIDES)
		slices_add(&h->slices, &sample);
}

static void third_walk(void *context, const struct row_batch *b)
{
	struct html_report *h = context;
	size_t k;

	for (k = 0; k < b->nr && h->slices.timed; k++)
		slice_line(h, b, b->kept[k]);
	findings_add(&h->findings, b);
	layout_types_add(&h->types, b);
}

/* Find what "perf spe advise" finds. */
static void find(struct html_report *h)
{
	static const struct row_taker taker = {
		.take = third_walk, .columns = FINDINGS_COLUMNS, .in_order = true,
	};
	struct sample_totals again;
	unsigned int kind;

	h->found.limits.samples = FINDING_SAMPLES;
	for (kind = 0; kind < NR_FINDING; kind++)
		h->found.limits.share[kind] = finding_least_share(kind);
	findings_init(&h->findings, &h->lines);
	rows_take_again(&h->mem.rows, &taker, h, &again);
	slices_finish(&h->slices);
	findings_judge(&h->findings, &h->estimate, &h->found);
}

static void fourth_walk(void *context, const struct row_batch *b)
{
	struct html_report *h = context;
	size_t i;

	for (i = 0; i < h->nr_layouts; i++)
		layout_heat_add(&h->layouts[i].heat, b);
}

/* Of the structures with most samples */
static void lay_out(struct html_report *h)
{
	static const struct row_taker taker = { .take = fourth_walk, .columns = LINES_COLUMNS };
	struct sample_totals again;
	struct html_layout *of;
	size_t i;

	layout_types_sort(&h->types);
	for (i = 0; i < h->types.nr && i < HTML_LAYOUTS; i++) {
		if (percent(h->types.all[i]->samples, h->mem.pages.samples) < LAYOUT_PERCENT)
			break;
		of = &h->layouts[h->nr_layouts++];
		of->type = h->types.all[i];
		layout_heat_begin(&of->heat, &h->types, of->type, LINE_BYTES);
	}
	if (!h->nr_layouts)
		return;
	rows_take_again(&h->mem.rows, &taker, h, &again);
	for (i = 0; i < h->nr_layouts; i++) {
		of = &h->layouts[i];
		layout_sharing_judge(&of->sharing, &of->heat);
		layout_pad_plan(&of->pad, &of->heat, &of->sharing);
	}
}

/* The functions that cost most; then the table is sorted as the user wants. */
static void choose_codes(struct html_report *h)
{
	size_t i, k, nr = 0;

	groups_sort(&h->groups, MEASURE_COST);
	for (i = 0; i < h->groups.nr_sorted && nr < HTML_CODES; i++)
		if (h->groups.sorted[i]->place.symbol)
			h->codes[nr++].group = h->groups.sorted[i];
	groups_sort(&h->groups, h->sort);
	h->row_of = xcalloc(h->groups.nr + 1, sizeof(*h->row_of));
	for (i = 0; i < h->groups.nr; i++)
		h->row_of[h->groups.sorted[i]->number] = i < h->limit ? i : SIZE_MAX;
	for (i = 0; i < nr; i++) {
		const struct group *group = h->codes[i].group;

		k = h->row_of[group->number];
		if (k == SIZE_MAX)
			continue;
		h->codes[h->nr_codes++] = (struct page_code){ group, k, NULL };
	}
}

static int read_and_write(struct html_report *h, struct output *out)
{
	static const struct row_parts parts = {
		sizeof(struct html_report), first_begin, first_merge, first_free,
	};
	static const struct row_taker first = {
		.take = first_walk,
		.columns = COMPOSITION_COLUMNS | ESTIMATE_COLUMNS | LINES_COLUMNS | PAGES_COLUMNS,
	};
	size_t i;
	int rc;

	rows_read(&h->mem.rows, &first, h, &parts, &h->totals);
	rc = samples_verdict(&h->mem.rows.src, &h->totals);
	if (!h->totals.decoded.records && rc != EXIT_OK) {
		output_drop(out);
		return rc;
	}
	composition_finish(&h->of);
	h->estimate.part = h->mem.rows.kept != h->mem.rows.seen;
	estimate_finish(&h->estimate);
	for (i = 0; i < h->of.nr_cpus; i++)
		time_span_merge(&h->span, &h->of.cpus[i].time);
	lines_finish(&h->lines);
	pages_finish(&h->mem.pages);
	if (h->mem.pages.samples)
		mem_zoomed_begin(&h->mem, NULL);
	touchers_begin(&h->mem.pages, h->mem.limit);
	choose_codes(h);
	read_again(h);
	for (i = 0; i < h->mem.nr_zoomed; i++)
		bands_name(&h->mem.zoomed[i].bands, h->mem.zoomed[i].whose, &h->lines);
	find(h);
	lay_out(h);
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
	for (i = 0; i < h->nr_layouts; i++) {
		layout_pad_free(&h->layouts[i].pad);
		layout_sharing_free(&h->layouts[i].sharing);
		layout_heat_free(&h->layouts[i].heat);
	}
	layout_types_free(&h->types);
	finding_free(&h->found);
	findings_free(&h->findings);
	flame_free(&h->flame);
	slices_free(&h->slices);
	free(h->row_of);
	first_free(h);
	nodes_free(&h->mem.pages.nodes);
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

	h.mem.rows.need = NEED_PLACE;
	h.mem.rows.names_sources = true;
	h.mem.rows.stacks_if_any = true;
	rc = rows_open(&h.mem.rows);
	if (rc == EXIT_OK) {
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
