/* SPDX-License-Identifier: GPL-2.0-only */
/* Tables of a report, as text.  Lines that begin with "#" are no rows. */
#ifndef PERF_SPE_TABLE_H
#define PERF_SPE_TABLE_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "analysis/fields.h"
#include "analysis/groups.h"
#include "analysis/hist.h"
#include "analysis/tally.h"
#include "input/session.h"

/* "    12.3     11     40", or dashes where no sample has the counter */
void table_latency(FILE *to, const struct hist *h);
/* What was lost or damaged while recording, if anything; @s may be NULL. */
void table_flags(FILE *to, const struct session *s);
/* At most @limit rows (0: all) of what tally_sort() sorted. */
void table_tally(FILE *to, const struct tally *t, const struct session *s,
		 uint64_t limit);

/* What a table is of */
struct table_of {
	const struct session *session;	/* or NULL */
	uint64_t kept, records;		/* behind and before a filter */
	uint64_t limit;			/* rows; 0: all */
};

/* What groups_sort() sorted */
void table_groups(FILE *to, const struct groups *g, const struct table_of *of);
/* A key as text in at most @size bytes with the final zero. */
void table_key(const struct field *field, const struct tally_key *key,
	       char *text, size_t size);

#endif
