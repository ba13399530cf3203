// SPDX-License-Identifier: GPL-2.0-only
#include <math.h>

#include "analysis/flow/flow.h"

double flow_in(const struct graph *g, uint32_t b)
{
	double sum = 0;
	uint32_t i;

	graph_each_in(g, b, i)
		sum += g->edges[g->in[i]].flow;
	return sum;
}

double flow_out(const struct graph *g, uint32_t b)
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
