// SPDX-License-Identifier: GPL-2.0-only
/*
 * What "perf spe mem" prints.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/memory/memory.h"
#include "output/memory/memory.h"
#include "output/sentences/sentences.h"
#include "output/text/text.h"
#include "output/verbs/verbs.h"
#include "util/util.h"

/* @precise has the intervals of row @index. */
static void put_touched(FILE *to, const struct mem_report *m, const struct touched *t,
			const struct precise *precise, size_t index)
{
	struct measured row = { 0 };

	if (m->ci)
		row = precise_measured(precise, index);
	table_cost(to, t->timed, t->cycles, m->pages.cycles);
	fprintf(to, " %8" PRIu64 " %6.2f%%", pages_touches(t),
	       percent(pages_touches(t), m->pages.samples));
	if (m->ci)
		table_interval_measure(to, MEASURE_SHARE, &row, &precise->sum);
	fprintf(to, " %10" PRIu64, t->stores);
	if (t->timed)
		fprintf(to, " %8.1f", (double)t->cycles / (double)t->timed);
	else
		fprintf(to, " %8s", "-");
	if (m->ci)
		table_interval_measure(to, MEASURE_MEAN, &row, &precise->sum);
}

/* The headings of what put_touched() prints */
static void put_heading(FILE *to, const struct mem_report *m)
{
	const char *ci = TABLE_INTERVAL_HEADING;

	if (m->ci)
		fprintf(to, "# %7s %8s %7s %*s %10s %8s %*s", "cost", "count", "share",
		       TABLE_INTERVAL, ci, "stores", "mean", TABLE_INTERVAL, ci);
	else
		fprintf(to, "# %7s %8s %7s %10s %8s", "cost", "count", "share", "stores",
		       "mean");
}

/* Behind an address: whose it is, what it holds, by which code; and the end of the line */
static void put_whose(FILE *to, const struct mem_report *m, int32_t pid, uint64_t address,
		      char *names, char *code)
{
	char *who = mem_whose(m, pid, address);

	if (*who)
		putc(' ', to);
	put_name(who, to);
	if (*names)
		fputs(": ", to);
	put_name(names, to);
	if (code && *code)
		fputs("; by ", to);
	if (code)
		put_name(code, to);
	putc('\n', to);
	free(code);
	free(names);
	free(who);
}

static void print_regions(FILE *to, const struct mem_report *m)
{
	const struct pages *p = &m->pages;
	size_t i;

	fputs("\n# regions\n", to);
	put_heading(to, m);
	fprintf(to, " %10s  %s\n", "KiB", "addresses");
	for (i = 0; i < p->nr_regions && i < m->limit; i++) {
		const struct region *r = &p->regions[i];

		put_touched(to, m, &r->touched, &m->precise.regions, i);
		fprintf(to, " %10" PRIu64 "  0x%" PRIx64 "-0x%" PRIx64,
		       r->pages * PAGE_BYTES / 1024, r->start, r->end);
		put_whose(to, m, r->whose, r->start,
			  mem_names(m, TOUCHED_REGION, i), NULL);
	}
	if (i < p->nr_regions)
		fprintf(to, "# %zu more region%s\n", p->nr_regions - i,
		       plural(p->nr_regions - i));
}

static void print_pages(FILE *to, const struct mem_report *m)
{
	const struct pages *p = &m->pages;
	bool placed = !nodes_no_memory(&p->nodes);
	size_t i, half = pages_holding(p, 50);

	fprintf(to, "\n# hottest pages: %zu hold%s half of the samples, %zu hold 90%%, %zu hold 99%%\n",
	       half, half == 1 ? "s" : "", pages_holding(p, 90), pages_holding(p, 99));
	put_heading(to, m);
	fprintf(to, " %10s%s  %s\n", "lines", placed ? "    node" : "", "page");
	for (i = 0; i < p->table.count && i < m->limit; i++) {
		const struct page *page = p->hot[i];

		put_touched(to, m, &page->touched, &m->precise.pages, i);
		fprintf(to, " %10d", __builtin_popcountll(page->lines));
		if (placed) {
			char *node = node_text(page->node);

			fprintf(to, " %7s", node);
			free(node);
		}
		fprintf(to, "  0x%" PRIx64, page->address);
		put_whose(to, m, page->whose, page->address,
			  mem_names(m, TOUCHED_PAGE, i), mem_code(m, i));
	}
	if (i < p->table.count)
		fprintf(to, "# %zu more page%s\n", p->table.count - i,
		       plural(p->table.count - i));
}

static void print_nodes(FILE *to, const struct mem_report *m)
{
	const struct nodes *n = &m->pages.nodes;
	const char *no_memory = nodes_no_memory(n), *no_cpus = nodes_no_cpus(n);
	size_t i;

	fputs("\n# NUMA nodes\n", to);
	if (no_memory)
		put_sentence(to, "# ", xformat("# nodes of memory unknown: %s", no_memory));
	if (no_cpus)
		put_sentence(to, "# ", xformat("# nodes of CPUs unknown: %s", no_cpus));
	put_heading(to, m);
	fprintf(to, " %10s %8s %7s\n", "remote", "CPUs of", "memory");
	for (i = 0; i < n->nr_shares && i < m->limit; i++) {
		const struct node_share *share = &n->shares[i];
		const struct touched t = {
			share->count - share->stores, share->stores,
			share->timed, share->cycles,
		};
		char *from = node_text(share->cpu_node);
		char *memory = node_text(share->memory_node);

		put_touched(to, m, &t, &m->precise.nodes, i);
		fprintf(to, " %10" PRIu64 " %8s %7s%s%s\n", share->remote, from, memory,
		       *node_way(share) ? "  " : "", node_way(share));
		free(from);
		free(memory);
	}
	if (i < n->nr_shares)
		fprintf(to, "# %zu more row%s\n", n->nr_shares - i,
		       plural(n->nr_shares - i));
}

/* "8.0/s", "1.2 million/s" of what a step has; "-" if it cannot be told */
static void put_rate(FILE *to, bool known, double rate)
{
	char text[32];

	total_text(rate, text, sizeof(text));
	fprintf(to, " %12s", known ? text : "-");
}

double mem_seconds(const struct mem_report *m, unsigned int k, unsigned int steps)
{
	const double span = (double)(m->pages.last - m->pages.first);

	return (double)filter_ns(m->rows.filter, m->rows.resolver.session, NO_ID,
				 m->pages.first + (uint64_t)(span * k / steps),
				 m->pages.first + (uint64_t)(span * (k + 1) / steps)) / 1e9;
}

static void print_traffic_row(FILE *to, const struct mem_report *m, const struct traffic_row *row)
{
	const double seconds = mem_seconds(m, 0, 1);
	const struct data_place place = {
		.object = row->object, .symbol = row->symbol, .block = row->block,
	};
	struct interval i = { 0 };
	char *name, low[32], high[32];
	double rate = 0;
	unsigned int k;
	bool known;

	known = traffic_rate(&row->all, seconds, &rate, &i);
	fprintf(to, "%10" PRIu64, row->all.count);
	put_rate(to, known, rate);
	total_text(i.low, low, sizeof(low));
	total_text(i.high, high, sizeof(high));
	fprintf(to, " %12s %12s", known ? low : "-", known ? high : "-");
	known = traffic_bytes(&row->all, seconds, &rate);
	put_rate(to, known, rate);
	fprintf(to, " %6.2f%%", percent(row->all.sized, row->all.count));
	for (k = 0; k < TRAFFIC_STEPS; k++)
		fprintf(to, " %5" PRIu64, row->steps[k].count);
	name = row->kind == TRAFFIC_NODE ? node_text(row->node) :
		row->object ? data_place_text(&place, 0) : xformat("(not known)");
	fputs(row->kind == TRAFFIC_NODE ? "  memory of node " : "  ", to);
	put_name(name, to);
	putc('\n', to);
	free(name);
}

static void print_traffic(FILE *to, const struct mem_report *m)
{
	const char *unknown = traffic_unknown(&m->pages, m->rows.resolver.session);
	size_t i, objects = 0;

	fputs("\n# traffic: estimated accesses per second with their interval of 95%, and bytes per second where all sizes are known\n", to);
	if (unknown) {
		fprintf(to, "# rates unknown: %s\n", unknown);
		return;
	}
	fprintf(to, "# %8s %12s %12s %12s %12s %7s  samples in %u steps of %.6f s\n", "count", "accesses/s", "from",
	       "to", "bytes/s", "sized", TRAFFIC_STEPS,
	       (double)(m->pages.last - m->pages.first) / 1e9 / TRAFFIC_STEPS);
	for (i = 0; i < m->traffic.nr_sorted; i++) {
		objects += m->traffic.sorted[i]->kind == TRAFFIC_OBJECT;
		if (objects <= m->limit)
			print_traffic_row(to, m, m->traffic.sorted[i]);
	}
	if (objects > m->limit)
		fprintf(to, "# %zu more row%s\n", objects - (size_t)m->limit, plural(objects - m->limit));
}

/* https://no-color.org: no colours if NO_COLOR is set and not empty */
static bool wants_colours(void)
{
	const char *no = getenv("NO_COLOR"), *kind = getenv("TERM");

	return output_terminal() >= 0 && !(no && *no) &&
	       !(kind && !strcmp(kind, "dumb"));
}

char *mem_touched(const struct pages *p)
{
	char *lines = size_text(p->lines * 64), *pages = size_text(p->table.count * PAGE_BYTES);
	char *huge = size_text(p->huge << 21);
	char *text = xformat("%s in lines of 64 bytes, %s in pages of 4 KiB, %s in pages of 2 MiB",
			     lines, pages, huge);

	free(lines);
	free(pages);
	free(huge);
	return text;
}

void mem_text(const struct mem_report *m)
{
	const struct pages *p = &m->pages;
	struct fitted fitted;
	char *touched;
	FILE *to;

	heading_print(stdout, &m->rows);
	printf("# %" PRIu64 " sample%s with a %s address\n", p->samples,
	       plural(p->samples), p->physical ? "physical" : "virtual");
	if (p->guests)
		put_sentence(stdout, "# ", xformat("# %" PRIu64 " more sample%s of guests left out: the host does not know the process of a virtual address; %suse mem --physical",
						   p->guests, plural(p->guests),
						   p->nodes.physical ? "" : "record with --physical and "));
	table_flags(stdout, m->rows.resolver.session);
	table_names(stdout, &m->rows.resolver);
	touched = mem_touched(p);
	put_sentence(stdout, "# ", xformat("# seen touched: %s", touched));
	free(touched);
	to = fitted_begin(&fitted);
	print_regions(to, m);
	print_pages(to, m);
	print_nodes(to, m);
	if (m->by_time)
		print_traffic(to, m);
	fitted_end(&fitted);
	working_set_text(&m->working_set, stdout);
	putchar('\n');
	put_sentence(stdout, "# ", xformat("# heat of 0x%" PRIx64 "-0x%" PRIx64 ": %s by address and %s, darkest below %" PRIu64,
				       m->heat.bands.band[0].start, m->heat.bands.band[0].end,
				       m->by_latency ? "cycles" : "samples",
				       p->timed ? "time" : "order", m->heat.most));
	heat_text(&m->heat, wants_colours(), stdout);
}

