// SPDX-License-Identifier: GPL-2.0-only
#include "analysis/rows/rows.h"

bool rows_have_blocks(const struct rows *r)
{
	return r->heap && heap_names_followed(r->heap);
}

bool batch_memory(const struct row_batch *b, size_t i, struct data_place *place)
{
	const struct rows *r = b->rows;
	const struct owner *owner = batch_owner(b, i);
	struct row row;

	if (!(b->addr_valid[i] >> SPE_ADDR_DATA_VA & 1))
		return false;
	if (rows_have_blocks(r)) {
		row = batch_row(b);
		batch_row_at(b, i, &row);
		if (heap_names_place(r->heap, *owner, row.rec, place))
			return true;
	}
	if (r->data)
		*place = *data_names_find(r->data, owner, b->va[i], b->time[i]);
	return r->data;
}
