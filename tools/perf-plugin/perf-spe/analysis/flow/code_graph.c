// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>
#include <string.h>

#include "analysis/flow/flow.h"
#include "util/util.h"

/* A function of 64 MiB is damaged. */
#define FUNCTION_MAX	(64u << 20)

/* Its instructions while the graph is made */
struct text {
	struct a64_branch *branches;
	bool *leads;		/* begins a block; one more than there are instructions */
	uint32_t count;
};

static void lead(const struct graph *g, const struct text *t, uint64_t address)
{
	if (address >= g->start && address < g->start + t->count * UINT64_C(4) &&
	    !(address & 3))
		t->leads[(address - g->start) / 4] = true;
}

static bool read_text(const struct graph *g, const struct a64_code *code,
		      struct text *t)
{
	uint32_t room = (uint32_t)((g->end - g->start) / 4), word;

	t->branches = xcalloc(room, sizeof(*t->branches));
	t->leads = xcalloc(room + 1, sizeof(*t->leads));
	for (t->count = 0; t->count < room; t->count++) {
		uint64_t address = g->start + t->count * UINT64_C(4);

		if (!a64_code_word(code, address, &word))
			break;
		t->branches[t->count] = a64_branch(word, address);
	}
	return t->count;
}

static void find_leads(const struct graph *g, const struct text *t,
		       const uint64_t *arrivals, size_t nr_arrivals)
{
	size_t low;
	uint32_t i;

	t->leads[0] = true;
	for (i = 0; i < t->count; i++) {
		if (t->branches[i].kind == A64_NO_BRANCH)
			continue;
		t->leads[i + 1] = true;
		if (t->branches[i].direct && !a64_is_call(t->branches[i].kind))
			lead(g, t, t->branches[i].target);
	}
	lower_bound(low, nr_arrivals, arrivals[low] < g->start);
	for (; low < nr_arrivals && arrivals[low] < g->end; low++)
		lead(g, t, arrivals[low]);
}

static void make_blocks(struct graph *g, const struct text *t)
{
	struct graph_block *block = NULL;
	uint32_t i, count = 0;

	for (i = 0; i < t->count; i++)
		count += t->leads[i];
	/* The block behind the last one ends the lists of edges. */
	g->blocks = xcalloc(count + 1, sizeof(*g->blocks));
	for (i = 0; i < t->count; i++) {
		if (t->leads[i]) {
			block = &g->blocks[g->nr_blocks++];
			block->start = g->start + i * UINT64_C(4);
		}
		block->last = g->start + i * UINT64_C(4);
		block->branch = t->branches[i];
	}
}

uint32_t graph_block_at(const struct graph *g, uint64_t address)
{
	uint32_t low = 0, high = g->nr_blocks;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (g->blocks[middle].start < address)
			low = middle + 1;
		else
			high = middle;
	}
	return low < g->nr_blocks && g->blocks[low].start == address ?
		low : GRAPH_OUTSIDE;
}

static void add_edge(struct graph *g, enum graph_edge_kind kind, uint32_t from,
		     uint32_t to, uint64_t target)
{
	g->edges = array_grow(g->edges, g->nr_edges, &g->room_edges,
			      sizeof(*g->edges));
	g->edges[g->nr_edges++] = (struct graph_edge){ kind, from, to, target, 0 };
}

/* The sampled targets inside of the function; one edge stands for all others. */
static void add_indirect(struct graph *g, uint32_t from,
			 const struct flow_list *sampled)
{
	uint64_t last = g->blocks[from].last;
	size_t i = flow_list_find(sampled, FLOW_BRANCH, last);

	for (; i < sampled->first[FLOW_BRANCH + 1] &&
	       sampled->flows[i].from == last; i++) {
		uint32_t to = graph_block_at(g, sampled->flows[i].to);

		if (to != GRAPH_OUTSIDE)
			add_edge(g, EDGE_TAKEN, from, to, sampled->flows[i].to);
	}
	add_edge(g, EDGE_TAKEN, from, GRAPH_OUTSIDE, 0);
}

static void add_edges(struct graph *g, const struct flow_list *sampled)
{
	uint32_t i;

	for (i = 0; i < g->nr_blocks; i++) {
		const struct a64_branch *branch = &g->blocks[i].branch;
		uint32_t next = i + 1 < g->nr_blocks ? i + 1 : GRAPH_OUTSIDE;

		add_edge(g, EDGE_ENTRY, GRAPH_OUTSIDE, i, 0);
		switch (branch->kind) {
		case A64_NO_BRANCH:
			add_edge(g, EDGE_STEP, i, next, 0);
			break;
		case A64_CALL:
		case A64_INDIRECT_CALL:
			add_edge(g, EDGE_RETURNED, i, next, 0);
			break;
		case A64_CONDITIONAL:
			add_edge(g, EDGE_NOT_TAKEN, i, next, 0);
			/* Fall through */
		case A64_JUMP:
			add_edge(g, EDGE_TAKEN, i,
				 graph_block_at(g, branch->target), branch->target);
			break;
		case A64_INDIRECT_JUMP:
		case A64_RETURN:
			add_indirect(g, i, sampled);
			break;
		}
	}
}

/* Sort the numbers of the edges by the block that they go to, or come from. */
static void link_edges(struct graph *g)
{
	uint32_t in = 0, out = 0, b;
	size_t i;

	g->in = xcalloc(g->nr_edges + 1, sizeof(*g->in));
	g->out = xcalloc(g->nr_edges + 1, sizeof(*g->out));
	for (i = 0; i < g->nr_edges; i++) {
		if (g->edges[i].to != GRAPH_OUTSIDE)
			g->blocks[g->edges[i].to].first_in++;
		if (g->edges[i].from != GRAPH_OUTSIDE)
			g->blocks[g->edges[i].from].first_out++;
	}
	for (b = 0; b <= g->nr_blocks; b++) {
		in += g->blocks[b].first_in;
		out += g->blocks[b].first_out;
		g->blocks[b].first_in = in;
		g->blocks[b].first_out = out;
	}
	for (i = g->nr_edges; i-- > 0; ) {
		if (g->edges[i].to != GRAPH_OUTSIDE)
			g->in[--g->blocks[g->edges[i].to].first_in] = (uint32_t)i;
		if (g->edges[i].from != GRAPH_OUTSIDE)
			g->out[--g->blocks[g->edges[i].from].first_out] = (uint32_t)i;
	}
}

bool graph_make(struct graph *g, const struct a64_code *code, uint64_t start,
		uint64_t end, const struct flow_list *sampled,
		const uint64_t *arrivals, size_t nr_arrivals)
{
	struct text text = { 0 };
	bool some;

	memset(g, 0, sizeof(*g));
	g->start = start;
	g->end = end;
	if ((start & 3) || end <= start + 3 || end - start > FUNCTION_MAX)
		return false;
	some = read_text(g, code, &text);
	if (some) {
		find_leads(g, &text, arrivals, nr_arrivals);
		make_blocks(g, &text);
		add_edges(g, sampled);
		link_edges(g);
	}
	free(text.branches);
	free(text.leads);
	return some;
}

void graph_free(struct graph *g)
{
	free(g->blocks);
	free(g->edges);
	free(g->in);
	free(g->out);
}
