// SPDX-License-Identifier: GPL-2.0-only
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "input/input.h"
#include "util/util.h"

#ifndef PERF_AUX_FLAG_COLLISION
#define PERF_AUX_FLAG_COLLISION 0x08
#endif

/* More CPUs than any machine has.  Ignore larger numbers: the file is damaged. */
#define CPUS 65536u

static struct event_count *count_of(struct event_counts *c, size_t attr)
{
	size_t room = c->room;

	if (attr >= room) {
		c->room = attr + 8;
		c->of = xrealloc(c->of, c->room * sizeof(*c->of));
		memset(c->of + room, 0, (c->room - room) * sizeof(*c->of));
	}
	return &c->of[attr];
}

void event_counts_owner(struct event_counts *c, uint32_t cpu, size_t attr)
{
	if (cpu >= CPUS)
		return;
	while (cpu >= c->room_cpus) {
		size_t i = c->room_cpus;

		c->room_cpus = i ? 2 * i : 64;
		c->cpus = xrealloc(c->cpus, c->room_cpus * sizeof(*c->cpus));
		for (; i < c->room_cpus; i++)
			c->cpus[i] = PD_NO_ATTR;
	}
	c->cpus[cpu] = attr;
}

static void add_aux(struct event_counts *c, const struct pd_event *ev)
{
	struct event_count *e = count_of(c, ev->attr);
	uint64_t flags;

	if (ev->len < 24)
		return;
	flags = pd_load64(ev->body + 16);
	e->aux_events++;
	e->truncated += !!(flags & PERF_AUX_FLAG_TRUNCATED);
	e->partial += !!(flags & PERF_AUX_FLAG_PARTIAL);
	e->collision += !!(flags & PERF_AUX_FLAG_COLLISION);
	/* Only the event that owns a CPU's AUX buffer writes AUX records there. */
	if (ev->id.has_cpu)
		event_counts_owner(c, ev->id.cpu, ev->attr);
	if (!ev->id.has_cpu || !ev->id.has_time)
		return;
	c->cuts = array_grow(c->cuts, c->nr_cuts, &c->room_cuts, sizeof(*c->cuts));
	c->cuts[c->nr_cuts++] = (struct aux_cut){
		ev->id.time, ev->id.cpu, flags & (PERF_AUX_FLAG_TRUNCATED | PERF_AUX_FLAG_PARTIAL),
	};
}

/* A sample's period.  The order of a sample's fields is in perf_event_open(2). */
static uint64_t sample_period(const struct pd_attr *attr,
			      const struct pd_event *ev)
{
	uint64_t before = attr->sample_type &
			  (PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP |
			   PERF_SAMPLE_TID | PERF_SAMPLE_TIME |
			   PERF_SAMPLE_ADDR | PERF_SAMPLE_ID |
			   PERF_SAMPLE_STREAM_ID | PERF_SAMPLE_CPU);
	size_t at;

	if (!(attr->sample_type & PERF_SAMPLE_PERIOD))
		return attr->freq ? 0 : attr->sample_period;
	at = 8 * (size_t)__builtin_popcountll(before);
	return ev->len >= at + 8 ? pd_load64(ev->body + at) : 0;
}

void event_counts_add(struct event_counts *c, const struct perfdata *pd,
		      const struct pd_event *ev)
{
	struct event_count *e;

	if (ev->attr >= pd->nr_attrs)
		return;
	if (ev->type == PERF_RECORD_SWITCH || ev->type == PERF_RECORD_SWITCH_CPU_WIDE)
		return;
	e = count_of(c, ev->attr);
	if (ev->type == PERF_RECORD_AUX) {
		add_aux(c, ev);
	} else if (ev->type == PERF_RECORD_LOST && ev->len >= 16) {
		e->lost += pd_load64(ev->body + 8);
	} else if (ev->type == PERF_RECORD_LOST_SAMPLES && ev->len >= 8) {
		e->lost += pd_load64(ev->body);
	} else if (ev->type == PERF_RECORD_SAMPLE) {
		e->samples++;
		e->sum += sample_period(&pd->attrs[ev->attr], ev);
	}
}

struct event_count event_counts_of(const struct event_counts *c, size_t attr)
{
	static const struct event_count nothing;

	return attr < c->room ? c->of[attr] : nothing;
}

size_t event_counts_of_cpu(const struct event_counts *c, int32_t cpu)
{
	return cpu >= 0 && (uint32_t)cpu < c->room_cpus ? c->cpus[cpu] :
							  PD_NO_ATTR;
}

void event_counts_free(struct event_counts *c)
{
	free(c->of);
	free(c->cpus);
	free(c->cuts);
	memset(c, 0, sizeof(*c));
}

/*
 * When a CPU goes offline, the kernel removes perf's events of the CPU in the CPU's
 * hotplug thread, cpuhp/N, and does not restore them when the CPU comes back
 * (perf_event_exit_cpu(), kernel/events/core.c).  So the last thing that a recording
 * says about such a CPU is that cpuhp/N runs.  This thread sleeps otherwise.
 */

static bool is_hotplug_thread(const struct session *s, uint32_t cpu, const struct turn *turn)
{
	const struct era *era = processes_era(&s->processes, turn->tid, turn->time);
	char name[32];

	snprintf(name, sizeof(name), "cpuhp/%u", cpu);
	return era && era->comm && !strcmp(era->comm, name);
}

/* The last turn on a CPU, or NULL */
static const struct turn *last_of(const struct session *s, size_t cpu)
{
	const struct cpu_turns *c = &s->cpus[cpu];

	return c->nr ? &c->turns[c->nr - 1] : NULL;
}

/* The time of the last event that tells what runs on a CPU */
uint64_t session_last_switch(const struct session *s)
{
	const struct turn *turn;
	uint64_t end = 0;
	size_t i;

	for (i = 0; i < s->nr_cpus; i++) {
		turn = last_of(s, i);
		if (turn && turn->time > end)
			end = turn->time;
	}
	return end;
}

struct gap *session_gaps(const struct session *s, size_t *count)
{
	struct gap *gaps = NULL;
	uint64_t end = session_last_switch(s);
	const struct turn *turn;
	size_t room = 0, i;

	*count = 0;
	for (i = 0; i < s->nr_cpus && !s->live; i++) {
		turn = last_of(s, i);
		if (!turn || !is_hotplug_thread(s, (uint32_t)i, turn))
			continue;
		gaps = array_grow(gaps, *count, &room, sizeof(*gaps));
		gaps[(*count)++] = (struct gap){ (uint32_t)i, turn->time, end };
	}
	return gaps;
}
