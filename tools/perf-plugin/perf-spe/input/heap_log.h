/* SPDX-License-Identifier: GPL-2.0-only */
/* Reads the log of one process's heap, see heap_format.h. */
#ifndef PERF_SPE_HEAP_LOG_H
#define PERF_SPE_HEAP_LOG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "input/heap_chunk.h"
#include "input/heap_format.h"

struct heap_log {
	const char *path;
	int fd;
	struct heap_header header;
	uint64_t chunks;	/* that the file has */
	uint64_t missing;	/* that it had when it was written, and has no more */
	uint64_t damaged;	/* of those read: the records before the damage are good */
};

typedef void (*heap_record_fn)(void *context, const struct heap_record *rec);

/* Whether a file of this name in a folder of logs is one */
bool heap_log_named(const char *name);
/* 0, or -1 after a message; @path must outlive the log. */
int heap_log_open(struct heap_log *l, const char *path);
void heap_log_close(struct heap_log *l);
/* Call @fn for each record, chunk by chunk, and count what is damaged. */
void heap_log_each(struct heap_log *l, heap_record_fn fn, void *context);
/*
 * The same in order of time.  Of records with the same time those of a thread keep
 * their order.
 */
void heap_log_sorted(struct heap_log *l, heap_record_fn fn, void *context);

#endif
