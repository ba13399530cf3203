/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Frequency mode: computes the interval for a wanted number of records a second from
 * the records of a time window.  Pure.
 *
 * The unit of counting is a part, 1/4096 record.  The interval counter (PMSICR_EL1) is
 * opaque to software (D24.7.13), so the driver does not know how much of the current
 * interval has passed.  If the counter restarted with the window, the driver assumes
 * that half an interval has passed at the window's end.
 */
#ifndef SPE_RATE_H
#define SPE_RATE_H

#include "types.h"

#define SPE_RATE_PART		4096

/* Lengths of windows in ns.  The first windows are short: the first interval is a guess. */
#define SPE_RATE_WINDOW_MIN	1000000ULL
#define SPE_RATE_WINDOW		64000000ULL
#define SPE_RATE_WINDOW_MAX	16000000000ULL

struct spe_rate {
	u64 wanted;	/* records a second; 0: the interval is fixed */
	u64 interval;	/* operations, a value of spe_attr_period() */
	u64 shortest;	/* shortest interval to choose */
	u64 window;	/* length of the current window in ns */
	u64 ns;		/* time since the last decision */
	u64 parts;	/* parts recorded since the last decision */
	s64 deficit;	/* parts still missing from recent windows; < 0: parts in excess */
	bool restarted;	/* the interval counter restarted with this window */
};

/*
 * The control law:
 *
 * 1. The wanted frequency is limited to 10^8 records a second.  If the caller gives no
 *    first interval, the driver assumes 10^9 operations a second.  Each interval is
 *    between the shortest one and 0xffffff00, rounded down to a multiple of 256
 *    (PMSIRR_EL1.INTERVAL).
 * 2. The expected records of a time are the wanted frequency times that time.  The time
 *    counts in whole us, from 1 to 2^24.  The result is at least one part, and exact up
 *    to 2^32 parts.
 * 3. The driver decides when a window has passed, or earlier when it has seen four
 *    times the expected records of the window, and at least 16.  The first window is
 *    the time of two wanted records, at least 1 ms.  Each window is twice as long as
 *    the last one, up to the time of 16 records or 64 ms, whichever is longer.  No
 *    window exceeds 16 s.
 * 4. The new interval is the old one times recorded over expected records.  If the
 *    counter restarted with the window, half a record is added to the recorded ones.
 *    One decision divides the interval by 16 at most, because few records behind a
 *    filter may be chance.  The interval is limited to the longest one.
 * 5. If the recorded records are within a quarter of the expected ones, most of the
 *    difference is chance.  Then the new interval is the mean of the old one and of
 *    the result of rule 4.
 * 6. Missing records add to a deficit, records in excess reduce it.  At each decision
 *    it decays by an eighth, and it is limited to two windows' records.  A decision
 *    compensates for a quarter of the deficit, limited to a quarter of the expected
 *    records.  One window counts at most three times its expected records.
 * 7. spe_rate_bytes() is the size of the records of four windows of 64 ms, and of 16
 *    records more.
 */

/*
 * spe_rate_init() - start without earlier windows
 * @interval: first interval; 0: assume a CPU with 10^9 operations a second
 */
void spe_rate_init(struct spe_rate *rate, u64 wanted, u64 shortest, u64 interval);

/*
 * spe_rate_account() - account for the records of some time
 * @parts: recorded parts
 * @ns: the time in which the unit recorded them
 *
 * Decides at the end of a window, or earlier after far too many records.  Returns true
 * if the decision has changed rate->interval.  The caller must then restart the
 * interval counter (D17.3.3).
 */
bool spe_rate_account(struct spe_rate *rate, u64 parts, u64 ns);

/* Returns the ns after which the caller must account again. */
u64 spe_rate_due(const struct spe_rate *rate);

/* Returns the number of bytes after which the caller must account again. */
u64 spe_rate_bytes(const struct spe_rate *rate, u32 record);

/*
 * spe_rate_records() - estimate how many records some bytes contain, in parts
 * @data: the bytes, starting with a record or padding
 * @record: size of the largest record, used if no end of a record is found
 *
 * Parses the first few records and assumes that the others have the same mean size,
 * which differs between CPUs and operations.
 */
u64 spe_rate_records(const u8 *data, u64 size, u32 record);

#endif /* SPE_RATE_H */
