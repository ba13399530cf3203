/* SPDX-License-Identifier: GPL-2.0-only */
/* What a row's data address belongs to, down to the block of the heap */
#ifndef PERF_SPE_ROW_MEMORY_H
#define PERF_SPE_ROW_MEMORY_H

#include <stdbool.h>

#include "analysis/rows/fields.h"
#include "symbols/data/data_place.h"

/*
 * As row_data(), but where the recording was made with record --heap, an address in a block of
 * the heap has the block: see data_place.h.
 */
bool row_memory(const struct row *row, struct data_place *place);
/* Whether rows have blocks, so that one address belongs to different ones in turn */
bool row_has_blocks(const struct row *row);

#endif
