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

/* NULL where there is none */
struct process *processes_find(const struct processes *p, int32_t pid);
/* The same, made where it is new */
struct process *processes_get(struct processes *p, int32_t pid);
/* The one behind @before (NULL: the first) in no particular order, or NULL */
struct process *processes_next(const struct processes *p,
			       const struct process *before);
void processes_free(struct processes *p);

void processes_set_thread(struct processes *p, int32_t pid, int32_t tid);
/* pid of a thread, NO_ID where it is not known */
int32_t processes_pid_of_tid(const struct processes *p, int32_t tid);

#endif
