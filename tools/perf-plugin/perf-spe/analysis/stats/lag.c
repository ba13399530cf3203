// SPDX-License-Identifier: GPL-2.0-only
#include "armspe.h"
#include "analysis/rows/fields.h"
#include "analysis/stats/lag.h"

static void add_pair(struct lag_chain *chain, struct lag *lag, double now)
{
	double before = chain->cycles, product = before * now;

	chain->pairs++;
	chain->product += product;
	chain->last->first += product;
	lag->second += product;
	if (chain->last == lag) {
		lag->both++;
		lag->sum += before + now;
		lag->product += product;
	}
}

void lag_add(struct lag_chain *chain, struct lag *lag, const struct row *row)
{
	const struct armspe_record *rec = row->rec;
	unsigned int cycles = rec->counter_valid >> SPE_COUNTER_TOTAL & 1 ?
		rec->counter[SPE_COUNTER_TOTAL] : 0;

	/* Samples of two pieces need not follow one another. */
	if (chain->last && chain->piece == row->piece)
		add_pair(chain, lag, cycles);
	chain->piece = row->piece;
	chain->last = lag;
	chain->cycles = cycles;
}

void lag_merge(struct lag *to, const struct lag *from)
{
	to->both += from->both;
	to->sum += from->sum;
	to->product += from->product;
	to->first += from->first;
	to->second += from->second;
}

void lag_chain_merge(struct lag_chain *to, const struct lag_chain *from)
{
	to->pairs += from->pairs;
	to->product += from->product;
	to->last = NULL;
}
