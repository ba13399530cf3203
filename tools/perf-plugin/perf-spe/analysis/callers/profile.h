/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Samples added up by thread and stack, as viewers of profiles read them.  Memory
 * grows with the number of different sampled places, not with the samples: of too
 * many sums, sorted runs go to a temporary file.
 */
#ifndef PERF_SPE_PROFILE_H
#define PERF_SPE_PROFILE_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "analysis/rows/fields.h"
#include "analysis/callers/frames.h"
#include "analysis/rows/profile_value.h"
#include "input/ids.h"
#include "util/hash_table.h"

/* Sums in memory.  PERF_SPE_SUMS, a number, replaces it in tests. */
#define PROFILE_SUMS	((size_t)400000)

struct profile_process {
	int32_t pid;		/* NO_ID: not known */
	const char *comm;	/* NULL: not known */
};

struct profile_thread {
	int32_t tid;		/* NO_ID: not known */
	uint32_t process;
	const char *comm;	/* its first name; NULL: the process's, or not known */
};

struct profile_sum {
	uint32_t thread, slice, stack;
	uint64_t value[NR_PROFILE_VALUES];
};

struct profile {
	struct frames frames;
	struct profile_process *processes;
	struct profile_thread *threads;
	size_t nr_processes, nr_threads;
	uint64_t total[NR_PROFILE_VALUES];
	/*
	 * Slices of time.  A sample without a time is in the first one.  If there
	 * are too many sums, slices become longer.
	 */
	uint32_t slices;	/* 0: no slices */
	uint64_t from, width;	/* ns of perf's clock */
	/* Private */
	size_t room_processes, room_threads, most;
	struct hash_table process_table, thread_table, sums;
	struct profile_intervals intervals;
	struct profile_sum *sorted;
	size_t nr_sorted;
	FILE *spill;
	size_t *runs, nr_runs, room_runs;	/* their numbers of sums */
	const char *failed;			/* why */
};

/*
 * Begin with frames by @flags (see frames.h) and so many @slices of time, or none;
 * @s may be NULL.
 */
void profile_begin(struct profile *p, const struct session *s,
		   unsigned int flags, uint32_t slices);
/* The row's thread; adds it if it is new. */
uint32_t profile_thread(struct profile *p, const struct row *row);
/* Add a sample with its callers, if they were found; the row has its place. */
void profile_add(struct profile *p, const struct row *row);
/* No more samples will come: required before profile_each(). */
void profile_finish(struct profile *p);

typedef void (*profile_fn)(void *context, const struct profile_sum *sum);

/*
 * Call @fn for each sum, by thread, slice and stack.  May be called several times.
 * Returns NULL, or why the temporary file cannot be used.
 */
const char *profile_each(struct profile *p, profile_fn fn, void *context);
void profile_free(struct profile *p);

#endif
