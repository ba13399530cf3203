// SPDX-License-Identifier: GPL-2.0-only
/*
 * Columns of recognised records.  Expectations are the values that were encoded,
 * and what the comments of columns.c and fill.c state: a batch lists the rows of
 * each layout; what a layout lacks, and what is not wanted, is not touched.
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
	CHECK(!enc.overflow);
	test_decoder(&dec, stream, enc.len, 0);
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

static const uint8_t counters[] = { 0, 1, 2, 4, 31 };

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
	armspe_encode_events(&enc, 4, 0x12345678 + n);
	armspe_encode_source(&enc, 1, (uint16_t)(0x34 + n));
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
		IS(8, bytes, 4 * 3 + 4 + 5 * 9 + 2 * 5 + 5 + 2 + 2 + 9);
		IS(1, packets, 16);
		IS(2, padding, 0);
		IS(4, unknown, 0);
		IS(1, context_valid, 3);
		IS(2, source_bytes, 1);
		IS(4, op_class, SPE_OP_CLASS_LDST);
		IS(4, events, 0x12345678 + n);
		IS(8, op_payload, 0x80 + n);
		IS(16, source, 0x34 + n);
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

static void put_row(unsigned int n)
{
	armspe_encode_op(&enc, SPE_OP_CLASS_OTHER, (uint8_t)n);
	armspe_encode_end(&enc);
}

static void expect_listed(unsigned int nth, unsigned int from, unsigned int row)
{
	CHECK_EQ(dec->batch[0][nth].from, from);
	CHECK_EQ(dec->batch[0][nth].row, row);
}

/* A batch goes as far as SHORT_REACH bytes are readable. */
static void batch_end(void)
{
	struct armspe_columns cols = all_columns();
	unsigned int n, past;

	begin();
	for (n = 0; n < ROWS; n++)
		put_row(n);
	armspe_encode_padding(&enc, 256);
	for (past = 0; past < 2; past++) {
		/* The first row is parsed; the last begins SHORT_REACH - past before the end. */
		test_decoder(&dec, stream, 3 * (ROWS - 1) + SHORT_REACH - past, 0);
		memset(dec->batch, 0xff, sizeof(dec->batch));
		cols.rows = 0;
		CHECK(armspe_columns_next(dec, &cols) == ARMSPE_OK);
		for (n = 0; n < ROWS - 1 - past; n++)
			expect_listed(n, 3 * n, n);
		/* The list is filled up to a multiple of FILL_STEP by its last row. */
		for (; n % FILL_STEP; n++)
			expect_listed(n, 3 * (ROWS - 2 - past), ROWS - 2 - past);
		expect_listed(n, 0xffff, 0xffff);
	}
}

/* Nor does a batch begin where fewer bytes are readable. */
static void batch_begin(void)
{
	struct armspe_columns cols = all_columns();
	unsigned int less;

	begin();
	put_row(0);
	put_row(1);
	armspe_encode_padding(&enc, 256);
	for (less = 0; less < 2; less++) {
		test_decoder(&dec, stream, 6, 0);
		cols.rows = 0;
		CHECK(armspe_columns_next(dec, &cols) == ARMSPE_END);
		CHECK_EQ(cols.rows, 2);
		memset(dec->batch, 0xff, sizeof(dec->batch));
		armspe_decoder_feed(dec, stream + 3, SHORT_REACH - less, 3);
		cols.rows = 0;
		CHECK(armspe_columns_next(dec, &cols) == ARMSPE_END);
		CHECK_EQ(cols.rows, 1);
		CHECK_EQ(table.offset[0], 3);
		CHECK_EQ(dec->batch[0][0].row, less ? 0xffff : 0);
	}
}

/* Padding between records does not end a batch, another layout begins a list. */
static void batch_goes_on(void)
{
	struct armspe_columns cols = all_columns();

	begin();
	put_row(0);
	armspe_encode_events(&enc, 1, 1);
	put_row(0);
	put_row(0);
	armspe_encode_padding(&enc, 100);
	put_row(0);
	armspe_encode_events(&enc, 1, 1);
	put_row(0);
	put_row(0);
	armspe_encode_padding(&enc, 256);
	test_decoder(&dec, stream, enc.len, 0);
	memset(dec->batch, 0xff, sizeof(dec->batch));
	CHECK(armspe_columns_next(dec, &cols) == ARMSPE_END);
	CHECK_EQ(cols.rows, 6);
	/* From 8 on: two were parsed. */
	expect_listed(0, 0, 0);
	expect_listed(1, 103, 1);
	expect_listed(2, 111, 3);
	expect_listed(3, 111, 3);
	expect_listed(4, 0xffff, 0xffff);
	CHECK_EQ(dec->batch[1][0].from, 106);
	CHECK_EQ(dec->batch[1][0].row, 2);
	CHECK_EQ(armspe_decoder_totals(dec)->padding, 356);
}

/* Enough rows that batches end by their own bounds */
static uint64_t many_offsets[2000];
static uint8_t many_payloads[2000];

static struct armspe_columns many_columns(size_t room)
{
	return (struct armspe_columns){
		.room = room, .offset = many_offsets, .op_payload = many_payloads,
	};
}

/* A batch has ARMSPE_BATCH rows at most: nothing is listed behind them. */
static void full_batch(void)
{
	struct armspe_columns cols = many_columns(2 + ARMSPE_BATCH);
	unsigned int n;

	begin();
	for (n = 0; n < 2000; n++)
		put_row(n);
	test_decoder(&dec, stream, enc.len, 0);
	memset(dec->batch, 0xff, sizeof(dec->batch));
	CHECK(armspe_columns_next(dec, &cols) == ARMSPE_OK);
	/* The first row was parsed. */
	expect_listed(ARMSPE_BATCH - 1, 3 * (ARMSPE_BATCH - 1), ARMSPE_BATCH - 1);
	CHECK_EQ(dec->batch[1][0].from, 0xffff);

	cols = many_columns(2000);
	test_decoder(&dec, stream, enc.len, 0);
	memset(dec->batch, 0xff, sizeof(dec->batch));
	CHECK(armspe_columns_next(dec, &cols) == ARMSPE_OK);
	CHECK_EQ(cols.rows, 2000);
	CHECK_EQ(dec->batch[1][0].from, 0xffff);
	CHECK_EQ(dec->batch[1][0].row, 0xffff);
	for (n = 0; n < 2000; n++) {
		CHECK_EQ(many_offsets[n], 3 * n);
		CHECK_EQ(many_payloads[n], (uint8_t)n);
	}
}

#define NEAR	255	/* rows of 256 bytes each */

/* A record of a batch begins at FROM_MAX or before: here one would at 0x10000. */
static void far_record(void)
{
	struct armspe_columns cols = many_columns(2 + NEAR + 2);
	unsigned int n;
	size_t first;

	begin();
	put_row(0);
	armspe_encode_op(&enc, SPE_OP_CLASS_LDST, 1);
	armspe_encode_padding(&enc, 125);
	armspe_encode_end(&enc);
	first = enc.len;
	for (n = 0; n < NEAR; n++) {
		put_row(n + 2);
		armspe_encode_padding(&enc, 253);
	}
	for (; n < NEAR + 2; n++) {
		armspe_encode_op(&enc, SPE_OP_CLASS_LDST, (uint8_t)(n + 2));
		armspe_encode_padding(&enc, 125);
		armspe_encode_end(&enc);
	}
	CHECK_EQ(enc.len - first, FROM_MAX + 1);
	put_row(n + 2);
	armspe_encode_padding(&enc, SHORT_REACH - 3);
	test_decoder(&dec, stream, enc.len, 0);
	memset(dec->batch, 0xff, sizeof(dec->batch));
	CHECK(armspe_columns_next(dec, &cols) == ARMSPE_OK);
	expect_listed(NEAR - 1, 256 * (NEAR - 1), NEAR - 1);
	CHECK_EQ(dec->batch[1][1].from, 256 * NEAR + 128);
	CHECK_EQ(dec->batch[1][1].row, NEAR + 1);

	/* As armspe_record_next() leaves padding behind a record to the next call */
	cols = many_columns(2 + 10);
	test_decoder(&dec, stream, enc.len, 0);
	CHECK(armspe_columns_next(dec, &cols) == ARMSPE_OK);
	CHECK_EQ(armspe_decoder_position(dec), first + 256 * 9 + 3);

	cols = many_columns(2000);
	test_decoder(&dec, stream, enc.len, 0);
	CHECK(armspe_columns_next(dec, &cols) == ARMSPE_END);
	CHECK_EQ(cols.rows, 2 + NEAR + 3);
	for (n = 2; n < NEAR + 2; n++)
		CHECK_EQ(many_offsets[n], first + 256 * (n - 2));
	CHECK_EQ(many_offsets[NEAR + 4], first + 0x10000);
	for (n = 0; n < cols.rows; n++)
		CHECK_EQ(many_payloads[n], (uint8_t)n);
}

#endif

const struct test_case fill_cases[] = {
	{ "fill: what a layout lacks is not touched", lacking },
	{ "fill: any columns of a layout with all loads", any_columns },
#ifdef ARMSPE_SHAPES_USED
	{ "fill: where a batch ends", batch_end },
	{ "fill: where a batch begins", batch_begin },
	{ "fill: a batch of two layouts, with padding", batch_goes_on },
	{ "fill: a batch of 512 rows", full_batch },
	{ "fill: a batch of 64 KiB", far_record },
#endif
	{ 0 },
};
