// SPDX-License-Identifier: GPL-2.0-only
#include "analysis/stats/stats.h"

static void add_pair(struct lag_chain *chain, struct lag *lag, double now)
{
	double before = chain->cycles, product = before * now;

	chain->pairs++;
	if (!chain->last || !lag)
		return;
	chain->inside++;
	chain->product += product;
	chain->last->first += product;
	chain->last->beside++;
	lag->second += product;
	lag->beside++;
	if (chain->last == lag) {
		lag->both++;
		lag->sum += before + now;
		lag->product += product;
	}
}

void lag_add_cycles(struct lag_chain *chain, struct lag *lag, const struct piece *piece,
		    unsigned int cycles)
{
	/* Samples of two pieces need not follow one another. */
	if (chain->piece && chain->piece == piece)
		add_pair(chain, lag, cycles);
	chain->piece = piece;
	chain->last = lag;
	chain->cycles = cycles;
}

void lag_skip(struct lag_chain *chain, const struct piece *piece)
{
	chain->outside++;
	lag_add_cycles(chain, NULL, piece, 0);
}

void lag_merge(struct lag *to, const struct lag *from)
{
	to->both += from->both;
	to->beside += from->beside;
	to->sum += from->sum;
	to->product += from->product;
	to->first += from->first;
	to->second += from->second;
}

void lag_chain_merge(struct lag_chain *to, const struct lag_chain *from)
{
	to->pairs += from->pairs;
	to->inside += from->inside;
	to->outside += from->outside;
	to->product += from->product;
	to->piece = NULL;
}
