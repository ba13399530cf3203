// SPDX-License-Identifier: GPL-2.0-only
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/groups/groups.h"
#include "analysis/stats/stats.h"
#include "armspe.h"
#include "util/util.h"

/* One side of a comparison: a row, which may be missing, in its recording */
struct side {
	const struct tally *t;
	const struct tally_row *row;
	struct measured measured;
};

static struct side side_of(const struct tally *t, const struct tally_row *row)
{
	struct side s = { .t = t, .row = row };

	if (row)
		s.measured = (struct measured){ row->count, row->latency, &row->lag };
	return s;
}

/*
 * A design effect for a comparison.  Where the samples of one program agree, those of another
 * run need not agree at the same places: such samples count as independent, not as better.
 */
static double effect(double correlation)
{
	return fmax(1 - correlation, 1);
}

static double share_effect(const struct side *s)
{
	return s->row ? effect(precision_share_lag(&s->measured, &s->t->sum)) : 1;
}

static void compare_share(const struct side s[2], struct change *c)
{
	double count[2], all[2];
	size_t i;

	for (i = 0; i < 2; i++) {
		double by = share_effect(&s[i]);

		c->known[i] = s[i].t->count;
		count[i] = s[i].row ? (double)s[i].row->count : 0;
		all[i] = (double)s[i].t->count;
		c->value[i] = c->known[i] ? 100 * count[i] / all[i] : 0;
		count[i] /= by;
		all[i] /= by;
	}
	c->tested = c->known[0] && c->known[1] && count[0] + count[1] >= CHANGES_SAMPLES;
	if (c->tested)
		c->p = significance_shares(count[0], all[0], count[1], all[1]);
}

static double cost_variance(const struct side *s)
{
	const struct tally *t = s->t;
	double mean = (double)t->sum.cycles / (double)t->count;

	return precision_cost_variance(&s->measured, &t->sum) *
	       effect(precision_cost_lag(&s->measured, &t->sum)) / (mean * mean) /
	       (double)t->count;
}

static void compare_cost(const struct side s[2], struct change *c)
{
	double variance[2] = { 0, 0 };
	bool enough = true;
	size_t i;

	for (i = 0; i < 2; i++) {
		const struct hist *h = s[i].row ? &s[i].row->latency[0] : NULL;

		c->known[i] = s[i].t->sum.cycles;
		enough &= h && h->count >= CHANGES_LATENCIES;
		if (!c->known[i] || !h)
			continue;
		c->value[i] = percent(h->sum, s[i].t->sum.cycles);
		variance[i] = cost_variance(&s[i]);
	}
	c->tested = c->known[0] && c->known[1] && enough;
	if (c->tested)
		c->p = significance_normal(c->value[0] / 100, variance[0],
					   c->value[1] / 100, variance[1]);
}

static void compare_mean(const struct side s[2], struct change *c)
{
	double variance[2] = { 0, 0 };
	bool enough = true;
	size_t i;

	for (i = 0; i < 2; i++) {
		const struct hist *h = s[i].row ? &s[i].row->latency[0] : NULL;
		struct moments m;

		c->known[i] = h && h->count;
		enough &= h && h->count >= CHANGES_LATENCIES;
		if (!c->known[i])
			continue;
		m = hist_moments(h);
		c->value[i] = m.mean;
		variance[i] = m.deviation * m.deviation / m.count *
			effect(precision_mean_lag(&s[i].measured, &s[i].t->sum));
	}
	c->tested = enough;
	if (enough)
		c->p = significance_normal(c->value[0], variance[0], c->value[1],
					   variance[1]);
}

static void compare_event(const struct side s[2], size_t event, struct change *c)
{
	double count[2] = { 0, 0 }, all[2] = { 0, 0 };
	size_t i;

	for (i = 0; i < 2; i++) {
		c->known[i] = s[i].row;
		if (!s[i].row)
			continue;
		count[i] = (double)s[i].row->event[event];
		all[i] = (double)s[i].row->count;
		c->value[i] = 100 * count[i] / all[i];
	}
	c->tested = c->known[0] && c->known[1] && count[0] + count[1] >= CHANGES_SAMPLES &&
		    all[0] + all[1] - count[0] - count[1] >= CHANGES_SAMPLES;
	if (c->tested)
		c->p = significance_shares(count[0], all[0], count[1], all[1]);
}

static void compare(struct changes *c, const struct tally_row *old,
		    const struct tally_row *new)
{
	struct changed_row *to = &c->rows[c->nr_rows++];
	const struct side s[2] = { side_of(c->tally[0], old), side_of(c->tally[1], new) };
	bool whole = !c->of.impossible && (!c->of.one_sided || (old && new));
	size_t i;

	for (i = 0; c->of.one_sided && whole && i < c->tally[0]->nr_by; i++)
		whole = old->key[i].present;
	to->row[0] = old;
	to->row[1] = new;
	compare_cost(s, &to->change[CHANGE_COST]);
	compare_share(s, &to->change[CHANGE_SHARE]);
	compare_mean(s, &to->change[CHANGE_MEAN]);
	for (i = 0; i < c->tally[0]->nr_events; i++)
		compare_event(s, i, &to->change[NR_CHANGES + i]);
	for (i = 0; i < change_kinds(c); i++) {
		to->change[i].tested &= whole;
		c->tests += to->change[i].tested;
	}
}

static double distance(const struct changed_row *row)
{
	const struct change *c = &row->change[CHANGE_COST];

	return fabs(c->value[1] - c->value[0]);
}

static int order(const void *a, const void *b)
{
	const struct changed_row *x = a, *y = b;
	double dx = distance(x), dy = distance(y);
	const struct change *sx = &x->change[CHANGE_SHARE], *sy = &y->change[CHANGE_SHARE];

	if (dx == dy) {
		dx = sx->value[0] + sx->value[1];
		dy = sy->value[0] + sy->value[1];
	}
	if (dx == dy)
		return tally_order(x->row[0] ? x->row[0] : x->row[1],
				   y->row[0] ? y->row[0] : y->row[1]);
	return dx > dy ? -1 : 1;
}

void changes_find(struct changes *c, const struct tally *old, const struct tally *new,
		  const struct comparison *of)
{
	size_t i;

	*c = (struct changes){ .tally = { old, new }, .of = *of };
	c->rows = xcalloc(old->nr_sorted + new->nr_sorted + 1, sizeof(*c->rows));
	for (i = 0; i < old->nr_sorted; i++)
		compare(c, old->sorted[i], tally_same(new, old->sorted[i]));
	for (i = 0; i < new->nr_sorted; i++)
		if (!tally_same(old, new->sorted[i]))
			compare(c, NULL, new->sorted[i]);
	qsort(c->rows, c->nr_rows, sizeof(*c->rows), order);
}

/* Move the probabilities of all tests to @p, or back from there. */
static void move(struct changes *c, size_t count, double *p, bool back)
{
	size_t i, row, kind;

	for (i = 0; i < count; i++)
		for (row = 0; row < c[i].nr_rows; row++)
			for (kind = 0; kind < change_kinds(&c[i]); kind++) {
				struct change *change = &c[i].rows[row].change[kind];

				if (change->tested && back)
					change->p = *p++;
				else if (change->tested)
					*p++ = change->p;
			}
}

void changes_correct(struct changes *c, size_t count)
{
	size_t i, tests = 0;
	double *p;

	for (i = 0; i < count; i++)
		tests += c[i].tests;
	p = xcalloc(tests + 1, sizeof(*p));
	move(c, count, p, false);
	significance_holm(p, tests);
	move(c, count, p, true);
	free(p);
}

const char *change_name(const struct changes *c, size_t kind)
{
	static const char *const names[NR_CHANGES] = { "cost", "share", "mean" };

	return kind < NR_CHANGES ? names[kind] :
		armspe_event_name(c->tally[0]->event_bit[kind - NR_CHANGES]);
}

size_t change_kinds(const struct changes *c)
{
	return NR_CHANGES + c->tally[0]->nr_events;
}

double change_percent(const struct change *change)
{
	if (change->value[0] == change->value[1])
		return 0;
	return change->value[0] > 0 ?
		100 * (change->value[1] / change->value[0] - 1) : INFINITY;
}

bool change_is(const struct change *change, double least)
{
	return change->tested && change->p <= CHANGES_LEVEL &&
	       fabs(change_percent(change)) >= least;
}

void changes_free(struct changes *c)
{
	comparison_free(&c->of);
	free(c->rows);
	memset(c, 0, sizeof(*c));
}
