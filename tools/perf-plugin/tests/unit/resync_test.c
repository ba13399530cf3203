// SPDX-License-Identifier: GPL-2.0-only
/* The rules in resync.c, one case each. */
#include "test.h"

static uint8_t stream[65536];
static struct armspe_encoder enc;
static struct armspe_decoder *dec;
static struct armspe_record rec;

/* PC, latency, events, operation, End: 9 + 3 + 2 + 2 + 1 bytes */
#define GOOD_BYTES 17

static void put_good(uint64_t pc)
{
	armspe_encode_address(&enc, SPE_ADDR_PC, pc);
	armspe_encode_counter(&enc, SPE_COUNTER_TOTAL, 9);
	armspe_encode_events(&enc, 1, 2);
	armspe_encode_op(&enc, SPE_OP_CLASS_OTHER, 0);
	armspe_encode_end(&enc);
}

static void put_bytes(const void *bytes, size_t len)
{
	memcpy(stream + enc.len, bytes, len);
	enc.len += len;
}

static void begin(void)
{
	armspe_encode_init(&enc, stream, sizeof(stream));
}

static void expect_good(uint64_t pc)
{
	CHECK(armspe_record_next(dec, &rec) == ARMSPE_OK);
	CHECK_EQ(rec.addr[SPE_ADDR_PC], pc);
}

static void expect_damage(size_t offset, size_t bytes)
{
	CHECK(armspe_record_next(dec, &rec) == ARMSPE_DAMAGED);
	CHECK_EQ(rec.offset, offset);
	CHECK_EQ(rec.bytes, bytes);
}

static void start(void)
{
	test_encoded(&dec, &enc);
}

static void bad_extended(void)
{
	begin();
	put_good(1);
	put_bytes("\x20\x20\x99", 3);
	armspe_encode_end(&enc);
	put_good(2);
	start();
	expect_good(1);
	expect_damage(GOOD_BYTES, 4);
	expect_good(2);
	CHECK(armspe_record_next(dec, &rec) == ARMSPE_END);
	CHECK_EQ(armspe_decoder_totals(dec)->damaged, 4);
	CHECK_EQ(armspe_decoder_totals(dec)->damages, 1);
	CHECK_EQ(armspe_decoder_totals(dec)->records, 2);
}

static void lost_end(void)
{
	begin();
	put_good(1);
	enc.len--;
	put_good(2);
	put_good(3);
	start();
	expect_damage(0, GOOD_BYTES - 1);
	expect_good(2);
	expect_good(3);
}

static void stray_framing(void)
{
	begin();
	put_good(1);
	armspe_encode_end(&enc);
	put_good(2);
	armspe_encode_padding(&enc, 5);
	armspe_encode_timestamp(&enc, 0x1234);
	put_good(3);
	start();
	expect_good(1);
	expect_damage(GOOD_BYTES, 1);
	expect_good(2);
	expect_damage(2 * GOOD_BYTES + 6, 9);
	expect_good(3);
}

static void false_boundary(void)
{
	/* 0x01 bytes inside a damaged record's payloads are not believed. */
	begin();
	put_bytes("\x3f\x3f", 2);
	armspe_encode_address(&enc, SPE_ADDR_DATA_VA, 0x0101010101010101);
	armspe_encode_address(&enc, SPE_ADDR_DATA_VA, 0x7171717171717171);
	armspe_encode_end(&enc);
	put_good(2);
	start();
	expect_damage(0, 21);
	expect_good(2);
}

static void no_boundary(void)
{
	begin();
	put_bytes("\x20\x20", 2);
	for (int i = 0; i < 300; i++)
		put_bytes("\x02\x03\x04", 3);
	start();
	expect_damage(0, 902);
	CHECK(armspe_record_next(dec, &rec) == ARMSPE_END);
}

static void boundary_at_end(void)
{
	begin();
	put_bytes("\x20\x20\x01", 3);
	armspe_encode_padding(&enc, 30);
	start();
	expect_damage(0, 3);
	CHECK(armspe_record_next(dec, &rec) == ARMSPE_END);
	CHECK_EQ(armspe_decoder_totals(dec)->padding, 30);
}

static void cut_after_damage(void)
{
	begin();
	put_bytes("\x20\x20\x01", 3);
	put_good(7);
	start();
	test_decoder(&dec, stream, enc.len - 5, 0);
	expect_damage(0, 3);
	CHECK(armspe_record_next(dec, &rec) == ARMSPE_CUT);
	CHECK_EQ(armspe_decoder_left(dec), GOOD_BYTES - 5);
}

/* What each record of a stream may have, which this version does not know */
static const struct newer {
	const char *bytes;
	size_t len;
} newer[] = {
	{ "", 0 },
	{ "\x44\xaa", 2 },			/* an unknown header */
	{ "\x9d\x01\x00", 3 },			/* Counter INDEX 5 */
	{ "\x67\x01\x00\x00\x00", 5 },		/* Context INDEX 3 */
	{ "\x20\x64\x01\x00\x00\x00", 6 },	/* an unknown extended header */
	{ "\x4b\x00", 2 },			/* CLASS 3 */
};

static void put_newer(const struct newer *more, bool short_one)
{
	if (!short_one) {
		armspe_encode_address(&enc, SPE_ADDR_PC, enc.len);
		armspe_encode_counter(&enc, SPE_COUNTER_TOTAL, 9);
	}
	armspe_encode_events(&enc, 2, 0x12);
	if (more->len)
		put_bytes(more->bytes, more->len);
	armspe_encode_timestamp(&enc, 0x100000 + enc.len);
	armspe_encode_align(&enc, 64);
}

/* D18.1.3: what is unknown is skipped.  So is what follows damage, in each record. */
static void unknown_in_each(void)
{
	size_t kind;

	for (kind = 0; kind < 2 * sizeof(newer) / sizeof(newer[0]); kind++) {
		unsigned int n;

		begin();
		for (n = 0; n < 1000; n++) {
			put_newer(&newer[kind / 2], kind % 2);
			if (n == 500)
				memset(stream + enc.len - 64, 0x20, 64);
		}
		start();
		do
			n = armspe_record_next(dec, &rec);
		while (n == ARMSPE_OK || n == ARMSPE_DAMAGED);
		CHECK_EQ(armspe_decoder_totals(dec)->damages, 1);
		CHECK(armspe_decoder_totals(dec)->records >= 998);
	}
}

/*
 * A stream that begins with any part of a record: the part is damage, or the record
 * that its packets are.
 */
static void begins_inside(void)
{
	size_t kind, from;

	for (kind = 0; kind < 2 * sizeof(newer) / sizeof(newer[0]); kind++) {
		for (from = 1; from < 64; from++) {
			unsigned int status;

			begin();
			while (enc.len < 1000 * 64)
				put_newer(&newer[kind / 2], kind % 2);
			test_decoder(&dec, stream + from, enc.len - from, from);
			do
				status = armspe_record_next(dec, &rec);
			while (status == ARMSPE_OK || status == ARMSPE_DAMAGED);
			CHECK(armspe_decoder_totals(dec)->records >= 998);
		}
	}
}

/* No byte is counted twice or not at all. */
static void every_byte_accounted(void)
{
	struct test_random r = { 11 };
	const struct armspe_totals *totals;
	struct armspe_record want;
	unsigned int round, n;

	for (round = 0; round < TEST_ROUNDS(400); round++) {
		enum armspe_status status;
		uint64_t good = 0;

		begin();
		for (n = 0; n < 40; n++) {
			test_random_record(&r, &enc, &want);
			armspe_encode_align(&enc, 1u << test_random_below(&r, 7));
		}
		for (n = test_random_below(&r, 6); n; n--)
			stream[test_random_below(&r, (unsigned int)enc.len)] =
				(uint8_t)test_random(&r);
		start();
		do {
			status = armspe_record_next(dec, &rec);
			if (status == ARMSPE_OK)
				good += rec.bytes - rec.padding;
		} while (status == ARMSPE_OK || status == ARMSPE_DAMAGED);
		totals = armspe_decoder_totals(dec);
		CHECK_EQ(good + totals->padding + totals->damaged +
			 armspe_decoder_left(dec), enc.len);
	}
}

const struct test_case resync_cases[] = {
	{ "resync: an extended header without size", bad_extended },
	{ "resync: a lost End packet costs one record", lost_end },
	{ "resync: End or Timestamp alone between records", stray_framing },
	{ "resync: payload bytes are not taken for a boundary", false_boundary },
	{ "resync: no boundary until the end", no_boundary },
	{ "resync: a boundary at the end", boundary_at_end },
	{ "resync: a record cut behind damage", cut_after_damage },
	{ "resync: what is unknown in each record", unknown_in_each },
	{ "resync: a stream that begins inside a record", begins_inside },
	{ "resync: every byte is accounted for once", every_byte_accounted },
	{ 0 },
};
