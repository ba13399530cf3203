/* SPDX-License-Identifier: GPL-2.0-only */
/* A process and its mappings. */
#ifndef PERF_SPE_PROCESS_H
#define PERF_SPE_PROCESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* An executable mapping of a process or of the kernel */
struct map {
	uint64_t start, end;	/* virtual addresses, end not included */
	uint64_t reach;		/* after sorting: largest end in its subtree */
	uint64_t pgoff;		/* file offset of start */
	uint64_t time;		/* ns; 0: from the beginning */
	size_t seq;		/* place among the process's, in file order */
	const char *file;	/* inside the perf.data file */
	const uint8_t *build_id;
	size_t build_id_len;	/* 0: not recorded here */
};

struct process {
	int32_t pid;
	int32_t parent;		/* NO_ID where unknown */
	uint64_t born;		/* ns of its FORK */
	uint64_t exec;		/* ns of its last exec; UINT64_MAX: none */
	const char *comm;
	struct map *maps;	/* by start: a binary tree, its root the middle */
	size_t nr_maps, room_maps;
	size_t added;		/* maps so far */
	bool sorted;
	bool exited;		/* live only: its threads may go on */
};

void process_map_add(struct process *p, const struct map *map);

/* Sort the maps; process_map_find() needs this after process_map_add(). */
void process_sort(struct process *p);

/* The mapping of @p, not of its parents, at @address and @time, or NULL */
const struct map *process_map_find(const struct process *p, uint64_t address,
				   uint64_t time);

/* Whether @p, not a parent, has the same bytes at @address all the time */
bool process_map_always(const struct process *p, uint64_t address);

/*
 * Make @child a copy of @parent that is independent of it.  Forgets what @child
 * was before, as pids are reused.
 */
void process_inherit(struct process *child, const struct process *parent);

/*
 * Forget the maps from before an exec, and those that a later map at the same
 * addresses hides.  Returns whether there were any.
 */
bool process_forget_maps(struct process *p);

#endif
