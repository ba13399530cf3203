/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The memory that the kernel shares with a profiler (linux/perf_event.h): a ring
 * of events and an AUX area of SPE bytes.
 *
 *   page 0                | events: a power of two of pages | AUX area
 *   head, tail, aux_head, |  ...tail######head...           | ..tail###head..
 *   aux_tail, time        |
 *
 * Heads and tails count bytes since the start.  The kernel moves the heads, and
 * never more than the area's size ahead of the tails; perf-spe moves the tails.
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
	int32_t cpu, tid;	/* of its SPE bytes; NO_ID: any */
	uint32_t idx;
};

typedef void (*ring_event_fn)(void *context,
			      const struct perf_event_header *event);

/*
 * Call @fn for each event in the ring, and free their space.  An event is valid
 * only until @fn returns.  If the bytes are not an event, drop all that the ring
 * holds and return false.
 */
bool ring_events(struct ring *r, ring_event_fn fn, void *context);

/*
 * The SPE bytes in the AUX area: two pieces if they wrap.  Returns the number of
 * pieces, which stay valid until ring_aux_free().
 */
size_t ring_aux(const struct ring *r, struct piece piece[2]);
/* Let the kernel overwrite @piece. */
void ring_aux_free(struct ring *r, const struct piece *piece);

/* Which part of the ring, or of its AUX area, is full: 0 to 1, the larger of the two */
double ring_fill(const struct ring *r);

/* The conversion of SPE timestamps to perf's clock; may be invalid */
struct time_conv ring_time(const struct ring *r);

#endif
