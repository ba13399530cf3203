// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>
#include <string.h>

#include "analysis/groups/groups.h"
#include "analysis/rows/rows.h"
#include "analysis/stats/stats.h"
#include "armspe.h"
#include "input/input.h"
#include "util/util.h"

static const struct {
	unsigned int index;
	const char *name;
} latencies[COMPOSITION_LATENCIES] = {
	{ SPE_COUNTER_TOTAL, "total" }, { SPE_COUNTER_ISSUE, "issue" },
	{ SPE_COUNTER_XLAT, "translation" },
	{ SPE_COUNTER_ALTCLK_ISSUE, "altclk issue" },
};

const char *composition_latency(unsigned int index)
{
	return latencies[index].name;
}

void composition_init(struct composition *c, const char *verb, const struct session *s)
{
	tally_by(&c->ops, verb, "op,subclass");
	tally_by(&c->sources, verb, "source,source_name");
	tally_by(&c->tasks, verb, s && s->guests ? "pid,comm,guest" : "pid,comm");
}

void composition_precise(struct composition *c)
{
	c->precise = c->ops.precise = c->sources.precise = c->tasks.precise = true;
}

/* Samples with the same events; recordings have few such sets. */
struct event_set {
	uint64_t events;
	uint64_t count;			/* 0: empty */
	uint64_t timed, cycles;		/* samples with a total latency, and its sum */
};

#define SETS	256			/* a power of two */

static void set_add(struct composition *c, struct event_set *set)
{
	uint64_t events = set->events;

	c->with_events += set->count;
	while (events) {
		unsigned int bit = (unsigned int)__builtin_ctzll(events);

		events &= events - 1;
		c->event[bit] += set->count;
		c->event_timed[bit] += set->timed;
		c->event_cycles[bit] += set->cycles;
	}
	*set = (struct event_set){ 0 };
}

static void add_event_lags(struct composition *c, const struct row_batch *b)
{
	size_t k;

	for (k = 0; k < b->nr; k++)
		lag_bits_add(&c->event_lag, b->piece, known_events(batch_events(b, b->kept[k])),
			     b->valid[b->kept[k]] & ARMSPE_HAS_EVENTS);
}

static inline void add_events(struct composition *c, const struct row_batch *b, size_t i)
{
	uint64_t events = known_events(b->events[i]);
	struct event_set *set = &c->sets[hash_mix(events) & (SETS - 1)];

	if (!(b->valid[i] & ARMSPE_HAS_EVENTS))
		return;
	if (set->events != events && set->count)
		set_add(c, set);
	set->events = events;
	set->count++;
	set->timed += batch_has(b, i, SPE_COUNTER_TOTAL);
	set->cycles += batch_cycles(b, i);
}

static struct composition_cpu *cpu_get(struct composition *c, int32_t cpu)
{
	size_t i;

	if (c->latest < c->nr_cpus && c->cpus[c->latest].cpu == cpu)
		return &c->cpus[c->latest];
	for (i = 0; i < c->nr_cpus; i++)
		if (c->cpus[i].cpu == cpu) {
			c->latest = i;
			return &c->cpus[i];
		}
	c->latest = c->nr_cpus;
	c->cpus = array_grow(c->cpus, c->nr_cpus, &c->room_cpus,
			     sizeof(*c->cpus));
	memset(&c->cpus[c->nr_cpus], 0, sizeof(*c->cpus));
	c->cpus[c->nr_cpus].cpu = cpu;
	return &c->cpus[c->nr_cpus++];
}

static void add_cpu(struct composition *c, const struct row_batch *b)
{
	struct composition_cpu *cpu = cpu_get(c, b->piece->cpu);

	cpu->count += b->nr;
	time_span_merge(&cpu->time, &b->span);
}

/* The total latencies are in the rows of the operations. */
static inline void add_latencies(struct composition *c, const struct row_batch *b, size_t i)
{
	if (batch_has(b, i, SPE_COUNTER_ISSUE))
		hist_add(&c->latency[1], b->issue[i]);
	if (batch_has(b, i, SPE_COUNTER_XLAT))
		hist_add(&c->latency[2], b->xlat[i]);
	if (batch_has(b, i, SPE_COUNTER_ALTCLK_ISSUE))
		hist_add(&c->latency[3], b->altclk[i]);
}

static void add_latency_lags(struct composition *c, const struct row_batch *b)
{
	const uint16_t *const columns[COMPOSITION_LATENCIES] = {
		b->total, b->issue, b->xlat, b->altclk,
	};
	size_t i, k;

	for (i = 0; i < COMPOSITION_LATENCIES; i++)
		for (k = 0; k < b->nr; k++)
			if (batch_has(b, b->kept[k], latencies[i].index))
				lag_add_cycles(&c->latency_chain[i], &c->latency_lag[i], b->piece,
					       columns[i][b->kept[k]]);
			else
				lag_skip(&c->latency_chain[i], b->piece);
}

static inline void add_to(const struct composition *c, struct tally *t, struct tally_row *to,
			  const struct row_batch *b, size_t i)
{
	if (c->precise)
		tally_add_more(t, to, b, i);
	tally_add_total(to, b, i);
}

static inline void add_op(struct composition *c, const struct row_batch *b, size_t i)
{
	struct tally_row **row = &c->of_op[b->op[i]];

	if (!*row)
		*row = tally_find(&c->ops, b, i);
	add_to(c, &c->ops, *row, b, i);
}

static inline void add_source(struct composition *c, const struct row_batch *b, size_t i)
{
	const size_t at = b->source[i] & (COMPOSITION_SOURCES - 1);

	if (!(b->valid[i] & ARMSPE_HAS_SOURCE && batch_op(b, i)->flags & ARMSPE_OPF_LOAD)) {
		if (c->precise)
			tally_skip(&c->sources, b->piece);
		return;
	}
	if (!c->of_source[at].row || c->of_source[at].source != b->source[i] ||
	    c->of_source[at].cpu != b->piece->cpu) {
		c->of_source[at].row = tally_find(&c->sources, b, i);
		c->of_source[at].source = b->source[i];
		c->of_source[at].cpu = b->piece->cpu;
	}
	c->sources.count++;
	add_to(c, &c->sources, c->of_source[at].row, b, i);
}

static void add_tasks(struct composition *c, const struct row_batch *b)
{
	const struct owner *owner = NULL;
	size_t k, tasks = 0;

	for (k = 0; k < b->nr; k++) {
		const size_t i = b->kept[k];

		if (batch_owner(b, i) != owner) {
			owner = batch_owner(b, i);
			if (owner->pid != NO_ID &&
			    (!c->of_task || c->task.pid != owner->pid ||
			     c->task.comm != owner->comm || c->task.guest != owner->guest)) {
				c->of_task = tally_find(&c->tasks, b, i);
				c->task = *owner;
			}
		}
		tasks += owner->pid != NO_ID;
		if (owner->pid != NO_ID)
			add_to(c, &c->tasks, c->of_task, b, i);
		else if (c->precise)
			tally_skip(&c->tasks, b->piece);
	}
	c->tasks.count += tasks;
}

void composition_add(void *context, const struct row_batch *b)
{
	struct composition *c = context;
	size_t k;

	if (!b->nr)
		return;
	if (c->precise) {
		add_latency_lags(c, b);
		add_event_lags(c, b);
	}
	if (!c->sets)
		c->sets = xcalloc(SETS, sizeof(*c->sets));
	for (k = 0; k < b->nr; k++) {
		add_latencies(c, b, b->kept[k]);
		add_events(c, b, b->kept[k]);
		add_op(c, b, b->kept[k]);
		add_source(c, b, b->kept[k]);
	}
	c->ops.count += b->nr;
	add_tasks(c, b);
	add_cpu(c, b);
}

static int cpu_order(const void *a, const void *b)
{
	const struct composition_cpu *x = a, *y = b;

	return x->cpu < y->cpu ? -1 : x->cpu > y->cpu;
}

static void add_sets(struct composition *c)
{
	size_t i;

	for (i = 0; c->sets && i < SETS; i++)
		set_add(c, &c->sets[i]);
}

void composition_merge(struct composition *c, struct composition *from)
{
	struct composition_cpu *cpu;
	size_t i;

	for (i = 0; i < COMPOSITION_LATENCIES; i++) {
		hist_merge(&c->latency[i], &from->latency[i]);
		lag_merge(&c->latency_lag[i], &from->latency_lag[i]);
		lag_chain_merge(&c->latency_chain[i], &from->latency_chain[i]);
	}
	lag_bits_merge(&c->event_lag, &from->event_lag);
	add_sets(from);
	c->with_events += from->with_events;
	for (i = 0; i < SPE_EVENT_COUNT; i++) {
		c->event[i] += from->event[i];
		c->event_timed[i] += from->event_timed[i];
		c->event_cycles[i] += from->event_cycles[i];
	}
	tally_merge(&c->ops, &from->ops);
	tally_merge(&c->sources, &from->sources);
	tally_merge(&c->tasks, &from->tasks);
	for (i = 0; i < from->nr_cpus; i++) {
		cpu = cpu_get(c, from->cpus[i].cpu);
		cpu->count += from->cpus[i].count;
		time_span_merge(&cpu->time, &from->cpus[i].time);
	}
}

void composition_finish(struct composition *c)
{
	size_t i;

	add_sets(c);
	tally_sort(&c->ops, MEASURE_COUNT);
	for (i = 0; i < c->ops.nr_sorted; i++)
		hist_merge(&c->latency[0], &c->ops.sorted[i]->latency[0]);
	tally_sort(&c->sources, MEASURE_COUNT);
	tally_sort(&c->tasks, MEASURE_COUNT);
	if (c->nr_cpus)
		qsort(c->cpus, c->nr_cpus, sizeof(*c->cpus), cpu_order);
}

void composition_free(struct composition *c)
{
	unsigned int i;

	for (i = 0; i < COMPOSITION_LATENCIES; i++)
		hist_free(&c->latency[i]);
	tally_free(&c->ops);
	tally_free(&c->sources);
	tally_free(&c->tasks);
	free(c->sets);
	free(c->cpus);
	memset(c, 0, sizeof(*c));
}
