// SPDX-License-Identifier: GPL-2.0-only
/*
 * The threads and processes of a session.
 */
#include <stdlib.h>

#include "input/session.h"

static size_t thread_slot(const struct session *s, int32_t tid)
{
	size_t mask = s->room_threads - 1;
	size_t slot = (uint32_t)tid * 0x9e3779b1u & mask;

	while (s->threads[slot].tid != NO_ID && s->threads[slot].tid != tid)
		slot = (slot + 1) & mask;
	return slot;
}

static void threads_grow(struct session *s)
{
	struct thread *old = s->threads;
	size_t i, room = s->room_threads;

	s->room_threads = room ? 2 * room : 256;
	s->threads = xrealloc(NULL, s->room_threads * sizeof(*s->threads));
	for (i = 0; i < s->room_threads; i++)
		s->threads[i].tid = NO_ID;
	for (i = 0; i < room; i++)
		if (old[i].tid != NO_ID)
			s->threads[thread_slot(s, old[i].tid)] = old[i];
	free(old);
}

void session_thread_set(struct session *s, int32_t pid, int32_t tid)
{
	size_t slot;

	if (tid == NO_ID)
		return;
	if (2 * s->nr_threads >= s->room_threads)
		threads_grow(s);
	slot = thread_slot(s, tid);
	if (s->threads[slot].tid == NO_ID)
		s->nr_threads++;
	s->threads[slot].tid = tid;
	s->threads[slot].pid = pid;
}

int32_t session_pid_of_tid(const struct session *s, int32_t tid)
{
	if (!s->room_threads || tid == NO_ID)
		return NO_ID;
	return s->threads[thread_slot(s, tid)].tid == tid ?
		s->threads[thread_slot(s, tid)].pid : NO_ID;
}

static size_t process_slot(const struct session *s, int32_t pid)
{
	size_t mask = s->room_processes - 1;
	size_t slot = (uint32_t)pid * 0x9e3779b1u & mask;

	while (s->processes[slot] && s->processes[slot]->pid != pid)
		slot = (slot + 1) & mask;
	return slot;
}

struct process *session_process(const struct session *s, int32_t pid)
{
	return s->room_processes ? s->processes[process_slot(s, pid)] : NULL;
}

static void processes_grow(struct session *s)
{
	struct process **old = s->processes;
	size_t i, room = s->room_processes;

	s->room_processes = room ? 2 * room : 64;
	s->processes = xcalloc(s->room_processes, sizeof(*s->processes));
	for (i = 0; i < room; i++)
		if (old[i])
			s->processes[process_slot(s, old[i]->pid)] = old[i];
	free(old);
}

struct process *session_process_get(struct session *s, int32_t pid)
{
	struct process *p = session_process(s, pid);

	if (p)
		return p;
	p = xcalloc(1, sizeof(*p));
	p->pid = pid;
	p->parent = NO_ID;
	p->exec = UINT64_MAX;
	if (2 * s->nr_processes >= s->room_processes)
		processes_grow(s);
	s->nr_processes++;
	s->processes[process_slot(s, pid)] = p;
	return p;
}

void process_map_add(struct process *p, const struct map *map)
{
	if (map->end <= map->start)
		return;
	p->maps = array_grow(p->maps, p->nr_maps, &p->room_maps,
			     sizeof(*p->maps));
	p->maps[p->nr_maps] = *map;
	p->maps[p->nr_maps++].seq = p->added++;
	p->sorted = false;
}
