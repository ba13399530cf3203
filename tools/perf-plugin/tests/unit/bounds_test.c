// SPDX-License-Identifier: GPL-2.0-only
/*
 * Where records and damage end, at the byte where the answer changes.  The rules
 * are those that resync.c and internal.h state; sizes are D18.1.1's and
 * PMSIDR_EL1.MaxSize, at most 2048 bytes.
 */
#include "internal.h"
#include "test.h"

static uint8_t stream[8192];
static struct armspe_encoder enc;
static struct armspe_decoder *dec;
static struct armspe_record rec;

static void begin(void)
{
	armspe_encode_init(&enc, stream, sizeof(stream));
}

static void start(void)
{
	test_encoded(&dec, &enc);
}

static void expect_damage(size_t offset, size_t bytes)
{
	CHECK(armspe_record_next(dec, &rec) == ARMSPE_DAMAGED);
	CHECK_EQ(rec.offset, offset);
	CHECK_EQ(rec.bytes, bytes);
}

/* A record of 2048 bytes has ended: more bytes cannot complete it. */
static void longest_cut(void)
{
	begin();
	armspe_encode_op(&enc, SPE_OP_CLASS_OTHER, 0);
	armspe_encode_padding(&enc, 2045);
	CHECK(armspe_record_parse(stream, 2047, &rec) == ARMSPE_CUT);
	armspe_encode_padding(&enc, 1);
	CHECK(armspe_record_parse(stream, 2048, &rec) == ARMSPE_DAMAGED);
	/* A packet that goes on behind the 2048th byte */
	stream[2047] = 0x71;
	CHECK(armspe_record_parse(stream, 2048, &rec) == ARMSPE_DAMAGED);
	stream[2046] = 0x71;
	CHECK(armspe_record_parse(stream, 2047, &rec) == ARMSPE_CUT);
}

/*
 * The second byte of the damage is the header of its first byte, and a sound
 * record begins there; but no packet came twice, so that rule 1 does not apply.
 */
static void nothing_came_twice(void)
{
	begin();
	armspe_encode_events(&enc, 1, 0x42);
	armspe_encode_padding(&enc, 2046);
	armspe_encode_end(&enc);
	start();
	expect_damage(0, 2049);
	CHECK(armspe_record_next(dec, &rec) == ARMSPE_END);

	begin();
	armspe_encode_timestamp(&enc, 0x71);
	start();
	expect_damage(0, 9);
	CHECK(armspe_record_next(dec, &rec) == ARMSPE_END);
}

static void put_bytes(const char *bytes, size_t len)
{
	memcpy(stream + enc.len, bytes, len);
	enc.len += len;
}

/* PC, events, End: 9 + 2 + 1 bytes.  No operation type: D17.6.10 */
static void put_good(void)
{
	armspe_encode_address(&enc, SPE_ADDR_PC, 0x1000);
	armspe_encode_events(&enc, 1, 2);
	armspe_encode_end(&enc);
}

/* One record with an unknown packet is no boundary. */
static void one_unknown(void)
{
	begin();
	put_bytes("\x20\x20\x01" "\x42\x02\x02\x01", 7);
	put_good();
	start();
	expect_damage(0, 7);
	CHECK(armspe_record_next(dec, &rec) == ARMSPE_OK);

	/* Nor a reserved one */
	begin();
	put_bytes("\x20\x20\x01" "\x42\x02\x4b\x00\x01", 8);
	put_good();
	start();
	expect_damage(0, 8);
	CHECK(armspe_record_next(dec, &rec) == ARMSPE_OK);
}

/* What is behind the bytes does not count, even where padding leads up to it. */
static void nothing_behind(void)
{
	begin();
	put_bytes("\x20\x20\x01\x00\x00\x00", 6);
	put_good();
	memset(stream + enc.len - 3, 0x20, 16);
	enc.len -= 3;
	start();
	expect_damage(0, 3);
	CHECK(armspe_record_next(dec, &rec) == ARMSPE_CUT);

	/* The same at a packet that came a second time */
	begin();
	put_good();
	enc.len--;
	put_good();
	memset(stream + enc.len - 3, 0x20, 16);
	enc.len -= 3;
	start();
	expect_damage(0, 11);
	CHECK(armspe_record_next(dec, &rec) == ARMSPE_CUT);
}

/* Rule 1 asks for the header that the record began with. */
static void second_is_not_the_first(void)
{
	begin();
	armspe_encode_address(&enc, SPE_ADDR_PC, 0x1000);
	armspe_encode_counter(&enc, SPE_COUNTER_TOTAL, 3);
	armspe_encode_counter(&enc, SPE_COUNTER_TOTAL, 3);
	armspe_encode_op(&enc, SPE_OP_CLASS_OTHER, 0);
	armspe_encode_end(&enc);
	put_good();
	start();
	expect_damage(0, 18);
	CHECK(armspe_record_next(dec, &rec) == ARMSPE_OK);
	CHECK(armspe_record_next(dec, &rec) == ARMSPE_END);
}

/* Rule 1 asks for a sound record there. */
static void second_is_not_sound(void)
{
	begin();
	put_good();
	enc.len--;
	armspe_encode_address(&enc, SPE_ADDR_PC, 0x1000);
	put_bytes("\x20\x20\x01", 3);
	put_good();
	start();
	expect_damage(0, 11 + 9 + 3);
	CHECK(armspe_record_next(dec, &rec) == ARMSPE_OK);
	CHECK(armspe_record_next(dec, &rec) == ARMSPE_END);
}

/* Of an extended header, byte 1 counts too (Table D18-2). */
static void extended_second(void)
{
	begin();
	armspe_encode_address_ext(&enc, SPE_ADDR_PC, 0x10b1);
	armspe_encode_op(&enc, SPE_OP_CLASS_OTHER, 0);
	armspe_encode_address_ext(&enc, SPE_ADDR_PC, 0x2000);
	armspe_encode_events(&enc, 1, 2);
	armspe_encode_end(&enc);
	start();
	expect_damage(0, 12);
	CHECK(armspe_record_next(dec, &rec) == ARMSPE_OK);
	CHECK_EQ(rec.addr[SPE_ADDR_PC], 0x2000);

	/* 0x20 0xb0 first, 0x20 0xb1 twice */
	begin();
	armspe_encode_address_ext(&enc, SPE_ADDR_PC, 0x10b1);
	armspe_encode_address_ext(&enc, SPE_ADDR_TARGET, 0x1000);
	armspe_encode_address_ext(&enc, SPE_ADDR_TARGET, 0x2000);
	armspe_encode_events(&enc, 1, 2);
	armspe_encode_end(&enc);
	start();
	expect_damage(0, 33);
	CHECK(armspe_record_next(dec, &rec) == ARMSPE_END);
}

/* The Timestamp packet begins first, so that the End packet in it is payload. */
static void order_of_places(void)
{
	begin();
	put_bytes("\x20\x20", 2);
	armspe_encode_timestamp(&enc, 0x010000);
	start();
	expect_damage(0, 11);
	CHECK(armspe_record_next(dec, &rec) == ARMSPE_END);
}

const struct test_case bounds_cases[] = {
	{ "bounds: a record that has not ended after 2048 bytes", longest_cut },
	{ "bounds: damage that begins like its second byte", nothing_came_twice },
	{ "bounds: one record with an unknown packet behind damage", one_unknown },
	{ "bounds: what follows damage may be cut", nothing_behind },
	{ "bounds: the packet that came twice is not the first", second_is_not_the_first },
	{ "bounds: the packet that came twice begins nothing sound", second_is_not_sound },
	{ "bounds: an extended packet that came twice", extended_second },
	{ "bounds: an End packet in a Timestamp packet", order_of_places },
	{ 0 },
};
