// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Columns from recognised records.
 *
 * In all records of one layout a value is at the same position, and what the layout
 * alone decides is the same.  So the decoder fills layout by layout, up to four
 * columns in one loop.  The loop has no branch: each value is one load and one store.
 *
 *   addr[PC][row] = 8 bytes at from + 1
 *   timestamp[row] = 8 bytes at from + 28
 *
 * It leaves the columns of fields that the layout lacks unchanged.
 */
#include "shape.h"

#ifdef ARMSPE_SHAPES_USED

/* A column to fill, and the address of the value in the first record */
struct value {
	void *column;
	const uint8_t *bytes;
};

/* A column, and its value in all rows */
struct constant {
	void *column;
	uint32_t value;
};

/* FILL_STEP divides the number of rows, so no rest needs a loop of its own. */
#define FOR_EACH_ROW(r, ...) \
	_Pragma("GCC unroll 1") \
	for (i = 0; i < (r)->n; i += FILL_STEP) \
	_Pragma("GCC unroll 4") \
	for (k = 0; k < FILL_STEP; k++) { \
		size_t row = rows[i + k].row, from = rows[i + k].from; \
\
		(void)from; \
		__VA_ARGS__ \
	}

/* memcpy(), because values need not be aligned */
#define PUT_VALUE(k) \
	memcpy(&c##k[row], b##k + from, sizeof(*c##k));

#define FILL_VALUES(bits) \
static void fill_values_##bits(const struct armspe_rows *r, \
			       const struct value *v, size_t count) \
{ \
	const struct armspe_row *restrict rows = r->row; \
	const uint8_t *b0, *b1, *b2, *b3; \
	uint##bits##_t *restrict c0, *restrict c1, *restrict c2, *restrict c3; \
	size_t i, k, step; \
\
	for (; count; count -= step, v += step) { \
		step = count < 4 ? count : 4; \
		c0 = v[0].column, b0 = v[0].bytes; \
		if (step == 1) { \
			FOR_EACH_ROW(r, PUT_VALUE(0)) \
			continue; \
		} \
		c1 = v[1].column, b1 = v[1].bytes; \
		if (step == 2) { \
			FOR_EACH_ROW(r, PUT_VALUE(0) PUT_VALUE(1)) \
			continue; \
		} \
		c2 = v[2].column, b2 = v[2].bytes; \
		if (step == 3) { \
			FOR_EACH_ROW(r, PUT_VALUE(0) PUT_VALUE(1) PUT_VALUE(2)) \
			continue; \
		} \
		c3 = v[3].column, b3 = v[3].bytes; \
		FOR_EACH_ROW(r, PUT_VALUE(0) PUT_VALUE(1) PUT_VALUE(2) \
			     PUT_VALUE(3)) \
	} \
}

FILL_VALUES(64)
FILL_VALUES(32)
FILL_VALUES(16)

#define PUT_CONSTANT(k) c##k[row] = v##k;

#define FILL_CONSTANTS(bits) \
static void fill_constants_##bits(const struct armspe_rows *r, \
				  const struct constant *v, size_t count) \
{ \
	const struct armspe_row *restrict rows = r->row; \
	uint##bits##_t *restrict c0, *restrict c1, *restrict c2, v0, v1, v2; \
	size_t i, k, step; \
\
	for (; count; count -= step, v += step) { \
		step = count < 3 ? 1 : 3; \
		c0 = v[0].column, v0 = (uint##bits##_t)v[0].value; \
		if (step == 1) { \
			FOR_EACH_ROW(r, PUT_CONSTANT(0)) \
			continue; \
		} \
		c1 = v[1].column, v1 = (uint##bits##_t)v[1].value; \
		c2 = v[2].column, v2 = (uint##bits##_t)v[2].value; \
		FOR_EACH_ROW(r, PUT_CONSTANT(0) PUT_CONSTANT(1) PUT_CONSTANT(2)) \
	} \
}

FILL_CONSTANTS(32)
FILL_CONSTANTS(16)
FILL_CONSTANTS(8)

/* Values that may be smaller than their column */
static void fill_events(const struct armspe_rows *r, uint64_t *restrict column,
			const uint8_t *bytes, uint64_t mask)
{
	const struct armspe_row *restrict rows = r->row;
	size_t i, k;

	FOR_EACH_ROW(r, column[row] = load64(bytes + from) & mask;)
}

static void fill_source(const struct armspe_rows *r, uint16_t *restrict column,
			const uint8_t *bytes, uint16_t mask)
{
	const struct armspe_row *restrict rows = r->row;
	size_t i, k;

	FOR_EACH_ROW(r, column[row] = (uint16_t)load64(bytes + from) & mask;)
}

static void fill_op(const struct armspe_rows *r, uint8_t *restrict column,
		    const uint8_t *bytes)
{
	const struct armspe_row *restrict rows = r->row;
	size_t i, k;

	FOR_EACH_ROW(r, column[row] = bytes[from];)
}

#define CONSTANT(wanted, what) \
	do { \
		if (wanted) \
			c[n++] = (struct constant){ (wanted) + row, (what) }; \
	} while (0)

static void fill_constants(const struct armspe_columns *cols, size_t row,
			   const struct armspe_shape *s,
			   const struct armspe_rows *r)
{
	struct armspe_record rec;
	struct constant c[4];
	size_t n = 0;

	memcpy(&rec.bytes, s->head, ARMSPE_SHAPE_HEAD);
	CONSTANT(cols->valid, rec.valid);
	CONSTANT(cols->addr_valid, rec.addr_valid);
	CONSTANT(cols->counter_valid, rec.counter_valid);
	CONSTANT(cols->bytes, rec.bytes);
	fill_constants_32(r, c, n);
	n = 0;
	CONSTANT(cols->packets, rec.packets);
	CONSTANT(cols->padding, rec.padding);
	CONSTANT(cols->unknown, 0);
	fill_constants_16(r, c, n);
	n = 0;
	CONSTANT(cols->context_valid, rec.context_valid);
	CONSTANT(cols->source_bytes, rec.source_bytes);
	CONSTANT(cols->op_class, rec.op_class);
	fill_constants_8(r, c, n);
}

/* Index of the element of an array in struct armspe_record */
#define ELEMENT(load, array, bytes) \
	(((load)->to - offsetof(struct armspe_record, array)) / (bytes))

#define VALUE(wanted, at) \
	do { \
		if (wanted) \
			v[n++] = (struct value){ (wanted) + row, \
						 r->bytes + (at) }; \
	} while (0)

static void fill_values(const struct armspe_columns *cols, size_t row,
			const struct armspe_shape *s,
			const struct armspe_rows *r)
{
	const struct armspe_load *load = s->load, *end;
	struct value v[LOADS_64];
	size_t n = 0;

	for (end = load + s->loads_64; load < end; load++) {
		if (load->to == offsetof(struct armspe_record, timestamp))
			VALUE(cols->timestamp, load->from);
		else
			VALUE(cols->addr[ELEMENT(load, addr, 8)], load->from);
	}
	fill_values_64(r, v, n);
	n = 0;
	load = s->load + LOADS_64 + LOADS_32;
	for (end = load + s->loads_16; load < end; load++)
		VALUE(cols->counter[ELEMENT(load, counter, 2)], load->from);
	fill_values_16(r, v, n);
}

/* One loop for context, events and operation, which nearly all layouts have */
static void fill_usual(const struct armspe_rows *r,
		       const struct armspe_columns *cols, size_t first,
		       const struct armspe_shape *s, const struct value *v)
{
	const struct armspe_row *restrict rows = r->row;
	uint64_t *restrict events = cols->events + first;
	uint8_t *restrict op = cols->op_payload + first;
	const uint8_t *events_at = r->bytes + s->events_from;
	const uint8_t *op_at = r->bytes + s->op_from;
	uint32_t *restrict c0 = v->column;
	const uint8_t *b0 = v->bytes;
	uint64_t mask = s->events_mask;
	size_t i, k;

	FOR_EACH_ROW(r, PUT_VALUE(0)
		     events[row] = load64(events_at + from) & mask;
		     op[row] = op_at[from];)
}

/* Fills all columns but addresses, timestamp and counters. */
static void fill_singles(const struct armspe_columns *cols, size_t row,
			 const struct armspe_shape *s,
			 const struct armspe_rows *r)
{
	const struct armspe_load *load = s->load + LOADS_64;
	const struct armspe_load *end = load + s->loads_32;
	struct value v[LOADS_32];
	size_t n = 0;

	for (; load < end; load++)
		VALUE(cols->context[ELEMENT(load, context, 4)], load->from);
	if (cols->source && s->source_from)
		fill_source(r, cols->source + row, r->bytes + s->source_from,
			    s->source_mask);
	if (n == 1 && cols->events && s->events_from && cols->op_payload &&
	    s->op_from) {
		fill_usual(r, cols, row, s, v);
		return;
	}
	fill_values_32(r, v, n);
	if (cols->events && s->events_from)
		fill_events(r, cols->events + row, r->bytes + s->events_from,
			    s->events_mask);
	if (cols->op_payload && s->op_from)
		fill_op(r, cols->op_payload + row, r->bytes + s->op_from);
}

void armspe_fill(const struct armspe_columns *cols, size_t row,
		 const struct armspe_shape *s, const struct armspe_rows *r)
{
	fill_constants(cols, row, s, r);
	fill_values(cols, row, s, r);
	fill_singles(cols, row, s, r);
}

#endif
