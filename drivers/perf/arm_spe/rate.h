/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Frequency mode: from what was recorded in some time to the interval that
 * records as much as is wanted.  Pure.
 *
 * Records are counted in 4096ths.  The interval counter (PMSICR_EL1) is opaque to
 * software (D24.7.13), so how much of the current interval has passed is not known.
 * Where the counter was started anew with the window it is taken to be half.
 */
#ifndef SPE_RATE_H
#define SPE_RATE_H

#include "types.h"

#define SPE_RATE_PART		4096

/* Windows, in nanoseconds: short at first, for an interval that is a guess. */
#define SPE_RATE_WINDOW_MIN	1000000ULL
#define SPE_RATE_WINDOW		64000000ULL
#define SPE_RATE_WINDOW_MAX	16000000000ULL

struct spe_rate {
	u64 wanted;	/* records a second; 0: the interval is fixed */
	u64 interval;	/* operations, as spe_attr_period() has it */
	u64 shortest;	/* interval that may be chosen */
	u64 window;	/* ns that the next decision looks back on */
	u64 ns;		/* since the last decision */
	u64 parts;	/* recorded since then */
	s64 deficit;	/* parts that were recorded too little of late, or too many */
	bool restarted;	/* the interval counter was started anew with this window */
};

/*
 * The control law:
 *
 * 1. At most 10^8 records a second are wanted.  Without an interval to begin with,
 *    the first one is that of 10^9 operations a second.  Each interval is between
 *    the shortest one and 0xffffff00, rounded down to PMSIRR_EL1.INTERVAL's 256.
 * 2. In a time, that share of the wanted records is expected: in whole us, from one
 *    to 2^24 of them, and at least one part.  Up to 2^32 parts are exact.
 * 3. A decision falls when a window has passed, or when four windows' expected
 *    records have come, and at least 16.  The first window is the time of two wanted
 *    records, at least 1 ms.  Each window is twice as long as the last one, up to the
 *    time of 16 records or 64 ms, whichever is longer.  No window exceeds 16 s.
 * 4. The new interval is the old one times what was recorded over what was expected.
 *    Half a record is added where the counter was started anew.  The division is by
 *    16 at most: what a filter lets pass may have come by chance.  What exceeds the
 *    longest interval is the longest one.
 * 5. Within a quarter of what was expected, most of the difference is chance, and the
 *    new interval is the mean of both.
 * 6. Records too many or too few add to a deficit, which decays by an eighth and is at
 *    most two windows' records.  A decision repays a quarter of it, with at most a
 *    quarter of what it expects.  Of one window three times the expected records count.
 * 7. spe_rate_bytes() is four windows of 64 ms and 16 records more.
 */

/*
 * spe_rate_init() - begin without knowledge
 *
 * @interval: to begin with; 0: that of a CPU of 10^9 operations a second
 */
void spe_rate_init(struct spe_rate *rate, u64 wanted, u64 shortest, u64 interval);

/*
 * spe_rate_account() - what a full buffer, a window or a time on a CPU held
 *
 * @parts: records, in parts
 * @ns: the time that it took
 *
 * A decision falls at the end of a window, or earlier where far more was recorded
 * than is wanted.  Returns true where it has changed rate->interval: the caller
 * must then start the interval counter anew (D17.3.3).
 */
bool spe_rate_account(struct spe_rate *rate, u64 parts, u64 ns);

/* ns after which to look again. */
u64 spe_rate_due(const struct spe_rate *rate);

/* Bytes after which to look again at the latest: some windows' records. */
u64 spe_rate_bytes(const struct spe_rate *rate, u32 record);

/*
 * spe_rate_records() - how many records some bytes hold, in parts
 *
 * Counts the first few and concludes from their size: their share in a
 * record's largest size differs between CPUs and operations.
 *
 * @data: the bytes, beginning with a record or padding
 * @record: bytes of the largest record, believed where no end is found
 */
u64 spe_rate_records(const u8 *data, u64 size, u32 record);

#endif /* SPE_RATE_H */
