/* SPDX-License-Identifier: GPL-2.0-only */
/* Make a function's counts consistent. */
#ifndef PERF_SPE_FLOW_BALANCE_H
#define PERF_SPE_FLOW_BALANCE_H

#include "analysis/flow/code_graph.h"

/* What enters a block may differ from what leaves it by this share. */
#define FLOW_BALANCE_BOUND	0.001
/* Walks over the function before the counts are taken as they are */
#define FLOW_BALANCE_WALKS	2000

/*
 * Change the flows of the edges so that each block is left as often as it is entered.  Of
 * all consistent flows the result is the one with the least relative entropy to the given
 * ones ("balancing a matrix", Schneider and Zenios, Operations Research 38(3), 1990).
 * Edges without flow stay so, and a block that only one side has flow for is left alone.
 * Blocks with less flow than @small do not count for the bound.  Returns the largest share
 * that is left.
 */
double flow_balance(struct graph *g, double small);
/* What enters, or leaves, block number @b */
double flow_in(const struct graph *g, uint32_t b);
double flow_out(const struct graph *g, uint32_t b);

#endif
