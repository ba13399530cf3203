/* SPDX-License-Identifier: GPL-2.0-only */
/* Tables of a report, on standard output. */
#ifndef PERF_SPE_TABLE_H
#define PERF_SPE_TABLE_H

#include "session.h"
#include "tally.h"

/* "    12.3     11     40", or dashes where no sample has the counter */
void table_latency(const struct hist *h);
/* What was lost or damaged while recording, if anything; @s may be NULL. */
void table_flags(const struct session *s);
/* At most @limit rows (0: all) of what tally_sort() sorted. */
void table_tally(const struct tally *t, const struct session *s,
		 uint64_t limit);
/* A key as text in at most @size bytes with the final zero. */
void table_key(const struct field *field, const struct tally_key *key,
	       char *text, size_t size);

#endif
