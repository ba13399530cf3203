/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Read a large recording with two threads.  Each decodes half of the pieces, with
 * its own context.
 */
#ifndef PERF_SPE_ROWS_PARALLEL_H
#define PERF_SPE_ROWS_PARALLEL_H

#include <stdbool.h>

#include "analysis/rows/rows.h"
#include "input/aux_decoder.h"

/*
 * Call @fn for each row: one thread passes @first, the other @second.  Rows are
 * not in file order.  Returns false if two threads are not worth it or a record
 * spans both halves: then discard both contexts and use rows_walk().
 * PERF_SPE_THREADS=1 never uses two threads, 2 always if there are two pieces.
 */
bool rows_parallel(struct rows *r, row_fn fn, void *first, void *second,
		 struct sample_totals *totals);

#endif
