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
	const char *file;	/* inside the perf.data file; NULL: code that the kernel removed */
	const uint8_t *build_id;
	size_t build_id_len;	/* 0: not recorded here */
	const uint8_t *inode;	/* of PERF_RECORD_MMAP2: maj, min, ino, ino_generation; */
				/* NULL: not recorded */
	int32_t tid;		/* of the thread that mapped it */
	uint16_t prot;		/* PROT_... of mmap(2); 0 also if not recorded; */
				/* of the kernel's code: PERF_RECORD_KSYMBOL_TYPE_... */
	bool hugetlb;		/* MAP_HUGETLB of mmap(2) */
};

/*
 * A program in a process, from a fork or an exec until the next exec.  See processes.h.
 */
struct process {
	int32_t pid;
	uint32_t number;	/* in the session; from 1 on */
	const struct process *parent;	/* whose mappings it began with; NULL: none */
	uint64_t inherited;	/* ns: as of when */
	uint64_t replaced;	/* ns: when its last thread executed another program; 0: never */
	const char *comm;	/* the last name of its first thread; NULL: unknown */
	struct map *maps;	/* executable; by start: a binary tree, its root the middle */
	size_t nr_maps, room_maps;
	size_t added;		/* maps so far */
	bool sorted;
	bool threaded;		/* had other threads than its first */
	bool exited;		/* live only: its threads may go on */
	bool present;		/* see processes_forget() */
	struct process *data;	/* its mappings that are not executable; NULL: none */
};

/* Memory without a file, as the kernel names it in its events and in /proc */
bool map_is_anonymous(const struct map *map);

void process_map_add(struct process *p, const struct map *map);

/* The same for a mapping that is not executable */
void process_data_add(struct process *p, const struct map *map);
/*
 * A new thread, which thread @parent made, begins at @time: if its stack can be told from
 * the mappings of @parent, name that mapping @name.
 */
void process_name_stack(struct process *p, int32_t parent, const char *name, uint64_t time);
/* Free all maps; @p can be used again. */
void process_free_maps(struct process *p);

/* Sort the maps; process_map_find() needs this after process_map_add(). */
void process_sort(struct process *p);

/* The mapping of @p, not of its parents, at @address and @time, or NULL */
const struct map *process_map_find(const struct process *p, uint64_t address,
				   uint64_t time);

/*
 * Whether @p, not a parent, has the same bytes at @address all the time, or none; *@one
 * is a mapping with them, or NULL.
 */
bool process_map_always(const struct process *p, uint64_t address, const struct map **one);

/* Whether two mappings of one name are of two files, by their build ids or inodes */
bool map_other_file(const struct map *a, const struct map *b);
/* Whether two mappings have the same bytes of the same file at the same addresses */
bool map_same_bytes(const struct map *a, const struct map *b);

/*
 * The executable mapping at @address and @time (UINT64_MAX: at the end) that @p made or
 * inherited, or NULL
 */
const struct map *process_code_at(const struct process *p, uint64_t address, uint64_t time);
/* The same for any mapping, executable or not: of two, the later one */
const struct map *process_memory_at(const struct process *p, uint64_t address, uint64_t time);
/* The latest mapping that process_code_at() could find if there were none that @hidden names */
const struct map *process_code_below(const struct process *p, uint64_t address, uint64_t time,
				     bool (*hidden)(const struct map *map));
/*
 * Where the time is unknown: false if @p made or inherited mappings of different bytes at
 * @address, so that only the time would tell; else *@map is one of them, NULL if there is none.
 */
bool process_code_only(const struct process *p, uint64_t address, const struct map **map);
/* The same for any mapping; memory without a file is the same if its name is. */
bool process_memory_only(const struct process *p, uint64_t address, const struct map **map);
/* Whether process_code_at() finds the same bytes from *@from on, and none before */
bool process_code_always(const struct process *p, uint64_t address, uint64_t *from);

#define PROCESS_PAGE	4096		/* the smallest of Arm's */

/*
 * A mapping that tells the bytes of the page at @address, of PROCESS_PAGE bytes: those of
 * process_code_always() at each of its addresses.  NULL if there is none, or if this cannot be
 * told quickly.
 */
const struct map *process_code_page(const struct process *p, uint64_t address, uint64_t *from);

typedef bool (*map_fn)(void *context, const struct map *map);
/* Whether @fits holds for all mappings that @p, not a parent, ever had at @address */
bool process_any_all(const struct process *p, uint64_t address, map_fn fits,
		     void *context);

/*
 * @child begins as a copy of @parent at @time.  With @copy it has mappings of its own, and
 * @parent may end.
 */
void process_inherit(struct process *child, const struct process *parent, uint64_t time,
		     bool copy);

/* Forget mappings that a later one at the same addresses hides; true if there were any. */
bool process_forget_maps(struct process *p);

#endif
