// SPDX-License-Identifier: GPL-2.0-only
/*
 * When a CPU goes offline, the kernel removes perf's events of the CPU in the CPU's
 * hotplug thread, cpuhp/N, and does not restore them when the CPU comes back
 * (perf_event_exit_cpu(), kernel/events/core.c).  So the last thing that a recording
 * says about such a CPU is that cpuhp/N runs.  This thread sleeps otherwise.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "input/input.h"
#include "util/util.h"

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
static uint64_t end_of(const struct session *s)
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
	uint64_t end = end_of(s);
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
