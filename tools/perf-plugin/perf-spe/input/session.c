// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>
#include <string.h>

#include "armspe.h"
#include "input/aux_samples.h"
#include "input/call_samples.h"
#include "input/event_counts.h"
#include "input/ids.h"
#include "input/perfdata.h"
#include "input/process.h"
#include "input/processes.h"
#include "input/session.h"
#include "util/memory.h"
#include "util/string_set.h"
#include "util/text_list.h"

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

void session_sort(struct session *s)
{
	if (s->nr_turns != s->turns_sorted)
		qsort(s->turns, s->nr_turns, sizeof(*s->turns), turn_order);
	s->turns_sorted = s->nr_turns;
	processes_apply(&s->processes);
	process_sort(&s->kernel);
	process_sort(&s->ksymbols);
}

const struct turn *session_turn_find(const struct session *s, uint32_t cpu,
				     uint64_t time)
{
	size_t low = 0, high = s->nr_turns;

	/* The last turn on the CPU that began at or before @time */
	while (low < high) {
		size_t mid = (low + high) / 2;
		const struct turn *t = &s->turns[mid];

		if (t->cpu < cpu || (t->cpu == cpu && t->time <= time))
			low = mid + 1;
		else
			high = mid;
	}
	if (!low || s->turns[low - 1].cpu != cpu ||
	    s->turns[low - 1].pid == NO_ID)
		return NULL;
	return &s->turns[low - 1];
}

/* MIDR_EL1 without Variant and Revision, as the names of cores, sources and events take it */
#define MIDR_CORE_MASK	UINT64_C(0xff00fff0)

bool session_midr(const struct session *s, int32_t cpu, uint64_t *midr)
{
	bool found = false;
	size_t i;

	/* Version 1 names no CPU: the header's CPUID holds for all. */
	if (!s->nr_midrs && s->pd.cpuid) {
		*midr = strtoull(s->pd.cpuid, NULL, 16);
		return *midr;
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

/* The formula of struct perf_event_mmap_page, in 128 bits against overflow */
bool session_time(const struct session *s, uint64_t timestamp, uint64_t *time)
{
	const struct time_conv *tc = &s->tc;
	uint64_t cycles = timestamp;

	if (!tc->valid)
		return false;
	if (tc->is_short)
		cycles = tc->cycles + ((cycles - tc->cycles) & tc->mask);
	*time = tc->zero +
		(uint64_t)((unsigned __int128)cycles * tc->mult >> tc->shift);
	return true;
}
