/* SPDX-License-Identifier: GPL-2.0-only */
/* A process and its mappings. */
#ifndef PERF_SPE_PROCESS_H
#define PERF_SPE_PROCESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A mapping of a process or of the kernel */
struct map {
	uint64_t start, end;	/* virtual addresses, end not included */
	uint64_t reach;		/* after sorting: largest end in its subtree */
	uint64_t pgoff;		/* file offset of start */
	uint64_t time;		/* ns; 0: from the beginning */
	size_t seq;		/* place among the process's, in file order */
	const char *file;	/* inside the perf.data file */
	const uint8_t *build_id;
	size_t build_id_len;	/* 0: not recorded here */
	int32_t tid;		/* of the thread that mapped it */
	uint32_t prot;		/* PROT_... of mmap(2); 0 also if not recorded */
};

struct process {
	int32_t pid;
	int32_t parent;		/* NO_ID where unknown */
	uint64_t born;		/* ns of its FORK */
	uint64_t exec;		/* ns of its last exec; UINT64_MAX: none */
	const char *comm;
	struct map *maps;	/* executable; by start: a binary tree, its root the middle */
	size_t nr_maps, room_maps;
	size_t added;		/* maps so far */
	bool sorted;
	bool exited;		/* live only: its threads may go on */
	struct process *data;	/* its mappings that are not executable; NULL: none */
};

/* Memory without a file, as the kernel names it in its events and in /proc */
bool map_is_anonymous(const struct map *map);

void process_map_add(struct process *p, const struct map *map);

/* The same for a mapping that is not executable */
void process_data_add(struct process *p, const struct map *map);
/*
 * A new thread @tid, which thread @parent made, begins: if its stack can be told from
 * the mappings of @parent, name that mapping @name.
 */
void process_name_stack(struct process *p, int32_t parent, const char *name);
/* Free all maps; @p can be used again. */
void process_free_maps(struct process *p);

/* Sort the maps; process_map_find() needs this after process_map_add(). */
void process_sort(struct process *p);

/* The mapping of @p, not of its parents, at @address and @time, or NULL */
const struct map *process_map_find(const struct process *p, uint64_t address,
				   uint64_t time);

/* Whether @p, not a parent, has the same bytes at @address all the time */
bool process_map_always(const struct process *p, uint64_t address);

/*
 * The mapping of @p at @address and @time, executable or not: of two, the later one.
 * NULL if there is none.
 */
const struct map *process_any_find(const struct process *p, uint64_t address,
				   uint64_t time);
typedef bool (*map_fn)(void *context, const struct map *map);
/* Whether @fits holds for all mappings that @p, not a parent, ever had at @address */
bool process_any_all(const struct process *p, uint64_t address, map_fn fits,
		     void *context);

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
