// SPDX-License-Identifier: GPL-2.0-only
/*
 * The encoder's bytes: headers of Tables D18-1 and D18-2 with SZ and INDEX of
 * D18.2.1 to D18.2.9, payloads from the least significant byte on (D18.1.2).
 */
#include "test.h"

static uint8_t bytes[64];
static struct armspe_encoder enc;

static void begin(void)
{
	memset(bytes, 0xee, sizeof(bytes));
	armspe_encode_init(&enc, bytes, sizeof(bytes));
}

static void expect(const char *want, size_t len)
{
	CHECK(!enc.overflow);
	CHECK_EQ(enc.len, len);
	CHECK(!memcmp(bytes, want, len));
	CHECK_EQ(bytes[len], 0xee);
	begin();
}

static void sizes(void)
{
	begin();
	armspe_encode_events(&enc, 1, 0x12);
	expect("\x42\x12", 2);
	armspe_encode_events(&enc, 2, 0x1234);
	expect("\x52\x34\x12", 3);
	armspe_encode_events(&enc, 4, 0x12345678);
	expect("\x62\x78\x56\x34\x12", 5);
	armspe_encode_events(&enc, 8, 0x0123456789abcdef);
	expect("\x72\xef\xcd\xab\x89\x67\x45\x23\x01", 9);
	armspe_encode_source(&enc, 1, 0x12);
	expect("\x43\x12", 2);
	armspe_encode_source(&enc, 2, 0x1234);
	expect("\x53\x34\x12", 3);
	armspe_encode_context(&enc, 1, 0x12345678);
	expect("\x65\x78\x56\x34\x12", 5);
	armspe_encode_op(&enc, 2, 0x12);
	expect("\x4a\x12", 2);
	armspe_encode_timestamp(&enc, 0x0123456789abcdef);
	expect("\x71\xef\xcd\xab\x89\x67\x45\x23\x01", 9);
	armspe_encode_end(&enc);
	expect("\x01", 1);
	armspe_encode_padding(&enc, 3);
	expect("\0\0\0", 3);
}

/* armspe.h: INDEX below 8 has the short header, the others the extended one. */
static void indexes(void)
{
	begin();
	armspe_encode_address(&enc, 7, 0x0123456789abcdef);
	expect("\xb7\xef\xcd\xab\x89\x67\x45\x23\x01", 9);
	armspe_encode_address(&enc, 8, 0x0123456789abcdef);
	expect("\x21\xb0\xef\xcd\xab\x89\x67\x45\x23\x01", 10);
	armspe_encode_address(&enc, 31, 0x0123456789abcdef);
	expect("\x23\xb7\xef\xcd\xab\x89\x67\x45\x23\x01", 10);
	armspe_encode_counter(&enc, 7, 0x1234);
	expect("\x9f\x34\x12", 3);
	armspe_encode_counter(&enc, 8, 0x1234);
	expect("\x21\x98\x34\x12", 4);
	armspe_encode_counter(&enc, 31, 0x1234);
	expect("\x23\x9f\x34\x12", 4);
	armspe_encode_address_ext(&enc, 1, 0x10);
	expect("\x20\xb1\x10\0\0\0\0\0\0\0", 10);
	armspe_encode_counter_ext(&enc, 1, 0x1234);
	expect("\x20\x99\x34\x12", 4);
}

const struct test_case encode_cases[] = {
	{ "encode: payload sizes, D18.2", sizes },
	{ "encode: short and extended INDEX, Tables D18-1 and D18-2", indexes },
	{ 0 },
};
