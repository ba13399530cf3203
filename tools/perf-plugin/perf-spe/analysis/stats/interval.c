// SPDX-License-Identifier: GPL-2.0-only
#include <math.h>

#include "analysis/stats/stats.h"

struct interval interval_share(double count, double all, double effect)
{
	/* As many independent samples would have the same variance. */
	double n = all / effect, part = count / all, z2 = INTERVAL_Z * INTERVAL_Z;
	double middle = (part + z2 / (2 * n)) / (1 + z2 / n);
	double half = INTERVAL_Z / (1 + z2 / n) *
		      sqrt(part * (1 - part) / n + z2 / (4 * n * n));

	return (struct interval){
		.low = count > 0 ? fmax(middle - half, 0) : 0,
		.high = count < all ? fmin(middle + half, 1) : 1,
	};
}

struct interval interval_count(double count, double effect)
{
	double n = count / effect, z2 = INTERVAL_Z * INTERVAL_Z;
	double half = INTERVAL_Z * sqrt(n + z2 / 4);

	return (struct interval){
		.low = effect * fmax(n + z2 / 2 - half, 0),
		.high = effect * (n + z2 / 2 + half),
	};
}

/* Abramowitz and Stegun, Handbook of Mathematical Functions, 26.7.5 */
double interval_student(double freedom)
{
	const double z = INTERVAL_Z, z2 = z * z;
	double g1 = (z2 + 1) * z / 4;
	double g2 = ((5 * z2 + 16) * z2 + 3) * z / 96;
	double g3 = (((3 * z2 + 19) * z2 + 17) * z2 - 15) * z / 384;
	double g4 = ((((79 * z2 + 776) * z2 + 1482) * z2 - 1920) * z2 - 945) *
		    z / 92160;
	double v = 1 / freedom;

	return z + (((g4 * v + g3) * v + g2) * v + g1) * v;
}

/*
 * Not cbrt(): the one of libm.a calls a function of libc.a.  perf-spe for guests links the
 * former and the shared C library.
 */
static double cube_root(double x)
{
	return copysign(pow(fabs(x), 1.0 / 3), x);
}

/*
 * P. Hall, On the removal of skewness by transformation, J. R. Statist. Soc. B 54 (1992):
 * a cubic function of the studentized mean has a symmetrical distribution; this is its
 * inverse at @t.  Not skewed: @t itself.
 */
static double unskewed(double t, double skewness, double n)
{
	double root = sqrt(n), by = skewness / (3 * root);

	if (fabs(by) < 1e-6)
		return t;
	return (cube_root(1 + 3 * by * (t - skewness / (6 * root))) - 1) / by;
}

bool interval_mean(const struct moments *m, double effect, struct interval *i)
{
	double n = m->count / effect, error, t;

	if (m->count < INTERVAL_VALUES)
		return false;
	error = m->deviation / sqrt(n);
	t = interval_student(fmax(n - 1, INTERVAL_VALUES - 1));
	*i = (struct interval){
		.low = m->mean - error * unskewed(t, m->skewness, n),
		.high = m->mean - error * unskewed(-t, m->skewness, n),
	};
	return true;
}

/* Phases are not sampled without any error: the interval is perturbed. */
#define EFFECT_LEAST 0.02

double interval_effect(double correlation, uint64_t pairs)
{
	return pairs ? fmax(1 - correlation, EFFECT_LEAST) : 1;
}

struct interval interval_normal(double estimate, double error)
{
	return (struct interval){
		.low = fmax(estimate - INTERVAL_Z * error, 0),
		.high = estimate + INTERVAL_Z * error,
	};
}

/* The variance of a binomial number from which on a normal one is as good */
#define NORMAL_ENOUGH	100.0

/* The largest r with P(X < r) <= 2.5%, X binomial: so many values of @n lie below the quantile. */
static double binomial_low(double n, double part)
{
	double spread = n * part * (1 - part), below = 0, r;

	if (spread > NORMAL_ENOUGH)
		return floor(n * part - INTERVAL_Z * sqrt(spread) + 0.5);
	/* What is further than 10 deviations off adds nothing. */
	for (r = fmax(0, floor(n * part - 10 * sqrt(spread) - 10)); r < n; r++) {
		below += exp(lgamma(n + 1) - lgamma(r + 1) - lgamma(n - r + 1) +
			     r * log(part) + (n - r) * log1p(-part));
		if (below > 0.025)
			return r;
	}
	return n;
}

struct ranks interval_ranks(uint64_t count, double part, double effect)
{
	double n = fmax(round((double)count / effect), 1);
	double low = binomial_low(n, part);
	/* By symmetry: counted from the largest value down */
	double high = binomial_low(n, 1 - part);

	/* Ranks of n values, as ranks of all values */
	low = floor(low * (double)count / n);
	high = floor(high * (double)count / n);
	return (struct ranks){
		.low = low < 1 ? 1 : (uint64_t)low,
		.high = high < 1 ? 0 : count - (uint64_t)high + 1,
	};
}

void stake_merge(struct stake_sums *s, const struct stake_sums *from)
{
	s->count += from->count;
	s->cycles += from->cycles;
	s->squares += from->squares;
}

void stake_remove(struct stake_sums *s, const struct stake_sums *part)
{
	s->count -= part->count;
	s->cycles -= part->cycles;
	s->squares -= part->squares;
}

struct stake stake_of(const struct stake_sums *flawed, const struct stake_sums *sound)
{
	double n = (double)flawed->count, base = (double)sound->count, mean, spread;

	if (sound->count < STAKE_BASE)
		return (struct stake){ 0 };
	mean = sound->cycles / base;
	spread = fmax(sound->squares - base * mean * mean, 0) / (base - 1);
	return (struct stake){
		.cycles = flawed->cycles - n * mean,
		/* The first is the sum of (latency - mean) squared: a compound Poisson sum. */
		.variance = fmax(flawed->squares - 2 * mean * flawed->cycles + n * mean * mean, 0) +
			    n * n * spread / base,
	};
}
