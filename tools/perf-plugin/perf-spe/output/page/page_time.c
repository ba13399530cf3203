// SPDX-License-Identifier: GPL-2.0-only
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/memory/memory.h"
#include "analysis/stats/stats.h"
#include "output/page/page.h"
#include "output/text/text.h"
#include "util/util.h"

/* Sums of instructions in slices: functions after them have none, so that the page stays small. */
#define CODE_SUMS	200000u
/* Bins of all histograms: rows after them have none, so that the page stays small. */
#define BINS	200000u

static const char tools[] =
	"<noscript><p class=\"note\">Selecting a range of time needs JavaScript. The page shows the whole recording; <code>--time</code> limits what is read.</p></noscript>\n"
	"<div class=\"scripted\">\n<p class=\"over\">Samples over time<span class=\"keys\">: drag over the bars, or move From and To with the arrow keys, and the page shows this range of time. What stays of the whole recording is marked.</span></p>\n"
	"<div class=\"timeline\" id=\"time-line\" aria-hidden=\"true\"></div>\n"
	"<div class=\"tools\"><label>From <input type=\"range\" id=\"time-from\" min=\"0\" autocomplete=\"off\"></label> <label>To <input type=\"range\" id=\"time-to\" min=\"0\" autocomplete=\"off\"></label> <button type=\"button\" id=\"time-clear\" disabled>All</button></div>\n"
	"<p class=\"where\" id=\"time-status\" role=\"status\"></p>\n</div>\n";

void page_time(FILE *to, const struct page_part *part, const struct slices *s, const struct rows *r)
{
	const char *windows = r->selection.given[SELECT_TIME];
	char *selected = rows_selected(r);

	fprintf(to, "<div id=\"%s\" class=\"time\" role=\"group\" aria-label=\"Range of time\"", part->id);
	/* Of several windows, which a space or a part such as 10%/1 may mean, no --time selects the same. */
	if (!windows || !(strchr(windows, ' ') || strchr(windows, '/'))) {
		fputs(" data-options=\"", to);
		put_escaped(selected, to);
		putc('"', to);
	}
	fputs(">\n", to);
	free(selected);
	if (s->timed)
		fputs(tools, to);
	else
		fprintf(to, "<p class=\"note\">No range of time can be selected: %s.</p>\n", r->kept < 2 ?
			"there are not two samples" :
			"the samples have no times that differ; record with timestamps (<code>ts_enable=1</code>)");
	fputs("</div>\n", to);
}

/*
 * Of slices with samples: how many slices further, samples, of them without total latency, cycles,
 * and with @snooped samples that other caches took part in
 */
static void put_sums(FILE *to, const struct slice_sum *sum, size_t count, bool snooped)
{
	unsigned int last = 0;
	size_t i;

	putc('[', to);
	for (i = 0; i < count; i++) {
		fprintf(to, "%s%u,%" PRIu64 ",%" PRIu64 ",%" PRIu64, i ? "," : "", sum[i].slice - last,
			sum[i].count, sum[i].count - sum[i].timed, sum[i].cycles);
		if (snooped)
			fprintf(to, ",%" PRIu64, sum[i].snooped);
		last = sum[i].slice;
	}
	putc(']', to);
}

static void put_thing(FILE *to, const struct slices *s, enum page_sum part, size_t number,
		      uint64_t address, bool snooped)
{
	size_t count;
	const struct slice_sum *sum = slices_of(s, part, (uint32_t)number, address, &count);

	put_sums(to, sum, count, snooped);
}

/* Of each listing the row of the function, and its instructions with samples */
static void put_codes(FILE *to, const struct slices *s, const struct page_code *codes,
		      size_t nr_codes)
{
	size_t i, k, n, nr, sums = 0;

	for (i = 0; i < nr_codes; i++) {
		const uint64_t *address = listing_sampled(codes[i].listing, &nr);

		for (k = 0; k < nr; k++, sums += n)
			slices_of(s, PAGE_CODE, (uint32_t)codes[i].row, address[k], &n);
		if (sums > CODE_SUMS)
			return;
		fprintf(to, "%s[%zu,[", i ? ",\n" : "\n", codes[i].row);
		for (k = 0; k < nr; k++) {
			if (k)
				putc(',', to);
			put_thing(to, s, PAGE_CODE, codes[i].row, address[k], false);
		}
		fputs("]]", to);
	}
}

/* Of each line its loads, its stores, and its accesses */
static void put_lines(FILE *to, const struct slices *s, const struct lines *l)
{
	size_t i, k;

	for (i = 0; i < l->nr_sorted && i < PAGE_LINES; i++) {
		fputs(i ? ",\n[" : "\n[", to);
		put_thing(to, s, PAGE_LINE, i, 0, true);
		putc(',', to);
		put_thing(to, s, PAGE_LINE, i, 1, true);
		fputs(",[", to);
		for (k = 0; k < l->sorted[i]->nr_accesses && k < PAGE_SIDES; k++) {
			if (k)
				putc(',', to);
			put_thing(to, s, PAGE_ACCESS, i, k, true);
		}
		fputs("]]", to);
	}
}

void page_sums_init(struct page_sums *p, const char *id, size_t rows, bool ranked)
{
	size_t i;

	*p = (struct page_sums){ .id = id, .rows = rows };
	p->of = xcalloc((rows + 1) * TIME_SLICES, sizeof(*p->of));
	if (!ranked)
		return;
	p->hists = xcalloc(rows * TIME_SLICES + 1, sizeof(*p->hists));
	p->ranked = xcalloc(rows + 1, sizeof(*p->ranked));
	for (i = 0; i < rows; i++)
		p->ranked[i] = true;
}

/* Of slices with samples: how many slices further, and the numbers */
static void put_numbers(FILE *to, const struct page_sums *p, size_t row)
{
	static const uint64_t none[PAGE_NUMBERS];
	unsigned int slice, last = 0, i;
	bool any = false;

	putc('[', to);
	for (slice = 0; slice < TIME_SLICES; slice++) {
		const uint64_t *number = page_sums_of(p, row, slice);

		if (!memcmp(number, none, sizeof(none)))
			continue;
		fprintf(to, "%s%u", any ? "," : "", slice - last);
		for (i = 0; i < PAGE_NUMBERS; i++)
			fprintf(to, ",%" PRIu64, number[i]);
		last = slice;
		any = true;
	}
	putc(']', to);
}

static size_t bins_of(const struct page_sums *p, size_t row)
{
	unsigned int slice;
	size_t bins = 0;

	for (slice = 0; slice < TIME_SLICES; slice++)
		bins += page_sums_hist(p, row, slice)->bins.count;
	return bins;
}

static int by_cycles(const void *a, const void *b)
{
	const struct hist_bin *x = a, *y = b;

	return (int)x->cycles - (int)y->cycles;
}

/* How many bins, and of each how many cycles further, and its samples */
static void put_bins(FILE *to, const struct hist *h)
{
	struct hist_bin *sorted = xcalloc(h->bins.count + 1, sizeof(*sorted));
	const struct hist_bin *bin = NULL;
	unsigned int last = 0;
	size_t i, nr = 0;

	while ((bin = hist_next(h, bin)))
		sorted[nr++] = *bin;
	qsort(sorted, nr, sizeof(*sorted), by_cycles);
	fprintf(to, "%zu", nr);
	for (i = 0; i < nr; i++) {
		fprintf(to, ",%u,%" PRIu64, sorted[i].cycles - last, (uint64_t)sorted[i].count);
		last = sorted[i].cycles;
	}
	free(sorted);
}

/* Of slices with latencies: how many slices further, and their bins; 0 if the page has none */
static void put_hists(FILE *to, const struct page_sums *p, size_t row, size_t *bins)
{
	unsigned int slice, last = 0;
	bool any = false;

	if (p->ranked[row])
		*bins += bins_of(p, row);
	if (!p->ranked[row] || *bins > BINS) {
		putc('0', to);
		return;
	}
	putc('[', to);
	for (slice = 0; slice < TIME_SLICES; slice++) {
		const struct hist *h = page_sums_hist(p, row, slice);

		if (!h->count)
			continue;
		fprintf(to, "%s%u,", any ? "," : "", slice - last);
		put_bins(to, h);
		last = slice;
		any = true;
	}
	putc(']', to);
}

/* Print them as JSON.  @bins counts those of the page, which has room for so many. */
static void put_table(FILE *to, const struct page_sums *p, size_t *bins)
{
	size_t row;

	fprintf(to, "\"%s\":{\"all\":", p->id);
	put_numbers(to, p, PAGE_ALL_ROWS);
	fputs(",\"rows\":[", to);
	for (row = 0; row < p->rows; row++) {
		fputs(row ? ",\n" : "\n", to);
		put_numbers(to, p, row);
	}
	fputs("],\"hists\":[", to);
	for (row = 0; p->hists && row < p->rows; row++) {
		fputs(row ? ",\n" : "\n", to);
		put_hists(to, p, row, bins);
	}
	fputs("]}", to);
}

void page_time_data(FILE *to, const struct slices *s, size_t functions,
		    const struct page_code *codes, size_t nr_codes, const struct lines *l,
		    const struct page_sums *tables, size_t count)
{
	size_t i, bins = 0;

	if (!s->timed)
		return;
	/* JavaScript's numbers do not hold all 64 bits of the first time. */
	fprintf(to, "<script type=\"application/json\" id=\"time-data\">{\"slices\":%u,\"first\":\"%" PRIu64 "\",\"span\":%" PRIu64 ",\n\"all\":",
		TIME_SLICES, s->first, s->last - s->first);
	put_thing(to, s, PAGE_ALL, 0, 0, false);
	fputs(",\n\"memory\":", to);
	put_thing(to, s, PAGE_MEMORY, 0, 0, false);
	fputs(",\n\"functions\":[", to);
	for (i = 0; i < functions; i++) {
		fputs(i ? ",\n" : "\n", to);
		put_thing(to, s, PAGE_FUNCTION, i, 0, false);
	}
	fputs("],\n\"codes\":[", to);
	put_codes(to, s, codes, nr_codes);
	fputs("],\n\"line_samples\":", to);
	put_thing(to, s, PAGE_LINE, PAGE_LINES, 0, true);
	fputs(",\n\"lines\":[", to);
	put_lines(to, s, l);
	fputs("],\n\"tables\":{", to);
	for (i = 0; i < count; i++) {
		fputs(i ? ",\n" : "\n", to);
		put_table(to, &tables[i], &bins);
	}
	fputs("}}</script>\n", to);
}

void page_sums_free(struct page_sums *p)
{
	size_t i;

	for (i = 0; p->hists && i < p->rows * TIME_SLICES; i++)
		hist_free(&p->hists[i]);
	free(p->hists);
	free(p->ranked);
	free(p->of);
	memset(p, 0, sizeof(*p));
}
