// SPDX-License-Identifier: GPL-2.0-only
/*
 * The batches of recognised records.  Expectations are what the comments of
 * columns.c and shape.h state: a batch lists the rows of each layout, has
 * ARMSPE_BATCH rows at most, and records in it begin at FROM_MAX or before.
 */
#include "shape.h"
#include "test.h"

#ifdef ARMSPE_SHAPES_USED

static uint8_t stream[1 << 17];
static struct armspe_encoder enc;
static struct armspe_decoder *dec;

#define ROWS	20

static uint64_t many_offsets[2000];
static uint8_t many_payloads[2000];

static struct armspe_columns many_columns(size_t room)
{
	return (struct armspe_columns){
		.room = room, .offset = many_offsets, .op_payload = many_payloads,
	};
}

static void begin(void)
{
	armspe_encode_init(&enc, stream, sizeof(stream));
}

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
	struct armspe_columns cols = many_columns(ROWS);
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
	struct armspe_columns cols = many_columns(ROWS);
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
		CHECK_EQ(many_offsets[0], 3);
		CHECK_EQ(dec->batch[0][0].row, less ? 0xffff : 0);
	}
}

/* Padding between records does not end a batch, another layout begins a list. */
static void batch_goes_on(void)
{
	struct armspe_columns cols = many_columns(ROWS);

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
	test_encoded(&dec, &enc);
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

/* A batch has ARMSPE_BATCH rows at most: nothing is listed behind them. */
static void full_batch(void)
{
	struct armspe_columns cols = many_columns(2 + ARMSPE_BATCH);
	unsigned int n;

	begin();
	for (n = 0; n < 2000; n++)
		put_row(n);
	test_encoded(&dec, &enc);
	memset(dec->batch, 0xff, sizeof(dec->batch));
	CHECK(armspe_columns_next(dec, &cols) == ARMSPE_OK);
	/* The first row was parsed. */
	expect_listed(ARMSPE_BATCH - 1, 3 * (ARMSPE_BATCH - 1), ARMSPE_BATCH - 1);
	CHECK_EQ(dec->batch[1][0].from, 0xffff);

	cols = many_columns(2000);
	test_encoded(&dec, &enc);
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

#define NEAR	127	/* rows of STEP bytes each, which LONG records of 128 follow */
#define STEP	512
#define LONG	4

/* A record of a batch begins at FROM_MAX or before: here one would at 0x10000. */
static void far_record(void)
{
	struct armspe_columns cols = many_columns(2 + NEAR + LONG);
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
		armspe_encode_padding(&enc, STEP - 3);
	}
	for (; n < NEAR + LONG; n++) {
		armspe_encode_op(&enc, SPE_OP_CLASS_LDST, (uint8_t)(n + 2));
		armspe_encode_padding(&enc, 125);
		armspe_encode_end(&enc);
	}
	CHECK_EQ(enc.len - first, FROM_MAX + 1);
	put_row(n + 2);
	armspe_encode_padding(&enc, SHORT_REACH - 3);
	test_encoded(&dec, &enc);
	memset(dec->batch, 0xff, sizeof(dec->batch));
	CHECK(armspe_columns_next(dec, &cols) == ARMSPE_OK);
	expect_listed(NEAR - 1, STEP * (NEAR - 1), NEAR - 1);
	CHECK_EQ(dec->batch[1][LONG - 1].from, STEP * NEAR + 128 * (LONG - 1));
	CHECK_EQ(dec->batch[1][LONG - 1].row, NEAR + LONG - 1);

	/* As armspe_record_next() leaves padding behind a record to the next call */
	cols = many_columns(2 + 10);
	test_encoded(&dec, &enc);
	CHECK(armspe_columns_next(dec, &cols) == ARMSPE_OK);
	CHECK_EQ(armspe_decoder_position(dec), first + STEP * 9 + 3);

	cols = many_columns(2000);
	test_encoded(&dec, &enc);
	CHECK(armspe_columns_next(dec, &cols) == ARMSPE_END);
	CHECK_EQ(cols.rows, 2 + NEAR + LONG + 1);
	for (n = 2; n < NEAR + 2; n++)
		CHECK_EQ(many_offsets[n], first + STEP * (n - 2));
	CHECK_EQ(many_offsets[2 + NEAR + LONG], first + 0x10000);
	for (n = 0; n < cols.rows; n++)
		CHECK_EQ(many_payloads[n], (uint8_t)n);
}

const struct test_case scan_cases[] = {
	{ "batch: where it ends", batch_end },
	{ "batch: where it begins", batch_begin },
	{ "batch: two layouts, with padding", batch_goes_on },
	{ "batch: as many rows as it can have", full_batch },
	{ "batch: 64 KiB", far_record },
	{ 0 },
};

#else

const struct test_case scan_cases[] = { { 0 } };

#endif
