// SPDX-License-Identifier: GPL-2.0-only
/* Packet layer: every header of Tables D18-1 and D18-2. */
#include "test.h"

/* D18.1.1, spelled out once more: payload bytes by the first header byte */
static int size_of(unsigned int h)
{
	if (h <= 0x1f)
		return 0;
	if (h <= 0x3f)
		return -1;
	switch (h & 0x30) {
	case 0x00:
		return 1;
	case 0x10:
		return 2;
	case 0x20:
		return 4;
	default:
		return 8;
	}
}

static void every_short_header(void)
{
	uint8_t bytes[16] = { 0, 1, 2, 3, 4, 5, 6, 7, 8 };
	struct armspe_packet p;
	unsigned int h;

	for (h = 1; h < 256; h++) {
		int size = size_of(h);

		if (size < 0)
			continue;
		bytes[0] = (uint8_t)h;
		CHECK(armspe_packet_decode(bytes, 16, &p) == ARMSPE_OK);
		CHECK_EQ(p.header_bytes, 1);
		CHECK_EQ(p.payload_bytes, size);
		CHECK_EQ(p.header[0], h);
		CHECK_EQ(p.payload, size == 8 ? 0x0807060504030201ULL :
				    0x0807060504030201ULL &
				    ((1ULL << 8 * size) - 1));
	}
}

static void short_types(void)
{
	static const struct {
		uint8_t from, to, type;
	} rows[] = {
		{ 0x01, 0x01, ARMSPE_END_OF_RECORD },
		{ 0x42, 0x42, ARMSPE_EVENTS }, { 0x52, 0x52, ARMSPE_EVENTS },
		{ 0x62, 0x62, ARMSPE_EVENTS }, { 0x72, 0x72, ARMSPE_EVENTS },
		{ 0x43, 0x43, ARMSPE_DATA_SOURCE },
		{ 0x53, 0x53, ARMSPE_DATA_SOURCE },
		{ 0x63, 0x63, ARMSPE_DATA_SOURCE },
		{ 0x73, 0x73, ARMSPE_DATA_SOURCE },
		{ 0x48, 0x4b, ARMSPE_OP_TYPE }, { 0x64, 0x67, ARMSPE_CONTEXT },
		{ 0x71, 0x71, ARMSPE_TIMESTAMP },
		{ 0x98, 0x9f, ARMSPE_COUNTER }, { 0xb0, 0xb7, ARMSPE_ADDRESS },
	};
	uint8_t bytes[9] = { 0 };
	struct armspe_packet p;
	unsigned int h, i;

	for (h = 1; h < 256; h++) {
		unsigned int want = ARMSPE_UNKNOWN;

		if (size_of(h) < 0)
			continue;
		for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
			if (h >= rows[i].from && h <= rows[i].to)
				want = rows[i].type;
		bytes[0] = (uint8_t)h;
		armspe_packet_decode(bytes, sizeof(bytes), &p);
		CHECK_EQ(p.type, want);
	}
}

static void every_extended_header(void)
{
	uint8_t bytes[10] = { 0 };
	struct armspe_packet p;
	unsigned int h0, h1;

	for (h0 = 0x20; h0 < 0x40; h0++) {
		for (h1 = 0; h1 < 256; h1++) {
			bool defined = (h0 & 0x1c) == 0;
			unsigned int want = ARMSPE_UNKNOWN;

			bytes[0] = (uint8_t)h0;
			bytes[1] = (uint8_t)h1;
			if (size_of(h1) < 0) {
				CHECK(armspe_packet_decode(bytes, 10, &p) ==
				      ARMSPE_DAMAGED);
				continue;
			}
			CHECK(armspe_packet_decode(bytes, 10, &p) == ARMSPE_OK);
			CHECK_EQ(armspe_packet_bytes(&p), 2 + size_of(h1));
			if (defined && (h1 & 0xf8) == 0xb0)
				want = ARMSPE_ADDRESS;
			if (defined && (h1 & 0xf8) == 0x98)
				want = ARMSPE_COUNTER;
			CHECK_EQ(p.type, want);
			if (want != ARMSPE_UNKNOWN)
				CHECK_EQ(p.index, (h0 & 3) << 3 | (h1 & 7));
		}
	}
}

static void reserved_values(void)
{
	/* D18.2.1 and D18.2.3: what the INDEX tables do not list */
	static const uint8_t addr_ok[] = { 0, 1, 2, 3, 4, 6, 7 };
	static const uint8_t counter_ok[] = { 0, 1, 2, 4, 6, 7 };
	struct armspe_encoder enc;
	struct armspe_packet p;
	uint8_t bytes[16];
	unsigned int i;

	for (i = 0; i < 32; i++) {
		armspe_encode_init(&enc, bytes, sizeof(bytes));
		armspe_encode_address(&enc, i, 0);
		armspe_packet_decode(bytes, enc.len, &p);
		CHECK_EQ(p.index, i);
		CHECK_EQ(p.reserved, i < 16 && !memchr(addr_ok, (int)i, 7));
		armspe_encode_init(&enc, bytes, sizeof(bytes));
		armspe_encode_counter(&enc, i, 0);
		armspe_packet_decode(bytes, enc.len, &p);
		CHECK_EQ(p.reserved, i < 16 && !memchr(counter_ok, (int)i, 6));
	}
	for (i = 0; i < 4; i++) {
		armspe_encode_init(&enc, bytes, sizeof(bytes));
		armspe_encode_context(&enc, i, 0);
		armspe_packet_decode(bytes, enc.len, &p);
		CHECK_EQ(p.reserved, i > 1);
		armspe_encode_init(&enc, bytes, sizeof(bytes));
		armspe_encode_op(&enc, i, 0);
		armspe_packet_decode(bytes, enc.len, &p);
		CHECK_EQ(p.reserved, i == 3);
		bytes[0] = (uint8_t)(0x43 | i << 4);
		armspe_packet_decode(bytes, sizeof(bytes), &p);
		CHECK_EQ(p.reserved, i > 1);
	}
}

static void padding_runs(void)
{
	uint8_t bytes[40] = { 0 };
	struct armspe_packet p;
	size_t n;

	for (n = 1; n < 40; n++) {
		memset(bytes, 0, sizeof(bytes));
		bytes[n] = 0x01;
		CHECK(armspe_packet_decode(bytes, 40, &p) == ARMSPE_OK);
		CHECK_EQ(p.type, ARMSPE_PADDING);
		CHECK_EQ(armspe_packet_bytes(&p), n < 16 ? n : 16);
		/* and bounded by the bytes given */
		memset(bytes, 0, sizeof(bytes));
		armspe_packet_decode(bytes, n, &p);
		CHECK_EQ(armspe_packet_bytes(&p), n < 16 ? n : 16);
	}
}

static void cut_everywhere(void)
{
	uint8_t bytes[12] = { 0 };
	struct armspe_packet p;
	unsigned int h;
	size_t len;

	CHECK(armspe_packet_decode(bytes, 0, &p) == ARMSPE_END);
	for (h = 1; h < 256; h++) {
		int size = size_of(h) < 0 ? 8 : size_of(h);
		size_t whole = (size_of(h) < 0 ? 2u : 1u) + (size_t)size;

		bytes[0] = (uint8_t)h;
		bytes[1] = 0xb0;
		for (len = 1; len <= whole; len++)
			CHECK(armspe_packet_decode(bytes, len, &p) ==
			      (len < whole ? ARMSPE_CUT : ARMSPE_OK));
	}
}

const struct test_case packet_cases[] = {
	{ "packet: every short header has the size of D18.1.1",
	  every_short_header },
	{ "packet: every short header has the type of Table D18-1",
	  short_types },
	{ "packet: every extended header, Table D18-2", every_extended_header },
	{ "packet: reserved INDEX, CLASS and SZ are marked", reserved_values },
	{ "packet: padding comes in runs of up to 16", padding_runs },
	{ "packet: cut at every byte", cut_everywhere },
	{ 0 },
};
