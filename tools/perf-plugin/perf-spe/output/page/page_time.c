// SPDX-License-Identifier: GPL-2.0-only
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "analysis/memory/memory.h"
#include "analysis/stats/stats.h"
#include "output/page/page.h"
#include "output/text/text.h"
#include "util/util.h"

/* Sums of instructions in slices: functions after them have none, so that the page stays small. */
#define CODE_SUMS	200000u

static const char tools[] =
	"<noscript><p class=\"note\">Selecting a range of time needs JavaScript. The page shows the whole recording; <code>--time</code> limits what is read.</p></noscript>\n"
	"<div class=\"scripted\">\n<p class=\"keys\">Samples over time: drag over the bars, or move From and To with the arrow keys, and the page shows this range of time. What stays of the whole recording is marked.</p>\n"
	"<div class=\"timeline\" id=\"time-line\" aria-hidden=\"true\"></div>\n"
	"<div class=\"tools\"><label>From <input type=\"range\" id=\"time-from\" min=\"0\" autocomplete=\"off\"></label> <label>To <input type=\"range\" id=\"time-to\" min=\"0\" autocomplete=\"off\"></label> <button type=\"button\" id=\"time-clear\" disabled>All</button></div>\n"
	"<p class=\"where\" id=\"time-status\" role=\"status\"></p>\n</div>\n";

void page_time(FILE *to, const struct page_part *part, const struct slices *s, uint64_t samples)
{
	fprintf(to, "<div id=\"%s\" class=\"time\" role=\"group\" aria-label=\"Range of time\">\n", part->id);
	if (s->timed)
		fputs(tools, to);
	else
		fprintf(to, "<p class=\"note\">No range of time can be selected: %s.</p>\n", samples < 2 ?
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
		page_sums_put(to, &tables[i], &bins);
	}
	fputs("}}</script>\n", to);
}
