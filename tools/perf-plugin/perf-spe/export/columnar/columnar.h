/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PERF_SPE_EXPORT_COLUMNAR_COLUMNAR_H
#define PERF_SPE_EXPORT_COLUMNAR_COLUMNAR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analysis/rows/rows.h"
#include "armspe.h"
#include "export/format/format.h"

/*
 * column_batch.c: Collect rows into columns, as columnar files need them: per column an array of
 * numbers, a bit for each value that is present, and a dictionary of texts.
 */

struct batch_column {
	const struct field *field;
	unsigned int bytes;	/* of an element: 1, 2, 4 or 8 */
	void *values;		/* of texts: their numbers */
	uint8_t *valid;		/* bit 0 of byte 0 is the first row's */
	size_t absent;		/* rows without a value */
	struct dictionary *dictionary;	/* FIELD_TEXT, else NULL */
};

struct column_batch {
	struct batch_column *columns;
	size_t nr_columns;
	size_t most;		/* rows, see column_batch_add() */
	size_t rows;		/* that the columns have */
	bool full;		/* a text was dropped: its column has no number left */
	/* One column of the rows that are added: values, or keys of texts and their numbers */
	struct block {
		uint64_t numbers[ROW_BATCH], found[ROW_BATCH];
		uint8_t present[ROW_BATCH + 8], there[ROW_BATCH + 8];
	} block;
};

struct column_batch *column_batch_new(const struct field *const *columns, size_t count, size_t most);
/*
 * Add the rows of a batch with columns.  Returns true if there are @most rows or more: call
 * column_batch_begin() before the next.
 */
bool column_batch_add(struct column_batch *b, const struct row_batch *rows);
/* Begin a new batch.  Texts keep their numbers unless @forget is set. */
void column_batch_begin(struct column_batch *b, bool forget);
void column_batch_free(struct column_batch *b);

/* format_columnar.c: Parquet and Arrow files as formats of exports. */

struct format;

extern const struct format format_parquet, format_arrow;

#endif
