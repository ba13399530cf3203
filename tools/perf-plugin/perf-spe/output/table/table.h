/* SPDX-License-Identifier: GPL-2.0-only */
/* Tables of rows, and parts of tables as text.  Lines that begin with "#" are headings. */
#ifndef PERF_SPE_TABLE_H
#define PERF_SPE_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "analysis/rows/fields.h"
#include "analysis/tables/groups.h"
#include "analysis/stats/hist.h"
#include "analysis/tables/tally.h"
#include "input/session.h"
#include "output/table/columns.h"
#include "output/table/grid.h"

/* Print "    12.3     11     40", or dashes if no sample has the counter. */
void table_latency(FILE *to, const struct hist *h);
/* Print " 12.34%", the share of all cycles, or a dash if no sample has a latency. */
void table_cost(FILE *to, uint64_t timed, uint64_t cycles, uint64_t all);
/* A comment line if the recording lacks what names of data need */
void table_names(FILE *to, const struct resolver *r);
/* Print what perf lost while recording, if anything; @s may be NULL. */
void table_flags(FILE *to, const struct session *s);
/*
 * Fill @g with at most @limit rows (0: all) in the order of tally_sort(), with the
 * columns @c.
 */
void table_tally(struct grid *g, const struct columns *c, const struct tally *t,
		 const struct session *s, uint64_t limit);

/* The samples behind a table */
struct table_of {
	const struct session *session;	/* or NULL */
	uint64_t kept, records;		/* after and before the filter */
	uint64_t limit;			/* rows; 0: all */
	bool stacks;			/* call stacks were looked for */
	uint64_t found;			/* kept ones with a call stack */
};

/* The same for groups in the order of groups_sort() */
void table_groups(struct grid *g, const struct columns *c,
		  const struct groups *groups, const struct table_of *of);
/* A key as text in at most @size bytes with the final zero. */
void table_key(const struct field *field, const struct tally_key *key,
	       char *text, size_t size);

#endif
