// SPDX-License-Identifier: GPL-2.0-only
/*
 * Any bytes: no crash, no read outside (the sanitizers look), progress with
 * each call, every packet inside its bounds.  Bounded in count.
 */
#include <stdlib.h>

#include "test.h"

/* Decode a copy that ends at the end of an allocation. */
static void decode_all(const uint8_t *bytes, size_t len)
{
	static struct armspe_decoder *dec;
	struct armspe_record rec;
	struct armspe_packet p;
	enum armspe_status status;
	char text[ARMSPE_TEXT_MAX];
	uint8_t *copy = malloc(len ? len : 1);
	size_t pos = 0, calls = 0;

	memcpy(copy, bytes, len);
	test_decoder(&dec, copy, len, 0);
	do {
		size_t before = armspe_decoder_position(dec);

		status = armspe_record_next(dec, &rec);
		CHECK(status == ARMSPE_CUT || status == ARMSPE_END ||
		      armspe_decoder_position(dec) > before);
		CHECK(armspe_decoder_position(dec) <= len);
	} while ((status == ARMSPE_OK || status == ARMSPE_DAMAGED) &&
		 calls++ <= len);
	CHECK(calls <= len);
	test_columns_agree(copy, len, 7);
	while (pos < len) {
		status = armspe_packet_decode(copy + pos, len - pos, &p);
		if (status == ARMSPE_OK) {
			CHECK(armspe_packet_bytes(&p) <= len - pos);
			CHECK(armspe_text_packet(&p, text, sizeof(text)) <
			      sizeof(text));
			pos += armspe_packet_bytes(&p);
		} else {
			pos++;
		}
	}
	free(copy);
}

static size_t good_stream(struct test_random *r, uint8_t *bytes, size_t size)
{
	struct armspe_encoder enc;
	struct armspe_record want;

	armspe_encode_init(&enc, bytes, size);
	while (enc.len < size - 256) {
		test_random_record(r, &enc, &want);
		armspe_encode_align(&enc, 16);
	}
	return enc.len;
}

static void every_truncation(void)
{
	struct test_random r = { 21 };
	uint8_t bytes[2048];
	size_t len = good_stream(&r, bytes, sizeof(bytes)), cut;

	for (cut = 0; cut <= len; cut += TEST_STEP)
		decode_all(bytes, cut);
}

static void every_bit_flip(void)
{
	struct test_random r = { 22 };
	uint8_t bytes[1024];
	size_t len = good_stream(&r, bytes, sizeof(bytes)), bit;

	for (bit = 0; bit < 8 * len; bit += TEST_STEP) {
		bytes[bit / 8] ^= (uint8_t)(1u << bit % 8);
		decode_all(bytes, len);
		bytes[bit / 8] ^= (uint8_t)(1u << bit % 8);
	}
}

static void random_bytes(void)
{
	struct test_random r = { 23 };
	uint8_t bytes[4096];
	unsigned int round;
	size_t i, len;

	for (round = 0; round < TEST_ROUNDS(3000); round++) {
		len = test_random_below(&r, sizeof(bytes));
		for (i = 0; i < len; i++)
			bytes[i] = (uint8_t)test_random(&r);
		decode_all(bytes, len);
	}
}

/* Bytes that look like headers, which plain random ones seldom do */
static void random_headers(void)
{
	static const uint8_t headers[] = {
		0x00, 0x01, 0x20, 0x21, 0x3f, 0x42, 0x43, 0x48, 0x49, 0x4a,
		0x52, 0x64, 0x71, 0x72, 0x98, 0x99, 0xb0, 0xb1, 0xb2, 0xff,
	};
	struct test_random r = { 24 };
	uint8_t bytes[4096];
	unsigned int round;
	size_t i, len;

	for (round = 0; round < TEST_ROUNDS(3000); round++) {
		len = test_random_below(&r, sizeof(bytes));
		for (i = 0; i < len; i++)
			bytes[i] = headers[test_random_below(&r,
							     sizeof(headers))];
		decode_all(bytes, len);
	}
}

/* Streams that make resynchronization look far from every byte */
static void slow_streams(void)
{
	static uint8_t bytes[TEST_ROUNDS(1 << 18)];
	size_t i;

	memset(bytes, 0x01, sizeof(bytes));
	decode_all(bytes, sizeof(bytes));
	memset(bytes, 0x71, sizeof(bytes));
	decode_all(bytes, sizeof(bytes));
	memset(bytes, 0x20, sizeof(bytes));
	decode_all(bytes, sizeof(bytes));
	for (i = 0; i < sizeof(bytes); i++)
		bytes[i] = i % 64 ? 0x00 : i % 128 ? 0x01 : 0x42;
	decode_all(bytes, sizeof(bytes));
	for (i = 0; i < sizeof(bytes); i++)
		bytes[i] = i % 3 ? 0x02 : 0x01;
	decode_all(bytes, sizeof(bytes));
}

const struct test_case hostile_cases[] = {
	{ "hostile: truncated at every byte", every_truncation },
	{ "hostile: every bit flipped", every_bit_flip },
	{ "hostile: random streams", random_bytes },
	{ "hostile: streams of random headers", random_headers },
	{ "hostile: streams that are slow to resynchronize", slow_streams },
	{ 0 },
};
