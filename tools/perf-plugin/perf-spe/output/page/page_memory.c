// SPDX-License-Identifier: GPL-2.0-only
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "analysis/memory/memory.h"
#include "output/memory/memory.h"
#include "output/page/page.h"
#include "output/text/text.h"
#include "util/util.h"

/* A table with these headings, the last @left of them aligned to the left; see page_table_sums() */
static void heads(FILE *to, const char *id, const char *cells, const char *caption,
		  const char *names, unsigned int left)
{
	unsigned int count = 1, at = 0;
	const char *c;

	for (c = names; *c; c++)
		count += *c == ',';
	fprintf(to, "<h3>%s</h3>\n<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"%s\"><table data-sums=\"%s\" data-cells=\"%s\"><thead><tr>",
		caption, caption, id, cells);
	for (c = names; *c; at++) {
		fprintf(to, "<th scope=\"col\"%s>",
			at + left >= count ? "" : " class=\"n\"");
		for (; *c && *c != ','; c++)
			putc(*c, to);
		fputs("</th>", to);
		c += *c == ',';
	}
	fputs("</tr></thead><tbody>\n", to);
}

/* The end of a table that shows @shown of @all rows */
static void tail(FILE *to, size_t shown, size_t all)
{
	fputs("</tbody></table></div>\n", to);
	if (shown < all)
		fprintf(to, "<p class=\"soft\">Left out: %zu more row%s; <code>perf spe mem --limit</code> shows them.</p>\n",
			all - shown, plural(all - shown));
}

static void touched(const struct mem_report *m, FILE *to, const struct touched *t)
{
	uint64_t count = pages_touches(t);

	fputs("<tr>", to);
	page_share(to, percent(t->cycles, m->pages.cycles), t->timed);
	fprintf(to, "<td class=\"n\">%" PRIu64 "</td>", count);
	page_share(to, percent(count, m->pages.samples), true);
	fprintf(to, "<td class=\"n\">%" PRIu64 "</td><td class=\"n\">", t->stores);
	if (t->timed)
		fprintf(to, "%.1f", (double)t->cycles / (double)t->timed);
	fputs("</td>", to);
}

static void regions(const struct mem_report *m, FILE *to)
{
	const struct pages *p = &m->pages;
	const char *missing = data_names_missing(&m->rows.resolver);
	size_t i;

	heads(to, "regions", "cost,count,share,more,mean,whole", "Regions", "cost,samples,share,stores,mean cycles,KiB,addresses,whose,what it holds", 3);
	for (i = 0; i < p->nr_regions && i < m->limit; i++) {
		const struct region *r = &p->regions[i];

		touched(m, to, &r->touched);
		fprintf(to, "<td class=\"n\">%" PRIu64 "</td><td class=\"mono\">0x%" PRIx64 "-0x%" PRIx64 "</td>",
			r->pages * PAGE_BYTES / 1024, r->start, r->end);
		page_element(to, "td", mem_whose(m, r->whose, r->start));
		page_element(to, "td class=\"holds\"", mem_names(m, TOUCHED_REGION, i));
		fputs("</tr>\n", to);
	}
	tail(to, i, p->nr_regions);
	if (missing)
		page_element(to, "p", xformat("Names of data: %s.", missing));
}

static void hottest(const struct mem_report *m, FILE *to)
{
	const struct pages *p = &m->pages;
	size_t i, half = pages_holding(p, 50);

	heads(to, "pages", "cost,count,share,more,mean,whole", "Hottest pages", "cost,samples,share,stores,mean cycles,lines,node,page,whose,what it holds,accessed by", 4);
	for (i = 0; i < p->table.count && i < m->limit; i++) {
		const struct page *page = p->hot[i];

		touched(m, to, &page->touched);
		fprintf(to, "<td class=\"n\">%d</td>", __builtin_popcountll(page->lines));
		page_element(to, "td class=\"n\"", node_text(page->node));
		fprintf(to, "<td class=\"mono\">0x%" PRIx64 "</td>", page->address);
		page_element(to, "td", mem_whose(m, page->whose, page->address));
		page_element(to, "td class=\"holds\"", mem_names(m, TOUCHED_PAGE, i));
		page_element(to, "td class=\"holds\"", mem_code(m, i));
		fputs("</tr>\n", to);
	}
	tail(to, i, p->table.count);
	fprintf(to, "<p>%zu page%s hold%s half of the samples, %zu hold 90%%, %zu hold 99%%.</p>\n",
		half, plural(half), half == 1 ? "s" : "", pages_holding(p, 90),
		pages_holding(p, 99));
}

static void numa(const struct mem_report *m, FILE *to)
{
	const struct nodes *n = &m->pages.nodes;
	const char *no_memory = nodes_no_memory(n), *no_cpus = nodes_no_cpus(n);
	size_t i;

	heads(to, "nodes", "cost,count,share,more,mean,most", "NUMA nodes", "cost,samples,share,stores,mean cycles,remote accesses,CPUs of node,memory of node,way", 1);
	for (i = 0; i < n->nr_shares && i < m->limit; i++) {
		const struct node_share *share = &n->shares[i];
		const struct touched t = {
			share->count - share->stores, share->stores,
			share->timed, share->cycles,
		};

		touched(m, to, &t);
		fprintf(to, "<td class=\"n\">%" PRIu64 "</td>", share->remote);
		page_element(to, "td class=\"n\"", node_text(share->cpu_node));
		page_element(to, "td class=\"n\"", node_text(share->memory_node));
		fprintf(to, "<td>%s</td></tr>\n", node_way(share));
	}
	tail(to, i, n->nr_shares);
	if (no_memory)
		fprintf(to, "<p>Nodes of memory unknown: %s.</p>\n",
			no_memory);
	if (no_cpus)
		fprintf(to, "<p>Nodes of CPUs unknown: %s.</p>\n",
			no_cpus);
}

void page_memory_pictures(const struct mem_report *m, FILE *to)
{
	size_t i;

	for (i = 0; i < m->nr_zoomed; i++) {
		char *title = mem_title(m, &m->zoomed[i]);

		page_heat(to, &m->zoomed[i], (unsigned int)i, title);
		free(title);
	}
	fputs("<p class=\"soft scripted\">Colours are logarithms of what a cell has. Ranges that no sample accessed are cut out; the line above each band says what it holds, and its addresses if there is room.</p>\n", to);
}

void page_memory_tables(const struct mem_report *m, FILE *to)
{
	regions(m, to);
	hottest(m, to);
	numa(m, to);
}
