// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Records to columns.
 *
 * First the layouts of a batch of records are recognised (shape.c), which
 * yields two short arrays: where each record begins, and which layout it has.
 * Then column after column is filled, in a loop without branches:
 *
 *   row                     0    1    2    3   ..
 *   batch_from              0   64  128  192
 *   batch_shape             2    0    2    1
 *   addr_at[PC][]           .. by layout: where the value stands in a record
 *
 *   addr[PC][row] = 8 bytes at from[row] + addr_at[PC][shape[row]]
 *
 * A layout without the value has 0 there: what is loaded then means nothing,
 * and the row's valid mask says so.
 *
 * What no layout matches, and what begins or ends a batch, is decoded by
 * armspe_record_next() and copied, so that both give the same by construction.
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

/* A record as row cols->rows */
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

#define AHEAD		2048	/* bytes: the first look at a line must not wait */

static void learn_constants(struct armspe_layouts *l, unsigned int index,
			    const struct armspe_shape *s)
{
	struct armspe_record rec;

	memcpy(&rec.bytes, s->head, ARMSPE_SHAPE_HEAD);
	l->any_valid |= rec.valid;
	l->any_addr |= rec.addr_valid;
	l->any_counter |= rec.counter_valid;
	l->any_context |= rec.context_valid;
	l->bytes[index] = rec.bytes;
	l->valid[index] = rec.valid;
	l->addr_valid[index] = rec.addr_valid;
	l->counter_valid[index] = rec.counter_valid;
	l->context_valid[index] = rec.context_valid;
	l->packets[index] = rec.packets;
	l->padding[index] = rec.padding;
	l->op_class[index] = rec.op_class;
	l->source_bytes[index] = rec.source_bytes;
	l->source_mask[index] = s->source_mask;
	l->events_mask[index] = s->events_mask;
	l->events_at[index] = s->events_from;
	l->source_at[index] = s->source_from;
	l->op_at[index] = s->op_from;
}

/* Number of the element of an array in struct armspe_record */
#define ELEMENT(load, array, bytes) \
	(((load)->to - offsetof(struct armspe_record, array)) / (bytes))

static void learn_loads(struct armspe_layouts *l, unsigned int index,
			const struct armspe_shape *s)
{
	const struct armspe_load *load;
	unsigned int i;

	for (i = 0; i < SPE_INDEX_COUNT; i++)
		l->addr_at[i][index] = l->counter_at[i][index] = 0;
	for (i = 0; i < SPE_CONTEXT_COUNT; i++)
		l->context_at[i][index] = 0;
	l->timestamp_at[index] = 0;
	for (load = s->load; load < s->load + s->loads_64; load++) {
		if (load->to == offsetof(struct armspe_record, timestamp))
			l->timestamp_at[index] = load->from;
		else
			l->addr_at[ELEMENT(load, addr, 8)][index] = load->from;
	}
	load = s->load + LOADS_64;
	for (i = 0; i < s->loads_32; i++, load++)
		l->context_at[ELEMENT(load, context, 4)][index] = load->from;
	load = s->load + LOADS_64 + LOADS_32;
	for (i = 0; i < s->loads_16; i++, load++)
		l->counter_at[ELEMENT(load, counter, 2)][index] = load->from;
}

void armspe_columns_learn(struct armspe_decoder *dec, unsigned int index)
{
	struct armspe_layouts *l = &dec->layouts;

	if (!index)
		l->any_valid = l->any_addr = l->any_counter =
			l->any_context = 0;
	learn_constants(l, index, &dec->shapes[index]);
	learn_loads(l, index, &dec->shapes[index]);
}

/*
 * Recognise at most @most records from dec->pos on.  Returns how many; the
 * position and the totals are moved behind the last.
 */
static size_t batch_scan(struct armspe_decoder *dec, size_t most)
{
	const uint8_t *bytes = dec->bytes + dec->pos;
	size_t left = dec->len - dec->pos, from = 0, n = 0;
	uint64_t packets_padding = 0, padding = 0;

	if (!dec->nr_shapes)
		return 0;
	while (n < most && left - from >= SHORT_REACH) {
		unsigned int index = tree_find(dec, bytes + from);
		const struct armspe_shape *s = &dec->shapes[index];

		/* Also behind the end: a prefetch is only a hint. */
		__builtin_prefetch((const void *)((uintptr_t)bytes + from +
						  AHEAD));
		if (!shape_matches(s, bytes + from, left - from)) {
			size_t run;

			if (bytes[from] || from > UINT32_MAX / 2)
				break;
			run = armspe_padding_run(bytes + from, left - from);
			from += run;
			padding += run;
			continue;
		}
		dec->batch_from[n] = (uint32_t)from;
		dec->batch_shape[n++] = (uint8_t)index;
		packets_padding += s->packets_padding;
		/* As a branch, not a conditional move: see shape.c. */
		if (s->span == SHORT_BYTES) {
			from += SHORT_BYTES;
		} else {
			__asm__ volatile("");
			from += s->span;
		}
	}
	dec->pos += from;
	dec->totals.records += n;
	dec->totals.packets += packets_padding & 0xffffffff;
	dec->totals.padding += padding + (packets_padding >> 32);
	return n;
}

struct batch {
	const uint8_t *bytes;		/* what from[] counts from */
	const uint32_t *from;
	const uint8_t *shape;
	size_t n;
};

/* A column to fill, and a table by layout: where, or what, its values are */
struct target {
	void *column;
	const void *table;
};

/*
 * Column after column, but up to four at a time: what is looked up for a row
 * then serves all of them.  @put(column, table) sets element i.
 */
#define FOR_EACH_ROW(b, ...) \
	_Pragma("GCC unroll 4") \
	for (i = 0; i < n; i++) { \
		const uint8_t *bytes = (b)->bytes + (b)->from[i]; \
		size_t layout = (b)->shape[i]; \
\
		(void)bytes; \
		__VA_ARGS__ \
	}

#define FILL(name, type, entry, put) \
static void fill_##name(const struct batch *b, const struct target *t, \
			size_t count) \
{ \
	type *restrict c0, *restrict c1, *restrict c2, *restrict c3; \
	const entry *t0, *t1, *t2, *t3; \
	size_t i, n = b->n, step; \
\
	for (; count; count -= step, t += step) { \
		step = count >= 4 && count % 3 ? 4 : count >= 3 ? 3 : 1; \
		c0 = t[0].column; \
		t0 = t[0].table; \
		if (step == 1) { \
			FOR_EACH_ROW(b, put(c0, t0);) \
			continue; \
		} \
		c1 = t[1].column; \
		t1 = t[1].table; \
		c2 = t[2].column; \
		t2 = t[2].table; \
		if (step == 3) { \
			FOR_EACH_ROW(b, put(c0, t0); put(c1, t1); put(c2, t2);) \
			continue; \
		} \
		c3 = t[3].column; \
		t3 = t[3].table; \
		FOR_EACH_ROW(b, put(c0, t0); put(c1, t1); put(c2, t2); \
			     put(c3, t3);) \
	} \
}

/* memcpy() as values stand at any address. */
#define PUT_VALUE(column, at) \
	memcpy(&(column)[i], bytes + (at)[layout], sizeof(*(column)))
#define PUT_CONSTANT(column, of) ((column)[i] = (of)[layout])

FILL(values_64, uint64_t, uint8_t, PUT_VALUE)
FILL(values_32, uint32_t, uint8_t, PUT_VALUE)
FILL(values_16, uint16_t, uint8_t, PUT_VALUE)
FILL(values_8, uint8_t, uint8_t, PUT_VALUE)
FILL(constants_32, uint32_t, uint32_t, PUT_CONSTANT)
FILL(constants_16, uint16_t, uint16_t, PUT_CONSTANT)
FILL(constants_8, uint8_t, uint8_t, PUT_CONSTANT)

/* Values of which the layout says how wide they are */
static void fill_events(const struct batch *b, uint64_t *restrict column,
			const struct armspe_layouts *l)
{
	size_t i, n = b->n;

	for (i = 0; i < n; i++) {
		size_t layout = b->shape[i];

		column[i] = load64(b->bytes + b->from[i] +
				   l->events_at[layout]) &
			    l->events_mask[layout];
	}
}

static void fill_source(const struct batch *b, uint16_t *restrict column,
			const struct armspe_layouts *l)
{
	size_t i, n = b->n;

	for (i = 0; i < n; i++) {
		size_t layout = b->shape[i];

		column[i] = (uint16_t)load64(b->bytes + b->from[i] +
					     l->source_at[layout]) &
			    l->source_mask[layout];
	}
}

/* Events, source and operation, which most records have, in one go */
static void fill_singles(const struct batch *b,
			 const struct armspe_columns *cols, size_t row,
			 const struct armspe_layouts *l)
{
	uint64_t *restrict events = cols->events + row;
	uint16_t *restrict source = cols->source + row;
	uint8_t *restrict op = cols->op_payload + row;
	size_t i, n = b->n;

#pragma GCC unroll 4
	for (i = 0; i < n; i++) {
		const uint8_t *bytes = b->bytes + b->from[i];
		size_t layout = b->shape[i];

		op[i] = bytes[l->op_at[layout]];
		events[i] = load64(bytes + l->events_at[layout]) &
			    l->events_mask[layout];
		source[i] = (uint16_t)load64(bytes + l->source_at[layout]) &
			    l->source_mask[layout];
	}
}

#define TARGET(condition, wanted, where) \
	do { \
		if ((wanted) && (condition)) \
			t[n++] = (struct target){ (wanted) + row, (where) }; \
	} while (0)

static void fill_position(const struct armspe_columns *cols, size_t row,
			  const struct batch *b, uint64_t offset)
{
	size_t i;

	if (cols->offset) {
		uint64_t *restrict column = cols->offset + row;
		size_t n = b->n;

#pragma GCC unroll 4
		for (i = 0; i < n; i++)
			column[i] = offset + b->from[i];
	}
	if (cols->unknown)
		memset(cols->unknown + row, 0, b->n * sizeof(*cols->unknown));
}

static void fill_constants(const struct armspe_columns *cols, size_t row,
			   const struct batch *b,
			   const struct armspe_layouts *l)
{
	struct target t[4];
	size_t n = 0;

	TARGET(true, cols->valid, l->valid);
	TARGET(true, cols->addr_valid, l->addr_valid);
	TARGET(true, cols->counter_valid, l->counter_valid);
	TARGET(true, cols->bytes, l->bytes);
	fill_constants_32(b, t, n);
	n = 0;
	TARGET(true, cols->packets, l->packets);
	TARGET(true, cols->padding, l->padding);
	fill_constants_16(b, t, n);
	n = 0;
	TARGET(true, cols->context_valid, l->context_valid);
	TARGET(true, cols->source_bytes, l->source_bytes);
	TARGET(true, cols->op_class, l->op_class);
	fill_constants_8(b, t, n);
}

static void fill_values(const struct armspe_columns *cols, size_t row,
			const struct batch *b, const struct armspe_layouts *l)
{
	struct target t[SPE_INDEX_COUNT + 1];
	size_t n = 0, i;

	for (i = 0; i < SPE_INDEX_COUNT; i++)
		TARGET(l->any_addr >> i & 1, cols->addr[i], l->addr_at[i]);
	TARGET(l->any_valid & ARMSPE_HAS_TIMESTAMP, cols->timestamp,
	       l->timestamp_at);
	fill_values_64(b, t, n);
	n = 0;
	for (i = 0; i < SPE_CONTEXT_COUNT; i++)
		TARGET(l->any_context >> i & 1, cols->context[i],
		       l->context_at[i]);
	fill_values_32(b, t, n);
	n = 0;
	for (i = 0; i < SPE_INDEX_COUNT; i++)
		TARGET(l->any_counter >> i & 1, cols->counter[i],
		       l->counter_at[i]);
	fill_values_16(b, t, n);
	if (cols->op_payload && cols->events && cols->source) {
		fill_singles(b, cols, row, l);
		return;
	}
	n = 0;
	TARGET(l->any_valid & ARMSPE_HAS_OP, cols->op_payload, l->op_at);
	fill_values_8(b, t, n);
	if (cols->events && l->any_valid & ARMSPE_HAS_EVENTS)
		fill_events(b, cols->events + row, l);
	if (cols->source && l->any_valid & ARMSPE_HAS_SOURCE)
		fill_source(b, cols->source + row, l);
}

static size_t columns_batch(struct armspe_decoder *dec,
			    struct armspe_columns *cols)
{
	size_t most = cols->room - cols->rows, row = cols->rows;
	uint64_t offset = dec->offset + dec->pos;
	struct batch b = { dec->bytes + dec->pos, dec->batch_from,
			   dec->batch_shape, 0 };

	b.n = batch_scan(dec, most < ARMSPE_BATCH ? most : ARMSPE_BATCH);
	if (!b.n)
		return 0;
	fill_position(cols, row, &b, offset);
	fill_constants(cols, row, &b, &dec->layouts);
	fill_values(cols, row, &b, &dec->layouts);
	cols->rows += b.n;
	return b.n;
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
