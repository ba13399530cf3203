// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>

#include "input/ids.h"
#include "input/process.h"
#include "input/processes.h"
#include "util/hash.h"
#include "util/hash_table.h"
#include "util/memory.h"

struct thread {
	int32_t tid, pid;
	bool used;
};

static uint64_t id_hash(int32_t id)
{
	return hash_mix((uint32_t)id);
}

static bool thread_used(const void *slot)
{
	return ((const struct thread *)slot)->used;
}

static uint64_t thread_hash(const void *slot)
{
	return id_hash(((const struct thread *)slot)->tid);
}

static bool same_tid(const void *slot, const void *tid)
{
	return ((const struct thread *)slot)->tid == *(const int32_t *)tid;
}

static const struct hash_kind threads = {
	sizeof(struct thread), 256, thread_used, thread_hash, same_tid,
};

void processes_set_thread(struct processes *p, int32_t pid, int32_t tid)
{
	struct thread *thread;

	if (tid == NO_ID)
		return;
	thread = hash_table_add(&p->threads, &threads, id_hash(tid), &tid);
	*thread = (struct thread){ tid, pid, true };
}

int32_t processes_pid_of_tid(const struct processes *p, int32_t tid)
{
	const struct thread *thread =
		hash_table_find(&p->threads, &threads, id_hash(tid), &tid);

	return thread ? thread->pid : NO_ID;
}

static uint64_t process_hash(const void *slot)
{
	return id_hash((*(struct process *const *)slot)->pid);
}

static bool same_pid(const void *slot, const void *pid)
{
	return (*(struct process *const *)slot)->pid == *(const int32_t *)pid;
}

static const struct hash_kind by_pid = {
	sizeof(struct process *), 64, hash_pointer_used, process_hash, same_pid,
};

struct process *processes_find(const struct processes *p, int32_t pid)
{
	struct process **slot =
		hash_table_find(&p->by_pid, &by_pid, id_hash(pid), &pid);

	return slot ? *slot : NULL;
}

struct process *processes_get(struct processes *p, int32_t pid)
{
	struct process **slot =
		hash_table_add(&p->by_pid, &by_pid, id_hash(pid), &pid);

	if (!*slot) {
		*slot = xcalloc(1, sizeof(**slot));
		(*slot)->pid = pid;
		(*slot)->parent = NO_ID;
		(*slot)->exec = UINT64_MAX;
	}
	return *slot;
}

struct process *processes_next(const struct processes *p,
			       const struct process *before)
{
	struct process **slot = before ?
		hash_table_find(&p->by_pid, &by_pid, id_hash(before->pid),
				&before->pid) : NULL;

	slot = hash_table_next(&p->by_pid, &by_pid, slot);
	return slot ? *slot : NULL;
}

void processes_free(struct processes *p)
{
	struct process **slot = NULL;

	while ((slot = hash_table_next(&p->by_pid, &by_pid, slot))) {
		process_free_maps(*slot);
		free(*slot);
	}
	hash_table_free(&p->by_pid);
	hash_table_free(&p->threads);
}
