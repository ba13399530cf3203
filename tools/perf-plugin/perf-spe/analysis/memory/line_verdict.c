// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>

#include "analysis/memory/memory.h"
#include "util/util.h"

static int by_cpu(const void *a, const void *b)
{
	const struct access *x = a, *y = b;

	return x->cpu < y->cpu ? -1 : x->cpu > y->cpu;
}

static int by_sharer(const void *a, const void *b)
{
	uint64_t x = access_sharer(a), y = access_sharer(b);

	return x < y ? -1 : x > y;
}

/* The same order as that of lines: the most snooped samples come first. */
static int by_samples(const void *a, const void *b)
{
	const struct access *x = a, *y = b;

	if (x->snooped != y->snooped)
		return x->snooped > y->snooped ? -1 : 1;
	if (x->count != y->count)
		return x->count > y->count ? -1 : 1;
	if (x->offset != y->offset)
		return x->offset < y->offset ? -1 : 1;
	if (x->tid != y->tid)
		return x->tid < y->tid ? -1 : 1;
	if (x->cpu != y->cpu)
		return x->cpu < y->cpu ? -1 : 1;
	if (x->bytes != y->bytes)
		return x->bytes < y->bytes ? -1 : 1;
	return x->store - y->store;
}

static void sort(struct line *line, int (*order)(const void *, const void *))
{
	qsort(line->accesses, line->nr_accesses, sizeof(*line->accesses), order);
}

static void count_sharers(struct line *line)
{
	const struct access *a = line->accesses;
	size_t i;

	sort(line, by_sharer);
	for (i = 0; i < line->nr_accesses; i++)
		line->sharers += !i || access_sharer(&a[i]) != access_sharer(&a[i - 1]);
	sort(line, by_cpu);
	for (i = 0; i < line->nr_accesses; i++)
		line->cpus += a[i].cpu != NO_ID && (!i || a[i].cpu != a[i - 1].cpu);
}

/* Threads whose CPUs are not known, as with a buffer for each thread, may be on any. */
static bool one_cpu(const struct access *a, const struct access *b)
{
	return a->cpu == b->cpu && a->cpu != NO_ID;
}

static bool have_common(const struct access *a, const struct access *b)
{
	return a->offset < b->offset + b->bytes && b->offset < a->offset + a->bytes;
}

/* The meetings of a line, as far as they are counted */
struct meetings {
	struct line *line;
	bool snoops;			/* only snooped samples met another CPU */
	bool several_cpus;		/* two sharers could meet */
	bool met[LINE_PAIRED];		/* which accesses did */
	bool any;
	double weight;			/* of all pairs */
	double unknown, apart;		/* pairs of samples: those that may have met, and that did not */
	double together, padded;	/* see add_moves() */
	size_t room;
};

static void span(uint16_t *first, uint16_t *end, const struct access *a)
{
	uint16_t last = (uint16_t)(a->offset + a->bytes);

	if (*first == *end || a->offset < *first)
		*first = a->offset;
	if (last > *end)
		*end = last;
}

static void pair_span(struct line_pair *p, const struct access *a, const struct access *b)
{
	span(&p->a_first, &p->a_end, a);
	span(&p->b_first, &p->b_end, b);
}

/* Whether the pair may count these too: those without common bytes show none. */
static bool pair_takes(const struct line_pair *p, const struct access *a, const struct access *b,
		       bool common)
{
	struct line_pair with = *p;

	if (p->common != common || !access_same_code(p->a, a) || !access_same_code(p->b, b))
		return false;
	pair_span(&with, a, b);
	return common || with.a_end <= with.b_first || with.b_end <= with.a_first;
}

static void add_pair(struct meetings *m, const struct access *a, const struct access *b,
		     double weight, bool common)
{
	struct line *line = m->line;
	struct line_pair *pair;
	size_t i;

	for (i = 0; i < line->nr_pairs; i++) {
		pair = &line->pairs[i];
		if (pair_takes(pair, a, b, common))
			break;
		if (pair_takes(pair, b, a, common)) {
			const struct access *swap = a;

			a = b;
			b = swap;
			break;
		}
	}
	if (i == line->nr_pairs) {
		line->pairs = array_grow(line->pairs, line->nr_pairs, &m->room, sizeof(*pair));
		line->pairs[line->nr_pairs++] = (struct line_pair){ .a = a, .b = b, .common = common };
	}
	pair = &line->pairs[i];
	pair->part += weight;
	pair_span(pair, a, b);
}

/* What meets: with snoops, loads that got the line from another CPU's cache; else any access. */
static double meeting(const struct meetings *m, const struct access *from, const struct access *to)
{
	return (double)(m->snoops ? from->snooped : from->count) * (double)to->writes;
}

/* Samples of the line that overlap one of two accesses */
static uint64_t overlapping(const struct line *line, const struct access *a, const struct access *b)
{
	uint64_t samples = 0;
	size_t i;

	for (i = 0; i < line->nr_accesses && i < LINE_PAIRED; i++) {
		const struct access *c = &line->accesses[i];

		if (have_common(a, c) || have_common(b, c))
			samples += c->count;
	}
	return samples;
}

/*
 * How often the line goes to another CPU because of two accesses, and how often it would if each
 * variable had a line of its own: only if they have bytes in common, and no more often than
 * those bytes are used.  In random order an access of n samples is followed by one of m samples
 * n * m / N times, where N is the number of all.
 */
static void add_moves(struct meetings *m, const struct access *a, const struct access *b)
{
	double both = (double)a->count * (double)b->count;

	m->together += both / (double)(m->line->loads + m->line->stores);
	if (have_common(a, b))
		m->padded += both / (double)overlapping(m->line, a, b);
}

static void meet(struct meetings *m, const struct access *a, const struct access *b)
{
	double weight = meeting(m, a, b) + meeting(m, b, a);

	if (weight == 0)
		return;
	m->weight += weight;
	add_pair(m, a, b, weight, have_common(a, b));
}

static void meet_all(struct meetings *m)
{
	const struct access *a = m->line->accesses;
	size_t i, j, nr = m->line->nr_accesses;
	enum line_when when;

	if (nr > LINE_PAIRED)
		nr = LINE_PAIRED;
	for (i = 0; i < nr; i++) {
		for (j = i + 1; j < nr; j++) {
			if (access_sharer(&a[i]) == access_sharer(&a[j]) ||
			    !(a[i].writes || a[j].writes) || one_cpu(&a[i], &a[j]))
				continue;
			m->several_cpus = true;
			when = line_when(m->line, &a[i], &a[j]);
			if (when != LINE_AT_ONCE) {
				*(when == LINE_APART ? &m->apart : &m->unknown) +=
					(double)a[i].count * (double)a[j].count;
				continue;
			}
			m->any = m->met[i] = m->met[j] = true;
			add_moves(m, &a[i], &a[j]);
			meet(m, &a[i], &a[j]);
		}
	}
}

static int pair_order(const void *a, const void *b)
{
	const struct line_pair *x = a, *y = b;

	if (x->part != y->part)
		return x->part > y->part ? -1 : 1;
	if (x->a_first != y->a_first)
		return x->a_first - y->a_first;
	return x->b_first - y->b_first;
}

/* Whether two sharers that met have so many samples that a byte which both use would be seen */
static bool enough_sides(const struct meetings *m)
{
	const struct access *a = m->line->accesses;
	const size_t nr = m->line->nr_accesses < LINE_PAIRED ? m->line->nr_accesses : LINE_PAIRED;
	size_t i, j, sides = 0;

	for (i = 0; i < nr; i++) {
		uint64_t samples = 0;

		/* Of each sharer once: at its first access */
		for (j = 0; j < nr && (j >= i || access_sharer(&a[j]) != access_sharer(&a[i]) || !m->met[j]); j++)
			if (m->met[j] && access_sharer(&a[j]) == access_sharer(&a[i]))
				samples += a[j].count;
		sides += j == nr && m->met[i] && samples >= LINES_ENOUGH;
	}
	return sides >= 2;
}

/* Whether writes were sampled more than by chance, as the one that ends a loop may be */
static bool enough_writes(const struct meetings *m)
{
	uint64_t writes = 0;
	size_t i;

	for (i = 0; i < m->line->nr_accesses && i < LINE_PAIRED; i++)
		writes += m->met[i] ? m->line->accesses[i].writes : 0;
	return writes >= LINES_ENOUGH;
}

/* Of all pairs that did not meet, the part that makes it unknown whether any did */
#define UNKNOWN_PART	0.05

static enum line_verdict verdict_of(const struct meetings *m)
{
	if (!m->any)
		return !m->several_cpus ? LINE_ONE_CPU :
		       m->unknown > UNKNOWN_PART * (m->unknown + m->apart) ? LINE_FEW : LINE_IN_TURN;
	if (!enough_writes(m))
		return LINE_FEW;
	if (m->padded * 2 >= m->together)
		return LINE_COMMON;
	return enough_sides(m) ? LINE_FALSE_SHARING : LINE_FEW;
}

void line_judge(struct line *line)
{
	struct meetings m = { .line = line, .snoops = line->snooped >= LINES_ENOUGH };
	size_t i;

	count_sharers(line);
	sort(line, by_samples);
	if (line->sharers < 2)
		return;
	meet_all(&m);
	/* The snooped samples may be of accesses that meet no writer which was sampled. */
	if (m.any && m.weight == 0) {
		m = (struct meetings){ .line = line };
		meet_all(&m);
	}
	for (i = 0; i < line->nr_pairs; i++)
		line->pairs[i].part /= m.weight;
	if (line->nr_pairs)
		qsort(line->pairs, line->nr_pairs, sizeof(*line->pairs), pair_order);
	line->apart = m.padded == 0;
	line->verdict = verdict_of(&m);
}
