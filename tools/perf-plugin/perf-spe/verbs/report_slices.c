// SPDX-License-Identifier: GPL-2.0-only
/* perf spe report --html: sums of each slice of time, for the tables of the page. */
#include <stdlib.h>
#include <string.h>

#include "analysis/groups/groups.h"
#include "analysis/rows/rows.h"
#include "analysis/stats/stats.h"
#include "armspe.h"
#include "output/page/page.h"
#include "output/verbs/verbs.h"
#include "util/util.h"
#include "verbs/verbs.h"

/*
 * A part of a batch.  The arrays of a batch are large, so the part is the batch itself, which no
 * other thread reads, and whole_end() gives it back as it was.
 */
struct whole {
	struct row_batch *part;
	size_t nr;
	uint16_t kept[ROW_BATCH];
};

static void whole_begin(struct whole *w, const struct row_batch *b)
{
	w->part = (struct row_batch *)b;
	w->nr = b->nr;
	memcpy(w->kept, b->kept, b->nr * sizeof(*b->kept));
}

static void whole_end(struct whole *w)
{
	w->part->nr = w->nr;
	memcpy(w->part->kept, w->kept, w->nr * sizeof(*w->kept));
}

/* Make the part that of row @k and those after it in its @slice.  Returns the next @k. */
static size_t part_of(struct html_report *h, struct whole *w, size_t k, unsigned int *slice)
{
	const size_t first = k;

	*slice = h->slices.of[w->kept[k]];
	while (k < w->nr && h->slices.of[w->kept[k]] == *slice)
		k++;
	w->part->nr = k - first;
	memcpy(w->part->kept, w->kept + first, w->part->nr * sizeof(*w->kept));
	return k;
}

void sliced_begin(struct html_report *h)
{
	struct page_sums *functions = &h->sums[HTML_FUNCTIONS];
	const struct pages *p = &h->mem.pages;
	size_t i;

	composition_init(&h->of, "report", h->mem.rows.resolver.session);
	h->sliced = xcalloc(TIME_SLICES + 1, sizeof(*h->sliced));
	for (i = 0; i <= TIME_SLICES; i++)
		composition_init(&h->sliced[i], "report", h->mem.rows.resolver.session);
	page_sums_init(&h->sums[HTML_REGIONS], "regions", smaller(p->nr_regions, h->mem.limit), false);
	page_sums_init(&h->sums[HTML_PAGES], "pages", smaller(p->table.count, h->mem.limit), false);
	page_sums_init(&h->sums[HTML_NODES], "nodes", smaller(p->nodes.nr_shares, h->mem.limit), false);
	page_sums_init(functions, "functions", smaller(h->groups.nr_sorted, h->limit), true);
	for (i = 0; i < functions->rows; i++)
		functions->ranked[i] = h->code_of[h->groups.sorted[i]->number] < HTML_CODES;
}

static void add_numbers(const struct page_sums *sums, size_t row, unsigned int slice,
			const uint64_t numbers[PAGE_NUMBERS])
{
	uint64_t *to = page_sums_of(sums, row, slice);
	unsigned int i;

	for (i = 0; i < PAGE_NUMBERS; i++)
		to[i] += numbers[i];
}

/* The latencies of issue and translation have the places of counts and cycles. */
void sliced_function(struct html_report *h, size_t row, const struct flame_part *part)
{
	const uint64_t numbers[PAGE_NUMBERS] = {
		part->issued, part->issue, part->translated, part->xlat,
	};

	if (part->slice != TIME_SLICES)
		add_numbers(&h->sums[HTML_FUNCTIONS], row, part->slice, numbers);
}

/* Count each record of a function whose code the page shows. */
static void add_functions(struct html_report *h, const struct row_batch *b)
{
	size_t k;

	for (k = 0; k < b->nr; k++) {
		const size_t i = b->kept[k];
		const struct group *group = groups_find(&h->groups, b->place[i]);
		const unsigned int slice = h->slices.of[i];
		size_t code;

		if (!group)
			continue;
		code = h->code_of[group->number];
		if (code == HTML_CODES)
			continue;
		listing_add_one(h->codes[code].listing, b, i);
		if (slice != TIME_SLICES && batch_has(b, i, SPE_COUNTER_TOTAL))
			hist_add(page_sums_hist(&h->sums[HTML_FUNCTIONS], h->codes[code].row, slice),
				 b->total[i]);
	}
}

void sliced_add(struct html_report *h, const struct row_batch *b)
{
	struct composition_slots slots;
	unsigned int slice;
	struct whole w;
	size_t k = 0;

	slices_find(&h->slices, b);
	composition_slots(b, &slots);
	whole_begin(&w, b);
	while (k < w.nr) {
		k = part_of(h, &w, k, &slice);
		composition_add_part(&h->sliced[slice], w.part, &slots);
	}
	whole_end(&w);
	add_functions(h, b);
}

void sliced_touch(struct html_report *h, const struct row_batch *b, size_t i,
		  const struct touch *touch)
{
	const struct page *page = touch->page;
	const unsigned int slice = h->slices.of[i];
	const uint64_t numbers[PAGE_NUMBERS] = {
		[PAGE_COUNT] = 1,
		[PAGE_TIMED] = batch_has(b, i, SPE_COUNTER_TOTAL),
		[PAGE_CYCLES] = batch_cycles(b, i),
		[PAGE_MORE] = !!(batch_op(b, i)->flags & ARMSPE_OPF_STORE),
		[PAGE_MOST] = batch_events(b, i) >> SPE_EVENT_REMOTE_ACCESS & 1,
	};
	const struct page_sums *nodes = &h->sums[HTML_NODES];
	const size_t node = nodes_share_of(&h->mem.pages.nodes, b, i);

	if (slice == TIME_SLICES)
		return;
	/* All rows together follow from those of nodes, and from this: see take_memory(). */
	add_numbers(nodes, node < nodes->rows ? node : PAGE_ALL_ROWS, slice, numbers);
	if (page && page->region)
		add_numbers(&h->sums[HTML_REGIONS], page->region - 1, slice, numbers);
	if (page && page->rank)
		add_numbers(&h->sums[HTML_PAGES], page->rank - 1, slice, numbers);
}

static void take_memory(struct html_report *h)
{
	const struct page_sums *nodes = &h->sums[HTML_NODES];
	unsigned int slice;
	size_t row;

	for (slice = 0; slice < TIME_SLICES; slice++) {
		const uint64_t *all = page_sums_of(nodes, PAGE_ALL_ROWS, slice);
		struct slice_sum sum = { .slice = (uint16_t)slice, .part = PAGE_MEMORY };

		for (row = 0; row < nodes->rows; row++)
			add_numbers(nodes, PAGE_ALL_ROWS, slice, page_sums_of(nodes, row, slice));
		add_numbers(&h->sums[HTML_REGIONS], PAGE_ALL_ROWS, slice, all);
		add_numbers(&h->sums[HTML_PAGES], PAGE_ALL_ROWS, slice, all);
		sum.count = all[PAGE_COUNT];
		slices_add(&h->slices, &sum);
	}
}

static void take_hist(const struct page_sums *sums, size_t row, unsigned int slice,
		      const struct hist *from)
{
	uint64_t *number = page_sums_of(sums, row, slice);

	number[PAGE_TIMED] += from->count;
	number[PAGE_CYCLES] += from->sum;
	if (sums->hists)
		hist_merge(page_sums_hist(sums, row, slice), from);
}

static void take_tally(struct html_report *h, enum html_sums which, const char *id,
		       const struct tally *whole, const struct tally *(*of)(const struct composition *))
{
	struct page_sums *sums = &h->sums[which];
	unsigned int slice;
	size_t i;

	page_sums_init(sums, id, smaller(whole->nr_sorted, PAGE_ROWS), true);
	for (slice = 0; slice < TIME_SLICES; slice++) {
		const struct tally *t = of(&h->sliced[slice]);
		uint64_t *all = page_sums_of(sums, PAGE_ALL_ROWS, slice);

		all[PAGE_COUNT] = t->count;
		all[PAGE_CYCLES] = t->sum.cycles;
		for (i = 0; i < sums->rows; i++) {
			const struct tally_row *row = tally_same(t, whole->sorted[i]);

			if (!row)
				continue;
			page_sums_of(sums, i, slice)[PAGE_COUNT] = row->count;
			take_hist(sums, i, slice, &row->latency[0]);
		}
	}
}

static const struct tally *ops_of(const struct composition *c)
{
	return &c->ops;
}

static const struct tally *sources_of(const struct composition *c)
{
	return &c->sources;
}

static const struct tally *tasks_of(const struct composition *c)
{
	return &c->tasks;
}

/* Only those that the recording has, as the table of the page */
static void take_events(struct html_report *h)
{
	struct page_sums *sums = &h->sums[HTML_EVENTS];
	unsigned int slice, bit;
	size_t row = 0;
	uint64_t *n;

	for (bit = 0; bit < SPE_EVENT_COUNT; bit++)
		row += !!h->of.event[bit];
	page_sums_init(sums, "events", row, false);
	for (slice = 0; slice < TIME_SLICES; slice++) {
		const struct composition *c = &h->sliced[slice];

		n = page_sums_of(sums, PAGE_ALL_ROWS, slice);
		n[PAGE_COUNT] = c->with_events;
		n[PAGE_CYCLES] = c->latency[0].sum;
		for (bit = 0, row = 0; bit < SPE_EVENT_COUNT; bit++) {
			if (!h->of.event[bit])
				continue;
			n = page_sums_of(sums, row++, slice);
			n[PAGE_COUNT] = c->event[bit];
			n[PAGE_TIMED] = c->event_timed[bit];
			n[PAGE_CYCLES] = c->event_cycles[bit];
		}
	}
}

static void take_latencies(struct html_report *h)
{
	struct page_sums *sums = &h->sums[HTML_LATENCIES];
	unsigned int slice, i;
	size_t row = 0;

	for (i = 0; i < COMPOSITION_LATENCIES; i++)
		row += !!h->of.latency[i].count;
	page_sums_init(sums, "latencies", row, true);
	for (slice = 0; slice < TIME_SLICES; slice++)
		for (i = 0, row = 0; i < COMPOSITION_LATENCIES; i++) {
			const struct hist *hist = &h->sliced[slice].latency[i];

			if (!h->of.latency[i].count)
				continue;
			page_sums_of(sums, row, slice)[PAGE_COUNT] = hist->count;
			take_hist(sums, row++, slice, hist);
		}
}

static void take_cpus(struct html_report *h)
{
	struct page_sums *sums = &h->sums[HTML_CPUS];
	unsigned int slice;
	size_t i, k;

	page_sums_init(sums, "cpus", smaller(h->of.nr_cpus, PAGE_CPUS), false);
	for (slice = 0; slice < TIME_SLICES; slice++) {
		const struct composition *c = &h->sliced[slice];

		for (k = 0; k < c->nr_cpus; k++) {
			page_sums_of(sums, PAGE_ALL_ROWS, slice)[PAGE_COUNT] += c->cpus[k].count;
			for (i = 0; i < sums->rows; i++)
				if (h->of.cpus[i].cpu == c->cpus[k].cpu)
					page_sums_of(sums, i, slice)[PAGE_COUNT] += c->cpus[k].count;
		}
	}
}

void sliced_finish(struct html_report *h)
{
	unsigned int i;

	for (i = 0; i <= TIME_SLICES; i++) {
		composition_merge(&h->of, &h->sliced[i]);
		composition_finish(&h->sliced[i]);
	}
	composition_finish(&h->of);
	take_tally(h, HTML_OPS, "ops", &h->of.ops, ops_of);
	take_tally(h, HTML_SOURCES, "sources", &h->of.sources, sources_of);
	take_tally(h, HTML_TASKS, "tasks", &h->of.tasks, tasks_of);
	take_events(h);
	take_latencies(h);
	take_cpus(h);
	take_memory(h);
}

/* The samples of a finding that the second reading has counted by @event, or by source */
static void take_found(struct html_report *h, size_t finding, unsigned int event)
{
	unsigned int slice;
	size_t i;

	for (slice = 0; slice < TIME_SLICES; slice++) {
		const struct composition *c = &h->sliced[slice];
		uint64_t *number = page_sums_of(&h->sums[HTML_FINDINGS], finding, slice);

		if (event < SPE_EVENT_COUNT) {
			number[PAGE_COUNT] = c->event[event];
			number[PAGE_TIMED] = c->event_timed[event];
			number[PAGE_CYCLES] = c->event_cycles[event];
		}
		for (i = 0; event == SPE_EVENT_COUNT && i < c->sources.nr_sorted; i++) {
			const struct tally_row *row = c->sources.sorted[i];

			if (!row->key[1].present || !strstr(row->key[1].text, "remote"))
				continue;
			number[PAGE_COUNT] += row->count;
			take_hist(&h->sums[HTML_FINDINGS], finding, slice, &row->latency[0]);
		}
	}
}

static void add_part(const struct page_sums *sums, size_t row, const struct flame_part *part)
{
	const uint64_t numbers[PAGE_NUMBERS] = {
		[PAGE_COUNT] = part->count, [PAGE_TIMED] = part->timed, [PAGE_CYCLES] = part->cycles,
	};

	if (part->slice != TIME_SLICES)
		add_numbers(sums, row, part->slice, numbers);
}

/* Of a filter for instructions, and for no events but those of misses: spots tell both. */
static void take_spots(struct html_report *h, size_t finding, const struct filter *filter)
{
	struct armspe_record rec = { .valid = ARMSPE_HAS_EVENTS };
	struct flame_spot **slot = NULL;
	size_t i;

	while ((slot = flame_next(&h->flame, slot))) {
		const struct flame_spot *spot = *slot;
		const struct place place = {
			.object = spot->object, .dso = spot->dso, .file_address = spot->address,
			.has_address = spot->is & FLAME_LOCATED,
		};
		const struct row row = { .rec = &rec, .place = &place };

		rec.addr_valid = (uint32_t)place.has_address << SPE_ADDR_PC;
		rec.addr[SPE_ADDR_PC] = spot->pc;
		rec.events = spot->is & FLAME_MISSED ? PROFILE_MISS_EVENTS : 0;
		if (!filter_match(filter, &row))
			continue;
		for (i = 0; i < spot->nr_parts; i++)
			add_part(&h->sums[HTML_FINDINGS], finding, &spot->parts[i]);
	}
}

void sliced_found(struct html_report *h)
{
	size_t i;

	page_sums_init(&h->sums[HTML_FINDINGS], "findings", h->found.nr, false);
	h->found_by = xcalloc(h->found.nr + 1, sizeof(*h->found_by));
	for (i = 0; h->slices.timed && i < h->found.nr; i++) {
		const struct finding *f = &h->found.all[i];
		const unsigned int event = finding_event(f->kind);
		struct filter *filter;

		if (event < SPE_EVENT_COUNT || f->kind == FINDING_REMOTE) {
			take_found(h, i, event);
			continue;
		}
		filter = filter_parse("report", f->filter);
		if (filter && (f->kind == FINDING_MISSES || f->kind == FINDING_STRIDE)) {
			take_spots(h, i, filter);
			filter_free(filter);
		} else {
			h->found_by[i] = filter;
		}
	}
}

bool sliced_third_begin(struct html_report *h)
{
	bool needed = h->nr_layouts;
	size_t i;

	for (i = 0; i < h->found.nr; i++)
		needed |= h->found_by[i] != NULL;
	for (i = 0; i < HTML_LAYOUTS; i++) {
		const struct html_layout *of = &h->layouts[i];
		const size_t rows = i < h->nr_layouts ? of->type->layout->nr : 0;

		page_sums_init(&h->sums[HTML_LAYOUT + i], html_layout_id(i), rows, true);
		if (i < h->nr_layouts)
			h->layouts[i].sliced = xcalloc((rows + 1) * (TIME_SLICES + 1), sizeof(*of->sliced));
	}
	return needed;
}

unsigned int sliced_third_columns(const struct html_report *h)
{
	unsigned int columns = h->nr_layouts ? LINES_COLUMNS : ROW_OP | ROW_EVENTS;
	size_t i;

	for (i = 0; i < h->found.nr; i++)
		if (h->found_by[i])
			columns |= filter_columns(h->found_by[i]);
	return columns;
}

static void add_found(struct html_report *h, struct row_batch *b, size_t finding)
{
	size_t k;

	filter_batch(h->found_by[finding], b);
	for (k = 0; k < b->nr; k++) {
		const size_t i = b->kept[k];
		uint64_t *number;

		if (h->slices.of[i] == TIME_SLICES)
			continue;
		number = page_sums_of(&h->sums[HTML_FINDINGS], finding, h->slices.of[i]);
		number[PAGE_COUNT]++;
		number[PAGE_TIMED] += batch_has(b, i, SPE_COUNTER_TOTAL);
		number[PAGE_CYCLES] += batch_cycles(b, i);
	}
}

void sliced_third_add(struct html_report *h, const struct row_batch *b)
{
	unsigned int slice;
	struct whole w;
	size_t i, k;

	slices_find(&h->slices, b);
	whole_begin(&w, b);
	for (i = 0; i < h->found.nr; i++) {
		if (h->found_by[i])
			add_found(h, w.part, i);
		whole_end(&w);
	}
	for (k = 0; h->nr_layouts && k < w.nr;) {
		k = part_of(h, &w, k, &slice);
		for (i = 0; i < h->nr_layouts; i++) {
			struct html_layout *of = &h->layouts[i];

			of->heat.also = &of->sliced[slice * (of->type->layout->nr + 1)];
			layout_heat_add(&of->heat, w.part);
		}
	}
	whole_end(&w);
}

static void take_layout(struct page_sums *sums, const struct html_layout *of)
{
	const size_t nr = of->type->layout->nr;
	unsigned int slice;
	size_t i;

	for (slice = 0; slice < TIME_SLICES; slice++)
		for (i = 0; i <= nr; i++) {
			const struct layout_sums *from = &of->sliced[slice * (nr + 1) + i];
			uint64_t *number = page_sums_of(sums, i == nr ? PAGE_ALL_ROWS : i, slice);

			number[PAGE_COUNT] = from->samples;
			number[PAGE_MORE] = from->loads;
			number[PAGE_MOST] = from->stores;
			if (i < nr)
				take_hist(sums, i, slice, &from->total);
		}
}

void sliced_third_finish(struct html_report *h)
{
	size_t i;

	for (i = 0; i < h->nr_layouts; i++)
		take_layout(&h->sums[HTML_LAYOUT + i], &h->layouts[i]);
}

void sliced_free(struct html_report *h)
{
	size_t i, k;

	for (i = 0; h->sliced && i <= TIME_SLICES; i++)
		composition_free(&h->sliced[i]);
	free(h->sliced);
	for (i = 0; i < h->nr_layouts; i++) {
		for (k = 0; k < (h->layouts[i].type->layout->nr + 1) * (TIME_SLICES + 1); k++)
			layout_sums_free(&h->layouts[i].sliced[k]);
		free(h->layouts[i].sliced);
	}
	for (i = 0; h->found_by && i < h->found.nr; i++)
		filter_free(h->found_by[i]);
	free(h->found_by);
	for (i = 0; i < HTML_SUMS; i++)
		page_sums_free(&h->sums[i]);
}
