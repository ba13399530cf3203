/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Rows gathered to columns in memory, as columnar files want them: an array of
 * numbers a column, a bit for each that is there, and each text once.
 */
#ifndef PERF_SPE_BATCH_H
#define PERF_SPE_BATCH_H

#include "analysis/fields.h"
#include "export/words.h"

/* Rows whose columns are filled together, small enough for a CPU's cache */
#define BATCH_BLOCK	64

struct batch_column {
	const struct field *field;
	unsigned int bytes;	/* of an element: 1, 2, 4 or 8 */
	void *values;		/* of texts: numbers of words */
	uint8_t *valid;		/* bit 0 of byte 0 is the first row's */
	size_t absent;		/* rows that have no value */
	struct words *words;	/* FIELD_TEXT, else NULL */
};

struct batch {
	struct batch_column *columns;
	size_t nr_columns;
	size_t room;		/* rows, a multiple of BATCH_BLOCK */
	size_t rows;		/* that the columns have */
	bool full;		/* of words: one that has no number was left out */
	/* Called before a block of rows is looked at; NULL: they are complete */
	rows_late_fn late;
	void *late_context;
	/* Added, and not yet in the columns */
	size_t waiting;
	struct row row[BATCH_BLOCK];
	struct armspe_record rec[BATCH_BLOCK];
};

struct batch *batch_new(const struct field *const *columns, size_t count,
			size_t room);
/* True where the batch is complete: batch_begin() before the next row. */
bool batch_add(struct batch *b, const struct row *row);
/* All that was added is in the columns then. */
void batch_finish(struct batch *b);
/* Begin again; words keep their numbers unless they are to be forgotten. */
void batch_begin(struct batch *b, bool forget);
void batch_free(struct batch *b);

#endif
