// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>
#include <string.h>

#include "armspe.h"
#include "input/input.h"
#include "util/util.h"

void session_init(struct session *s)
{
	memset(s, 0, sizeof(*s));
	s->kernel.pid = s->ksymbols.pid = NO_ID;
}

void session_free(struct session *s)
{
	processes_free(&s->processes);
	free(s->kernel.maps);
	free(s->ksymbols.maps);
	free(s->turns);
	free(s->cpu_last);
	free(s->midrs);
	free(s->pieces);
	event_counts_free(&s->counts);
	call_samples_free(&s->calls);
	aux_samples_free(&s->aux_samples);
	string_set_free(&s->strings);
	perfdata_close(&s->pd);
	memset(s, 0, sizeof(*s));
}

static int turn_order(const void *a, const void *b)
{
	const struct turn *x = a, *y = b;

	if (x->cpu != y->cpu)
		return x->cpu < y->cpu ? -1 : 1;
	return x->time < y->time ? -1 : x->time > y->time;
}

static bool turns_in_order(const struct turn *turns, size_t nr)
{
	size_t i;

	for (i = 1; i < nr; i++)
		if (turn_order(&turns[i - 1], &turns[i]) > 0)
			return false;
	return true;
}

#define CPUS_MAX	65536		/* for which sort_turns() counts turns */

/* Events of a CPU come in the order of time, so that only the CPUs have to be separated. */
static void sort_turns(struct session *s)
{
	size_t *at = xcalloc(CPUS_MAX + 1, sizeof(*at)), i;
	struct turn *sorted;

	for (i = 0; i < s->nr_turns && s->turns[i].cpu < CPUS_MAX; i++)
		at[s->turns[i].cpu + 1]++;
	if (i == s->nr_turns) {
		for (i = 0; i < CPUS_MAX; i++)
			at[i + 1] += at[i];
		sorted = xcalloc(s->nr_turns, sizeof(*sorted));
		for (i = 0; i < s->nr_turns; i++)
			sorted[at[s->turns[i].cpu]++] = s->turns[i];
		memcpy(s->turns, sorted, s->nr_turns * sizeof(*sorted));
		free(sorted);
	}
	free(at);
	if (!turns_in_order(s->turns, s->nr_turns))
		qsort(s->turns, s->nr_turns, sizeof(*s->turns), turn_order);
}

void session_sort(struct session *s)
{
	if (s->nr_turns != s->turns_sorted && !turns_in_order(s->turns, s->nr_turns))
		sort_turns(s);
	s->turns_sorted = s->nr_turns;
	processes_apply(&s->processes);
	process_sort(&s->kernel);
	process_sort(&s->ksymbols);
}

/* Whether turn @at is the one on @cpu at @time */
static bool turn_is(const struct session *s, size_t at, uint32_t cpu, uint64_t time)
{
	return at < s->nr_turns && s->turns[at].cpu == cpu && s->turns[at].time <= time &&
	       (at + 1 == s->nr_turns || s->turns[at + 1].cpu != cpu ||
		s->turns[at + 1].time > time);
}

const struct turn *session_turn_find(const struct session *s, uint32_t cpu, uint64_t time,
				     size_t *near, uint64_t *until)
{
	size_t low = 0, high = s->nr_turns, at = *near;

	at += !turn_is(s, at, cpu, time);
	if (!turn_is(s, at, cpu, time)) {
		/* The last turn on the CPU that began at or before @time */
		while (low < high) {
			size_t mid = (low + high) / 2;
			const struct turn *t = &s->turns[mid];

			if (t->cpu < cpu || (t->cpu == cpu && t->time <= time))
				low = mid + 1;
			else
				high = mid;
		}
		if (!low || s->turns[low - 1].cpu != cpu)
			return NULL;
		at = low - 1;
	}
	*near = at;
	*until = at + 1 < s->nr_turns && s->turns[at + 1].cpu == cpu ?
		s->turns[at + 1].time : UINT64_MAX;
	return s->turns[at].pid == NO_ID || (s->outside && !s->turns[at].pid) ?
		NULL : &s->turns[at];
}

/* MIDR_EL1 without Variant and Revision, as the names of cores, sources and events take it */
#define MIDR_CORE_MASK	UINT64_C(0xff00fff0)

bool session_midr(const struct session *s, int32_t cpu, uint64_t *midr)
{
	bool found = false;
	size_t i;

	/* Version 1 names no CPU: the header's CPUID holds for all. */
	if (!s->nr_midrs && s->pd.midr) {
		*midr = s->pd.midr;
		return true;
	}
	for (i = 0; i < s->nr_midrs; i++) {
		if (cpu != NO_ID && s->midrs[i].cpu != (uint64_t)cpu)
			continue;
		if (found && (s->midrs[i].midr ^ *midr) & MIDR_CORE_MASK)
			return false;
		*midr = s->midrs[i].midr;
		found = true;
	}
	return found || (cpu != NO_ID && session_midr(s, NO_ID, midr));
}

char *session_core(uint64_t midr)
{
	const char *name = armspe_core_name(midr);

	/* MIDR_EL1.PartNum and Implementer */
	return name ? xformat("%s", name) :
		      xformat("part 0x%03x of implementer 0x%02x",
			      (unsigned int)(midr >> 4 & 0xfff), (unsigned int)(midr >> 24 & 0xff));
}

char *session_cores(const struct session *s)
{
	char *list = NULL;
	uint64_t midr;
	size_t i;

	for (i = 0; i < s->nr_midrs; i++)
		list = text_list_take(list, session_core(s->midrs[i].midr));
	if (!list && session_midr(s, NO_ID, &midr))
		list = session_core(midr);
	return list;
}

bool session_cpu_missing(const struct session *s, int32_t cpu)
{
	size_t i;

	for (i = 0; i < s->nr_midrs; i++)
		if (s->midrs[i].cpu == (uint64_t)cpu)
			return false;
	return s->nr_midrs && cpu != NO_ID;
}

bool session_time(const struct session *s, uint64_t timestamp, uint64_t *time)
{
	if (s->tc.valid)
		*time = session_time_of(&s->tc, timestamp);
	return s->tc.valid;
}
