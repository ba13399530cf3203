// SPDX-License-Identifier: GPL-2.0-only
#include "analysis/memory/memory.h"
#include "output/memory/memory.h"
#include "output/text/text.h"
#include "output/verbs/verbs.h"
#include "util/util.h"

const char *mem_table(unsigned int index)
{
	static const char *const names[] = {
		"regions", "pages", "nodes", "working_set", "traffic", "recording", "offline_cpus", "messages",
	};

	return index < sizeof(names) / sizeof(names[0]) ? names[index] : NULL;
}

/* @precise has the intervals of row @index. */
static void put_touched(struct data *d, const struct mem_report *m, const struct touched *t,
			const struct precise *precise, size_t index)
{
	const struct measured_all *sum = &precise->sum;
	struct measured row = { 0 };
	struct interval i;
	bool known;

	if (m->ci)
		row = precise_measured(precise, index);
	data_real(d, "cost_percent", t->timed, percent(t->cycles, m->pages.cycles));
	data_number(d, "count", pages_touches(t));
	data_real(d, "share_percent", true, percent(pages_touches(t), m->pages.samples));
	if (m->ci) {
		known = precision_get(MEASURE_SHARE, &row, sum, &i);
		table_interval_data(d, "share_percent", known, &i);
	}
	data_number(d, "loads", t->loads);
	data_number(d, "stores", t->stores);
	data_number(d, "cycles", t->cycles);
	data_real(d, "mean", t->timed, t->timed ? (double)t->cycles / (double)t->timed : 0);
	if (m->ci) {
		known = precision_get(MEASURE_MEAN, &row, sum, &i);
		table_interval_data(d, "mean", known, &i);
	}
}

static void put_whose(struct data *d, const struct mem_report *m, uint32_t whose, uint64_t address,
		      char *names)
{
	data_id(d, "pid", mem_pid(m, whose));
	data_take_text(d, "whose", mem_whose(m, whose, address));
	data_take_text(d, "names", names);
}

static void put_regions(struct data *d, const struct mem_report *m)
{
	const struct pages *p = &m->pages;
	size_t i;

	data_table(d, "regions");
	for (i = 0; i < p->nr_regions && i < m->limit; i++) {
		const struct region *r = &p->regions[i];

		data_row(d);
		data_address(d, "start", r->start);
		data_address(d, "end", r->end);
		put_whose(d, m, r->whose, r->start, mem_names(m, TOUCHED_REGION, i));
		put_touched(d, m, &r->touched, &m->precise.regions, i);
		data_number(d, "page_bytes", r->pages * PAGE_BYTES);
		data_row_end(d);
	}
	data_table_end(d);
}

/* A node's number; without one what is known of it: null, or "several" */
static void put_node(struct data *d, const char *name, int32_t node)
{
	if (node == NODE_SEVERAL)
		data_text(d, name, "several");
	else
		data_id(d, name, node);
}

static void put_pages(struct data *d, const struct mem_report *m)
{
	const struct pages *p = &m->pages;
	size_t i;

	data_table(d, "pages");
	for (i = 0; i < p->table.count && i < m->limit; i++) {
		const struct page *page = p->hot[i];

		data_row(d);
		data_address(d, "page", page->address);
		put_whose(d, m, page->whose, page->address, mem_names(m, TOUCHED_PAGE, i));
		data_take_text(d, "code", mem_code(m, i));
		put_touched(d, m, &page->touched, &m->precise.pages, i);
		data_number(d, "line_bytes", (uint64_t)__builtin_popcountll(page->lines) * 64);
		put_node(d, "memory_node", page->node);
		data_row_end(d);
	}
	data_table_end(d);
}

static void put_nodes(struct data *d, const struct mem_report *m)
{
	const struct nodes *n = &m->pages.nodes;
	size_t i;

	data_text(d, "memory_nodes_unknown", nodes_no_memory(n));
	data_text(d, "cpu_nodes_unknown", nodes_no_cpus(n));
	data_table(d, "nodes");
	for (i = 0; i < n->nr_shares && i < m->limit; i++) {
		const struct node_share *share = &n->shares[i];
		const struct touched t = {
			share->count - share->stores, share->stores, share->timed, share->cycles,
		};

		data_row(d);
		put_node(d, "cpu_node", share->cpu_node);
		put_node(d, "memory_node", share->memory_node);
		put_touched(d, m, &t, &m->precise.nodes, i);
		data_number(d, "remote", share->remote);
		data_row_end(d);
	}
	data_table_end(d);
}

static void put_working_set(struct data *d, const struct mem_report *m)
{
	const struct pages *p = &m->pages;
	struct working_set_step steps[WORKING_SET_STEPS];
	unsigned int i;

	working_set_steps(&m->working_set, steps, WORKING_SET_STEPS);
	data_table(d, "working_set");
	for (i = 0; i < WORKING_SET_STEPS; i++) {
		data_row(d);
		/* From p->first on: ns, or the sample's number */
		data_number(d, "from", (uint64_t)((double)(p->last - p->first) * i / WORKING_SET_STEPS));
		data_number(d, "count", steps[i].samples);
		data_number(d, "page_bytes", steps[i].pages * PAGE_BYTES);
		data_number(d, "new_page_bytes", steps[i].fresh * PAGE_BYTES);
		data_number(d, "huge_page_bytes", steps[i].huge * HUGE_BYTES);
		data_row_end(d);
	}
	data_table_end(d);
}

/* A row for each step of time */
static void put_traffic_row(struct data *d, const struct mem_report *m, const struct traffic_row *row)
{
	const uint64_t span = m->pages.last - m->pages.first;
	const struct data_place place = {
		.object = row->object, .symbol = row->symbol, .block = row->block,
	};
	unsigned int k;

	for (k = 0; k < TRAFFIC_STEPS; k++) {
		const struct traffic_step *s = &row->steps[k];
		const bool told = !traffic_unknown(&m->pages, m->rows.resolver.session);
		const double seconds = mem_seconds(m, k, TRAFFIC_STEPS);
		struct interval i = { 0 };
		double rate = 0, bytes = 0;
		bool known = told && traffic_rate(s, seconds, &rate, &i);

		data_row(d);
		data_text(d, "of", row->kind == TRAFFIC_NODE ? "node" : "object");
		put_node(d, "memory_node", row->kind == TRAFFIC_NODE ? row->node : NODE_UNKNOWN);
		data_take_text(d, "name", row->object ? data_place_text(&place, 0) : NULL);
		data_number(d, "from", (uint64_t)((double)span * k / TRAFFIC_STEPS));
		data_number(d, "count", s->count);
		data_real(d, "accesses_per_second", known, rate);
		table_interval_data(d, "accesses_per_second", known, &i);
		data_number(d, "sized_count", s->sized);
		known = told && traffic_bytes(s, seconds, &bytes);
		data_real(d, "bytes_per_second", known, bytes);
		data_row_end(d);
	}
}

static void put_traffic(struct data *d, const struct mem_report *m)
{
	size_t i, objects = 0;

	data_table(d, "traffic");
	for (i = 0; i < m->traffic.nr_sorted; i++) {
		objects += m->traffic.sorted[i]->kind == TRAFFIC_OBJECT;
		if (objects <= m->limit)
			put_traffic_row(d, m, m->traffic.sorted[i]);
	}
	data_table_end(d);
}

void mem_data(const struct mem_report *m, const struct data_options *o, FILE *to)
{
	const struct pages *p = &m->pages;
	struct data d;

	data_begin(&d, o, "mem", to);
	table_recording_data(&d, &m->rows);
	data_number(&d, "samples", p->samples);
	data_number(&d, "guests_left_out", p->guests);
	data_flag(&d, "physical", p->physical);
	data_text(&d, "from_unit", p->timed ? "ns" : "samples");
	data_number(&d, "line_bytes", p->lines * 64);
	data_number(&d, "page_bytes", p->table.count * PAGE_BYTES);
	data_number(&d, "huge_page_bytes", p->huge * HUGE_BYTES);
	put_regions(&d, m);
	put_pages(&d, m);
	put_nodes(&d, m);
	put_working_set(&d, m);
	put_traffic(&d, m);
	data_end(&d);
}
