/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The log of a process's heap that heap/ writes and heap_log.c reads; the text is
 * Documentation/perf-spe/heap-log.md.  All numbers are in the machine's byte order.
 *
 * A file is a header in its first HEAP_CHUNK bytes, then chunks of HEAP_CHUNK bytes.
 * A chunk is a list of records in order of time, and ends with its last byte or with a
 * word of 0.  A record is 2 to 4 words of 64 bits; the first has its kind and a time:
 *
 *   HEAP_BASE   kind | thread << 32, time
 *   HEAP_ALLOC  kind | time - base << 4 | size << 32, address, call site
 *   HEAP_LARGE  kind | time - base << 4, address, call site, size
 *   HEAP_FREE   kind | time - base << 4, address
 *
 * "base" is the time of the HEAP_BASE before it in the chunk.  A chunk begins with one.
 * The writer stores the first word of a record last.
 */
#ifndef PERF_SPE_HEAP_FORMAT_H
#define PERF_SPE_HEAP_FORMAT_H

#include <errno.h>
#include <stddef.h>
#include <stdint.h>

#define HEAP_MAGIC	"SPEHEAP1"
/* A multiple of every page size of arm64, as chunks are mapped */
#define HEAP_CHUNK	65536

enum heap_kind { HEAP_END, HEAP_BASE, HEAP_ALLOC, HEAP_LARGE, HEAP_FREE };

#define HEAP_KIND_BITS	4
#define HEAP_TIME_BITS	28		/* of a time relative to the base */
#define HEAP_TIME_MAX	((UINT64_C(1) << HEAP_TIME_BITS) - 1)
#define HEAP_WORDS_MAX	4

/* What the times are */
enum heap_clock {
	HEAP_COUNTER = 1,	/* CNTVCT_EL0, the counter of SPE's timestamps */
	HEAP_MONOTONIC_RAW = 2,	/* ns of CLOCK_MONOTONIC_RAW, on other machines */
};

#define HEAP_LIMIT	EDQUOT		/* the logs of the recording reached their limit */
#define HEAP_ENDED	ESHUTDOWN	/* the recording ended, and the program lives on */

struct heap_header {
	char magic[8];
	uint32_t header_bytes;		/* HEAP_CHUNK */
	uint32_t chunk_bytes;		/* HEAP_CHUNK */
	uint32_t clock;			/* enum heap_clock */
	int32_t pid;
	int32_t parent;			/* forked from this process; 0: the log begins with an exec */
	uint32_t stopped;		/* errno of the failure that ended the log; 0: none; or these: */
	uint64_t id;			/* of the recording */
	uint64_t start;			/* time of the header */
	uint64_t chunks;		/* begun so far */
	uint64_t lost;			/* calls that have no record */
};

/*
 * The file HEAP_RECORDING of the folder, in which perf spe record writes what holds for all logs.
 * perf has a lock (fcntl(2), F_SETLK) on it as long as it records.  Without the file there is no
 * limit and no end.
 */
#define HEAP_RECORDING		"recording"
#define HEAP_RECORDING_MAGIC	"SPEHEAPR"

struct heap_recording {
	char magic[8];
	uint64_t id;
	uint64_t limit;			/* bytes of all logs */
	uint64_t used;			/* so far */
	int32_t fd;			/* perf's, which the command inherits */
	uint32_t reserved;
};

_Static_assert(sizeof(struct heap_header) == 64, "no padding");
_Static_assert(HEAP_KIND_BITS + HEAP_TIME_BITS == 32, "the size has the upper half");

/* In the environment of the program: the folder of logs, and the recording's id in hex */
#define HEAP_FOLDER_VARIABLE	"PERF_SPE_HEAP"
#define HEAP_ID_VARIABLE	"PERF_SPE_HEAP_ID"

#endif
