// SPDX-License-Identifier: GPL-2.0-only
/*
 * perf spe report --html: reads the samples twice.  The first time finds the functions, ranges of
 * addresses and times of which the second time counts instructions, cells and the samples in each
 * slice of time.  The second time reads them in file order, which the strides among the findings
 * need, and finds structures, of whose members a third time, if there are any, counts the samples,
 * and those of findings of cache lines.
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

static void first_walk(void *context, const struct row_batch *b)
{
	struct html_report *h = context;

	groups_add(&h->groups, b);
	estimate_add(&h->estimate, b);
	lines_add(&h->lines, b);
	pages_add(&h->mem.pages, b);
}

static void first_free(void *part)
{
	struct html_report *h = part;

	estimate_free(&h->estimate);
	groups_free(&h->groups);
	lines_parts.free(&h->lines);
	pages_parts.free(&h->mem.pages);
}

static void first_begin(void *part, const void *like)
{
	const struct html_report *of = like;
	struct html_report *h = part;

	estimate_free(&h->estimate);
	groups_free(&h->groups);
	estimate_init(&h->estimate, of->mem.rows.resolver.session);
	lines_parts.begin(&h->lines, &of->lines);
	pages_parts.begin(&h->mem.pages, &of->mem.pages);
}

static void first_merge(void *whole, void *part)
{
	struct html_report *h = whole, *from = part;

	groups_merge(&h->groups, &from->groups);
	estimate_merge(&h->estimate, &from->estimate);
	lines_parts.merge(&h->lines, &from->lines);
	pages_parts.merge(&h->mem.pages, &from->mem.pages);
}

/* Count record @i in its slice: of its cache line and of its access there. */
static void slice_line(struct html_report *h, const struct row_batch *b, size_t i)
{
	struct slice_sum sample = {
		.slice = h->slices.of[i], .count = 1, .part = PAGE_LINE,
		.timed = batch_has(b, i, SPE_COUNTER_TOTAL), .cycles = batch_cycles(b, i),
	}, *all = &h->line_sums[sample.slice];
	struct access access;
	const struct line *line;
	size_t side;

	if (!lines_shared(&h->lines, b, i, &line))
		return;
	all->count++;
	all->timed += sample.timed;
	all->cycles += sample.cycles;
	if (!line || line->rank >= PAGE_LINES)
		return;
	lines_find(&h->lines, b, i, &access);
	sample.number = (uint32_t)line->rank;
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

/* Count record @i, which has a data address, as an access to memory. */
static void add_access(struct html_report *h, const struct row_batch *b, size_t i)
{
	struct touch touch;

	if (h->mem.nr_zoomed && mem_touch(&h->mem, b, i, &touch))
		sliced_touch(h, b, i, &touch);
	if (h->slices.timed)
		slice_line(h, b, i);
}

static void second_walk(void *context, const struct row_batch *b)
{
	const uint32_t data = 1u << SPE_ADDR_DATA_VA | 1u << SPE_ADDR_DATA_PA;
	struct html_report *h = context;
	size_t k;

	sliced_add(h, b);
	flame_add(&h->flame, b);
	for (k = 0; k < b->nr; k++) {
		const size_t i = b->kept[k];

		if (b->addr_valid[i] & data)
			add_access(h, b, i);
		layout_types_add_one(&h->types, b, i);
	}
	findings_add(&h->findings, b);
}

/* Count samples of @group in their slice: of all, of its function and of their instruction. */
static void slice_part(struct html_report *h, const struct group *group, uint64_t address,
		       const struct flame_part *part)
{
	const size_t row = group ? h->row_of[group->number] : SIZE_MAX;
	struct slice_sum sum = {
		.slice = (uint16_t)part->slice, .part = PAGE_ALL, .count = part->count,
		.timed = part->timed, .cycles = part->cycles,
	};

	slices_add(&h->slices, &sum);
	if (row == SIZE_MAX)
		return;
	sum.part = PAGE_FUNCTION;
	sum.number = (uint32_t)row;
	slices_add(&h->slices, &sum);
	sliced_function(h, row, part);
	if (h->code_of[group->number] == HTML_CODES)
		return;
	sum.part = PAGE_CODE;
	sum.address = address;
	slices_add(&h->slices, &sum);
}

static void slice_spot(struct html_report *h, const struct flame_spot *spot)
{
	struct place place = {
		.object = spot->object, .symbol = spot->symbol, .address = spot->sampled,
		.has_address = spot->is & FLAME_LOCATED,
	};
	const struct group *group = groups_find(&h->groups, &place);
	size_t i;

	for (i = 0; i < spot->nr_parts; i++)
		slice_part(h, group, spot->address, &spot->parts[i]);
}

static void second_begin(struct html_report *h)
{
	static const struct tally no_events;
	size_t i;

	slices_init(&h->slices, &h->span);
	for (i = 0; i < TIME_SLICES; i++)
		h->line_sums[i] = (struct slice_sum){
			.slice = (uint16_t)i, .part = PAGE_LINE, .number = PAGE_LINES,
		};
	sliced_begin(h);
	h->flame.slices = &h->slices;
	for (i = 0; i < h->nr_codes; i++)
		h->codes[i].listing = listing_new(&h->mem.rows, &no_events,
						  h->codes[i].group->place.symbol,
						  h->codes[i].group->place.object);
	h->found.limits.samples = FINDING_SAMPLES;
	for (i = 0; i < NR_FINDING; i++)
		h->found.limits.share[i] = finding_least_share((unsigned int)i);
	findings_init(&h->findings, &h->lines);
}

static void second_finish(struct html_report *h)
{
	struct flame_spot **spot = NULL;
	size_t i;

	while ((spot = flame_next(&h->flame, spot)))
		slice_spot(h, *spot);
	for (i = 0; i < TIME_SLICES; i++)
		slices_add(&h->slices, &h->line_sums[i]);
	sliced_finish(h);
	slices_finish(&h->slices);
	mem_touch_end(&h->mem);
	for (i = 0; i < h->mem.nr_zoomed; i++)
		bands_name(&h->mem.zoomed[i].bands, h->mem.zoomed[i].whose, &h->lines);
	findings_judge(&h->findings, &h->estimate, &h->found);
	sliced_found(h);
	flame_finish(&h->flame);
}

/* Strides, of the findings, need the order of the file. */
static void read_again(struct html_report *h)
{
	static const struct row_taker taker = {
		.take = second_walk, .in_order = true,
		.columns = FINDINGS_COLUMNS | PAGES_COLUMNS | COMPOSITION_COLUMNS,
	};
	struct sample_totals again;

	second_begin(h);
	rows_take_again(&h->mem.rows, &taker, h, &again);
	second_finish(h);
}

static void third_walk(void *context, const struct row_batch *b)
{
	struct html_report *h = context;

	sliced_third_add(h, b);
}

/* Of the structures with most samples, and the samples of findings of cache lines by time */
static void read_third(struct html_report *h)
{
	struct row_taker taker = { .take = third_walk };
	struct sample_totals again;
	struct html_layout *of;
	size_t i;

	layout_types_sort(&h->types);
	for (i = 0; i < h->types.nr && i < HTML_LAYOUTS; i++) {
		if (percent(h->types.all[i]->samples, h->mem.pages.samples) < HTML_LAYOUT_PERCENT)
			break;
		of = &h->layouts[h->nr_layouts++];
		of->type = h->types.all[i];
		layout_heat_begin(&of->heat, &h->types, of->type, LINE_BYTES);
	}
	if (!sliced_third_begin(h))
		return;
	taker.columns = sliced_third_columns(h);
	rows_take_again(&h->mem.rows, &taker, h, &again);
	sliced_third_finish(h);
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
	h->code_of = xcalloc(h->groups.nr + 1, sizeof(*h->code_of));
	for (i = 0; i < h->groups.nr; i++) {
		h->row_of[h->groups.sorted[i]->number] = i < h->limit ? i : SIZE_MAX;
		h->code_of[i] = HTML_CODES;
	}
	for (i = 0; i < nr; i++) {
		const struct group *group = h->codes[i].group;

		k = h->row_of[group->number];
		if (k == SIZE_MAX)
			continue;
		h->code_of[group->number] = h->nr_codes;
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
		.columns = ESTIMATE_COLUMNS | LINES_COLUMNS | PAGES_COLUMNS | ROW_SPAN,
	};
	size_t i;
	int rc;

	rows_read(&h->mem.rows, &first, h, &parts, &h->totals);
	rc = samples_verdict(&h->mem.rows.src, &h->totals);
	if (!h->totals.decoded.records && rc != EXIT_OK) {
		output_drop(out);
		return rc;
	}
	estimate_finish(&h->estimate, &h->mem.rows);
	for (i = 0; i < h->estimate.nr_cpus; i++)
		time_span_merge(&h->span, &h->estimate.cpus[i].time);
	lines_finish(&h->lines);
	pages_finish(&h->mem.pages);
	if (h->mem.pages.samples)
		mem_zoomed_begin(&h->mem, NULL);
	touchers_begin(&h->mem.pages, h->mem.limit);
	choose_codes(h);
	read_again(h);
	read_third(h);
	advice_say(&h->groups, &h->mem.rows.symbols);
	rows_none_kept(&h->mem.rows);
	rows_say_lacks(&h->mem.rows);
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
	sliced_free(h);
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
	free(h->code_of);
	composition_free(&h->of);
	first_free(h);
	nodes_free(&h->mem.pages.nodes);
}

int report_html(struct rows *rows, const char *path, enum measure sort,
		uint64_t limit)
{
	struct html_report h = {
		.mem = { .rows = *rows, .limit = TABLE_LIMIT },
		.sort = sort,
		.lines = { .bytes = LINE_BYTES, .hits = true },
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
