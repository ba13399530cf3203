/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The memory that the kernel and a profiler share, as linux/perf_event.h has
 * it: events in a ring, SPE bytes in an AUX area.
 *
 *   page 0                | events: a power of two of pages | AUX area
 *   head, tail, aux_head, |  ...tail######head...           | ..tail###head..
 *   aux_tail, time        |
 *
 * Heads and tails count bytes since the beginning.  The kernel moves heads and
 * writes no further than a whole area in front of the tails.
 */
#ifndef PERF_SPE_RING_H
#define PERF_SPE_RING_H

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "input/piece.h"
#include "input/session.h"

struct ring {
	struct perf_event_mmap_page *page;
	const uint8_t *events, *aux;
	uint64_t events_size, aux_size;
	int32_t cpu, tid;	/* of its SPE bytes; NO_ID: of all */
	uint32_t idx;
};

typedef void (*ring_event_fn)(void *context,
			      const struct perf_event_header *event);

/*
 * Call @fn for each event there is, which it may look at until it returns, and
 * free their room.  False where what stands there is no event: all that was
 * there is left out.
 */
bool ring_events(struct ring *r, ring_event_fn fn, void *context);

/*
 * The SPE bytes there are now, in at most two pieces: the area's end cuts.
 * Returns how many; they stay until ring_aux_free().
 */
size_t ring_aux(const struct ring *r, struct piece piece[2]);
/* The kernel may write over what was in @piece. */
void ring_aux_free(struct ring *r, const struct piece *piece);

/* How the perf clock follows from SPE's; invalid where the kernel hides it. */
struct time_conv ring_time(const struct ring *r);

#endif
