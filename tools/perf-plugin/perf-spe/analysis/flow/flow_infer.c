// SPDX-License-Identifier: GPL-2.0-only
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/flow/flow.h"
#include "symbols/code/code.h"
#include "symbols/elf/elf.h"
#include "util/util.h"

static void emit(struct flow_list *to, enum flow_kind kind, uint64_t from,
		 uint64_t target, double count, double mispredicted)
{
	struct flow flow = {
		.kind = kind, .from = from, .to = target, .ends_in_branch = true,
		.count = (uint64_t)llround(count),
		.mispredicted = (uint64_t)llround(mispredicted),
	};

	if (flow.count)
		flow_list_add(to, &flow);
}

/* A direct branch that was taken @count times */
static void emit_direct(struct flow_list *to, const struct graph_block *block,
			const struct branch_samples *found, double count)
{
	double mispredicted = 0, taken = 0;
	const struct flow *flow;

	for (flow = found->first; flow < found->end; flow++) {
		taken += (double)flow->count;
		mispredicted += (double)flow->mispredicted;
	}
	emit(to, FLOW_BRANCH, block->last, block->branch.target, count,
	     taken > 0 ? count * mispredicted / taken : 0);
}

/* An indirect branch: shares of @count in proportion to the samples with [from, end) */
static void emit_shares(struct flow_list *to, const struct graph *g,
			const struct branch_samples *found, double count, bool all)
{
	const struct flow *flow;
	double sum = found->away;

	for (flow = found->first; flow < found->end; flow++)
		if (all || graph_block_at(g, flow->to) == GRAPH_OUTSIDE)
			sum += (double)flow->count;
	for (flow = found->first; flow < found->end; flow++)
		if (all || graph_block_at(g, flow->to) == GRAPH_OUTSIDE)
			emit(to, FLOW_BRANCH, flow->from, flow->to,
			     count * (double)flow->count / sum,
			     count * (double)flow->mispredicted / sum);
}

static void emit_taken(struct flow_list *to, const struct graph *g, uint32_t b,
		       const struct graph_edge *edge, const struct flow_samples *s)
{
	const struct graph_block *block = &g->blocks[b];
	struct branch_samples found = branch_samples_at(s, block->last);
	const struct flow *flow = found.first;

	if (block->branch.direct) {
		emit_direct(to, block, &found, edge->flow);
		return;
	}
	if (edge->to == GRAPH_OUTSIDE) {
		emit_shares(to, g, &found, edge->flow, false);
		return;
	}
	while (flow < found.end && flow->to != edge->target)
		flow++;
	emit(to, FLOW_BRANCH, block->last, edge->target, edge->flow,
	     flow < found.end && flow->count ? edge->flow *
	     (double)flow->mispredicted / (double)flow->count : 0);
}

static void emit_call(struct flow_list *to, const struct graph *g, uint32_t b,
		      const struct flow_samples *s)
{
	const struct graph_block *block = &g->blocks[b];
	struct branch_samples found = branch_samples_at(s, block->last);
	double in = flow_in(g, b);

	if (block->branch.direct)
		emit_direct(to, block, &found, in);
	else
		emit_shares(to, g, &found, in, true);
}

static void emit_block(struct flow_list *to, const struct graph *g, uint32_t b,
		       const struct flow_samples *s)
{
	uint32_t i;

	if (a64_is_call(g->blocks[b].branch.kind))
		emit_call(to, g, b, s);
	graph_each_out(g, b, i) {
		const struct graph_edge *edge = &g->edges[g->out[i]];

		if (edge->kind == EDGE_TAKEN)
			emit_taken(to, g, b, edge, s);
		else if (edge->kind != EDGE_RETURNED && edge->to != GRAPH_OUTSIDE)
			emit(to, FLOW_STEP, g->blocks[b].last,
			     g->blocks[edge->to].start, edge->flow, 0);
	}
}

/* Ranges that have begun and not ended, the oldest first */
struct open_ranges {
	struct open_range {
		uint64_t start;
		double count;
	} *ranges;
	size_t first, count;
};

static void close_ranges(struct flow_list *to, struct open_ranges *open,
			 const struct graph_block *block, double count)
{
	while (open->first < open->count && count > 0) {
		struct open_range *oldest = &open->ranges[open->first];
		double part = fmin(count, oldest->count);

		emit(to, FLOW_RANGE, oldest->start, block->last, part, 0);
		count -= part;
		oldest->count -= part;
		if (oldest->count > 0)
			break;
		open->first++;
	}
}

/* What steps from block @b to the one behind it */
static double step_out(const struct graph *g, uint32_t b)
{
	uint32_t i;

	graph_each_out(g, b, i) {
		const struct graph_edge *edge = &g->edges[g->out[i]];

		if (edge->kind == EDGE_STEP || edge->kind == EDGE_NOT_TAKEN)
			return edge->to == GRAPH_OUTSIDE ? 0 : edge->flow;
	}
	return 0;
}

/*
 * Where a branch ends a range, the ranges that began first end first.  Any other rule
 * gives the same count to each instruction and to each edge.
 */
static void emit_ranges(struct flow_list *to, const struct graph *g)
{
	struct open_ranges open = { 0 };
	double step = 0;
	uint32_t b;

	open.ranges = xcalloc(g->nr_blocks, sizeof(*open.ranges));
	for (b = 0; b < g->nr_blocks; b++) {
		const struct graph_block *block = &g->blocks[b];
		double in = flow_in(g, b), next = step_out(g, b);

		if (in > step)
			open.ranges[open.count++] =
				(struct open_range){ block->start, in - step };
		if (block->branch.kind != A64_NO_BRANCH)
			close_ranges(to, &open, block, in - next);
		/* Only a range that goes on may be open. */
		if (next <= 0)
			open.first = open.count;
		step = next;
	}
	free(open.ranges);
}

static void infer_function(struct flow_inferred *to, struct graph *g,
			   const struct flow_samples *s)
{
	uint32_t b;

	flow_estimate(g, s);
	to->imbalance = fmax(to->imbalance, flow_balance(g, s->unit));
	for (b = 0; b < g->nr_blocks; b++)
		emit_block(&to->list, g, b, s);
	emit_ranges(&to->list, g);
	to->functions++;
}

static bool sampled(const struct flow_samples *s, uint64_t start, uint64_t end)
{
	size_t i = flow_list_find(&s->list, FLOW_ADDRESS, start);

	return i < s->list.first[FLOW_ADDRESS + 1] && s->list.flows[i].from < end;
}

bool flow_infer(struct flow_inferred *to, const struct dso *dso,
		const struct flow_samples *s)
{
	const struct symtab *symtab = &dso->symtab;
	bool *done = xcalloc(symtab->count + 1, sizeof(*done));
	const struct symbol *symbol;
	const struct flow *flow;
	struct a64_code code;
	struct graph g;
	size_t i;

	memset(to, 0, sizeof(*to));
	if (!a64_code_open(&code, dso)) {
		free(done);
		return false;
	}
	for (i = 0; i < symtab->count; i++) {
		symbol = &symtab->symbols[i];
		if (!sampled(s, symbol->start, symbol->end))
			continue;
		done[i] = graph_make(&g, &code, symbol->start, symbol->end, &s->list,
				     s->arrivals, s->nr_arrivals);
		if (done[i])
			infer_function(to, &g, s);
		graph_free(&g);
	}
	for (flow = s->list.flows; flow < s->list.flows + s->list.count; flow++) {
		symbol = symtab_find(symtab, flow->from);
		if (flow->kind == FLOW_ADDRESS || (flow->kind < FLOW_STEP &&
		    !(symbol && done[symbol - symtab->symbols])))
			flow_list_add(&to->list, flow);
	}
	flow_list_sort(&to->list);
	a64_code_close(&code);
	free(done);
	return true;
}
