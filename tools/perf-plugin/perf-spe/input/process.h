/* SPDX-License-Identifier: GPL-2.0-only */
/* A process and what it has mapped. */
#ifndef PERF_SPE_PROCESS_H
#define PERF_SPE_PROCESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* An executable mapping; of the kernel's modules where the owner is -1. */
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

/* What was added can be found then. */
void process_sort(struct process *p);

/* The mapping of @p itself that holds @address at @time, or NULL. */
const struct map *process_map_find(const struct process *p, uint64_t address,
				   uint64_t time);

/* Whether @p itself has the same bytes at @address whatever the time. */
bool process_map_always(const struct process *p, uint64_t address);

/*
 * Make @child, whose number another process may have had before, a copy of
 * @parent that does not need it any more.
 */
void process_inherit(struct process *child, const struct process *parent);

/*
 * Forget the maps that an exec took away and those that lie hidden at the very
 * same addresses.  Whether there were any
 */
bool process_forget_maps(struct process *p);

#endif
