/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Rows gathered to columns in memory, as columnar files want them: an array of
 * numbers a column, a bit for each that is there, and each text once.
 */
#ifndef PERF_SPE_COLUMN_BATCH_H
#define PERF_SPE_COLUMN_BATCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "armspe.h"
#include "analysis/fields.h"
#include "export/dictionary.h"

/* Rows whose columns are filled together, small enough for a CPU's cache */
#define COLUMN_BLOCK	64

struct batch_column {
	const struct field *field;
	unsigned int bytes;	/* of an element: 1, 2, 4 or 8 */
	void *values;		/* of texts: numbers of words */
	uint8_t *valid;		/* bit 0 of byte 0 is the first row's */
	size_t absent;		/* rows that have no value */
	struct dictionary *dictionary;	/* FIELD_TEXT, else NULL */
};

struct column_batch {
	struct batch_column *columns;
	size_t nr_columns;
	size_t room;		/* rows, a multiple of COLUMN_BLOCK */
	size_t rows;		/* that the columns have */
	bool full;		/* of words: one that has no number was left out */
	/* Called before a block of rows is looked at; NULL: they are complete */
	rows_late_fn late;
	void *late_context;
	/* Added, and not yet in the columns */
	size_t waiting;
	struct row row[COLUMN_BLOCK];
	struct armspe_record rec[COLUMN_BLOCK];
};

struct column_batch *column_batch_new(const struct field *const *columns, size_t count,
			size_t room);
/* True where the batch is complete: column_batch_begin() before the next row. */
bool column_batch_add(struct column_batch *b, const struct row *row);
/* All that was added is in the columns then. */
void column_batch_finish(struct column_batch *b);
/* Begin again; words keep their numbers unless they are to be forgotten. */
void column_batch_begin(struct column_batch *b, bool forget);
void column_batch_free(struct column_batch *b);

#endif
