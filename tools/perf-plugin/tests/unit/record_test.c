// SPDX-License-Identifier: GPL-2.0-only
/* Record layer on well-formed streams. */
#include <stdlib.h>

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

static void decode(void)
{
	test_encoded(&dec, &enc);
}

static void all_fields(void)
{
	begin();
	armspe_encode_address(&enc, SPE_ADDR_PC, 0xa0ff800012345678);
	armspe_encode_context(&enc, SPE_CONTEXT_EL1, 0);
	armspe_encode_context(&enc, SPE_CONTEXT_EL2, 77);
	armspe_encode_counter(&enc, SPE_COUNTER_TOTAL, 0);
	armspe_encode_counter(&enc, 31, 0xfff);
	armspe_encode_events(&enc, 4, 0x00ff00ff);
	armspe_encode_op(&enc, SPE_OP_CLASS_LDST, 0);
	armspe_encode_source(&enc, 2, 0x1234);
	armspe_encode_timestamp(&enc, 0);
	decode();
	CHECK(armspe_record_next(dec, &rec) == ARMSPE_OK);
	CHECK_EQ(rec.addr_valid, 1);
	CHECK_EQ(armspe_addr_virtual(rec.addr[0]), 0xffff800012345678);
	CHECK_EQ(armspe_addr_el(rec.addr[0]), 1);
	CHECK_EQ(armspe_addr_security(rec.addr[0]), ARMSPE_NON_SECURE);
	/* Zero is a value, not absence. */
	CHECK_EQ(rec.counter_valid, 1u << 0 | 1u << 31);
	CHECK_EQ(rec.counter[0], 0);
	CHECK_EQ(rec.counter[31], 0xfff);
	CHECK_EQ(rec.context_valid, 3);
	CHECK_EQ(rec.context[0], 0);
	CHECK_EQ(rec.context[1], 77);
	CHECK_EQ(rec.valid, ARMSPE_HAS_OP | ARMSPE_HAS_EVENTS |
			    ARMSPE_HAS_SOURCE | ARMSPE_HAS_TIMESTAMP);
	CHECK_EQ(rec.timestamp, 0);
	CHECK_EQ(rec.packets, 9);
	CHECK_EQ(rec.bytes, enc.len);
	CHECK(armspe_record_next(dec, &rec) == ARMSPE_END);
}

/* Nothing says that a record has at most one of each; of two the last stays. */
static void impdef_again(void)
{
	unsigned int i;

	begin();
	for (i = 0; i < 5; i++) {
		armspe_encode_address(&enc, 7, 10 * i);
		armspe_encode_counter(&enc, 31, 1);
		armspe_encode_address(&enc, 7, 10 * i + 1);
		armspe_encode_counter(&enc, 31, 2);
		armspe_encode_op(&enc, SPE_OP_CLASS_OTHER, 0);
		armspe_encode_end(&enc);
		/* Enough behind it for layouts to be used */
		armspe_encode_padding(&enc, 100);
	}
	decode();
	for (i = 0; i < 5; i++) {
		CHECK(armspe_record_next(dec, &rec) == ARMSPE_OK);
		CHECK_EQ(rec.addr_valid, 1u << 7);
		CHECK_EQ(rec.addr[7], 10 * i + 1);
		CHECK_EQ(rec.counter[31], 2);
	}
	CHECK_EQ(armspe_decoder_totals(dec)->damaged, 0);
}

static void encode_nth(struct armspe_encoder *to, unsigned int n)
{
	switch (n) {
	case 0:
		armspe_encode_address(to, 0, 0x1000);
		break;
	case 1:
		armspe_encode_counter(to, 0, 5);
		break;
	case 2:
		armspe_encode_context(to, 1, 9);
		break;
	case 3:
		armspe_encode_events(to, 2, 2);
		break;
	case 4:
		armspe_encode_source(to, 1, 8);
		break;
	default:
		armspe_encode_op(to, SPE_OP_CLASS_OTHER, 0);
	}
}

/*
 * resync.c: a second packet of one kind begins another record, as where the end of
 * the first was lost.  The first one's bytes are damage up to that packet.
 */
static void second_of_a_kind(void)
{
	unsigned int n;
	uint32_t at;

	for (n = 0; n < 6; n++) {
		begin();
		encode_nth(&enc, n);
		encode_nth(&enc, (n + 1) % 6);
		at = (uint32_t)enc.len;
		encode_nth(&enc, n);
		armspe_encode_end(&enc);
		CHECK(armspe_record_parse(stream, enc.len, &rec) == ARMSPE_DAMAGED);
		CHECK_EQ(rec.bytes, at);
	}
}

static void absence(void)
{
	begin();
	armspe_encode_op(&enc, SPE_OP_CLASS_OTHER, 0);
	armspe_encode_end(&enc);
	decode();
	memset(&rec, 0xff, sizeof(rec));
	CHECK(armspe_record_next(dec, &rec) == ARMSPE_OK);
	CHECK_EQ(rec.valid, ARMSPE_HAS_OP);
	CHECK_EQ(rec.addr_valid | rec.counter_valid | rec.context_valid, 0);
}

static void unknown_kept(void)
{
	static const uint8_t extra[] = { 0x02, 0x44, 0xaa, 0x20, 0x00,
					 0xb5, 1, 2, 3, 4, 5, 6, 7, 8 };

	begin();
	armspe_encode_op(&enc, SPE_OP_CLASS_OTHER, 0);
	memcpy(stream + enc.len, extra, sizeof(extra));
	enc.len += sizeof(extra);
	armspe_encode_end(&enc);
	decode();
	CHECK(armspe_record_next(dec, &rec) == ARMSPE_OK);
	CHECK_EQ(rec.unknown, 4);
	CHECK_EQ(rec.packets, 6);
	/* INDEX 5 is reserved: counted, not given a meaning. */
	CHECK_EQ(rec.addr_valid, 0);
	CHECK_EQ(armspe_decoder_totals(dec)->unknown, 4);
	CHECK_EQ(armspe_decoder_totals(dec)->damaged, 0);
}

static void padding_counts(void)
{
	begin();
	armspe_encode_padding(&enc, 21);
	armspe_encode_op(&enc, SPE_OP_CLASS_OTHER, 0);
	armspe_encode_padding(&enc, 19);
	armspe_encode_end(&enc);
	armspe_encode_padding(&enc, 7);
	decode();
	CHECK(armspe_record_next(dec, &rec) == ARMSPE_OK);
	CHECK_EQ(rec.offset, 21);
	CHECK_EQ(rec.bytes, 22);
	CHECK_EQ(rec.padding, 19);
	CHECK(armspe_record_next(dec, &rec) == ARMSPE_END);
	CHECK_EQ(armspe_decoder_totals(dec)->padding, 47);
	CHECK_EQ(armspe_decoder_totals(dec)->packets, 2);
}

static void cut_is_kept(void)
{
	size_t cut;

	begin();
	armspe_encode_address(&enc, SPE_ADDR_PC, 0x8000000000001000);
	armspe_encode_counter(&enc, SPE_COUNTER_TOTAL, 3);
	armspe_encode_op(&enc, SPE_OP_CLASS_OTHER, 0);
	armspe_encode_timestamp(&enc, 5);
	for (cut = 1; cut < enc.len; cut++) {
		test_decoder(&dec, stream, cut, 100);
		CHECK(armspe_record_next(dec, &rec) == ARMSPE_CUT);
		CHECK_EQ(armspe_decoder_left(dec), cut);
		CHECK_EQ(armspe_decoder_totals(dec)->records, 0);
		/* and goes on with the rest behind it */
		armspe_decoder_feed(dec, stream, enc.len, 100);
		CHECK(armspe_record_next(dec, &rec) == ARMSPE_OK);
		CHECK_EQ(rec.offset, 100);
	}
}

/* A place that is too small or not aligned gets no decoder, and no write. */
static void memory_of_a_decoder(void)
{
	size_t size = armspe_decoder_size(), i;
	struct armspe_decoder *own;
	uint8_t *memory = aligned_alloc(ARMSPE_DECODER_ALIGN,
					size + ARMSPE_DECODER_ALIGN);

	CHECK(size && size % ARMSPE_DECODER_ALIGN == 0);
	memset(memory, 0x5a, size + ARMSPE_DECODER_ALIGN);
	CHECK(!armspe_decoder_init(NULL, size));
	CHECK(!armspe_decoder_init(memory, size - 1));
	for (i = 1; i < ARMSPE_DECODER_ALIGN; i++)
		CHECK(!armspe_decoder_init(memory + i, size));
	for (i = 0; i < size + ARMSPE_DECODER_ALIGN; i++)
		if (memory[i] != 0x5a)
			break;
	CHECK_EQ(i, size + ARMSPE_DECODER_ALIGN);
	own = armspe_decoder_init(memory, size);
	CHECK((void *)own == memory);
	CHECK(armspe_record_next(own, &rec) == ARMSPE_END);
	CHECK_EQ(armspe_decoder_position(own), 0);
	CHECK_EQ(armspe_decoder_left(own), 0);
	CHECK_EQ(armspe_decoder_totals(own)->records, 0);
	for (i = size; i < size + ARMSPE_DECODER_ALIGN; i++)
		CHECK_EQ(memory[i], 0x5a);
	free(memory);
}

/* Position and rest add up to the piece, and each piece begins at 0. */
static void position_in_a_piece(void)
{
	begin();
	armspe_encode_op(&enc, SPE_OP_CLASS_OTHER, 0);
	armspe_encode_end(&enc);
	armspe_encode_padding(&enc, 5);
	decode();
	CHECK_EQ(armspe_decoder_position(dec), 0);
	CHECK_EQ(armspe_decoder_left(dec), 8);
	CHECK(armspe_record_next(dec, &rec) == ARMSPE_OK);
	CHECK_EQ(armspe_decoder_position(dec), 3);
	CHECK_EQ(armspe_decoder_left(dec), 5);
	CHECK(armspe_record_next(dec, &rec) == ARMSPE_END);
	CHECK_EQ(armspe_decoder_position(dec), 8);
	armspe_decoder_feed(dec, stream, 3, 8);
	CHECK_EQ(armspe_decoder_position(dec), 0);
	CHECK(armspe_record_next(dec, &rec) == ARMSPE_OK);
	CHECK_EQ(rec.offset, 8);
	CHECK_EQ(armspe_decoder_totals(dec)->records, 2);
	CHECK_EQ(armspe_decoder_totals(dec)->padding, 5);
}

static void back_in_a_piece(void)
{
	struct armspe_totals totals;

	begin();
	armspe_encode_op(&enc, SPE_OP_CLASS_OTHER, 0);
	armspe_encode_end(&enc);
	armspe_encode_op(&enc, SPE_OP_CLASS_OTHER, 1);
	armspe_encode_end(&enc);
	decode();
	CHECK(armspe_record_next(dec, &rec) == ARMSPE_OK);
	totals = *armspe_decoder_totals(dec);
	CHECK(armspe_record_next(dec, &rec) == ARMSPE_OK);
	CHECK(!armspe_decoder_rewind(dec, 7, &totals));
	CHECK_EQ(armspe_decoder_position(dec), 6);
	CHECK_EQ(armspe_decoder_totals(dec)->records, 2);
	/* Only a position after the decoder's own is refused (armspe.h). */
	CHECK(armspe_decoder_rewind(dec, 6, &totals));
	CHECK_EQ(armspe_decoder_totals(dec)->records, 1);
	CHECK(armspe_decoder_rewind(dec, 3, &totals));
	CHECK_EQ(armspe_decoder_totals(dec)->records, 1);
	CHECK(armspe_record_next(dec, &rec) == ARMSPE_OK);
	CHECK_EQ(rec.offset, 3);
	CHECK_EQ(rec.op_payload, 1);
	CHECK_EQ(armspe_decoder_totals(dec)->records, 2);
}

static void largest_record(void)
{
	begin();
	armspe_encode_op(&enc, SPE_OP_CLASS_OTHER, 0);
	armspe_encode_padding(&enc, 2048 - 3);
	armspe_encode_end(&enc);
	decode();
	CHECK(armspe_record_next(dec, &rec) == ARMSPE_OK);
	CHECK_EQ(rec.bytes, 2048);
	begin();
	armspe_encode_op(&enc, SPE_OP_CLASS_OTHER, 0);
	armspe_encode_padding(&enc, 2048 - 2);
	armspe_encode_end(&enc);
	decode();
	CHECK(armspe_record_next(dec, &rec) == ARMSPE_DAMAGED);
	CHECK_EQ(armspe_decoder_totals(dec)->damaged, 2049);
}

static void accessors(void)
{
	CHECK_EQ(armspe_addr_virtual(0xff7fffffffffffff), 0x007fffffffffffff);
	CHECK_EQ(armspe_addr_virtual(0x0080000000000000), 0xff80000000000000);
	CHECK_EQ(armspe_addr_physical(0x80000000fb24ebc0), 0xfb24ebc0);
	CHECK_EQ(armspe_addr_tag(0x5a00000000000001), 0x5a);
	CHECK_EQ(armspe_addr_el(0xe000000000000000), 3);
	CHECK_EQ(armspe_addr_security(0x9000000000000000), ARMSPE_REALM);
	CHECK_EQ(armspe_addr_security(0x1000000000000000),
		 ARMSPE_SECURITY_RESERVED);
	CHECK_EQ(armspe_addr_security(0), ARMSPE_SECURE);
}

static void encoder_overflow(void)
{
	uint8_t small[8];

	armspe_encode_init(&enc, small, sizeof(small));
	armspe_encode_op(&enc, 0, 0);
	CHECK(!enc.overflow);
	armspe_encode_address(&enc, 0, 0);
	CHECK(enc.overflow);
	CHECK_EQ(enc.len, 2);
	armspe_encode_end(&enc);
	CHECK_EQ(enc.len, 2);
}

const struct test_case record_cases[] = {
	{ "record: all fields", all_fields },
	{ "record: an IMPLEMENTATION DEFINED packet twice", impdef_again },
	{ "record: a second packet of one kind is damage", second_of_a_kind },
	{ "record: absence is a cleared valid bit", absence },
	{ "record: unknown and reserved packets are skipped and counted",
	  unknown_kept },
	{ "record: padding inside and outside is counted", padding_counts },
	{ "record: cut at every byte, then completed", cut_is_kept },
	{ "record: a decoder begins in aligned memory of its size", memory_of_a_decoder },
	{ "record: back to an earlier position", back_in_a_piece },
	{ "record: position and rest of a piece", position_in_a_piece },
	{ "record: 2048 bytes are a record, 2049 are not", largest_record },
	{ "record: address accessors", accessors },
	{ "encode: what does not fit is dropped whole", encoder_overflow },
	{ 0 },
};
