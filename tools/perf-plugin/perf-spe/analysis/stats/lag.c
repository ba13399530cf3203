// SPDX-License-Identifier: GPL-2.0-only
#include <math.h>

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

static void add_each(uint64_t *counts, uint64_t bits)
{
	for (; bits; bits &= bits - 1)
		counts[__builtin_ctzll(bits)]++;
}

void lag_bits_add(struct lag_bits *l, const struct piece *piece, uint64_t bits, bool tells)
{
	bits = tells ? bits : 0;
	l->samples++;
	l->of += tells;
	/* Samples of two pieces need not follow one another. */
	if (l->piece && l->piece == piece) {
		l->pairs++;
		add_each(l->both, l->bits & bits);
		if (l->tells && tells) {
			l->inside++;
			add_each(l->beside, l->bits);
			add_each(l->beside, bits);
		}
	}
	l->piece = piece;
	l->bits = bits;
	l->tells = tells;
}

void lag_bits_merge(struct lag_bits *to, const struct lag_bits *from)
{
	size_t i;

	to->samples += from->samples;
	to->of += from->of;
	to->pairs += from->pairs;
	to->inside += from->inside;
	for (i = 0; i < 64; i++) {
		to->both[i] += from->both[i];
		to->beside[i] += from->beside[i];
	}
	to->piece = NULL;
}

/* As precision_share_lag(): a sample that does not tell moves the share not at all. */
double lag_bits_correlation(const struct lag_bits *l, unsigned int bit, uint64_t count)
{
	double part = (double)count / (double)l->of;
	double variance = (double)l->of / (double)l->samples * part * (1 - part);
	double product = (double)l->both[bit] - part * (double)l->beside[bit] +
			 part * part * (double)l->inside;

	if (!l->pairs || variance <= 0)
		return 0;
	return fmin(fmax(product / (double)l->pairs / variance, -1), 1);
}
