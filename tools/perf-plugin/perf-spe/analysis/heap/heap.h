/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PERF_SPE_ANALYSIS_HEAP_HEAP_H
#define PERF_SPE_ANALYSIS_HEAP_HEAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "input/input.h"

/*
 * heap_blocks.c: The blocks of one process's heap: from an address and a time to the block
 * there.
 */

struct heap_blocks;

struct heap_block {
	uint64_t begin, end;	/* times of the log; UINT64_MAX: never freed */
	uint64_t size;
	uint32_t site;		/* number of the call site, from 0 */
};

enum heap_life {
	HEAP_LIVE,
	HEAP_FREED,		/* before the time that was asked for */
	HEAP_INHERITED,		/* of the process that this one was forked from */
	HEAP_LIFE_UNKNOWN,	/* the time is not known */
	NR_HEAP_LIVES
};

struct heap_found {
	const struct heap_block *block;
	uint64_t start;		/* its address */
	enum heap_life life;
};

/* Read all of @l. */
struct heap_blocks *heap_blocks_new(struct heap_log *l);
void heap_blocks_free(struct heap_blocks *b);
size_t heap_blocks_count(const struct heap_blocks *b);
/* How many call sites there are, and the return address of one */
size_t heap_blocks_sites(const struct heap_blocks *b);
uint64_t heap_blocks_site(const struct heap_blocks *b, uint32_t number);

/*
 * The block that has @address at @time, or else the last one that had it before.  Of two
 * blocks, which a lost record leaves, the later one.  False if there is none.
 */
bool heap_blocks_find(const struct heap_blocks *b, uint64_t address, uint64_t time,
		      struct heap_found *found);
/* The only block that ever had @address; false if there are more, or none. */
bool heap_blocks_only(const struct heap_blocks *b, uint64_t address,
		      struct heap_found *found);
/*
 * Whether the process freed, by @time, a block at @start that it had not got itself: one that
 * it inherited.
 */
bool heap_blocks_gave_up(const struct heap_blocks *b, uint64_t start, uint64_t time);

/* heap_logs.c: The logs of all processes of a recording: the folder FILE.heap beside FILE. */

struct heap_logs;

/* The folder of logs beside the recording @data, which may be a folder too: "perf.data/"; to be freed */
char *heap_logs_folder(const char *data);
/*
 * Whether the recording's command has the id that record --heap gives it; or else, if the
 * command has no arguments, whether the folder of logs is there
 */
bool heap_logs_followed(const struct session *s, const char *data);
/* Never NULL.  Says why, if there are no logs or one cannot be used. */
struct heap_logs *heap_logs_new(const struct session *s, const char *data);
void heap_logs_free(struct heap_logs *l);
/* Whether there is a log of a process of the recording */
bool heap_logs_any(const struct heap_logs *l);
/*
 * The block of @process (NULL: any) with @pid at @address, at this SPE timestamp (NULL: not
 * known).  *blocks is what it is of.  Not for several threads at the same time.
 */
bool heap_logs_find(struct heap_logs *l, const struct process *process, int32_t pid,
		    uint64_t address, const uint64_t *timestamp, struct heap_found *found,
		    const struct heap_blocks **blocks);

#endif
