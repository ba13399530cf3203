// SPDX-License-Identifier: GPL-2.0-only
#include "analysis/rows/rows.h"

bool row_has_blocks(const struct row *row)
{
	return row->heap && heap_names_followed(row->heap);
}

bool row_memory(const struct row *row, struct data_place *place)
{
	if (row_has_blocks(row) && heap_names_place(row->heap, row->owner, row->rec, place))
		return true;
	return row_data(row, place);
}
