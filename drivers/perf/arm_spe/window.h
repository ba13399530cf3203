/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Chooses which bytes of the AUX buffer a sample of another event carries: the newest
 * whole records that fit.  Pure.
 *
 * Records have no length in front, so a window that starts at any byte may start inside a
 * record.  Three things tell where a record starts:
 *
 *  1. The driver knows some positions, for example where a session began.
 *  2. If the alignment of records is the size of the largest record, each record starts
 *     at a multiple of it (D18.1.3).
 *  3. Otherwise the bytes tell.  One of SPE_PARSE_PACKET_MAX bytes in a row is the start
 *     of a packet.  Follow the packets from each of these bytes at once.  Most wrong ways
 *     soon reach the start of a packet, and stay right from there on.  When all ways have
 *     met, they have met the right one.  The next End or Timestamp packet there ends a
 *     record.
 *
 *	      low                      from                      head
 *	 ..###|##|######|#######|######|######|#####|.....|#######|
 *	      ^^^^^ a packet starts at one of these bytes
 *	             ^ all ways have met      the next record starts at "from"
 */
#ifndef SPE_WINDOW_H
#define SPE_WINDOW_H

#include "types.h"

/* Positions as in limit.h.  first <= known <= head. */
struct spe_window_space {
	const u8 *data;	/* the buffer: the byte at position p is data[p % bufsize] */
	u64 bufsize;	/* bytes, more than a record */
	u64 first;	/* a record starts here, and older bytes do not count */
	u64 known;	/* the last known start of a record or of padding */
	u64 head;	/* end of the newest bytes */
	u64 want;	/* most bytes to choose */
	u32 record;	/* size of the largest record, a power of two */
	u32 align;	/* of records, a power of two, <= record */
	bool cut;	/* the newest record may be incomplete (PMBSR_EL1.DL) */
};

/*
 * The bytes at positions from <= p < to.  The unit tests check these guarantees:
 *
 *	a record or padding starts at "from", and a record or padding ends before "to"
 *	to - from <= want, and to - from <= bufsize - record
 *	first <= from <= to <= head
 *	to == head unless cut
 *	no data outside of the buffer is read, whatever the bytes are
 *
 * If no record fits, or the bytes do not tell where one starts, from == to.
 */
struct spe_window {
	u64 from;
	u64 to;
};

/*
 * spe_window_choose() - choose the bytes of a sample
 *
 * Reads each byte of the window at most twice, and in most cases only the first few
 * records.  A reader may write to the buffer meanwhile.
 */
struct spe_window spe_window_choose(const struct spe_window_space *space);

#endif /* SPE_WINDOW_H */
