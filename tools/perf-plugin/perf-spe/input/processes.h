/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Processes and threads over time.
 *
 * An id names one thread after another, and a thread's program and name change.  So each
 * thread has a list of eras, by time: from the era's time on it belonged to this process
 * and had this name.  A process is one program: fork and exec begin a new one, with
 * mappings of its own.  Caches and tables use the process as their key, never the pid,
 * because one pid may name several processes.
 *
 * Events come in the order of buffers, so changes are collected, and applied in the order
 * of time.  Those with time 0 describe what was there before.
 */
#ifndef PERF_SPE_PROCESSES_H
#define PERF_SPE_PROCESSES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "input/process.h"
#include "util/hash_table.h"

struct era {
	uint64_t time;			/* ns of perf's clock */
	struct process *process;	/* of this pid; never NULL */
	const char *comm;		/* NULL: unknown */
};

/* A change of a process or of a thread, from an event */
struct process_change {
	enum process_event {
		CHANGE_FORK,		/* @parent's thread @by made process @pid, or thread @tid of it */
		CHANGE_COMM,
		CHANGE_EXEC,		/* with the new name */
		CHANGE_MAP,		/* executable */
		CHANGE_DATA,		/* a mapping of data */
		CHANGE_SEEN,		/* the thread exists */
		CHANGE_EXIT,
	} kind;
	int32_t pid, tid;
	int32_t parent, by;
	uint64_t time;
	size_t seq;			/* set by processes_change() */
	const char *comm;		/* must stay valid */
	const char *stack;		/* CHANGE_FORK of a thread: the name of its stack */
	struct map map;
};

struct processes {
	struct process **all;		/* by number, which begins with 1 */
	size_t nr, room;
	uint32_t numbers;		/* given so far */
	struct hash_table threads;	/* struct thread */
	struct process_change *changes;		/* not applied yet */
	size_t nr_changes, room_changes;
	bool on_exec;			/* perf enabled its events at the first exec, */
	uint64_t begins;		/* which was at this time; 0: no exec yet */
	bool copies;			/* live: a child copies mappings, as its parent may go */
};

void processes_change(struct processes *p, const struct process_change *change);
/* Applies all changes.  The functions below know only what was applied. */
void processes_apply(struct processes *p);

/* The thread's era at @time (UINT64_MAX: the last one); NULL if the thread is not known */
const struct era *processes_era(const struct processes *p, int32_t tid, uint64_t time);
/* From when to when, not included, processes_era() is the same as at @time */
void processes_era_span(const struct processes *p, int32_t tid, uint64_t time, uint64_t *from,
			uint64_t *until);
/*
 * What was the same at all times that samples may have: *@era has NULL for a process or
 * name that changed, *@pid is NO_ID if it changed.
 */
void processes_always(const struct processes *p, int32_t tid, struct era *era, int32_t *pid);
/* The last name that the thread had in @process; NULL if it was never in it */
const char *processes_last_name(const struct processes *p, int32_t tid,
				const struct process *process);
/* The process with @pid at @time, NULL if there is none */
struct process *processes_at(const struct processes *p, int32_t pid, uint64_t time);
/* Whether the pid named one process all the time */
bool processes_one(const struct processes *p, int32_t pid);
/* The one that the pid of @process named next; NULL: none */
const struct process *processes_after(const struct processes *p, const struct process *process);
/* The process with this number; NULL if there is none, or no more */
struct process *processes_numbered(const struct processes *p, uint32_t number);

/* Live: forget all but the present. */
bool processes_forget(struct processes *p);
void processes_free(struct processes *p);

#endif
