// SPDX-License-Identifier: GPL-2.0-only
/*
 * Values of recognised records.  Expectations are the values that were encoded,
 * and what the comments of shape.h and fill.c state: a layout has so many loads of
 * each size; what a layout lacks, and what is not wanted, is not touched.
 */
#include "shape.h"
#include "test.h"

#define ROWS	20
#define EMPTY	0xa5	/* each byte of an element that nothing wrote */

static struct table {
	uint64_t addr[SPE_INDEX_COUNT][ROWS], events[ROWS], timestamp[ROWS], offset[ROWS];
	uint32_t context[SPE_CONTEXT_COUNT][ROWS];
	uint32_t bytes[ROWS], valid[ROWS], addr_valid[ROWS], counter_valid[ROWS];
	uint16_t counter[SPE_INDEX_COUNT][ROWS], source[ROWS];
	uint16_t packets[ROWS], padding[ROWS], unknown[ROWS];
	uint8_t context_valid[ROWS], source_bytes[ROWS], op_class[ROWS], op_payload[ROWS];
} table;

static uint8_t stream[1 << 17];
static struct armspe_encoder enc;
static struct armspe_decoder *dec;

static struct armspe_columns all_columns(void)
{
	struct armspe_columns cols = {
		.room = ROWS, .offset = table.offset, .bytes = table.bytes,
		.valid = table.valid, .addr_valid = table.addr_valid,
		.counter_valid = table.counter_valid, .context_valid = table.context_valid,
		.packets = table.packets, .padding = table.padding, .unknown = table.unknown,
		.events = table.events, .timestamp = table.timestamp, .source = table.source,
		.source_bytes = table.source_bytes, .op_class = table.op_class,
		.op_payload = table.op_payload,
	};
	unsigned int i;

	for (i = 0; i < SPE_INDEX_COUNT; i++) {
		cols.addr[i] = table.addr[i];
		cols.counter[i] = table.counter[i];
	}
	for (i = 0; i < SPE_CONTEXT_COUNT; i++)
		cols.context[i] = table.context[i];
	return cols;
}

static void begin(void)
{
	armspe_encode_init(&enc, stream, sizeof(stream));
}

/* Decode ROWS rows of the stream, which has more bytes than they need. */
static void decode(struct armspe_columns *cols)
{
	armspe_encode_padding(&enc, LONG_REACH);
	test_encoded(&dec, &enc);
	memset(&table, EMPTY, sizeof(table));
	CHECK(armspe_columns_next(dec, cols) == ARMSPE_OK);
	CHECK_EQ(cols->rows, ROWS);
	CHECK_EQ(armspe_decoder_totals(dec)->records, ROWS);
}

static bool untouched(const void *column, size_t bytes)
{
	const uint8_t *p = column;

	while (bytes--)
		if (*p++ != EMPTY)
			return false;
	return true;
}

#define UNTOUCHED(column)	CHECK(untouched(table.column, sizeof(table.column)))

/* The first row is parsed, the others are a batch's: nothing is written in either. */
static void lacking(void)
{
	struct armspe_columns cols = all_columns();
	unsigned int n;

	begin();
	for (n = 0; n < ROWS; n++) {
		armspe_encode_op(&enc, SPE_OP_CLASS_LDST, (uint8_t)n);
		armspe_encode_end(&enc);
	}
	decode(&cols);
	UNTOUCHED(addr);
	UNTOUCHED(counter);
	UNTOUCHED(context);
	UNTOUCHED(events);
	UNTOUCHED(timestamp);
	UNTOUCHED(source);
	for (n = 0; n < ROWS; n++) {
		CHECK_EQ(table.op_payload[n], n);
		CHECK_EQ(table.op_class[n], SPE_OP_CLASS_LDST);
		CHECK_EQ(table.valid[n], ARMSPE_HAS_OP);
		CHECK_EQ(table.unknown[n], 0);
	}
	CHECK_EQ(table.source_bytes[0], EMPTY);

	cols = all_columns();
	begin();
	for (n = 0; n < ROWS; n++) {
		armspe_encode_events(&enc, 1, n);
		armspe_encode_end(&enc);
	}
	decode(&cols);
	UNTOUCHED(op_payload);
	for (n = 0; n < ROWS; n++)
		CHECK_EQ(table.events[n], n);
	CHECK_EQ(table.op_class[0], EMPTY);
}

static const uint8_t counters[] = { 31, 0, 1, 2, 4 };

/* As many values as a layout has loads for */
static void put_full(unsigned int n)
{
	unsigned int i;

	for (i = 0; i < 5; i++)
		armspe_encode_counter(&enc, counters[i], (uint16_t)(0x1111 * i + n));
	for (i = 0; i < 5; i++)
		armspe_encode_address(&enc, i, 0x1111111111111111 * i + n);
	for (i = 0; i < 2; i++)
		armspe_encode_context(&enc, i, 0x11111111 * i + n);
	armspe_encode_events(&enc, 8, 0x123456789abcdef0 + n);
	armspe_encode_source(&enc, 2, (uint16_t)(0x1234 + n));
	armspe_encode_op(&enc, SPE_OP_CLASS_LDST, (uint8_t)(0x80 + n));
	armspe_encode_timestamp(&enc, 0xfedcba9876543210 + n);
}

/* Columns whose bit in @wanted is 0 are not asked for. */
static void some_of(uint32_t wanted)
{
	struct armspe_columns cols = all_columns();
	unsigned int i, n;

	for (i = 0; i < 5; i++) {
		cols.addr[i] = wanted >> i & 1 ? cols.addr[i] : NULL;
		cols.counter[counters[i]] = wanted >> i & 1 ? cols.counter[counters[i]] : NULL;
	}
	cols.context[0] = wanted & 1 ? cols.context[0] : NULL;
	cols.context[1] = wanted & 2 ? cols.context[1] : NULL;
	cols.timestamp = wanted & 1 ? cols.timestamp : NULL;
	cols.valid = wanted & 1 ? cols.valid : NULL;
	cols.addr_valid = wanted & 2 ? cols.addr_valid : NULL;
	cols.counter_valid = wanted & 4 ? cols.counter_valid : NULL;
	cols.bytes = wanted & 8 ? cols.bytes : NULL;
	cols.packets = wanted & 1 ? cols.packets : NULL;
	cols.padding = wanted & 2 ? cols.padding : NULL;
	cols.unknown = wanted & 4 ? cols.unknown : NULL;
	cols.context_valid = wanted & 1 ? cols.context_valid : NULL;
	cols.source_bytes = wanted & 2 ? cols.source_bytes : NULL;
	cols.op_class = wanted & 4 ? cols.op_class : NULL;
	cols.events = wanted & 4 ? cols.events : NULL;
	cols.op_payload = wanted & 8 ? cols.op_payload : NULL;
	cols.source = wanted & 16 ? cols.source : NULL;
	decode(&cols);
	for (n = 0; n < ROWS; n++) {
#define IS(bit, column, want) \
		do { \
			if (wanted & (bit)) \
				CHECK_EQ(table.column[n], want); \
			else \
				CHECK(untouched(&table.column[n], sizeof(table.column[n]))); \
		} while (0)
		for (i = 0; i < 5; i++) {
			IS(1u << i, addr[i], 0x1111111111111111 * i + n);
			IS(1u << i, counter[counters[i]], 0x1111 * i + n);
		}
		IS(1, context[0], n);
		IS(2, context[1], 0x11111111 + n);
		IS(1, timestamp, 0xfedcba9876543210 + n);
		IS(1, valid, 0xf);
		IS(2, addr_valid, 0x1f);
		IS(4, counter_valid, 1u << 31 | 0x17);
		IS(8, bytes, 4 * 3 + 4 + 5 * 9 + 2 * 5 + 9 + 3 + 2 + 9);
		IS(1, packets, 16);
		IS(2, padding, 0);
		IS(4, unknown, 0);
		IS(1, context_valid, 3);
		IS(2, source_bytes, 2);
		IS(4, op_class, SPE_OP_CLASS_LDST);
		IS(4, events, 0x123456789abcdef0 + n);
		IS(8, op_payload, 0x80 + n);
		IS(16, source, 0x1234 + n);
	}
	UNTOUCHED(counter[3]);
	UNTOUCHED(addr[5]);
	UNTOUCHED(context[3]);
}

static void any_columns(void)
{
	uint32_t wanted;
	unsigned int n;

	begin();
	for (n = 0; n < ROWS; n++)
		put_full(n);
	for (wanted = 0; wanted < 32; wanted++)
		some_of(wanted);
}

#ifdef ARMSPE_SHAPES_USED

static struct armspe_record rec;

static void start(void)
{
	armspe_encode_padding(&enc, LONG_REACH);
	test_encoded(&dec, &enc);
}

static void expect_parsed(void)
{
	CHECK(!armspe_shape_decode(dec, &rec));
	CHECK(armspe_record_next(dec, &rec) == ARMSPE_OK);
}

/* The same as records: as many values as there are loads */
static void all_loads(void)
{
	unsigned int n, i;

	begin();
	for (n = 0; n < 3; n++)
		put_full(n);
	start();
	expect_parsed();
	for (n = 1; n < 3; n++) {
		CHECK(armspe_shape_decode(dec, &rec));
		for (i = 0; i < 5; i++)
			CHECK_EQ(rec.counter[counters[i]], 0x1111 * i + n);
		for (i = 0; i < 5; i++)
			CHECK_EQ(rec.addr[i], 0x1111111111111111 * i + n);
		for (i = 0; i < 2; i++)
			CHECK_EQ(rec.context[i], 0x11111111 * i + n);
		CHECK_EQ(rec.events, 0x123456789abcdef0 + n);
		CHECK_EQ(rec.source, 0x1234 + n);
		CHECK_EQ(rec.source_bytes, 2);
		CHECK_EQ(rec.op_payload, 0x80 + n);
		CHECK_EQ(rec.timestamp, 0xfedcba9876543210 + n);
		CHECK_EQ(rec.addr_valid, 0x1f);
		CHECK_EQ(rec.counter_valid, 1u << 31 | 0x17);
		CHECK_EQ(rec.context_valid, 3);
		CHECK_EQ(rec.packets, 16);
	}
}

/* One value more of a size: such a layout is not learnt. */
static void no_load_left(void)
{
	unsigned int kind, n;

	for (kind = 0; kind < 3; kind++) {
		begin();
		for (n = 0; n < 3; n++) {
			if (kind == 0)
				armspe_encode_counter(&enc, 30, 7);
			else
				armspe_encode_address(&enc, 7, 7);
			if (kind == 2)
				armspe_encode_address(&enc, 6, 6);
			put_full(n);
		}
		start();
		for (n = 0; n < 3; n++) {
			expect_parsed();
			CHECK_EQ(rec.packets, kind == 2 ? 18 : 17);
		}
	}
}

#endif

const struct test_case fill_cases[] = {
	{ "fill: what a layout lacks is not touched", lacking },
	{ "fill: any columns of a layout with all loads", any_columns },
#ifdef ARMSPE_SHAPES_USED
	{ "fill: a record with as many values as loads", all_loads },
	{ "fill: a record with more values than loads", no_load_left },
#endif
	{ 0 },
};
