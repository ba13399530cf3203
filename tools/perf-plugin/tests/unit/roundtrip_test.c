// SPDX-License-Identifier: GPL-2.0-only
/*
 * Encoder to decoder, and layouts recognised as a whole (shape.c) against the
 * packet-by-packet parse.
 */
#include "internal.h"
#include "test.h"

static uint8_t stream[1 << 20];
static struct armspe_encoder enc;
static struct armspe_decoder *dec;
static struct armspe_record rec;

static void random_records(void)
{
	static struct armspe_record want[64];
	struct test_random r = { 1 };
	unsigned int round, n;

	for (round = 0; round < TEST_ROUNDS(500); round++) {
		armspe_encode_init(&enc, stream, sizeof(stream));
		for (n = 0; n < 64; n++) {
			armspe_encode_padding(&enc, test_random_below(&r, 30));
			want[n].offset = enc.len;
			test_random_record(&r, &enc, &want[n]);
		}
		test_encoded(&dec, &enc);
		for (n = 0; n < 64; n++) {
			CHECK(armspe_record_next(dec, &rec) == ARMSPE_OK);
			test_same_record(&rec, &want[n]);
		}
		CHECK(armspe_record_next(dec, &rec) == ARMSPE_END);
	}
}

/* A few layouts with changing values, as a core writes them */
static void put_shaped(struct test_random *r, unsigned int shape)
{
	armspe_encode_address(&enc, SPE_ADDR_PC, test_random(r));
	armspe_encode_counter(&enc, SPE_COUNTER_ISSUE,
			      (uint16_t)test_random(r));
	armspe_encode_counter(&enc, SPE_COUNTER_TOTAL,
			      (uint16_t)test_random(r));
	armspe_encode_events(&enc, 1u << (shape & 3), test_random(r));
	armspe_encode_op(&enc, shape % 3, (uint8_t)test_random(r));
	if (shape & 4)
		armspe_encode_address(&enc, SPE_ADDR_DATA_VA, test_random(r));
	if (shape & 8)
		armspe_encode_source(&enc, 1 + (shape >> 4 & 1),
				     (uint16_t)test_random(r));
	if (shape & 16)
		armspe_encode_context(&enc, shape & 1, (uint32_t)test_random(r));
	if (shape & 32)
		armspe_encode_timestamp(&enc, test_random(r));
	else
		armspe_encode_end(&enc);
	if (shape % 5)
		armspe_encode_align(&enc, 1u << shape % 5);
}

/* Decode twice: by layouts, and parsing each record afresh. */
static void compare_with_parse(void)
{
	enum armspe_status status, again;
	struct armspe_record fresh;

	test_encoded(&dec, &enc);
	do {
		status = armspe_record_next(dec, &rec);
		if (status != ARMSPE_OK)
			continue;
		again = armspe_record_parse(stream + rec.offset,
					    enc.len - (size_t)rec.offset,
					    &fresh);
		CHECK(again == ARMSPE_OK);
		test_same_record(&rec, &fresh);
	} while (status == ARMSPE_OK || status == ARMSPE_DAMAGED);
}

static void shapes_equal_parse(void)
{
	struct test_random r = { 2 };
	unsigned int shapes, n;

	/* Fewer layouts than are remembered, as many, and more */
	for (shapes = 1; shapes <= 64; shapes += TEST_STEP / 4 + 1) {
		armspe_encode_init(&enc, stream, sizeof(stream));
		for (n = 0; n < 2000; n++)
			put_shaped(&r, test_random_below(&r, shapes));
		CHECK(!enc.overflow);
		compare_with_parse();
		CHECK_EQ(armspe_decoder_totals(dec)->records, 2000);
		CHECK_EQ(armspe_decoder_totals(dec)->damaged, 0);
	}
}

static void shapes_under_damage(void)
{
	struct test_random r = { 3 };
	unsigned int round, n;

	for (round = 0; round < 60; round++) {
		armspe_encode_init(&enc, stream, sizeof(stream));
		for (n = 0; n < 500; n++)
			put_shaped(&r, test_random_below(&r, 12));
		for (n = 0; n < 100; n++)
			stream[test_random_below(&r, (unsigned int)enc.len)] ^=
				(uint8_t)(1u << test_random_below(&r, 8));
		compare_with_parse();
	}
}

/* A layout may match only where the bytes that it reads are there. */
static void shapes_at_the_end(void)
{
	static uint8_t exact[1024];
	struct test_random r = { 4 };
	unsigned int shape;

	for (shape = 0; shape < 64; shape++) {
		size_t two, end;

		armspe_encode_init(&enc, stream, sizeof(stream));
		put_shaped(&r, shape);
		two = enc.len;
		put_shaped(&r, shape);
		test_encoded(&dec, &enc);
		while (armspe_record_next(dec, &rec) == ARMSPE_OK)
			;
		for (end = two; end <= enc.len; end++) {
			/* The end of the array stands where the bytes end. */
			uint8_t *bytes = exact + sizeof(exact) - (end - two);

			memcpy(bytes, stream + two, end - two);
			armspe_decoder_feed(dec, bytes, end - two, 0);
			while (armspe_record_next(dec, &rec) == ARMSPE_OK)
				CHECK(rec.bytes <= end - two);
		}
		CHECK_EQ(armspe_decoder_totals(dec)->damaged, 0);
	}
}

const struct test_case roundtrip_cases[] = {
	{ "roundtrip: random records", random_records },
	{ 0 },
};

const struct test_case shape_cases[] = {
	{ "shape: 1 to 64 layouts decode as the parse does", shapes_equal_parse },
	{ "shape: also with flipped bits", shapes_under_damage },
	{ "shape: reads nothing behind the bytes", shapes_at_the_end },
	{ 0 },
};
