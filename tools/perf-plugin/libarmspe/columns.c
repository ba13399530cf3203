// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Records to columns.
 *
 * The decoder first recognises the layouts of a batch of records (shape.c).  That
 * gives a list for each layout: the rows that have it, and where their records
 * begin.  Then it fills the rows layout by layout (fill.c).
 *
 *   record   0    64   128  192
 *   layout   2    0    2    1         batch[0]: row 1 from 64
 *                                     batch[1]: row 3 from 192
 *                                     batch[2]: row 0 from 0, row 2 from 128
 *
 * armspe_record_next() decodes records that match no layout, and those at the start
 * and the end of a batch; columns_put() copies them.  So both ways agree.
 */
#include "shape.h"

#define PUT(column, value) \
	do { \
		if (column) \
			(column)[row] = (value); \
	} while (0)

static void columns_put_values(const struct armspe_columns *cols, size_t row,
			       const struct armspe_record *rec)
{
	unsigned int i;

	for (i = 0; i < SPE_INDEX_COUNT; i++) {
		if (rec->addr_valid >> i & 1)
			PUT(cols->addr[i], rec->addr[i]);
		if (rec->counter_valid >> i & 1)
			PUT(cols->counter[i], rec->counter[i]);
	}
	for (i = 0; i < SPE_CONTEXT_COUNT; i++)
		if (rec->context_valid >> i & 1)
			PUT(cols->context[i], rec->context[i]);
	if (rec->valid & ARMSPE_HAS_EVENTS)
		PUT(cols->events, rec->events);
	if (rec->valid & ARMSPE_HAS_TIMESTAMP)
		PUT(cols->timestamp, rec->timestamp);
	if (rec->valid & ARMSPE_HAS_SOURCE) {
		PUT(cols->source, rec->source);
		PUT(cols->source_bytes, rec->source_bytes);
	}
	if (rec->valid & ARMSPE_HAS_OP) {
		PUT(cols->op_class, rec->op_class);
		PUT(cols->op_payload, rec->op_payload);
	}
}

/* Copies a record to row cols->rows. */
static void columns_put(struct armspe_columns *cols,
			const struct armspe_record *rec)
{
	size_t row = cols->rows++;

	PUT(cols->offset, rec->offset);
	PUT(cols->bytes, rec->bytes);
	PUT(cols->valid, rec->valid);
	PUT(cols->addr_valid, rec->addr_valid);
	PUT(cols->counter_valid, rec->counter_valid);
	PUT(cols->context_valid, rec->context_valid);
	PUT(cols->packets, rec->packets);
	PUT(cols->padding, rec->padding);
	PUT(cols->unknown, rec->unknown);
	columns_put_values(cols, row, rec);
}

#ifdef ARMSPE_SHAPES_USED

#define AHEAD		4096	/* bytes to prefetch ahead, so that no access waits for memory */

/* The state of a batch */
struct batch {
	struct armspe_row *end[ARMSPE_SHAPES];	/* of each layout's rows */
	uint64_t *offset;		/* of the next row, or &none */
	uint64_t none;
	size_t offset_step;
	size_t rows;
	size_t from;			/* of the next row */
};

/*
 * Recognises records until the batch has @most rows, or until the bytes at b->from
 * match no layout.  The caller guarantees SHORT_REACH readable bytes.
 */
static void batch_scan(const struct armspe_decoder *dec, struct batch *b,
		       size_t most)
{
	/* Local copies: for the compiler, each store might change the decoder. */
	const unsigned int root = dec->root, steps = dec->steps;
	const uint8_t *bytes = dec->bytes + dec->pos, *at = bytes + b->from;
	const uint8_t *end_of = dec->bytes + dec->len;
	const uint8_t *last = end_of - SHORT_REACH;
	uint64_t *offset = b->offset, base = dec->offset + dec->pos;
	const size_t offset_step = b->offset_step;
	size_t row = b->rows;

	if (last > bytes + FROM_MAX)
		last = bytes + FROM_MAX;
	while (row < most && at <= last) {
		unsigned int index = tree_find(dec->node[0], root, steps, at);
		struct armspe_row *end = b->end[index];

		/* A prefetch is a hint, so it may go beyond the end. */
		__builtin_prefetch((const void *)((uintptr_t)at + AHEAD));
		if (!shape_begins(dec, index, at))
			break;
		end->from = (uint16_t)(at - bytes);
		end->row = (uint16_t)row;
		*offset = base + (size_t)(at - bytes);
		/* A branch, no conditional move: see shape.c. */
		if (__builtin_expect(dec->span[index] == SHORT_BYTES, 1)) {
			at += SHORT_BYTES;
		} else {
			if (!shape_ends(dec, index, at,
					(size_t)(end_of - at)))
				break;
			at += dec->span[index];
		}
		b->end[index] = end + 1;
		offset += offset_step;
		row++;
	}
	b->from = (size_t)(at - bytes);
	b->offset = offset;
	b->rows = row;
}

static bool batch_skip_padding(struct armspe_decoder *dec, struct batch *b)
{
	const uint8_t *at = dec->bytes + dec->pos + b->from;
	size_t run = armspe_padding_run(at, dec->len - dec->pos - b->from);

	dec->totals.padding += run;
	b->from += run;
	return run && b->from <= FROM_MAX;
}

/* Adds the records of layout @index to the totals, and fills their rows. */
static void batch_fill(struct armspe_decoder *dec, unsigned int index,
		       size_t n, const uint8_t *bytes,
		       const struct armspe_columns *cols)
{
	const struct armspe_shape *s = &dec->shapes[index];
	struct armspe_row *row = dec->batch[index];
	struct armspe_rows rows = { bytes, row, n };

	dec->totals.records += n;
	dec->totals.packets += n * (s->packets_padding & 0xffffffff);
	dec->totals.padding += n * (s->packets_padding >> 32);
	for (; rows.n % FILL_STEP; rows.n++)
		row[rows.n] = row[n - 1];
	armspe_fill(cols, cols->rows, s, &rows);
}

static size_t columns_batch(struct armspe_decoder *dec,
			    struct armspe_columns *cols)
{
	size_t most = cols->room - cols->rows;
	const uint8_t *bytes = dec->bytes + dec->pos;
	struct batch b = { .offset = &b.none };
	unsigned int i;

	if (!dec->nr_shapes)
		return 0;
	for (i = 0; i < dec->nr_shapes; i++)
		b.end[i] = dec->batch[i];
	if (cols->offset) {
		b.offset = cols->offset + cols->rows;
		b.offset_step = 1;
	}
	if (most > ARMSPE_BATCH)
		most = ARMSPE_BATCH;
	do {
		if (dec->len - dec->pos - b.from < SHORT_REACH)
			break;
		batch_scan(dec, &b, most);
	} while (b.rows < most && batch_skip_padding(dec, &b));
	dec->pos += b.from;
	for (i = 0; b.rows && i < dec->nr_shapes; i++)
		if (b.end[i] != dec->batch[i])
			batch_fill(dec, i, (size_t)(b.end[i] - dec->batch[i]),
				   bytes, cols);
	cols->rows += b.rows;
	return b.rows;
}

#else

static size_t columns_batch(struct armspe_decoder *dec,
			    struct armspe_columns *cols)
{
	(void)dec;
	(void)cols;
	return 0;
}

#endif

enum armspe_status armspe_columns_next(struct armspe_decoder *dec,
				       struct armspe_columns *cols)
{
	struct armspe_record rec;
	enum armspe_status status;

	while (cols->rows < cols->room) {
		if (columns_batch(dec, cols))
			continue;
		status = armspe_record_next(dec, &rec);
		if (status == ARMSPE_DAMAGED) {
			cols->skipped_offset = rec.offset;
			cols->skipped_bytes = rec.bytes;
		}
		if (status != ARMSPE_OK)
			return status;
		columns_put(cols, &rec);
	}
	return ARMSPE_OK;
}
