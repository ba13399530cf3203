// SPDX-License-Identifier: GPL-2.0-only
#include <inttypes.h>
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
	while (s->nr_cpus)
		free(s->cpus[--s->nr_cpus].turns);
	free(s->cpus);
	processes_free(&s->processes);
	hash_table_free(&s->rounds[0]);
	hash_table_free(&s->rounds[1]);
	cgroups_free(&s->cgroups);
	session_free_inodes(s);
	free(s->groups);
	free(s->kernel.maps);
	free(s->ksymbols.maps);
	free(s->midrs);
	while (s->nr_pieces)
		free(s->pieces[--s->nr_pieces].samples);
	free(s->pieces);
	event_counts_free(&s->counts);
	call_samples_free(&s->calls);
	aux_samples_free(&s->aux_samples);
	record_samples_free(&s->record_samples);
	string_set_free(&s->strings);
	perfdata_close(&s->pd);
	memset(s, 0, sizeof(*s));
}

#define MOST_CPUS	65536u

struct cpu_turns *session_cpu_new(struct session *s, uint32_t cpu)
{
	size_t old = s->nr_cpus;

	if (cpu >= MOST_CPUS)
		return NULL;
	s->nr_cpus = smaller(2 * ((size_t)cpu + 1), MOST_CPUS);
	s->cpus = xrealloc(s->cpus, s->nr_cpus * sizeof(*s->cpus));
	memset(s->cpus + old, 0, (s->nr_cpus - old) * sizeof(*s->cpus));
	return &s->cpus[cpu];
}

static int turn_order(const void *a, const void *b)
{
	const struct turn *x = a, *y = b;

	return x->time < y->time ? -1 : x->time > y->time;
}

static int group_order(const void *a, const void *b)
{
	const struct group_seen *x = a, *y = b;

	if (x->tid != y->tid)
		return x->tid < y->tid ? -1 : 1;
	return x->time < y->time ? -1 : x->time > y->time;
}

/* Of the many times that a thread was seen in a group, the first ones are changes. */
static void take_groups(struct session *s)
{
	struct process_change c = { .kind = CHANGE_GROUP };
	size_t i;

	if (s->nr_groups)
		qsort(s->groups, s->nr_groups, sizeof(*s->groups), group_order);
	for (i = 0; i < s->nr_groups; i++) {
		const struct group_seen *g = &s->groups[i];

		if (i && g->tid == c.tid && g->pid == c.pid && g->group == c.group)
			continue;
		c.pid = g->pid;
		c.tid = g->tid;
		c.time = g->time;
		c.group = g->group;
		if (c.group)
			processes_change(&s->processes, &c);
	}
	free(s->groups);
	s->groups = NULL;
	s->nr_groups = s->room_groups = 0;
}

void session_sort(struct session *s)
{
	size_t i;

	take_groups(s);

	for (i = 0; i < s->nr_cpus; i++) {
		if (s->cpus[i].unsorted)
			qsort(s->cpus[i].turns, s->cpus[i].nr, sizeof(struct turn), turn_order);
		s->cpus[i].unsorted = false;
	}
	s->sorts++;
	processes_apply(&s->processes);
	process_sort(&s->kernel);
	process_sort(&s->ksymbols);
}

/* Whether turn @at is the one at @time */
static inline bool turn_is(const struct cpu_turns *c, size_t at, uint64_t time)
{
	return at < c->nr && c->turns[at].time <= time &&
	       (at + 1 == c->nr || c->turns[at + 1].time > time);
}

const struct turn *session_turn_find(const struct session *s, uint32_t cpu, uint64_t time,
				     size_t *near, uint64_t *until)
{
	const struct cpu_turns *c = cpu < s->nr_cpus ? &s->cpus[cpu] : NULL;
	size_t at = *near;

	if (!c)
		return NULL;
	/* Mostly it is the turn behind that of the sample before. */
	if (!turn_is(c, at, time) && !turn_is(c, ++at, time)) {
		/* The last turn that began at or before @time */
		lower_bound(at, c->nr, c->turns[at].time <= time);
		if (!at--)
			return NULL;
	}
	*near = at;
	*until = at + 1 < c->nr ? c->turns[at + 1].time : UINT64_MAX;
	return c->turns[at].pid == NO_ID || (s->outside && !c->turns[at].pid) ?
		NULL : &c->turns[at];
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

char *session_losses(const struct session *s)
{
	if (!s->aux_truncated && !s->aux_partial && !s->aux_collision && !s->lost_records)
		return NULL;
	return xformat("AUX data %" PRIu64 " time%s truncated, %" PRIu64 " partial, %" PRIu64
		       " with collisions; %" PRIu64 " perf record%s lost",
		       s->aux_truncated, plural(s->aux_truncated), s->aux_partial,
		       s->aux_collision, s->lost_records, plural(s->lost_records));
}

bool session_cpu_missing(const struct session *s, int32_t cpu)
{
	size_t i;

	for (i = 0; i < s->nr_midrs; i++)
		if (s->midrs[i].cpu == (uint64_t)cpu)
			return false;
	return s->nr_midrs && cpu != NO_ID;
}

#define NEAR	(UINT64_C(1) << 30)

/* timestamp * mult = from * mult + (timestamp - from) * mult, and the second product has 64 bits. */
bool session_times_near(const struct time_conv *tc, const uint64_t *timestamps, size_t count,
			uint64_t *times)
{
	const uint64_t least = tc->is_short ? tc->cycles : 0, first = timestamps[0];
	const uint64_t from = first > least && first - least > NEAR ? first - NEAR : least;
	const unsigned __int128 product = (unsigned __int128)from * tc->mult;
	const unsigned int shift = tc->shift & 31;
	const uint64_t rest = (uint64_t)product & ((UINT64_C(1) << shift) - 1);
	const uint64_t base = tc->zero + (uint64_t)(product >> shift), mult = tc->mult;
	uint64_t offset, all = 0;
	size_t i;

	if (tc->shift > 31 || mult > UINT32_MAX || from > UINT64_MAX - 2 * NEAR ||
	    (tc->is_short && (tc->mask & (tc->mask + 1) || from - least + 2 * NEAR > tc->mask)))
		return false;
	for (i = 0; i < count; i++) {
		offset = timestamps[i] - from;
		all |= offset;
		times[i] = base + ((rest + offset * mult) >> shift);
	}
	return all < 2 * NEAR;
}

bool session_time(const struct session *s, uint64_t timestamp, uint64_t *time)
{
	if (s->tc.valid)
		*time = session_time_of(&s->tc, timestamp);
	return s->tc.valid;
}
