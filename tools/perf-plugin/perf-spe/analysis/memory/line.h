/* SPDX-License-Identifier: GPL-2.0-only */
/* A cache line: which threads accessed which bytes, from which code, and what that means */
#ifndef PERF_SPE_LINE_H
#define PERF_SPE_LINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analysis/stats/stake.h"
#include "input/ids.h"
#include "symbols/data/data_place.h"
#include "util/time_windows.h"

/* Accesses of one kind, by one sharer, from one place, to one offset */
struct access {
	uint8_t offset;			/* in the line */
	uint16_t bytes;			/* of the line, from there on; at least 1 */
	bool store;
	int32_t tid, cpu;		/* tid NO_ID: only the CPU is known */
	uint32_t process;	/* owner_number() of its thread */
	const char *comm;	/* the name of the first such access's thread, or NULL */
	const char *object, *symbol;
	uint64_t pc;			/* where there is no symbol */
	const char *type, *field;	/* of the data, with lines.types; NULL: unknown */
	uint32_t name;			/* of the last sample, in line.names from 1 on; 0: none */
	uint64_t count;
	uint64_t snooped;		/* served from, or seen by, other caches */
	uint64_t timed, cycles;		/* of total latency */
	double squares;			/* of these cycles */
	uint64_t writes;		/* stores, and atomic operations */
	uint64_t atomics;		/* atomic and exclusive accesses of these */
	struct stake_sums atomic;	/* those with a total latency */
	struct time_windows when;		/* by the recorded time stamps */
};

/* What a line or a part of it belongs to.  A place of the heap may have several blocks in turn. */
struct line_name {
	struct data_place place;	/* its base counts from the line's start */
	uint64_t count;			/* samples */
};

/* What two accesses of a line by different sharers are to each other: see line_verdict.h. */
struct line_pair {
	/* Those of the pair's two functions with the most samples, the first with more */
	const struct access *a, *b;
	/* The bytes of the line that the accesses of each function span */
	uint16_t a_first, a_end, b_first, b_end;
	bool common;			/* the accesses have bytes in common */
	double part;			/* of the line's meetings, 0 to 1 */
};

/*
 * Samples that each of two threads needs before the line counts as falsely shared.
 * If a thread uses a common byte in a quarter of its accesses, ten samples miss it
 * with a probability of 0.75^10, which is 6%.
 */
#define LINES_ENOUGH	10

/* Accesses of a line of which pairs are made, those with the most samples */
#define LINE_PAIRED	128u

enum line_verdict {
	LINE_COMMON,		/* it would move half as often at least if it were padded */
	LINE_FALSE_SHARING,	/* less often: few accesses that meet have common bytes */
	/* No accesses meet: */
	LINE_ONE_CPU,		/* no two caches hold the line */
	LINE_IN_TURN,		/* its sharers use it at different times */
	LINE_FEW,		/* fewer than LINES_ENOUGH samples of a side */
};

struct line {
	int32_t pid;			/* NO_ID: physical, or the kernel's */
	uint32_t process;		/* owner_number(); 0 with that NO_ID */
	bool physical;
	uint64_t address;
	uint64_t loads, stores, writes, snooped, timed, cycles;
	struct access *accesses;
	size_t nr_accesses, room_accesses;
	struct line_name *names;	/* after lines_finish() those with most samples first */
	size_t nr_names, room_names;
	bool shared;			/* after lines_finish(): it is in lines.sorted */
	/* After line_judge() */
	size_t sharers;
	size_t cpus;			/* 0: none is known */
	enum line_verdict verdict;
	bool apart;			/* no accesses that meet have a byte in common */
	struct line_pair *pairs;	/* of functions that meet, the most frequent first */
	size_t nr_pairs;
};

/* The thread of an access, or its CPU if the thread is unknown */
static inline uint64_t access_sharer(const struct access *a)
{
	return a->tid != NO_ID ? (uint64_t)a->process << 32 | (uint32_t)a->tid :
				 (uint32_t)a->cpu;
}

/* Whether samples of both are counted together */
static inline bool access_same(const struct access *a, const struct access *b)
{
	return a->offset == b->offset && a->bytes == b->bytes && a->store == b->store &&
	       a->tid == b->tid && a->cpu == b->cpu && a->process == b->process &&
	       a->symbol == b->symbol && a->object == b->object && a->pc == b->pc &&
	       a->type == b->type && a->field == b->field;
}

static inline bool access_same_code(const struct access *a, const struct access *b)
{
	return a->symbol == b->symbol && a->object == b->object && a->pc == b->pc;
}

#endif
