// SPDX-License-Identifier: GPL-2.0-only
/*
 * "perf spe mem" as one page: pictures, tables and what was recorded.  It asks
 * for no other file, runs no script, and whatever comes from a recording is
 * escaped.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "analysis/nodes.h"
#include "analysis/pages.h"
#include "input/feature.h"
#include "input/perfdata.h"
#include "input/session.h"
#include "input/spe_event.h"
#include "output/canvas_svg.h"
#include "output/heading.h"
#include "output/heat_picture.h"
#include "output/mem_html.h"
#include "output/mem_report.h"
#include "output/text.h"
#include "util/memory.h"
#include "util/percent.h"
#include "util/plural.h"

static const char page_head[] =
	"<!DOCTYPE html>\n"
	"<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
	"<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n"
	"<title>perf spe mem</title>\n"
	"<style>\n"
	"body{font-family:sans-serif;margin:2em auto;max-width:1040px;color:#222}\n"
	"h2{margin-top:1.6em;font-size:1.1em}\n"
	"svg{max-width:100%;height:auto;display:block}\n"
	"table{border-collapse:collapse;font-family:monospace;font-size:13px}\n"
	"td,th{padding:2px 10px;text-align:right;border-bottom:1px solid #eee}\n"
	".t td,td.t,th.t{text-align:left}\n"
	"p{max-width:60em}\n"
	"</style></head><body>\n";

/* "<th>count<th>share...", the last @left of them aligned to the left */
static void heads(FILE *to, const char *names, unsigned int left)
{
	unsigned int count = 1, at = 0;
	const char *c;

	for (c = names; *c; c++)
		count += *c == ',';
	fputs("<table><tr>", to);
	for (c = names; *c; at++) {
		fputs(at + left >= count ? "<th class=\"t\">" : "<th>", to);
		for (; *c && *c != ','; c++)
			putc(*c, to);
		c += *c == ',';
	}
	fputs("</tr>\n", to);
}

static void fact(FILE *to, const char *name, char *value)
{
	if (value && *value) {
		fprintf(to, "<tr><td>%s<td>", name);
		put_escaped(value, to);
		fputs("</tr>\n", to);
	}
	free(value);
}

static void asked_for(const struct session *s, FILE *to)
{
	size_t i;

	for (i = 0; i < s->pd.nr_attrs; i++) {
		const struct pd_attr *attr = &s->pd.attrs[i];
		char *words;

		if (!spe_event_is(s, i))
			continue;
		words = spe_event_text(s, i);
		fact(to, "event", xformat(attr->freq ?
			"%s, %" PRIu64 " samples a second" :
			"%s, one sample in %" PRIu64 " operations",
			words, attr->sample_period));
		free(words);
	}
}

static char *missing(const struct session *s)
{
	if (!s->aux_truncated && !s->aux_partial && !s->aux_collision &&
	    !s->lost_records)
		return xformat("nothing that perf knows of");
	return xformat("AUX data %" PRIu64 " time%s truncated, %" PRIu64
		       " partial, %" PRIu64 " with collisions; %" PRIu64
		       " perf record%s lost", s->aux_truncated,
		       plural(s->aux_truncated), s->aux_partial,
		       s->aux_collision, s->lost_records,
		       plural(s->lost_records));
}

static void heading_fact(void *to, const char *name, char *text)
{
	fact(to, name, text);
}

static void recorded(const struct mem_report *m, FILE *to)
{
	const struct session *s = m->rows.resolver.session;
	const struct pages *p = &m->pages;

	fputs("<h2>What was recorded</h2>\n<table class=\"t\">\n", to);
	heading_each(&m->rows, heading_fact, to);
	if (s) {
		fact(to, "memory", feature_memory(&s->pd));
		asked_for(s, to);
		fact(to, "missing", missing(s));
	}
	fact(to, "samples", xformat("%" PRIu64 " with a %s address, of %" PRIu64,
				    p->samples,
				    p->physical ? "physical" : "virtual",
				    m->rows.seen));
	if (m->rows.filter_text)
		fact(to, "filter", xformat("%s", m->rows.filter_text));
	if (p->timed)
		fact(to, "time", span_text(p->last - p->first, true));
	fact(to, "touched", xformat("%" PRIu64 " KiB in lines of 64 bytes, %zu KiB in pages of 4 KiB, %" PRIu64 " MiB in pages of 2 MiB: at least, for samples see a part",
				    p->lines * 64 / 1024,
				    p->table.count * PAGE_BYTES / 1024,
				    p->huge * 2));
	fputs("</table>\n", to);
}

static void touched(const struct mem_report *m, FILE *to, const struct touched *t)
{
	uint64_t count = pages_touches(t);

	fputs("<tr><td>", to);
	if (t->timed)
		fprintf(to, "%.2f%%", percent(t->cycles, m->pages.cycles));
	fprintf(to, "<td>%" PRIu64 "<td>%.2f%%<td>%" PRIu64 "<td>", count,
		percent(count, m->pages.samples), t->stores);
	if (t->timed)
		fprintf(to, "%.1f", (double)t->cycles / (double)t->timed);
}

/* A cell of text that the caller no longer needs */
static void cell(FILE *to, const char *tag, char *text)
{
	fputs(tag, to);
	put_escaped(text, to);
	free(text);
}

static void regions(const struct mem_report *m, FILE *to)
{
	const struct pages *p = &m->pages;
	size_t i;

	fputs("<h2>Regions</h2>\n", to);
	heads(to, "cost,samples,share,stores,mean cycles,KiB,addresses,whose", 2);
	for (i = 0; i < p->nr_regions && i < m->limit; i++) {
		const struct region *r = &p->regions[i];

		touched(m, to, &r->touched);
		fprintf(to, "<td>%" PRIu64 "<td class=\"t\">0x%" PRIx64 "-0x%" PRIx64,
			r->pages * PAGE_BYTES / 1024, r->start, r->end);
		cell(to, "<td class=\"t\">", mem_whose(m, r->pid, r->start));
		fputs("</tr>\n", to);
	}
	fputs("</table>\n", to);
}

static void hottest(const struct mem_report *m, FILE *to)
{
	const struct pages *p = &m->pages;
	size_t i;

	fprintf(to, "<h2>Hottest pages</h2>\n<p>%zu pages hold half of the samples, %zu hold 90%%, %zu hold 99%%.</p>\n",
		pages_holding(p, 50), pages_holding(p, 90),
		pages_holding(p, 99));
	heads(to, "cost,samples,share,stores,mean cycles,lines,node,page,whose", 2);
	for (i = 0; i < p->table.count && i < m->limit; i++) {
		const struct page *page = p->hot[i];

		touched(m, to, &page->touched);
		fprintf(to, "<td>%d", __builtin_popcountll(page->lines));
		cell(to, "<td>", node_text(page->node));
		fprintf(to, "<td class=\"t\">0x%" PRIx64, page->address);
		cell(to, "<td class=\"t\">",
		     mem_whose(m, page->pid, page->address));
		fputs("</tr>\n", to);
	}
	fputs("</table>\n", to);
}

static void numa(const struct mem_report *m, FILE *to)
{
	const struct nodes *n = &m->pages.nodes;
	const char *no_memory = nodes_no_memory(n), *no_cpus = nodes_no_cpus(n);
	size_t i;

	fputs("<h2>NUMA nodes</h2>\n", to);
	if (no_memory)
		fprintf(to, "<p>Nodes of memory unknown: %s.</p>\n",
			no_memory);
	if (no_cpus)
		fprintf(to, "<p>Nodes of CPUs unknown: %s.</p>\n",
			no_cpus);
	heads(to, "cost,samples,share,stores,mean cycles,remote accesses,CPUs of node,memory of node,", 1);
	for (i = 0; i < n->nr_shares && i < m->limit; i++) {
		const struct node_share *share = &n->shares[i];
		const struct touched t = {
			share->count - share->stores, share->stores,
			share->timed, share->cycles,
		};

		touched(m, to, &t);
		fprintf(to, "<td>%" PRIu64, share->remote);
		cell(to, "<td>", node_text(share->cpu_node));
		cell(to, "<td>", node_text(share->memory_node));
		fprintf(to, "<td class=\"t\">%s</tr>\n", node_way(share));
	}
	fputs("</table>\n", to);
}

static int pictures(const struct mem_report *m, FILE *to)
{
	size_t i;
	int rc = 0;

	for (i = 0; i < m->nr_pictures && !rc; i++) {
		char *title = mem_title(m, &m->pictures[i]);

		fputs("<h2>Heat: ", to);
		put_escaped(title, to);
		fputs("</h2>\n", to);
		rc = heat_picture(&m->pictures[i], i ? NULL : &m->working_set,
				  &canvas_svg, title, to);
		if (!i)
			fputs("<p>Colours are logarithms. Ranges that no sample accessed are cut out: the line above each block names its addresses, and what is cut out above it. A pointer on a cell shows its address and number. Below: the working set of the whole recording, the pages of 4 KiB that samples saw in each step of time, and those of them that no step before had.</p>\n",
			      to);
		free(title);
	}
	return rc;
}

int mem_html(const struct mem_report *m, FILE *to)
{
	int rc;

	fputs(page_head, to);
	fputs("<h1>Memory, as loads and stores saw it</h1>\n", to);
	rc = pictures(m, to);
	regions(m, to);
	hottest(m, to);
	numa(m, to);
	recorded(m, to);
	fputs("</body></html>\n", to);
	return rc;
}
