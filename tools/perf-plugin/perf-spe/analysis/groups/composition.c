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

/*
 * Samples of one operation with the same events and data source.  Recordings have few such kinds,
 * and all that samples of a kind differ in is the task and the latencies.
 */
struct kind_key {
	uint64_t events;		/* as in the records */
	uint64_t rest;			/* see key_of() */
};

struct kind {
	struct kind_key key;
	struct tally_row *op, *source;	/* NULL: in no row of the sources */
	uint64_t count;
	uint64_t far;			/* the sum of latencies that near does not tell apart */
	struct hist_near near;		/* the total latency */
};

static const struct hash_kind kind_table = {
	HASH_POINTERS,
	.key = { HASH_NUMBER(struct kind_key, events), HASH_NUMBER(struct kind_key, rest) },
};

#define LAST	1024			/* a power of two */
#define MANY	4096			/* kinds: then all are dropped */

struct kinds {
	struct hash_table table;	/* struct kind * */
	struct kind *last[LAST];	/* those that were found last */
	uint64_t midr;			/* of their CPUs, which names their sources */
	uint64_t samples;		/* since the arrays were emptied */
	struct hist_near issue, xlat;
	struct tally_row *task;		/* of the owner @of */
	struct owner of;
};

/* @rest: which of events and source the record has, the source, and the operation */
static inline struct kind_key key_of(const struct row_batch *b, size_t i)
{
	const uint32_t has = b->valid[i] & (ARMSPE_HAS_EVENTS | ARMSPE_HAS_SOURCE);
	const uint32_t source = has & ARMSPE_HAS_SOURCE ? b->source[i] : 0;

	return (struct kind_key){
		has & ARMSPE_HAS_EVENTS ? b->events[i] : 0,
		(uint64_t)has << 32 | source << 16 | b->op[i],
	};
}

static bool key_has(struct kind_key key, uint32_t what)
{
	return key.rest >> 32 & what;
}

static struct kind *kind_get(struct composition *c, const struct row_batch *b, size_t i,
			     struct kind_key key)
{
	struct kind **slot = hash_table_add(&c->kinds->table, &kind_table, &key);

	if (!*slot) {
		*slot = xcalloc(1, sizeof(**slot));
		(*slot)->key = key;
		(*slot)->op = tally_find(&c->ops, b, i);
		if (key_has(key, ARMSPE_HAS_SOURCE) && batch_op(b, i)->flags & ARMSPE_OPF_LOAD)
			(*slot)->source = tally_find(&c->sources, b, i);
	}
	return *slot;
}

static inline struct kind *kind_find(struct composition *c, const struct row_batch *b, size_t i)
{
	const struct kind_key key = key_of(b, i);
	const uint64_t hash = hash_mix(key.events ^ key.rest << 20);
	struct kind **last = &c->kinds->last[hash >> 8 & (LAST - 1)];

	if (!*last || (*last)->key.events != key.events || (*last)->key.rest != key.rest)
		*last = kind_get(c, b, i, key);
	return *last;
}

/* Add a total latency that the kind's array does not tell from others. */
static void add_far(struct kind *kind, uint16_t cycles)
{
	kind->far += cycles;
	hist_add(&kind->op->latency[0], cycles);
	if (kind->source)
		hist_add(&kind->source->latency[0], cycles);
}

static void settle_events(struct composition *c, const struct kind *kind)
{
	uint64_t events = known_events(kind->key.events), sum = kind->far;
	unsigned int bit, cycles;

	for (cycles = 0; cycles < HIST_NEAR; cycles++)
		sum += (uint64_t)kind->near.of[cycles] * cycles;
	c->with_events += kind->count;
	for (; events; events &= events - 1) {
		bit = (unsigned int)__builtin_ctzll(events);
		c->event[bit] += kind->count;
		c->event_timed[bit] += kind->count - kind->near.of[HIST_NONE];
		c->event_cycles[bit] += sum;
	}
}

/* Add what the kind has counted to all that follows from it, and empty it. */
static void kind_settle(struct composition *c, struct kind *kind)
{
	kind->op->count += kind->count;
	hist_add_near(&kind->op->latency[0], &kind->near);
	if (kind->source) {
		kind->source->count += kind->count;
		c->sources.count += kind->count;
		hist_add_near(&kind->source->latency[0], &kind->near);
	}
	if (key_has(kind->key, ARMSPE_HAS_EVENTS))
		settle_events(c, kind);
	kind->count = kind->far = 0;
	kind->near = (struct hist_near){ 0 };
}

static void settle(struct composition *c)
{
	struct kind **slot = NULL;

	while ((slot = hash_table_next(&c->kinds->table, &kind_table, slot)))
		kind_settle(c, *slot);
	hist_add_near(&c->latency[1], &c->kinds->issue);
	hist_add_near(&c->latency[2], &c->kinds->xlat);
	c->kinds->issue = c->kinds->xlat = (struct hist_near){ 0 };
	c->kinds->samples = 0;
}

static void drop_kinds(struct composition *c)
{
	struct kind **slot = NULL;

	while ((slot = hash_table_next(&c->kinds->table, &kind_table, slot)))
		free(*slot);
	hash_table_clear(&c->kinds->table, &kind_table);
	memset(c->kinds->last, 0, sizeof(c->kinds->last));
}

/* Prepare for the samples of @b, which may have other names of sources than those before. */
static void begin_batch(struct composition *c, const struct row_batch *b)
{
	uint64_t midr;

	if (!batch_midr(b, &midr))
		midr = 0;
	if (!c->kinds)
		c->kinds = xcalloc(1, sizeof(*c->kinds));
	if (c->kinds->midr != midr || c->kinds->table.count > MANY ||
	    c->kinds->samples + b->nr > UINT32_MAX) {
		settle(c);
		drop_kinds(c);
	}
	c->kinds->midr = midr;
	c->kinds->samples += b->nr;
}

static void add_event_lags(struct composition *c, const struct row_batch *b)
{
	size_t k;

	for (k = 0; k < b->nr; k++)
		lag_bits_add(&c->event_lag, b->piece, known_events(batch_events(b, b->kept[k])),
			     b->valid[b->kept[k]] & ARMSPE_HAS_EVENTS);
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

/* For intervals, which need the order of samples */
static void add_lags(struct composition *c, const struct row_batch *b)
{
	const struct kind *kind;
	size_t k;

	for (k = 0; k < b->nr; k++) {
		kind = kind_find(c, b, b->kept[k]);
		tally_add_more(&c->ops, kind->op, b, b->kept[k]);
		if (kind->source)
			tally_add_more(&c->sources, kind->source, b, b->kept[k]);
		else
			tally_skip(&c->sources, b->piece);
	}
	add_latency_lags(c, b);
	add_event_lags(c, b);
}

/* Few records have this latency. */
static void add_altclk(struct composition *c, const struct row_batch *b)
{
	size_t k;

	for (k = 0; k < b->nr; k++)
		if (batch_has(b, b->kept[k], SPE_COUNTER_ALTCLK_ISSUE))
			hist_add(&c->latency[3], b->altclk[b->kept[k]]);
}

static void add_kinds(struct composition *c, const struct row_batch *b,
		      const struct composition_slots *slots)
{
	const uint16_t *total = slots->total, *issue = slots->issue, *xlat = slots->xlat;
	uint32_t counters = 0;
	size_t k;

	for (k = 0; k < b->nr; k++) {
		const size_t i = b->kept[k];
		struct kind *kind = kind_find(c, b, i);

		counters |= b->counter_valid[i];
		kind->count++;
		kind->near.of[total[i]]++;
		if (total[i] == HIST_FAR)
			add_far(kind, b->total[i]);
		hist_count(&c->latency[1], &c->kinds->issue, issue[i], b->issue[i]);
		hist_count(&c->latency[2], &c->kinds->xlat, xlat[i], b->xlat[i]);
	}
	if (counters >> SPE_COUNTER_ALTCLK_ISSUE & 1)
		add_altclk(c, b);
}

static struct tally_row *task_find(struct composition *c, const struct row_batch *b, size_t i)
{
	const struct owner *owner = batch_owner(b, i), *of = &c->kinds->of;

	if (!c->kinds->task || of->pid != owner->pid || of->comm != owner->comm ||
	    of->guest != owner->guest) {
		c->kinds->task = tally_find(&c->tasks, b, i);
		c->kinds->of = *owner;
	}
	return c->kinds->task;
}

/* The rows of one owner, from number @from to @to */
static void add_task(struct composition *c, const struct row_batch *b, size_t from, size_t to,
		     const uint16_t *total)
{
	struct tally_row *row = task_find(c, b, b->kept[from]);
	struct hist_near near = { 0 };
	size_t k;

	c->tasks.count += to - from;
	row->count += to - from;
	for (k = from; c->precise && k < to; k++)
		tally_add_more(&c->tasks, row, b, b->kept[k]);
	for (k = from; k < to; k++)
		hist_count(&row->latency[0], &near, total[b->kept[k]], b->total[b->kept[k]]);
	hist_add_near(&row->latency[0], &near);
}

static void add_tasks(struct composition *c, const struct row_batch *b, const uint16_t *total)
{
	size_t from, to;

	for (from = 0; from < b->nr; from = to) {
		to = batch_owner_end(b, from);
		add_task(c, b, from, to, total);
	}
}

void composition_slots(const struct row_batch *b, struct composition_slots *slots)
{
	hist_slots(b, SPE_COUNTER_TOTAL, b->total, slots->total);
	hist_slots(b, SPE_COUNTER_ISSUE, b->issue, slots->issue);
	hist_slots(b, SPE_COUNTER_XLAT, b->xlat, slots->xlat);
}

void composition_add_part(struct composition *c, const struct row_batch *b,
			  const struct composition_slots *slots)
{
	if (!b->nr)
		return;
	begin_batch(c, b);
	if (c->precise)
		add_lags(c, b);
	add_kinds(c, b, slots);
	c->ops.count += b->nr;
	add_tasks(c, b, slots->total);
	add_cpu(c, b);
}

void composition_add(void *context, const struct row_batch *b)
{
	struct composition_slots slots;

	composition_slots(b, &slots);
	composition_add_part(context, b, &slots);
}

static int cpu_order(const void *a, const void *b)
{
	const struct composition_cpu *x = a, *y = b;

	return x->cpu < y->cpu ? -1 : x->cpu > y->cpu;
}

void composition_merge(struct composition *c, struct composition *from)
{
	struct composition_cpu *cpu;
	size_t i;

	if (from->kinds)
		settle(from);
	for (i = 0; i < COMPOSITION_LATENCIES; i++) {
		hist_merge(&c->latency[i], &from->latency[i]);
		lag_merge(&c->latency_lag[i], &from->latency_lag[i]);
		lag_chain_merge(&c->latency_chain[i], &from->latency_chain[i]);
	}
	lag_bits_merge(&c->event_lag, &from->event_lag);
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

	if (c->kinds)
		settle(c);
	tally_sort(&c->ops, MEASURE_COUNT);
	for (i = 0; i < c->ops.nr_sorted; i++)
		hist_merge(&c->latency[0], &c->ops.sorted[i]->latency[0]);
	tally_sort(&c->sources, MEASURE_COUNT);
	tally_sort(&c->tasks, MEASURE_COUNT);
	/* A table with nothing but unknown processes would say nothing. */
	if (c->tasks.nr_sorted == 1 && !c->tasks.sorted[0]->key[0].present)
		tally_clear(&c->tasks);
	if (c->nr_cpus)
		qsort(c->cpus, c->nr_cpus, sizeof(*c->cpus), cpu_order);
}

void composition_free(struct composition *c)
{
	unsigned int i;

	if (c->kinds) {
		drop_kinds(c);
		hash_table_free(&c->kinds->table);
	}
	free(c->kinds);
	for (i = 0; i < COMPOSITION_LATENCIES; i++)
		hist_free(&c->latency[i]);
	tally_free(&c->ops);
	tally_free(&c->sources);
	tally_free(&c->tasks);
	free(c->cpus);
	memset(c, 0, sizeof(*c));
}
