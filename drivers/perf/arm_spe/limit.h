/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Where in the AUX buffer the Statistical Profiling Unit may write next.
 * Pure: values in, a plan out.
 *
 * Positions are perf's: bytes since the buffer was mapped, never wrapping;
 * an offset is a position modulo the buffer's size.
 *
 *	 offset 0                                              bufsize
 *	 |-----------|#########|....................|##########|
 *	             tail      head                 head + size
 *
 *	 #  written, not yet read by user space     .  may be written
 *
 * The unit writes from the start to the limit, which is a page boundary, and
 * stops with less than one record's room before it (D17.8.2).  What it takes
 * for an address need not be contiguous: then the buffer is several pieces,
 * and the unit is never given more than the rest of one.
 */
#ifndef SPE_LIMIT_H
#define SPE_LIMIT_H

#include "types.h"

/*
 * A part of the buffer that is contiguous in the unit's addresses, from offset
 * up to the next piece or the buffer's end: there offset o is at base + o.
 */
struct spe_piece {
	u64 offset;	/* a multiple of page, the first one's 0 */
	u64 base;	/* modulo 2^64 */
};

struct spe_space {
	u64 head;	/* position of the next byte */
	u64 size;	/* bytes from head on that may be written; <= bufsize */
	u64 wakeup;	/* position at which user space wants to be woken next */
	u64 watermark;	/* bytes between wakeups, not 0 */
	u64 bufsize;	/* bytes, a multiple of page */
	const struct spe_piece *pieces;	/* by offset */
	u32 nr_pieces;	/* not 0 */
	u64 max_bytes;	/* bytes for the unit at once, >= 2 * page; 0: any number */
	u32 page;	/* granule of the limit, a power of two, >= 2 * record */
	u32 record;	/* largest record, a power of two: 2^PMSIDR_EL1.MaxSize */
	u32 align;	/* of a new write pointer, a power of two, <= record or page */
	bool saved;	/* head is a saved write pointer: RHLXGD asks no alignment */
	bool overwrite;	/* the buffer is a window on the newest data: no reader */
};

/*
 * run: the unit writes from offset start up to offset limit, after pad bytes
 * of padding at head.  The promises, each held by the unit tests:
 *
 *	limit is a multiple of page, 0 < limit <= bufsize
 *	from start to limit is one piece, and base is that piece's
 *	start + record <= limit				(RHXSYK)
 *	start is a multiple of align unless saved and unpadded (RHLXGD)
 *	head + pad + (limit - start) < head + size, unless overwrite
 *	limit - start <= max_bytes, unless max_bytes is 0
 *	limit is not a page beyond the next wakeup, unless overwrite
 *	a unit that has stopped for a wakeup has come within a record of it:
 *	then the next plan's padding passes it, and the reader is woken
 *
 * Not run: too little is free; everything else is 0.
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
 * spe_limit_continue() - whether a plan still holds
 *
 * A session comes back and finds the buffer as it left it: what remains of
 * its plan keeps all promises, and need not be worked out anew.
 *
 * @start_pos: position of plan->start
 * @head, @size, @wakeup, @record, @align: as in the space
 *
 * Returns true with *plan beginning at head, or false and *plan unchanged.
 */
static inline bool spe_limit_continue(struct spe_plan *plan, u64 start_pos, u64 head, u64 size,
				      u64 wakeup, u32 record, u32 align)
{
	u64 start = plan->start + (head - start_pos), left = plan->limit - start;

	/* Also a plan that did not run: its limit and start are 0. */
	if (head < start_pos || start > plan->limit || left < record || left >= size ||
	    start & (align - 1) || wakeup != plan->wakeup || wakeup < head + record)
		return false;
	plan->start = start;
	plan->pad = 0;
	return true;
}

/*
 * spe_limit_wakeup() - the wakeup position that perf will use once head is
 * published: the next multiple of the watermark (bytes, not 0).
 */
u64 spe_limit_wakeup(u64 head, u64 watermark);

/*
 * spe_limit_advance() - how far the unit has written
 *
 * @start_pos: position from which it wrote; @start, @limit: its plan
 * @ptr: the write pointer as an offset
 * @head: receives the position of the write pointer
 *
 * Returns false, with *head = start_pos, where the pointer has left the plan: its
 * value is UNKNOWN (RPGGHS) and nothing may be told from it.
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
