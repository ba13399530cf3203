// SPDX-License-Identifier: GPL-2.0-only
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/stats/stats.h"
#include "output/page/page.h"
#include "util/util.h"

/* Bins of all histograms: rows after them have none, so that the page stays small. */
#define BINS	200000u

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

uint64_t *page_sums_of(const struct page_sums *p, size_t row, unsigned int slice)
{
	return p->of[(row == PAGE_ALL_ROWS ? 0 : row + 1) * TIME_SLICES + slice];
}

struct hist *page_sums_hist(const struct page_sums *p, size_t row, unsigned int slice)
{
	return &p->hists[row * TIME_SLICES + slice];
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

void page_sums_put(FILE *to, const struct page_sums *p, size_t *bins)
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
