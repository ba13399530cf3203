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

void composition_init(struct composition *c, const char *verb)
{
	tally_by(&c->ops, verb, "op,subclass");
	tally_by(&c->sources, verb, "source,source_name");
	tally_by(&c->tasks, verb, "pid,comm");
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

	while (events) {
		unsigned int bit = (unsigned int)__builtin_ctzll(events);

		events &= events - 1;
		c->event[bit] += set->count;
		c->event_timed[bit] += set->timed;
		c->event_cycles[bit] += set->cycles;
	}
	*set = (struct event_set){ 0 };
}

static void add_events(struct composition *c, const struct armspe_record *rec)
{
	uint64_t events = known_events(rec);
	struct event_set *set;

	if (!(rec->valid & ARMSPE_HAS_EVENTS))
		return;
	c->with_events++;
	if (!c->sets)
		c->sets = xcalloc(SETS, sizeof(*c->sets));
	set = &c->sets[hash_add(0, events) & (SETS - 1)];
	if (set->events != events && set->count)
		set_add(c, set);
	set->events = events;
	set->count++;
	if (rec->counter_valid >> SPE_COUNTER_TOTAL & 1) {
		set->timed++;
		set->cycles += rec->counter[SPE_COUNTER_TOTAL];
	}
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

static void add_time(struct composition *c, const struct row *row)
{
	struct composition_cpu *cpu = cpu_get(c, row->piece->cpu);
	uint64_t time;

	cpu->count++;
	time_span_add(&cpu->time, row, &time);
}

static inline void add_latency(struct composition *c, const struct row *row, unsigned int i)
{
	const struct armspe_record *rec = row->rec;
	bool timed = rec->counter_valid >> latencies[i].index & 1;
	uint16_t cycles = timed ? rec->counter[latencies[i].index] : 0;

	if (timed)
		hist_add(&c->latency[i], cycles);
	if (c->precise && timed)
		lag_add_cycles(&c->latency_chain[i], &c->latency_lag[i], row->piece, cycles);
	else if (c->precise)
		lag_skip(&c->latency_chain[i], row);
}

static void add_op(struct composition *c, const struct row *row)
{
	const struct armspe_record *rec = row->rec;
	size_t at = rec->valid & ARMSPE_HAS_OP ?
		(rec->op_class & 3) * 256u + rec->op_payload : 4 * 256;

	if (!c->of_op[at])
		c->of_op[at] = tally_find(&c->ops, row);
	tally_add_to(&c->ops, c->of_op[at], row);
}

static void add_source(struct composition *c, const struct row *row)
{
	if (!c->of_source || c->source != row->rec->source || c->source_cpu != row->piece->cpu) {
		c->of_source = tally_find(&c->sources, row);
		c->source = row->rec->source;
		c->source_cpu = row->piece->cpu;
	}
	tally_add_to(&c->sources, c->of_source, row);
}

static void add_task(struct composition *c, const struct row *row)
{
	if (!c->of_task || c->task.pid != row->owner.pid || c->task.comm != row->owner.comm) {
		c->of_task = tally_find(&c->tasks, row);
		c->task = row->owner;
	}
	tally_add_to(&c->tasks, c->of_task, row);
}

void composition_add(void *context, const struct row *row)
{
	const struct armspe_record *rec = row->rec;
	struct composition *c = context;
	unsigned int i;

#pragma GCC unroll 4
	for (i = 0; i < COMPOSITION_LATENCIES; i++)
		add_latency(c, row, i);
	if (c->precise)
		lag_bits_add(&c->event_lag, row->piece, known_events(rec),
			     rec->valid & ARMSPE_HAS_EVENTS);
	add_events(c, rec);
	add_time(c, row);
	add_op(c, row);
	if (rec->valid & ARMSPE_HAS_SOURCE && row->op.flags & ARMSPE_OPF_LOAD)
		add_source(c, row);
	else
		tally_skip(&c->sources, row);
	if (row->owner.pid != NO_ID)
		add_task(c, row);
	else
		tally_skip(&c->tasks, row);
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
	add_sets(c);
	tally_sort(&c->ops, MEASURE_COUNT);
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
