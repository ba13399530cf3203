/* SPDX-License-Identifier: GPL-2.0-only */
/* The logs of all processes of a recording: the folder FILE.heap beside FILE. */
#ifndef PERF_SPE_HEAP_LOGS_H
#define PERF_SPE_HEAP_LOGS_H

#include <stdbool.h>
#include <stdint.h>

#include "analysis/heap/heap_blocks.h"
#include "input/session.h"

struct heap_logs;

/*
 * Whether the recording's command has the id that record --heap gives it; or else, if the
 * command has no arguments, whether the folder of logs is there
 */
bool heap_logs_followed(const struct session *s, const char *data);
/* Never NULL.  Says why, if there are no logs or one cannot be used. */
struct heap_logs *heap_logs_new(const struct session *s, const char *data);
void heap_logs_free(struct heap_logs *l);
/*
 * The block of @process (NULL: any) with @pid at @address, at this SPE timestamp (NULL: not
 * known).  *blocks is what it is of.  Not for several threads at the same time.
 */
bool heap_logs_find(struct heap_logs *l, const struct process *process, int32_t pid,
		    uint64_t address, const uint64_t *timestamp, struct heap_found *found,
		    const struct heap_blocks **blocks);

#endif
