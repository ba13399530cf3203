// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

#include "live/live.h"

static size_t string_slot(const struct live *l, const char *text)
{
	size_t mask = l->room_strings - 1;
	size_t slot = hash_bytes(text, strlen(text)) & mask;

	while (l->strings[slot] && strcmp(l->strings[slot], text))
		slot = (slot + 1) & mask;
	return slot;
}

static void strings_grow(struct live *l)
{
	char **old = l->strings;
	size_t i, room = l->room_strings;

	l->room_strings = room ? 2 * room : 256;
	l->strings = xcalloc(l->room_strings, sizeof(*l->strings));
	for (i = 0; i < room; i++)
		if (old[i])
			l->strings[string_slot(l, old[i])] = old[i];
	free(old);
}

/* Names of files and tasks come again and again: each is kept once. */
const char *live_string(struct live *l, const char *text)
{
	size_t slot;

	if (2 * l->nr_strings >= l->room_strings)
		strings_grow(l);
	slot = string_slot(l, text);
	if (!l->strings[slot]) {
		l->strings[slot] = xstrndup(text, strlen(text));
		l->nr_strings++;
	}
	return l->strings[slot];
}

void live_init(struct live *l, struct session *s, uint64_t pmu_type,
	       uint64_t period, sample_fn fn, void *context)
{
	struct utsname uts;

	memset(l, 0, sizeof(*l));
	memset(s, 0, sizeof(*s));
	l->session = s;
	l->streams = streams_new(fn, context, &l->totals, NULL);
	s->live = l;
	s->kernel.pid = s->kernel.parent = NO_ID;
	s->is_spe = true;
	s->pmu_type = pmu_type;
	s->pd.in.path = "the kernel";
	s->pd.attrs = xcalloc(1, sizeof(*s->pd.attrs));
	s->pd.nr_attrs = 1;
	s->pd.attrs[0] = (struct pd_attr){
		.type = (uint32_t)pmu_type, .sample_period = period,
		.sample_type = LIVE_SAMPLE_TYPE, .sample_id_all = true,
	};
	if (!uname(&uts)) {
		s->pd.osrelease = xformat("%s", uts.release);
		s->pd.arch = xformat("%s", uts.machine);
	}
}

void live_free(struct live *l)
{
	size_t i;

	streams_end(l->streams);
	session_free(l->session);
	for (i = 0; i < l->room_strings; i++)
		free(l->strings[i]);
	free(l->strings);
	memset(l, 0, sizeof(*l));
}

static bool changes_places(uint32_t type)
{
	return type == PERF_RECORD_MMAP2 || type == PERF_RECORD_MMAP ||
	       type == PERF_RECORD_FORK;
}

void live_event(void *live, const struct perf_event_header *event)
{
	struct live *l = live;
	struct pd_event ev = {
		.type = event->type, .misc = event->misc,
		.body = (const uint8_t *)(event + 1),
		.len = event->size - sizeof(*event),
		.attr = PD_NO_ATTR,
	};

	if (event->type >= PERF_RECORD_MAX ||
	    event->type == PERF_RECORD_SAMPLE)
		return;
	perfdata_sample_id(&l->session->pd, &ev);
	l->mapped |= changes_places(event->type);
	if (session_event(l->session, &ev) < 0)
		l->damaged_events++;
}

static void tell_changes(struct live *l)
{
	if (l->mapped && l->changed)
		l->changed(l->context);
	l->mapped = false;
}

/*
 * Samples may be of any time up to now, so that all events come first; those
 * behind what ring_aux() finds in a second ring are no harm.
 */
void live_drain(struct live *l)
{
	struct piece (*pieces)[2] = xcalloc(l->nr_rings, sizeof(*pieces));
	size_t *count = xcalloc(l->nr_rings, sizeof(*count));
	size_t i, k;

	for (i = 0; i < l->nr_rings; i++)
		count[i] = ring_aux(&l->rings[i], pieces[i]);
	for (i = 0; i < l->nr_rings; i++)
		if (!ring_events(&l->rings[i], live_event, l))
			l->damaged_events++;
	for (i = 0; i < l->nr_rings && !l->session->tc.valid; i++)
		l->session->tc = ring_time(&l->rings[i]);
	session_sort(l->session);
	tell_changes(l);
	for (i = 0; i < l->nr_rings; i++) {
		for (k = 0; k < count[i]; k++) {
			streams_piece(l->streams, i, &pieces[i][k]);
			ring_aux_free(&l->rings[i], &pieces[i][k]);
		}
	}
	free(count);
	free(pieces);
}

/* Who runs on a CPU now is all that counts from now on. */
static void forget_turns(struct session *s)
{
	size_t i, to = 0;

	for (i = 0; i < s->nr_turns; i++)
		if (i + 1 == s->nr_turns ||
		    s->turns[i + 1].cpu != s->turns[i].cpu)
			s->turns[to++] = s->turns[i];
	s->nr_turns = s->turns_sorted = to;
}

/* A process whose first thread has ended may have others. */
static bool is_gone(const struct process *p)
{
	return p->exited && kill(p->pid, 0) < 0 && errno == ESRCH;
}

static bool same_range(const struct map *a, const struct map *b)
{
	return a->start == b->start && a->end == b->end;
}

/* What an exec took away, and what lies hidden at the very same addresses */
static bool forget_maps(struct process *p)
{
	size_t i, to = 0;

	for (i = 0; i < p->nr_maps; i++) {
		struct map *map = &p->maps[i];

		if (p->exec != UINT64_MAX && map->time < p->exec)
			continue;
		if (!to || !same_range(&p->maps[to - 1], map))
			p->maps[to++] = *map;
		else if (map->time > p->maps[to - 1].time ||
			 (map->time == p->maps[to - 1].time &&
			  map->seq > p->maps[to - 1].seq))
			p->maps[to - 1] = *map;
	}
	if (to == p->nr_maps)
		return false;
	p->nr_maps = to;
	p->sorted = false;
	return true;
}

void live_forget(struct live *l)
{
	struct session *s = l->session;
	size_t i;

	session_sort(s);
	forget_turns(s);
	for (i = 0; i < s->room_processes; i++) {
		struct process *p = s->processes[i];

		if (!p)
			continue;
		if (is_gone(p)) {
			free(p->maps);
			p->maps = NULL;
			p->nr_maps = p->room_maps = 0;
			p->exited = false;
		}
		l->mapped |= forget_maps(p);
		p->exec = UINT64_MAX;
	}
	session_sort(s);
}

/*
 * A number may have been somebody else's before.  The parent may be gone
 * before its child is: what it has mapped, the child gets for its own.
 */
void live_fork(struct process *child, const struct process *parent)
{
	size_t i;

	child->comm = parent->comm;
	child->exec = UINT64_MAX;
	child->exited = false;
	child->nr_maps = 0;
	for (i = 0; child != parent && i < parent->nr_maps; i++)
		process_map_add(child, &parent->maps[i]);
}
