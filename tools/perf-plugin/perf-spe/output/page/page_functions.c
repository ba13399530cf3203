// SPDX-License-Identifier: GPL-2.0-only
#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/groups/groups.h"
#include "analysis/stats/stats.h"
#include "output/page/page.h"
#include "output/text/text.h"
#include "util/util.h"

/* The columns behind cost and names, in the order of report's */
static const enum measure numbers[] = {
	MEASURE_SHARE, MEASURE_COUNT, MEASURE_MEAN, MEASURE_P50,
	MEASURE_P99, MEASURE_ISSUE_MEAN, MEASURE_XLAT_MEAN,
};

#define NR_NUMBERS	(sizeof(numbers) / sizeof(numbers[0]))

/* Lines of a listing: those of a larger one without samples are left out. */
#define NEAR		12
/* Lines of all listings; functions after them have none. */
#define LINES_MAX	60000u

static char *place_name(const struct place *place)
{
	if (place->symbol)
		return xformat("%s", place->symbol);
	if (!place->has_address)
		return xformat("[no address]");
	if (place->address)
		return xformat("0x%" PRIx64, place->address);
	return xformat(NO_SYMBOL);
}

static bool has_code(const struct page_code *codes, size_t nr_codes, size_t row)
{
	size_t i;

	for (i = 0; i < nr_codes; i++)
		if (codes[i].row == row)
			return true;
	return false;
}

static void put_number(FILE *to, enum measure m, const struct measured *row,
		       const struct measured_all *sum)
{
	char text[32];
	double number;
	bool known = measure_get(m, row, sum, &number);

	if (m == MEASURE_COST || m == MEASURE_SHARE) {
		page_share(to, known ? number : 0, known);
		return;
	}
	measure_text(m, row, sum, text, sizeof(text));
	fprintf(to, "<td class=\"n\" data-v=\"%.10g\">%s</td>",
		known ? number : -1, text);
}

static void put_row(FILE *to, const struct groups *g, size_t row, bool code)
{
	const struct group *group = g->sorted[row];
	const struct measured measured = {
		group->count, group->latency, NULL,
	};
	size_t i;

	char *tag = code ? xformat("a href=\"#code-%zu\"", row) :
			   xformat("span");

	fprintf(to, "<tr id=\"function-%zu\">", row);
	put_number(to, MEASURE_COST, &measured, &g->sum);
	fputs("<td class=\"name\">", to);
	page_element(to, tag, place_name(&group->place));
	free(tag);
	fputs("</td><td class=\"object\" title=\"", to);
	put_escaped(group->place.object, to);
	fputs("\">", to);
	put_escaped(path_short(group->place.object), to);
	fputs("</td>", to);
	for (i = 0; i < NR_NUMBERS; i++)
		put_number(to, numbers[i], &measured, &g->sum);
	fprintf(to, "<td class=\"scripted\"><button type=\"button\" data-flame=\"%zu\">show</button></td></tr>\n",
		row);
}

static void put_head(FILE *to, enum measure m, bool sorted)
{
	const char *latency = measure_latency(m);

	fprintf(to, "<th scope=\"col\" class=\"n\" data-sort%s title=\"%s\">%s%s%s</th>",
		sorted ? " aria-sort=\"descending\"" : "", measure_help(m),
		latency, *latency ? " " : "", measure_heading(m));
}

static void put_heads(FILE *to, enum measure sort)
{
	size_t i;

	fputs("<thead><tr>", to);
	put_head(to, MEASURE_COST, sort == MEASURE_COST);
	fprintf(to, "<th scope=\"col\" data-sort%s>function</th><th scope=\"col\" data-sort>object</th>",
		sort == MEASURE_NAME ? " aria-sort=\"ascending\"" : "");
	for (i = 0; i < NR_NUMBERS; i++)
		put_head(to, numbers[i], sort == numbers[i]);
	fputs("<th scope=\"col\" class=\"scripted\">flame graph</th></tr></thead>\n<tbody>\n", to);
}

/* What the rows behind the limit have together */
static void put_rest(FILE *to, const struct groups *g, size_t from)
{
	uint64_t count = 0, cycles = 0;
	size_t i;

	for (i = from; i < g->nr_sorted; i++) {
		count += g->sorted[i]->count;
		cycles += g->sorted[i]->latency[0].sum;
	}
	if (from < g->nr_sorted)
		fprintf(to, "<p class=\"soft\">Left out: %zu more function%s with %" PRIu64 " sample%s (%.2f%%) and %.2f%% of the cycles. <code>--limit</code> sets how many the page has.</p>\n",
			g->nr_sorted - from, plural(g->nr_sorted - from), count,
			plural(count), percent(count, g->sum.count),
			percent(cycles, g->sum.cycles));
	if (from < g->nr_sorted)
		page_of_whole(to, "What is left out is");
}

void page_functions(FILE *to, const struct groups *g, enum measure sort,
		    size_t limit, const struct page_code *codes, size_t nr_codes)
{
	size_t i;

	fputs("<p>Cost is a function's share of all cycles of total latency; latencies are in cycles. A name leads to the function's code, if the page has it.</p>\n", to);
	fputs("<div class=\"tools scripted\"><label>Filter <input type=\"search\" data-filters=\"functions-table\" autocomplete=\"off\" spellcheck=\"false\"></label> <span id=\"functions-table-status\" role=\"status\"></span></div>\n", to);
	fputs("<div class=\"scroll tall\" tabindex=\"0\" role=\"region\" aria-label=\"Table of functions\"><table class=\"sortable\" id=\"functions-table\">\n", to);
	put_heads(to, sort);
	for (i = 0; i < g->nr_sorted && i < limit; i++)
		put_row(to, g, i, has_code(codes, nr_codes, i));
	fputs("</tbody></table></div>\n", to);
	put_rest(to, g, i);
}

/* Whether a row of a listing shows, because a sample or the end of a gap is near */
static bool *rows_near(const struct grid *g, size_t *shown)
{
	size_t rows = grid_rows(g), i, k, last = SIZE_MAX;
	bool *near = xcalloc(rows + 1, sizeof(*near));

	for (i = 0; i < rows; i++) {
		const char *count = grid_text(g, i, 1);

		if (!count || !*count)
			continue;
		for (k = i > NEAR ? i - NEAR : 0; k <= i + NEAR && k < rows; k++)
			near[k] = true;
		/* A gap of a few lines is not worth a line that names it. */
		if (last != SIZE_MAX && i - last < 3 * NEAR)
			memset(near + last, true, i - last);
		last = i;
	}
	for (i = 0; i < rows; i++)
		*shown += near[i];
	return near;
}

/* Code keeps its tabs, which put_escaped() drops. */
static void put_code_text(FILE *to, const char *text)
{
	const char *tab;

	for (; (tab = strchr(text, '\t')); text = tab + 1) {
		char *before = xstrndup(text, (size_t)(tab - text));

		put_escaped(before, to);
		putc('\t', to);
		free(before);
	}
	put_escaped(text, to);
}

static void put_line(FILE *to, const struct grid *g, size_t row, bool peak,
		     const struct listing *l)
{
	size_t columns = g->nr_columns, i;
	const char *text = grid_text(g, row, columns - 1);
	const char *cost = grid_text(g, row, 0);
	double part = cost ? strtod(cost, NULL) / 100 : 0;

	fprintf(to, "<tr%s>", peak ? " class=\"peak\"" :
		listing_is_code(l, row) ? "" : " class=\"src\"");
	for (i = 0; i + 1 < columns; i++) {
		const char *cell = grid_text(g, row, i);

		if (!cell || !*cell)
			fputs("<td></td>", to);
		else if (!i && part > 0)
			/* A root, so that small shares are seen */
			fprintf(to, "<td class=\"n hot\" style=\"--h:%.2f\">%s</td>",
				0.5 * (part > 1 ? 1 : sqrt(part)), cell);
		else
			fprintf(to, "<td class=\"n\">%s</td>", cell);
	}
	fputs("<td>", to);
	put_code_text(to, text ? text : "");
	fputs("</td></tr>\n", to);
}

static void put_gap(FILE *to, const struct grid *g, size_t lines)
{
	fprintf(to, "<tr class=\"gap\"><td colspan=\"%zu\">  %zu line%s without samples left out</td></tr>\n",
		g->nr_columns, lines, plural(lines));
}

static void put_lines(FILE *to, const struct grid *g, const bool *near,
		      size_t hottest, const struct listing *l)
{
	size_t rows = grid_rows(g), row, gap = 0;

	for (row = 0; row < rows; row++) {
		if (!near[row]) {
			gap++;
			continue;
		}
		if (gap)
			put_gap(to, g, gap);
		gap = 0;
		put_line(to, g, row, row == hottest, l);
	}
	if (gap)
		put_gap(to, g, gap);
}

static void put_code_head(FILE *to, const struct groups *g, size_t row)
{
	const struct group *group = g->sorted[row];

	fprintf(to, "<details class=\"code\" id=\"code-%zu\"><summary><span class=\"name\">", row);
	put_escaped(group->place.symbol, to);
	fputs("</span> <span class=\"soft\">", to);
	put_escaped(path_short(group->place.object), to);
	fprintf(to, "</span> <span class=\"part\">%.2f%% of cycles, %.2f%% of samples</span></summary>\n",
		percent(group->latency[0].sum, g->sum.cycles),
		percent(group->count, g->sum.count));
	fprintf(to, "<div class=\"tools scripted\"><button type=\"button\" data-peak>Hottest instruction</button> <button type=\"button\" data-flame=\"%zu\">Show in flame graph</button></div>\n",
		row);
}

static void put_code_table(FILE *to, const struct grid *g, const bool *near,
			   size_t hottest, const struct listing *l,
			   const char *name)
{
	size_t i;

	fputs("<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Code of ", to);
	put_escaped(name, to);
	fputs("\"><table class=\"listing\"><thead><tr>", to);
	for (i = 0; i < g->nr_columns; i++) {
		const struct grid_column *c = &g->columns[i];
		bool last = i + 1 == g->nr_columns;

		fprintf(to, "<th scope=\"col\"%s>%s%s%s</th>", last ? "" : " class=\"n\"",
			last ? "instruction or source" : c->upper,
			*c->upper && !last ? " " : "", last ? "" : c->lower);
	}
	fputs("</tr></thead><tbody>\n", to);
	put_lines(to, g, near, hottest, l);
	fputs("</tbody></table></div>\n</details>\n", to);
}

void page_codes(FILE *to, const struct groups *g, const struct page_code *codes,
		size_t nr_codes)
{
	size_t i, lines = 0, done = 0;

	for (i = 0; i < nr_codes && lines < LINES_MAX; i++) {
		struct grid grid = { 0 };
		size_t hottest;
		bool *near;

		if (listing_grid(codes[i].listing, &grid, &hottest)) {
			near = rows_near(&grid, &lines);
			put_code_head(to, g, codes[i].row);
			put_code_table(to, &grid, near, hottest,
				       codes[i].listing,
				       g->sorted[codes[i].row]->place.symbol);
			free(near);
			done++;
		}
		grid_free(&grid);
	}
	if (!done) {
		fputs("<p class=\"note\">The page has no code: no sample is in a function whose name is known.</p>\n", to);
		return;
	}
	fprintf(to, "<p class=\"soft\">The page has the code of the %zu function%s with the most cycles. <code>perf spe annotate</code> prints any other one.</p>\n",
		done, plural(done));
}
