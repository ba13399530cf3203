// SPDX-License-Identifier: GPL-2.0-only
/*
 * Which layouts the decoder learns, forgets and recognises.  Expectations are the
 * rules that the comments of shape.c and shape.h state: a layout is learnt from
 * its first record; it has at most ARMSPE_SHAPE_BYTES bytes and no unknown
 * packet; the decoder knows at most ARMSPE_SHAPES layouts, which it tells apart
 * by their first SHORT_BYTES; with no place left, one record in 256 makes it
 * begin afresh.  armspe_shape_decode() returns whether it recognises a record.
 */
#include "shape.h"
#include "test.h"

#ifdef ARMSPE_SHAPES_USED

static uint8_t stream[1 << 16];
static struct armspe_encoder enc;
static struct armspe_decoder *dec;
static struct armspe_record rec;

static void begin(void)
{
	armspe_encode_init(&enc, stream, sizeof(stream));
}

static void start(void)
{
	/* armspe.h: the content of the memory does not matter. */
	if (dec)
		memset(dec, 0xff, armspe_decoder_size());
	test_encoded(&dec, &enc);
}

static void expect_parsed(void)
{
	CHECK(!armspe_shape_decode(dec, &rec));
	CHECK(armspe_record_next(dec, &rec) == ARMSPE_OK);
}

static void expect_recognised(void)
{
	CHECK(armspe_shape_decode(dec, &rec));
}

/* Layout @n of 24: CLASS, SZ of the events, with and without a source */
static void put_nth(unsigned int n)
{
	armspe_encode_op(&enc, n % 3, 0x5a);
	armspe_encode_events(&enc, 1u << (n / 3 & 3), n);
	if (n >= 12)
		armspe_encode_source(&enc, 1, 8);
	armspe_encode_end(&enc);
}

/* A layout that is none of these */
static void put_other(void)
{
	armspe_encode_counter(&enc, SPE_COUNTER_TOTAL, 9);
	armspe_encode_op(&enc, SPE_OP_CLASS_OTHER, 0);
	armspe_encode_end(&enc);
}

/* A record of @bytes bytes, which ends in the packet @last of one byte's payload */
static void put_long(size_t bytes, unsigned int last)
{
	size_t from = enc.len;

	armspe_encode_op(&enc, SPE_OP_CLASS_LDST, 0x5a);
	armspe_encode_padding(&enc, bytes - (last ? 5 : 3));
	if (last)
		armspe_encode_events(&enc, 1, last);
	armspe_encode_end(&enc);
	CHECK_EQ(enc.len - from, bytes);
}

static void first_record(void)
{
	begin();
	put_other();
	put_other();
	armspe_encode_padding(&enc, SHORT_REACH);
	start();
	expect_parsed();
	expect_recognised();
	CHECK_EQ(rec.offset, 6);
	CHECK_EQ(rec.counter[SPE_COUNTER_TOTAL], 9);
}

/* Padding up to SHORT_BYTES is the layout's: nothing stands before the third. */
static void padding_behind(void)
{
	unsigned int n;

	begin();
	for (n = 0; n < 3; n++) {
		put_other();
		armspe_encode_align(&enc, SHORT_BYTES);
	}
	armspe_encode_padding(&enc, SHORT_REACH);
	start();
	expect_parsed();
	CHECK(armspe_record_next(dec, &rec) == ARMSPE_OK);
	expect_recognised();
	CHECK_EQ(rec.offset, 2 * SHORT_BYTES);
	CHECK_EQ(rec.bytes, 6);
	CHECK_EQ(rec.padding, 0);
	CHECK_EQ(armspe_decoder_totals(dec)->padding, 3 * 58);
	CHECK_EQ(armspe_decoder_totals(dec)->packets, 3 * 3);
}

/* How far a layout goes: @span bytes for a record of @bytes with padding behind it */
static void expect_span(size_t bytes, size_t span)
{
	begin();
	put_long(bytes, 1);
	armspe_encode_padding(&enc, 200);
	put_long(bytes, 2);
	armspe_encode_padding(&enc, 200);
	start();
	expect_parsed();
	CHECK(armspe_record_next(dec, &rec) == ARMSPE_OK);
	CHECK_EQ(rec.events, 2);
	CHECK_EQ(rec.offset, bytes + 200);
	CHECK_EQ(armspe_decoder_position(dec), bytes + 200 + span);
}

static void spans(void)
{
	expect_span(7, SHORT_BYTES);
	expect_span(SHORT_BYTES - 1, SHORT_BYTES);
	expect_span(SHORT_BYTES, SHORT_BYTES);
	expect_span(SHORT_BYTES + 1, ARMSPE_SHAPE_BYTES);
	expect_span(ARMSPE_SHAPE_BYTES, ARMSPE_SHAPE_BYTES);
}

/* Zeros behind the piece are not the layout's. */
static void end_of_piece(void)
{
	begin();
	put_nth(0);
	put_other();
	armspe_encode_padding(&enc, SHORT_REACH);
	test_decoder(&dec, stream, enc.len - SHORT_REACH, 0);
	expect_parsed();
	expect_parsed();
	CHECK(armspe_record_next(dec, &rec) == ARMSPE_END);
	begin();
	put_other();
	put_nth(0);
	armspe_encode_padding(&enc, SHORT_REACH);
	armspe_decoder_feed(dec, stream, enc.len, 0);
	expect_recognised();
	expect_recognised();
	CHECK_EQ(armspe_decoder_position(dec), enc.len - SHORT_REACH);
}

/* All 24 stay known, and records of a 25th are parsed until the 256th. */
static void all_places_taken(void)
{
	unsigned int n;

	begin();
	for (n = 0; n < 2 * ARMSPE_SHAPES; n++)
		put_nth(n % ARMSPE_SHAPES);
	for (n = 0; n < 257; n++)
		put_other();
	put_nth(0);
	put_nth(0);
	put_other();
	armspe_encode_padding(&enc, SHORT_REACH);
	start();
	for (n = 0; n < ARMSPE_SHAPES; n++)
		expect_parsed();
	for (n = 0; n < ARMSPE_SHAPES; n++) {
		expect_recognised();
		CHECK_EQ(rec.op_class, n % 3);
		CHECK_EQ(rec.events, n);
		CHECK_EQ(rec.valid & ARMSPE_HAS_SOURCE, n >= 12 ? ARMSPE_HAS_SOURCE : 0);
	}
	for (n = 0; n < 256; n++)
		expect_parsed();
	expect_recognised();
	/* Layout 0 was forgotten, and there is a place for it again. */
	expect_parsed();
	expect_recognised();
	expect_recognised();
	CHECK_EQ(armspe_decoder_totals(dec)->records, 2 * ARMSPE_SHAPES + 257 + 3);
}

/* Whatever bytes stand there, a record that is recognised is what the parser says. */
static void any_byte(void)
{
	uint8_t piece[SHORT_REACH];
	struct armspe_record want;
	unsigned int n, at, value;

	begin();
	for (n = 0; n < ARMSPE_SHAPES; n++)
		put_nth(n);
	armspe_encode_padding(&enc, SHORT_REACH);
	start();
	for (n = 0; n < ARMSPE_SHAPES; n++)
		expect_parsed();
	for (at = 0; at < 16; at++) {
		for (value = 0; value < 256; value++) {
			memset(piece, 0x01, sizeof(piece));
			memcpy(piece, "\x48\x5a\x62\x01\x01\x01\x01\x43", 8);
			piece[at] = (uint8_t)value;
			armspe_decoder_feed(dec, piece, sizeof(piece), 0);
			if (!armspe_shape_decode(dec, &rec))
				continue;
			CHECK(armspe_record_parse(piece, sizeof(piece), &want) == ARMSPE_OK);
			test_same_record(&rec, &want);
		}
	}
}

/* Two layouts that differ only behind SHORT_BYTES: the first stays. */
static void alike(void)
{
	unsigned int n;

	begin();
	put_long(100, 0);
	put_long(100, 1);
	put_long(100, 0);
	for (n = 0; n < 257; n++)
		put_other();
	put_long(100, 1);
	put_long(100, 0);
	put_long(100, 1);
	armspe_encode_padding(&enc, LONG_REACH);
	start();
	expect_parsed();
	expect_parsed();
	expect_recognised();
	CHECK_EQ(rec.valid, ARMSPE_HAS_OP);
	for (n = 0; n < 256; n++)
		expect_parsed();
	expect_recognised();
	/* Now the second one comes first. */
	expect_parsed();
	expect_parsed();
	expect_recognised();
	CHECK_EQ(rec.valid, ARMSPE_HAS_OP | ARMSPE_HAS_EVENTS);
	CHECK_EQ(rec.events, 1);
	CHECK(armspe_record_next(dec, &rec) == ARMSPE_END);
	CHECK_EQ(armspe_decoder_totals(dec)->padding, 3 * 97u + 3 * 95u + LONG_REACH);
}

static void longest(void)
{
	begin();
	put_long(ARMSPE_SHAPE_BYTES, 1);
	put_long(ARMSPE_SHAPE_BYTES, 2);
	put_long(ARMSPE_SHAPE_BYTES + 1, 1);
	put_long(ARMSPE_SHAPE_BYTES + 1, 2);
	armspe_encode_padding(&enc, LONG_REACH);
	start();
	expect_parsed();
	expect_recognised();
	CHECK_EQ(rec.events, 2);
	CHECK_EQ(rec.bytes, ARMSPE_SHAPE_BYTES);
	expect_parsed();
	expect_parsed();
	CHECK_EQ(rec.bytes, ARMSPE_SHAPE_BYTES + 1);
}

/*
 * Two layouts with one other header, at each place.  The decoder tells them
 * apart where that place is among the first SHORT_BYTES; behind, it keeps
 * the first and must not take the second for it.
 */
static void one_other_header(void)
{
	unsigned int at, n;

	for (at = 2; at < ARMSPE_SHAPE_BYTES - 2; at++) {
		bool apart = at < SHORT_BYTES;

		begin();
		for (n = 0; n < 4; n++) {
			armspe_encode_op(&enc, SPE_OP_CLASS_OTHER, 0);
			armspe_encode_padding(&enc, at - 2);
			if (n & 1)
				armspe_encode_source(&enc, 1, n);
			else
				armspe_encode_events(&enc, 1, n);
			armspe_encode_end(&enc);
		}
		armspe_encode_op(&enc, SPE_OP_CLASS_LDST, 0);
		armspe_encode_end(&enc);
		armspe_encode_padding(&enc, LONG_REACH);
		start();
		expect_parsed();
		expect_parsed();
		expect_recognised();
		CHECK_EQ(rec.valid, ARMSPE_HAS_OP | ARMSPE_HAS_EVENTS);
		CHECK_EQ(rec.events, 2);
		CHECK_EQ(armspe_shape_decode(dec, &rec), apart);
		if (!apart)
			CHECK(armspe_record_next(dec, &rec) == ARMSPE_OK);
		CHECK_EQ(rec.valid, ARMSPE_HAS_OP | ARMSPE_HAS_SOURCE);
		CHECK_EQ(rec.source, 3);
		CHECK_EQ(rec.bytes, at + 3);
	}
}

/* Padding is 0x00 in the layout, and tells it from one with a header there. */
static void one_has_padding(void)
{
	unsigned int n;

	begin();
	for (n = 0; n < 4; n++) {
		armspe_encode_op(&enc, SPE_OP_CLASS_OTHER, 0);
		armspe_encode_padding(&enc, n & 1);
		armspe_encode_end(&enc);
	}
	armspe_encode_op(&enc, SPE_OP_CLASS_LDST, 0);
	armspe_encode_end(&enc);
	armspe_encode_padding(&enc, SHORT_REACH);
	start();
	expect_parsed();
	expect_parsed();
	expect_recognised();
	CHECK_EQ(rec.bytes, 3);
	expect_recognised();
	CHECK_EQ(rec.bytes, 4);
	CHECK_EQ(rec.padding, 1);
	CHECK_EQ(armspe_decoder_totals(dec)->padding, 2);
}

static void unknown_packets(void)
{
	unsigned int n;

	begin();
	for (n = 0; n < 3; n++) {
		armspe_encode_op(&enc, SPE_OP_CLASS_OTHER, 0);
		stream[enc.len++] = 0x02;
		armspe_encode_end(&enc);
	}
	armspe_encode_padding(&enc, SHORT_REACH);
	start();
	for (n = 0; n < 3; n++)
		expect_parsed();
	CHECK_EQ(armspe_decoder_totals(dec)->unknown, 3);
}

/* How many bytes have to be readable: SHORT_REACH, or LONG_REACH for a long layout */
static void bytes_needed(void)
{
	begin();
	put_other();
	put_other();
	armspe_encode_padding(&enc, SHORT_REACH);
	start();
	expect_parsed();
	armspe_decoder_feed(dec, stream + 6, SHORT_REACH - 1, 0);
	CHECK(!armspe_shape_decode(dec, &rec));
	armspe_decoder_feed(dec, stream + 6, SHORT_REACH, 0);
	expect_recognised();

	begin();
	put_long(100, 1);
	put_long(100, 2);
	armspe_encode_padding(&enc, LONG_REACH);
	start();
	expect_parsed();
	armspe_decoder_feed(dec, stream + 100, LONG_REACH - 1, 0);
	CHECK(!armspe_shape_decode(dec, &rec));
	armspe_decoder_feed(dec, stream + 100, LONG_REACH, 0);
	expect_recognised();
	CHECK_EQ(rec.events, 2);
}

const struct test_case layout_cases[] = {
	{ "layout: learnt from its first record", first_record },
	{ "layout: padding behind a record belongs to its layout", padding_behind },
	{ "layout: how much padding belongs to it", spans },
	{ "layout: at the end of a piece", end_of_piece },
	{ "layout: with all places taken, one record in 256 begins afresh",
	  all_places_taken },
	{ "layout: any byte at the first 16 places", any_byte },
	{ "layout: of two that begin alike the first stays", alike },
	{ "layout: 128 bytes are learnt, 129 are not", longest },
	{ "layout: one other header at each place", one_other_header },
	{ "layout: one has padding where another has a header", one_has_padding },
	{ "layout: not learnt with an unknown packet", unknown_packets },
	{ "layout: recognised where enough bytes are readable", bytes_needed },
	{ 0 },
};

#else

const struct test_case layout_cases[] = { { 0 } };

#endif
