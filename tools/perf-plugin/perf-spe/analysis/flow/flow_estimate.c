// SPDX-License-Identifier: GPL-2.0-only
#include <math.h>
#include <stdlib.h>

#include "analysis/flow/flow.h"
#include "util/util.h"

/*
 * An edge that no sample took may have been taken: it gets this share of a sample, so that
 * balancing can raise it where all other ways are closed.
 */
#define UNSEEN	0.001
/* With so many samples for each instruction of a block, count by the median. */
#define MANY	16

static int address_order(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;

	return *x < *y ? -1 : *x > *y;
}

static int arrival_order(const void *a, const void *b)
{
	return address_order(&((const struct arrival *)a)->to,
			     &((const struct arrival *)b)->to);
}

void flow_samples_index(struct flow_samples *s)
{
	const struct flow *flow;

	s->arrivals = xcalloc(s->list.count + 1, sizeof(*s->arrivals));
	s->entries = xcalloc(s->list.count + 1, sizeof(*s->entries));
	flow_each(flow, &s->list, FLOW_BRANCH) {
		s->arrivals[s->nr_arrivals++] = flow->to;
		s->entries[s->nr_entries++] =
			(struct arrival){ flow->to, flow->from, flow->count };
	}
	flow_each(flow, &s->list, FLOW_ENTRY) {
		s->arrivals[s->nr_arrivals++] = flow->from;
		s->entries[s->nr_entries++] =
			(struct arrival){ flow->from, 0, flow->count };
	}
	flow_each(flow, &s->list, FLOW_RANGE)
		s->arrivals[s->nr_arrivals++] = flow->from;
	qsort(s->arrivals, s->nr_arrivals, sizeof(*s->arrivals), address_order);
	qsort(s->entries, s->nr_entries, sizeof(*s->entries), arrival_order);
}

void flow_samples_free(struct flow_samples *s)
{
	flow_list_free(&s->list);
	free(s->arrivals);
	free(s->entries);
}

static double count_at(const struct flow_list *list, enum flow_kind kind,
		       uint64_t address)
{
	size_t i = flow_list_find(list, kind, address);
	double sum = 0;

	for (; i < list->first[kind + 1] && list->flows[i].from == address; i++)
		sum += (double)list->flows[i].count;
	return sum;
}

struct branch_samples branch_samples_at(const struct flow_samples *s, uint64_t address)
{
	const struct flow_list *list = &s->list;
	size_t i = flow_list_find(list, FLOW_BRANCH, address);
	struct branch_samples found = { .first = list->flows + i };

	for (; i < list->first[FLOW_BRANCH + 1] && list->flows[i].from == address; i++)
		found.taken += (double)list->flows[i].count;
	found.end = list->flows + i;
	found.away = count_at(list, FLOW_AWAY, address);
	found.taken += found.away;
	found.not_taken = count_at(list, FLOW_STEP, address);
	return found;
}

static int double_order(const void *a, const void *b)
{
	const double *x = a, *y = b;

	return *x < *y ? -1 : *x > *y;
}

/*
 * Each instruction of a block executes equally often.  A core that samples
 * micro-operations counts some instructions more often, and others never, if they are
 * fused with a neighbour: the median is the count of the instructions in between.
 */
static double block_count(const struct graph_block *block,
			  const struct flow_samples *s)
{
	size_t n = (size_t)(block->last - block->start) / 4 + 1, i;
	double *counts, sum = 0, result;

	if (s->branches_only)
		return count_at(&s->list, FLOW_ADDRESS, block->last);
	counts = xcalloc(n, sizeof(*counts));
	for (i = 0; i < n; i++)
		sum += counts[i] = count_at(&s->list, FLOW_ADDRESS,
					    block->start + i * UINT64_C(4));
	result = sum / (double)n;
	if (result >= MANY * s->unit) {
		qsort(counts, n, sizeof(*counts), double_order);
		result = (counts[n / 2] + counts[(n - 1) / 2]) / 2;
	}
	free(counts);
	return result;
}

static double share(double part, double all, double count, unsigned int ways,
		    double unseen)
{
	if (all <= 0)
		return count / ways + unseen;
	return count * part / all + unseen;
}

/* An indirect jump or return: by the targets of its samples */
static void estimate_indirect(struct graph *g, uint32_t b,
			      const struct flow_samples *s)
{
	struct graph_block *block = &g->blocks[b];
	struct branch_samples found = branch_samples_at(s, block->last);
	double outside = found.taken;
	const struct flow *flow = found.first;
	struct graph_edge *edge;
	uint32_t i;

	graph_each_out(g, b, i) {
		edge = &g->edges[g->out[i]];
		if (edge->to == GRAPH_OUTSIDE) {
			edge->flow = share(outside, found.taken, block->count, 1, 0);
			continue;
		}
		while (flow < found.end && flow->to != edge->target)
			flow++;
		if (flow == found.end)
			break;
		edge->flow = share((double)flow->count, found.taken, block->count, 1, 0);
		outside -= (double)flow->count;
	}
}

static void estimate_out(struct graph *g, uint32_t b, const struct flow_samples *s)
{
	struct graph_block *block = &g->blocks[b];
	struct branch_samples found;
	double unseen = UNSEEN * s->unit, all;
	uint32_t i;

	if (block->branch.kind == A64_INDIRECT_JUMP ||
	    block->branch.kind == A64_RETURN) {
		estimate_indirect(g, b, s);
		return;
	}
	found = branch_samples_at(s, block->last);
	all = found.taken + found.not_taken;
	graph_each_out(g, b, i) {
		struct graph_edge *edge = &g->edges[g->out[i]];

		if (edge->kind == EDGE_TAKEN)
			edge->flow = block->branch.kind == A64_JUMP ?
				block->count + unseen :
				share(found.taken, all, block->count, 2, unseen);
		else if (edge->to == GRAPH_OUTSIDE)
			edge->flow = 0;		/* behind its end */
		else if (edge->kind == EDGE_NOT_TAKEN)
			edge->flow = share(found.not_taken, all, block->count, 2, unseen);
		else
			edge->flow = block->count + unseen;
	}
}

/* Without samples of other operations a block that does not end in a branch has none. */
static void estimate_unseen(struct graph *g)
{
	uint32_t b, i;

	for (b = g->nr_blocks; b-- > 0; ) {
		struct graph_block *block = &g->blocks[b];
		double from_others = 0;

		if (block->branch.kind != A64_NO_BRANCH || b + 1 == g->nr_blocks)
			continue;
		graph_each_in(g, b + 1, i) {
			const struct graph_edge *edge = &g->edges[g->in[i]];

			if (edge->kind == EDGE_TAKEN)
				from_others += edge->flow;
		}
		block->count = fmax(0, g->blocks[b + 1].count - from_others);
		graph_each_out(g, b, i)
			g->edges[g->out[i]].flow += block->count;
	}
}

/* Sampled branches from other functions to @block */
static double entered(const struct graph *g, const struct graph_block *block,
		      const struct flow_samples *s)
{
	size_t low;
	double sum = 0;

	lower_bound(low, s->nr_entries, s->entries[low].to < block->start);
	for (; low < s->nr_entries && s->entries[low].to == block->start; low++)
		if (s->entries[low].from < g->start || s->entries[low].from >= g->end)
			sum += (double)s->entries[low].count;
	return sum;
}

static void estimate_entry(struct graph *g, uint32_t b, const struct flow_samples *s)
{
	const struct graph_block *block = &g->blocks[b];
	struct graph_edge *entry = NULL;
	double others = 0;
	uint32_t i;

	graph_each_in(g, b, i) {
		if (g->edges[g->in[i]].kind == EDGE_ENTRY)
			entry = &g->edges[g->in[i]];
		else
			others += g->edges[g->in[i]].flow;
	}
	/* What comes back from a call is not new. */
	if (b && a64_is_call(g->blocks[b - 1].branch.kind))
		return;
	entry->flow = entered(g, block, s);
	if (!b)
		entry->flow = fmax(entry->flow, block->count - others) +
			      UNSEEN * s->unit;
}

void flow_estimate(struct graph *g, const struct flow_samples *s)
{
	uint32_t b;

	for (b = 0; b < g->nr_blocks; b++)
		g->blocks[b].count = block_count(&g->blocks[b], s);
	for (b = 0; b < g->nr_blocks; b++)
		estimate_out(g, b, s);
	if (s->branches_only)
		estimate_unseen(g);
	for (b = 0; b < g->nr_blocks; b++)
		estimate_entry(g, b, s);
}

double flow_in(const struct graph *g, uint32_t b)
{
	double sum = 0;
	uint32_t i;

	graph_each_in(g, b, i)
		sum += g->edges[g->in[i]].flow;
	return sum;
}

static double flow_out(const struct graph *g, uint32_t b)
{
	double sum = 0;
	uint32_t i;

	graph_each_out(g, b, i)
		sum += g->edges[g->out[i]].flow;
	return sum;
}

/* Balance one block by its two sums; returns how far apart they were. */
static double balance_block(struct graph *g, uint32_t b, double small)
{
	double in = flow_in(g, b), out = flow_out(g, b), factor;
	uint32_t i;

	if (in <= 0 || out <= 0)
		return 0;
	factor = sqrt(out / in);
	graph_each_in(g, b, i)
		g->edges[g->in[i]].flow *= factor;
	/* A loop of one block is in both lists, and must stay as it is. */
	graph_each_out(g, b, i)
		g->edges[g->out[i]].flow /= factor;
	return fmax(in, out) < small ? 0 : fabs(in - out) / fmax(in, out);
}

double flow_balance(struct graph *g, double small)
{
	double worst = 0;
	int walk;
	uint32_t b;

	for (walk = 0; walk < FLOW_BALANCE_WALKS; walk++) {
		worst = 0;
		/* Forth and back, because counts move along the code. */
		for (b = 0; b < g->nr_blocks; b++) {
			uint32_t at = walk & 1 ? g->nr_blocks - 1 - b : b;

			worst = fmax(worst, balance_block(g, at, small));
		}
		if (worst < FLOW_BALANCE_BOUND)
			break;
	}
	return worst;
}
