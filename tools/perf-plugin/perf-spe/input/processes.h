/* SPDX-License-Identifier: GPL-2.0-only */
/* The processes of a session by pid, and their threads. */
#ifndef PERF_SPE_PROCESSES_H
#define PERF_SPE_PROCESSES_H

#include <stdint.h>

#include "input/process.h"
#include "util/hash_table.h"

struct processes {
	struct hash_table by_pid;	/* struct process * */
	struct hash_table threads;	/* pid by tid */
};

/* NULL if there is none */
struct process *processes_find(const struct processes *p, int32_t pid);
/* The same; creates the process if it is new */
struct process *processes_get(struct processes *p, int32_t pid);
/* The process after @before (NULL: the first) in any order, or NULL at the end */
struct process *processes_next(const struct processes *p,
			       const struct process *before);
void processes_free(struct processes *p);

void processes_set_thread(struct processes *p, int32_t pid, int32_t tid);
/* The pid of a thread, NO_ID if unknown */
int32_t processes_pid_of_tid(const struct processes *p, int32_t tid);

#endif
