// SPDX-License-Identifier: GPL-2.0-only
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/rows/rows.h"
#include "analysis/stats/stats.h"
#include "armspe.h"
#include "input/input.h"
#include "util/util.h"

/* The mean product of two successive deviations, by their variance */
static double correlation(double product, double variance, uint64_t pairs)
{
	return pairs && variance > 0 ?
		fmin(fmax(product / (double)pairs / variance, -1), 1) : 0;
}

/* The samples of all rows, and those outside */
static double all_samples(const struct measured_all *all)
{
	return (double)(all->count + all->chain->outside);
}

/* Of the row in all samples, those outside too */
static double count_lag(const struct measured *row, const struct measured_all *all)
{
	double part = (double)row->count / all_samples(all), pairs = (double)all->chain->pairs;

	return correlation((double)row->lag->both - pairs * part * part, part * (1 - part),
			   all->chain->pairs);
}

/*
 * A share of rows that are a part of all samples is a ratio of two sums.  A sample moves it in
 * proportion to 1 - share in the row, to -share in another one, and not at all outside.
 */
double precision_share_lag(const struct measured *row, const struct measured_all *all)
{
	double part = (double)row->count / (double)all->count;
	double inside = (double)all->chain->inside;

	if (!all->chain->outside)
		return count_lag(row, all);
	return correlation((double)row->lag->both - part * (double)row->lag->beside +
			   inside * part * part,
			   (double)all->count / all_samples(all) * part * (1 - part),
			   all->chain->pairs);
}

/*
 * The cost c is a ratio of two sums.  A sample with latency l moves it in proportion to
 * l - c * l in the row and to -c * l outside (linearization, as for any ratio of sums).
 */
double precision_cost_variance(const struct measured *row, const struct measured_all *all)
{
	double cost = (double)row->latency[0].sum / (double)all->cycles;
	double own = hist_squares(&row->latency[0]);

	return (own * (1 - 2 * cost) + cost * cost * all->squares) / (double)all->count;
}

double precision_cost_lag(const struct measured *row, const struct measured_all *all)
{
	double cost = (double)row->latency[0].sum / (double)all->cycles;
	const struct lag *lag = row->lag;

	return correlation(lag->product - cost * (lag->first + lag->second) +
			   cost * cost * all->chain->product,
			   precision_cost_variance(row, all), all->chain->pairs);
}

/* Deviations from the mean, of samples outside the row 0 */
double precision_mean_lag(const struct measured *row, const struct measured_all *all)
{
	const struct moments m = hist_moments(&row->latency[0]);
	const struct lag *lag = row->lag;
	double product = lag->product - m.mean * lag->sum +
			 m.mean * m.mean * (double)lag->both;

	return correlation(product, m.deviation * m.deviation * (m.count - 1) /
			   all_samples(all), all->chain->pairs);
}

/*
 * Samples that passed a filter are not at regular intervals: how many a phase has is left
 * to chance, although each of them may be like the one before.
 */
static double effect_of(double correlation, uint64_t pairs, const struct measured_all *all)
{
	double by = interval_effect(correlation, pairs);

	return all->chosen || all->seen > all->count ? fmax(by, 1) : by;
}

static double effect(double correlation, const struct measured_all *all)
{
	return effect_of(correlation, all->chain->pairs, all);
}

static struct interval share(const struct measured *row, const struct measured_all *all)
{
	double by = effect(precision_share_lag(row, all), all);

	return interval_share((double)row->count, (double)all->count, by);
}

/* Of @seen samples, whose number is fixed, or of any number */
static struct interval count(const struct measured *row, const struct measured_all *all)
{
	double by = effect(count_lag(row, all), all);
	double seen = all->seen ? (double)all->seen : all_samples(all);
	struct interval i;

	if (all->chosen)
		return interval_count((double)row->count, by);
	i = interval_share((double)row->count, seen, by);
	return (struct interval){ .low = seen * i.low, .high = seen * i.high };
}

/* The mean of @all numbers with these sums of powers */
static struct moments moments(double all, double sum, double squares, double cubes)
{
	struct moments m = { .count = all, .mean = sum / all };
	double variance = squares / all - m.mean * m.mean;

	if (variance <= 0)
		return m;
	m.deviation = sqrt(variance);
	m.skewness = (cubes / all - 3 * m.mean * variance - pow(m.mean, 3)) /
		     pow(variance, 1.5);
	return m;
}

/* The mean of what each sample moves the cost by is 0. */
static bool cost(const struct measured *row, const struct measured_all *all,
		 struct interval *i)
{
	double part = (double)row->latency[0].sum / (double)all->cycles;
	double by = effect(precision_cost_lag(row, all), all);
	double own = hist_cubes(&row->latency[0]);
	double cubes = own * pow(1 - part, 3) - (all->cubes - own) * pow(part, 3);
	const struct moments m = moments((double)all->count, 0,
		precision_cost_variance(row, all) * (double)all->count, cubes);
	double mean = (double)all->cycles / (double)all->count;

	if (!interval_mean(&m, by, i))
		return false;
	i->low = fmax(part + i->low / mean, 0);
	i->high = fmin(part + i->high / mean, 1);
	return true;
}

/* Where the number of samples is left to chance too, the row is a small part of many. */
#define MANY 1e3

static double sum_effect(const struct measured *row, const struct measured_all *all)
{
	double n = (double)all->count, mean = (double)row->latency[0].sum / n;
	double variance = hist_squares(&row->latency[0]) / n - mean * mean;
	double product = row->lag->product - (double)all->chain->pairs * mean * mean;

	return effect(correlation(product, variance, all->chain->pairs), all);
}

/* Samples of other rows have no cycles. */
static bool sum(const struct measured *row, const struct measured_all *all,
		const struct hist *h, struct interval *i)
{
	double n = (double)(all->seen ? all->seen : all->count) * (all->chosen ? MANY : 1);
	const struct moments m = moments(n, (double)h->sum, hist_squares(h), hist_cubes(h));
	double by = sum_effect(row, all);

	if (!interval_mean(&m, by, i))
		return false;
	i->low = fmax(n * i->low, 0);
	i->high *= n;
	return true;
}

struct interval precision_percentile(const struct hist *h, double part)
{
	const struct ranks r = interval_ranks(h->count, part, 1);

	return (struct interval){
		.low = hist_rank(h, r.low),
		.high = r.high ? hist_rank(h, r.high) : 0, .open = !r.high,
	};
}

static bool mean(const struct measured *row, const struct measured_all *all, int latency,
		 struct interval *i)
{
	const struct moments m = hist_moments(&row->latency[latency]);
	double by = latency ? 1 :
		effect(precision_mean_lag(row, all), all);

	if (!interval_mean(&m, by, i))
		return false;
	i->low = fmax(i->low, 0);
	return true;
}

static struct interval percents(struct interval i)
{
	return (struct interval){ .low = 100 * i.low, .high = 100 * i.high };
}

struct interval precision_bit(const struct lag_bits *lag, unsigned int bit, uint64_t count,
			      const struct measured_all *all)
{
	double by = effect_of(lag_bits_correlation(lag, bit, count), lag->pairs, all);

	return percents(interval_share((double)count, (double)lag->of, by));
}

bool precision_get(enum measure m, const struct measured *row,
		   const struct measured_all *all, struct interval *i)
{
	const struct hist *h = measure_of(m) < 0 ? NULL : &row->latency[measure_of(m)];

	if (!all->chain || (h && !h->count))
		return false;
	switch (measure_kind(m)) {
	case KIND_COST:
		if (!all->cycles || !cost(row, all, i))
			return false;
		*i = percents(*i);
		return true;
	case KIND_SHARE:
		*i = percents(share(row, all));
		return true;
	case KIND_COUNT:
		*i = count(row, all);
		return true;
	case KIND_SUM:
		return sum(row, all, h, i);
	case KIND_MEAN:
		return mean(row, all, measure_of(m), i);
	case KIND_P50:
		*i = precision_percentile(h, 0.5);
		return true;
	case KIND_P99:
		*i = precision_percentile(h, 0.99);
		return true;
	}
	return false;
}

void interval_text(const struct interval *i, int digits, const char *unit, char *text,
		   size_t size)
{
	if (i->open)
		snprintf(text, size, ">=%.*f%s", digits, i->low, unit);
	else
		snprintf(text, size, "%.*f-%.*f%s", digits, i->low, digits, i->high,
			 unit);
}

void precision_text(enum measure m, const struct measured *row,
		    const struct measured_all *all, char *text, size_t size)
{
	enum measure_kind kind = measure_kind(m);
	struct interval i;

	if (!precision_get(m, row, all, &i))
		snprintf(text, size, "-");
	else if (kind == KIND_COST || kind == KIND_SHARE)
		interval_text(&i, 2, "%", text, size);
	else
		interval_text(&i, kind == KIND_MEAN ? 2 : 0, "", text, size);
}

void precision_event(uint64_t count, uint64_t of, char *text, size_t size)
{
	const struct interval i = percents(interval_share((double)count, (double)of, 1));

	interval_text(&i, 2, "%", text, size);
}

void precise_init(struct precise *p, size_t nr, size_t limit)
{
	memset(p, 0, sizeof(*p));
	p->nr = nr < limit ? nr : limit;
	p->rows = xcalloc(p->nr + 1, sizeof(*p->rows));
	p->sum.chain = &p->chain;
}

void precise_part_of(struct measured_all *sum, const struct rows *rows)
{
	const struct session *session = rows->resolver.session;

	sum->seen = rows->kept != rows->seen ? rows->seen : 0;
	sum->chosen = session && spe_event_chosen(session);
}

void precise_add(struct precise *p, size_t index, const struct row_batch *b, size_t i)
{
	struct precise_row *to = index < p->nr ? &p->rows[index] : NULL;

	p->sum.count++;
	lag_add_cycles(&p->chain, to ? &to->lag : &p->other, b->piece, batch_cycles(b, i));
	if (!to)
		return;
	to->count++;
	if (batch_has(b, i, SPE_COUNTER_TOTAL))
		hist_add(&to->latency, b->total[i]);
}

void precise_skip(struct precise *p, const struct piece *piece)
{
	lag_skip(&p->chain, piece);
}

void precise_merge(struct precise *p, const struct precise *from)
{
	size_t i;

	for (i = 0; i < p->nr; i++) {
		p->rows[i].count += from->rows[i].count;
		hist_merge(&p->rows[i].latency, &from->rows[i].latency);
		lag_merge(&p->rows[i].lag, &from->rows[i].lag);
	}
	lag_merge(&p->other, &from->other);
	lag_chain_merge(&p->chain, &from->chain);
	p->sum.count += from->sum.count;
}

struct measured precise_measured(const struct precise *p, size_t index)
{
	const struct precise_row *row = &p->rows[index];

	return (struct measured){ row->count, &row->latency, &row->lag };
}

void precise_free(struct precise *p)
{
	size_t i;

	for (i = 0; i < p->nr; i++)
		hist_free(&p->rows[i].latency);
	free(p->rows);
	memset(p, 0, sizeof(*p));
}
