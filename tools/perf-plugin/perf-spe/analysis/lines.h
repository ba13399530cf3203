/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Cache lines: which threads accessed which bytes, from which code.
 */
#ifndef PERF_SPE_LINES_H
#define PERF_SPE_LINES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analysis/fields.h"
#include "analysis/stake.h"
#include "symbols/data_place.h"
#include "util/hash_table.h"

/* Accesses of one kind, by one sharer, from one place, to one offset */
struct access {
	uint8_t offset;			/* in the line */
	bool store;
	int32_t tid, cpu;		/* tid NO_ID: only the CPU is known */
	int32_t pid;
	const char *object, *symbol;
	uint64_t pc;			/* where there is no symbol */
	struct data_place data;		/* its base counts from the line's start */
	uint64_t count;
	uint64_t snooped;		/* served from, or seen by, other caches */
	uint64_t timed, cycles;		/* of total latency */
	double squares;			/* of these cycles */
	uint64_t writes;		/* stores, and atomic operations */
	uint64_t atomics;		/* atomic and exclusive accesses of these */
	struct stake_sums atomic;	/* those with a total latency */
};

/*
 * Samples that each of two threads needs before the line counts as falsely shared.
 * If a thread uses a common byte in a quarter of its accesses, ten samples miss it
 * with a probability of 0.75^10, which is 6%.
 */
#define LINES_ENOUGH	10

enum line_verdict {
	LINE_COMMON,		/* a sharer uses a byte that another one stores to */
	/* The others have no such byte. */
	LINE_FALSE_SHARING,
	LINE_ONE_CPU,		/* where no two caches hold the line */
	LINE_FEW,		/* fewer than LINES_ENOUGH samples of a side */
};

struct line {
	int32_t pid;			/* NO_ID: physical, or the kernel's */
	bool physical;
	uint64_t address;
	uint64_t loads, stores, writes, snooped, timed, cycles;
	struct access *accesses;
	size_t nr_accesses, room_accesses;
	/* After lines_finish() */
	size_t sharers;
	size_t cpus;			/* 0: none is known */
	enum line_verdict verdict;
};

/* The index of an access in its line's array */
struct access_at {
	struct line *line;		/* NULL: empty */
	size_t at;
};

struct lines {
	unsigned int bytes;		/* of a line, a power of two up to 256 */
	struct hash_table table;	/* struct line * */
	struct hash_table accesses;	/* struct access_at */
	uint64_t samples;		/* with a data address */
	uint64_t physical;		/* of these by physical address */
	uint64_t cycles;		/* of total latency */
	/* After lines_finish(), of the shared lines */
	uint64_t shared_samples, shared_snooped;
	struct line **sorted;		/* shared lines, worst first */
	size_t nr_sorted;
};

/* A row_fn, of rows with their place; @context is the struct lines. */
void lines_add(void *context, const struct row *row);
/*
 * Find the lines that several sharers use and at least one writes to.  Lines with
 * more snooped samples come first, then lines that several CPUs use.
 */
void lines_finish(struct lines *l);
void lines_free(struct lines *l);

#endif
