/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The blocks of a function and the ways between them, from its instructions and from the
 * targets of sampled branches.
 */
#ifndef PERF_SPE_CODE_GRAPH_H
#define PERF_SPE_CODE_GRAPH_H

#include <stdint.h>

#include "analysis/flow/flow.h"
#include "symbols/code/a64_branch.h"
#include "symbols/code/a64_code.h"

#define GRAPH_OUTSIDE	UINT32_MAX	/* no block of the function */

/* Instructions that always execute in sequence; the last one may branch. */
struct graph_block {
	uint64_t start, last;		/* addresses of instructions */
	struct a64_branch branch;	/* the last instruction */
	double count;			/* executions, estimated */
	uint32_t first_in, first_out;	/* of graph.in and graph.out */
};

enum graph_edge_kind {
	EDGE_STEP,		/* to the next instruction, not by a branch */
	EDGE_NOT_TAKEN,		/* to the next instruction, by a branch */
	EDGE_TAKEN,		/* by a branch */
	EDGE_RETURNED,		/* from a call to the instruction behind it */
	EDGE_ENTRY,		/* from another function */
};

struct graph_edge {
	enum graph_edge_kind kind;
	uint32_t from, to;	/* blocks, or GRAPH_OUTSIDE */
	uint64_t target;	/* of a direct branch; else 0 where @to is outside */
	double flow;
};

struct graph {
	uint64_t start, end;
	struct graph_block *blocks;	/* by address, one behind the other */
	struct graph_edge *edges;
	uint32_t *in, *out;		/* indexes of edges, by block */
	uint32_t nr_blocks;
	size_t nr_edges, room_edges;
};

/*
 * Make the graph of the function from @start to @end.  @sampled has the branches of the
 * samples; @arrivals are its addresses that a branch went to, sorted.  Returns false if
 * there are no instructions.
 */
bool graph_make(struct graph *g, const struct a64_code *code, uint64_t start,
		uint64_t end, const struct flow_list *sampled,
		const uint64_t *arrivals, size_t nr_arrivals);
void graph_free(struct graph *g);
/* The block that begins at @address, or GRAPH_OUTSIDE */
uint32_t graph_block_at(const struct graph *g, uint64_t address);

/* Walk over the edges into, or out of, block number @b. */
#define graph_each_in(g, b, i)						\
	for ((i) = (g)->blocks[b].first_in; (i) < (g)->blocks[(b) + 1].first_in; (i)++)
#define graph_each_out(g, b, i)						\
	for ((i) = (g)->blocks[b].first_out; (i) < (g)->blocks[(b) + 1].first_out; (i)++)

#endif
