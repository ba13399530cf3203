/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The samples of a large recording by two threads: each takes half of the
 * pieces, and has a context of its own.
 */
#ifndef PERF_SPE_ROWS_PARALLEL_H
#define PERF_SPE_ROWS_PARALLEL_H

#include <stdbool.h>

#include "analysis/rows.h"
#include "input/aux_decoder.h"

/*
 * Call @fn for each row, with @first from one thread and with @second from
 * another; the order is no longer the file's.  False where that is not worth
 * it, or not possible: then nothing may be left of the two contexts, and
 * rows_walk() is the way.  PERF_SPE_THREADS says 1: never, 2: wherever it is
 * possible.
 */
bool rows_parallel(struct rows *r, row_fn fn, void *first, void *second,
		 struct sample_totals *totals);

#endif
