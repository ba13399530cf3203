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
#include "output/text/text.h"
#include "output/verbs/verbs.h"
#include "util/util.h"

/* @precise has the intervals of row @index. */
static void put_touched(const struct mem_report *m, const struct touched *t,
			const struct precise *precise, size_t index)
{
	struct measured row = { 0 };

	if (m->ci)
		row = precise_measured(precise, index);
	table_cost(stdout, t->timed, t->cycles, m->pages.cycles);
	printf(" %8" PRIu64 " %6.2f%%", pages_touches(t),
	       percent(pages_touches(t), m->pages.samples));
	if (m->ci)
		table_interval_measure(stdout, MEASURE_SHARE, &row, &precise->sum);
	printf(" %10" PRIu64, t->stores);
	if (t->timed)
		printf(" %8.1f", (double)t->cycles / (double)t->timed);
	else
		printf(" %8s", "-");
	if (m->ci)
		table_interval_measure(stdout, MEASURE_MEAN, &row, &precise->sum);
}

/* The headings of what put_touched() prints */
static void put_heading(const struct mem_report *m)
{
	const char *ci = TABLE_INTERVAL_HEADING;

	if (m->ci)
		printf("# %7s %8s %7s %*s %10s %8s %*s", "cost", "count", "share",
		       TABLE_INTERVAL, ci, "stores", "mean", TABLE_INTERVAL, ci);
	else
		printf("# %7s %8s %7s %10s %8s", "cost", "count", "share", "stores",
		       "mean");
}

/* Behind an address: whose it is, what it holds, by which code; and the end of the line */
static void put_whose(const struct mem_report *m, int32_t pid, uint64_t address,
		      char *names, char *code)
{
	char *who = mem_whose(m, pid, address);

	if (*who)
		putchar(' ');
	put_name(who, stdout);
	if (*names)
		fputs(": ", stdout);
	put_name(names, stdout);
	if (code && *code)
		fputs("; by ", stdout);
	if (code)
		put_name(code, stdout);
	putchar('\n');
	free(code);
	free(names);
	free(who);
}

static void print_regions(const struct mem_report *m)
{
	const struct pages *p = &m->pages;
	size_t i;

	puts("\n# regions");
	put_heading(m);
	printf(" %10s  %s\n", "KiB", "addresses");
	for (i = 0; i < p->nr_regions && i < m->limit; i++) {
		const struct region *r = &p->regions[i];

		put_touched(m, &r->touched, &m->precise.regions, i);
		printf(" %10" PRIu64 "  0x%" PRIx64 "-0x%" PRIx64,
		       r->pages * PAGE_BYTES / 1024, r->start, r->end);
		put_whose(m, r->whose, r->start,
			  mem_names(m, TOUCHED_REGION, i), NULL);
	}
	if (i < p->nr_regions)
		printf("# %zu more region%s\n", p->nr_regions - i,
		       plural(p->nr_regions - i));
}

static void print_pages(const struct mem_report *m)
{
	const struct pages *p = &m->pages;
	bool placed = !nodes_no_memory(&p->nodes);
	size_t i;

	printf("\n# hottest pages: %zu hold half of the samples, %zu hold 90%%, %zu hold 99%%\n",
	       pages_holding(p, 50), pages_holding(p, 90), pages_holding(p, 99));
	put_heading(m);
	printf(" %10s%s  %s\n", "lines", placed ? "    node" : "", "page");
	for (i = 0; i < p->table.count && i < m->limit; i++) {
		const struct page *page = p->hot[i];

		put_touched(m, &page->touched, &m->precise.pages, i);
		printf(" %10d", __builtin_popcountll(page->lines));
		if (placed) {
			char *node = node_text(page->node);

			printf(" %7s", node);
			free(node);
		}
		printf("  0x%" PRIx64, page->address);
		put_whose(m, page->whose, page->address,
			  mem_names(m, TOUCHED_PAGE, i), mem_code(m, i));
	}
	if (i < p->table.count)
		printf("# %zu more page%s\n", p->table.count - i,
		       plural(p->table.count - i));
}

static void print_nodes(const struct mem_report *m)
{
	const struct nodes *n = &m->pages.nodes;
	const char *no_memory = nodes_no_memory(n), *no_cpus = nodes_no_cpus(n);
	size_t i;

	puts("\n# NUMA nodes");
	if (no_memory)
		printf("# nodes of memory unknown: %s\n", no_memory);
	if (no_cpus)
		printf("# nodes of CPUs unknown: %s\n", no_cpus);
	put_heading(m);
	printf(" %10s %8s %7s\n", "remote", "CPUs of", "memory");
	for (i = 0; i < n->nr_shares && i < m->limit; i++) {
		const struct node_share *share = &n->shares[i];
		const struct touched t = {
			share->count - share->stores, share->stores,
			share->timed, share->cycles,
		};
		char *from = node_text(share->cpu_node);
		char *to = node_text(share->memory_node);

		put_touched(m, &t, &m->precise.nodes, i);
		printf(" %10" PRIu64 " %8s %7s%s%s\n", share->remote, from, to,
		       *node_way(share) ? "  " : "", node_way(share));
		free(from);
		free(to);
	}
	if (i < n->nr_shares)
		printf("# %zu more row%s\n", n->nr_shares - i,
		       plural(n->nr_shares - i));
}

/* https://no-color.org: no colours if NO_COLOR is set and not empty */
static bool wants_colours(void)
{
	const char *no = getenv("NO_COLOR"), *kind = getenv("TERM");

	return output_terminal() >= 0 && !(no && *no) &&
	       !(kind && !strcmp(kind, "dumb"));
}

void mem_text(const struct mem_report *m)
{
	const struct pages *p = &m->pages;

	heading_print(stdout, &m->rows);
	printf("# %" PRIu64 " sample%s with a %s address\n", p->samples,
	       plural(p->samples), p->physical ? "physical" : "virtual");
	table_flags(stdout, m->rows.resolver.session);
	table_names(stdout, &m->rows.resolver);
	printf("# seen touched: %" PRIu64 " KiB in lines of 64 bytes, %zu KiB in pages of 4 KiB, %" PRIu64 " MiB in pages of 2 MiB\n",
	       p->lines * 64 / 1024, p->table.count * PAGE_BYTES / 1024,
	       p->huge * 2);
	print_regions(m);
	print_pages(m);
	print_nodes(m);
	working_set_text(&m->working_set, stdout);
	printf("\n# heat of 0x%" PRIx64 "-0x%" PRIx64 ": %s by address and %s, darkest below %" PRIu64 "\n",
	       m->heat.bands.band[0].start, m->heat.bands.band[0].end,
	       m->by_latency ? "cycles" : "samples",
	       p->timed ? "time" : "order", m->heat.most);
	heat_text(&m->heat, wants_colours(), stdout);
}

