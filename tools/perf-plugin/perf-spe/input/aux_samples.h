/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * SPE records in samples of another event (PERF_SAMPLE_AUX).  Each sample has the newest bytes
 * of its CPU's AUX area, so that two samples may have the same records:
 *
 *   AUX area       .. r1 r2 r3 r4 r5 r6 r7 ..
 *   sample 1       <- r1 r2 r3 ->                  behind them there may be padding
 *   sample 2             <- r3 r4 r5 ->            new: r4 r5
 *   sample 3                            <- r9 ->   a gap before it
 *
 * They become pieces of a stream for each CPU, or each thread of "perf record --per-thread", with
 * each record once.
 */
#ifndef PERF_SPE_AUX_SAMPLES_H
#define PERF_SPE_AUX_SAMPLES_H

#include <stddef.h>
#include <stdint.h>

#include "input/piece.h"

struct pd_sample;

struct aux_samples {
	struct piece *pieces;		/* in file order */
	size_t nr, room;
	/* Private: the events of one thread, which has an AUX area of its own; */
	struct aux_thread *threads;
	size_t nr_threads, room_threads;
	/* and of each AUX area, the newest sample's bytes */
	struct aux_window *windows;
	size_t nr_windows, room_windows;
};

/* The event @id counts the thread @tid alone, on any CPU. */
void aux_samples_of_thread(struct aux_samples *a, uint64_t id, int32_t tid);
/* Add the AUX bytes of @s, the sample at @file_offset; they must last. */
void aux_samples_add(struct aux_samples *a, uint64_t file_offset, const struct pd_sample *s);
/* The pieces, for the caller to free; @a is empty then. */
struct piece *aux_samples_take(struct aux_samples *a, size_t *count);
void aux_samples_free(struct aux_samples *a);

#endif
