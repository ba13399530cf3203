/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Chooses where in the AUX buffer the Statistical Profiling Unit may write next.
 * Pure: values in, a plan out.
 *
 * A position counts bytes since the buffer was mapped and never wraps, as perf's AUX
 * head.  An offset is a position modulo the buffer size.
 *
 *	 offset 0                                              bufsize
 *	 |-----------|#########|....................|##########|
 *	             tail      head                 head + size
 *
 *	 #  written, not yet read by user space     .  may be written
 *
 * The unit writes from the start up to the limit, which is a page boundary.  It stops
 * when less than the size of the largest record is left (D17.8.2).  At physical
 * addresses the buffer may consist of several contiguous pieces.  A plan never spans
 * two pieces.
 */
#ifndef SPE_LIMIT_H
#define SPE_LIMIT_H

#include "types.h"

/*
 * A part of the buffer that is contiguous in the unit's address space.  It extends
 * from its offset to the next piece or the buffer's end.  The byte at buffer offset o
 * has the address base + o.
 */
struct spe_piece {
	u64 offset;	/* a multiple of page; 0 in the first piece */
	u64 base;	/* modulo 2^64 */
};

struct spe_space {
	u64 head;	/* position of the next byte */
	u64 size;	/* free bytes after head, <= bufsize */
	u64 wakeup;	/* position of the reader's next wakeup */
	u64 watermark;	/* bytes between wakeups, not 0 */
	u64 bufsize;	/* bytes, a multiple of page */
	const struct spe_piece *pieces;	/* sorted by offset */
	u32 nr_pieces;	/* not 0 */
	u64 max_bytes;	/* maximum bytes of a plan, >= 2 * page; 0: no maximum */
	u32 page;	/* granule of the limit, a power of two, >= 2 * record */
	u32 record;	/* largest record, a power of two: 2^PMSIDR_EL1.MaxSize */
	u32 align;	/* of a new write pointer, a power of two, <= record or page */
	bool saved;	/* head is a saved write pointer, which needs no alignment (RHLXGD) */
	bool overwrite;	/* snapshot: the unit overwrites the oldest records */
};

/*
 * If run is set, the driver writes pad bytes of padding at head, and the unit writes
 * from offset start up to offset limit.  The unit tests check these guarantees:
 *
 *	limit is a multiple of page, 0 < limit <= bufsize
 *	start to limit lies in one piece, and base is the base of that piece
 *	start + record <= limit				(RHXSYK)
 *	start is a multiple of align unless saved and unpadded (RHLXGD)
 *	head + pad + (limit - start) < head + size, unless overwrite
 *	limit - start <= max_bytes, unless max_bytes is 0
 *	limit is less than a page beyond the next wakeup, unless overwrite
 *	after a unit has stopped less than a record before a wakeup, the padding
 *	of the next plan passes the wakeup, so that perf wakes the reader
 *
 * If run is clear, too little space is free, and all other fields are 0.
 */
struct spe_plan {
	bool run;
	u64 pad;
	u64 start;
	u64 limit;
	u64 base;
	u64 wakeup;	/* as in the space */
};

struct spe_plan spe_limit_plan(const struct spe_space *space);

/*
 * spe_limit_continue() - continue a plan after the event was scheduled out
 * @start_pos: position of plan->start
 * @head, @size, @wakeup, @record, @align: as in struct spe_space
 *
 * If the buffer has not changed meanwhile, the rest of the plan keeps all guarantees,
 * and the driver saves the work of a new plan.
 *
 * Returns true with *plan starting at head, or false with *plan unchanged.
 */
static inline bool spe_limit_continue(struct spe_plan *plan, u64 start_pos, u64 head, u64 size,
				      u64 wakeup, u32 record, u32 align)
{
	u64 start = plan->start + (head - start_pos), left = plan->limit - start;

	/* This also refuses a plan that did not run: its start and limit are 0. */
	if (head < start_pos || start > plan->limit || left < record || left >= size ||
	    start & (align - 1) || wakeup != plan->wakeup || wakeup < head + record)
		return false;
	plan->start = start;
	plan->pad = 0;
	return true;
}

/*
 * spe_limit_wakeup() - compute perf's wakeup position after it has published head
 * @watermark: bytes between wakeups, not 0
 *
 * Returns the next multiple of the watermark.
 */
u64 spe_limit_wakeup(u64 head, u64 watermark);

/*
 * spe_limit_advance() - convert a write pointer to a position
 * @start_pos: position of the plan's start
 * @start, @limit: the plan
 * @ptr: the write pointer as an offset
 * @head: receives the position of the write pointer
 *
 * Returns false, with *head = start_pos, if the pointer is outside the plan.  Its
 * value is UNKNOWN then (RPGGHS), so the driver must not use it.
 */
static inline bool spe_limit_advance(u64 start_pos, u64 start, u64 limit, u64 ptr, u64 *head)
{
	*head = start_pos;
	if (ptr < start || ptr > limit)
		return false;
	*head = start_pos + (ptr - start);
	return true;
}

#endif /* SPE_LIMIT_H */
