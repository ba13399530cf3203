// SPDX-License-Identifier: GPL-2.0-only
/* Text vectors: bytes, and what they mean. */
#include <stdlib.h>

#include "test.h"

static const struct {
	const char *hex, *text;
} vectors[] = {
	{ "00", "PADDING 1" },
	{ "000000", "PADDING 3" },
	{ "01", "END" },
	{ "71efcdab8967452301", "TIMESTAMP 81985529216486895" },
	{ "71ffffffffffffffff", "TIMESTAMP 18446744073709551615" },
	/* Figure D18-4 */
	{ "b000001234000080a0", "PC 0xff80000034120000 EL1 NON-SECURE" },
	{ "b0e04321bffd7f0080", "PC 0x7ffdbf2143e0 EL0 NON-SECURE" },
	{ "b00000000000000040", "PC 0x0 EL2 SECURE" },
	{ "b000000000000000f0", "PC 0x0 EL3 REALM" },
	{ "b00000000000000010", "PC 0x0 EL0 SECURITY=reserved" },
	{ "b00000000000000085", "PC 0x0 EL0 NON-SECURE reserved=0x5" },
	{ "b10844000000000080", "BRANCH-TARGET 0x4408 EL0 NON-SECURE" },
	{ "b40844000000000080", "PREVIOUS-BRANCH-TARGET 0x4408 EL0 NON-SECURE" },
	/* Figures D18-5 and D18-6 */
	{ "b2d040d8700000005a", "DATA-VA 0x70d840d0 TAG=0x5a" },
	{ "b3c0eb24fb00000080", "DATA-PA 0xfb24ebc0 NON-SECURE" },
	{ "b300000000000000d7",
	  "DATA-PA 0x0 REALM TAG-CHECKED PAT=0x7" },
	{ "b30000000000000023", "DATA-PA 0x0 SECURE PAT=0x3 reserved=0x20" },
	{ "b50100000000000000", "RESERVED-ADDRESS[5] 0x1" },
	{ "b61000000000000000", "IMPDEF-ADDRESS[6] 0x10" },
	{ "21b01000000000000000", "RESERVED-ADDRESS[8] 0x10" },
	{ "22b01000000000000000", "IMPDEF-ADDRESS[16] 0x10" },
	{ "20b0e04321bffd7f0080", "PC 0x7ffdbf2143e0 EL0 NON-SECURE" },
	{ "6401000000", "CONTEXTIDR_EL1 0x1" },
	{ "65ffffffff", "CONTEXTIDR_EL2 0xffffffff" },
	{ "6601000000", "RESERVED-CONTEXT[2] 0x1" },
	{ "980d00", "TOTAL-LATENCY 13" },
	{ "98ff0f", "TOTAL-LATENCY 4095 (saturated if 12-bit)" },
	{ "99ffff", "ISSUE-LATENCY 65535 SATURATED" },
	{ "9a0000", "TRANSLATION-LATENCY 0" },
	{ "9b0100", "RESERVED-COUNTER[3] 1" },
	{ "9c0700", "ALTCLK-ISSUE-LATENCY 7" },
	{ "9f0900", "IMPDEF-COUNTER[7] 9" },
	{ "239f0900", "IMPDEF-COUNTER[31] 9" },
	{ "4308", "DATA-SOURCE 0x8" },
	{ "530d01", "DATA-SOURCE 0x10d" },
	{ "6301000000", "DATA-SOURCE 0x1 reserved-SZ=0x4" },
	{ "4200", "EVENTS none" },
	{ "42ff", "EVENTS exception retired l1d-access l1d-refill tlb-access "
		  "tlb-walk not-taken mispredicted" },
	{ "52000f", "EVENTS llc-access llc-miss remote-access misaligned" },
	{ "6200f0fffe", "EVENTS impdef-12 impdef-13 impdef-14 impdef-15 "
	  "transactional partial-predicate empty-predicate l2d-access l2d-miss "
	  "data-modified recently-fetched data-snooped smcu impdef-26 "
	  "impdef-27 impdef-28 impdef-29 impdef-30 impdef-31" },
	{ "720000000101000180",
	  "EVENTS streaming-sve reserved-32 impdef-48 impdef-63" },
	{ "4800", "OP OTHER" },
	{ "4807", "OP OTHER COND FP ASE" },
	{ "483e", "OP SVE FP PRED EVL=256" },
	{ "4878", "OP SVE EVL=>2048" },
	{ "4888", "OP SME ETS=128" },
	{ "48fe", "OP SME FP ETS=whole-ZA" },
	{ "48ec", "OP SME CLASS=0x0 payload=0xec" },
	{ "4810", "OP RESERVED CLASS=0x0 payload=0x10" },
	{ "4900", "OP LOAD GP-REG" },
	{ "4905", "OP STORE SIMD-FP-REG" },
	{ "4910", "OP LOAD UNSPECIFIED-REG" },
	{ "4915", "OP STORE ALLOCATION-TAG" },
	{ "4930", "OP LOAD NV2-SYSREG" },
	{ "491e", "OP LOAD EXTENDED AT EXCL AR" },
	{ "49a9", "OP STORE SVE-SME-REG SG EVL=128" },
	{ "4920", "OP LOAD MEMORY-COPY" },
	{ "4925", "OP STORE MEMORY-SET" },
	{ "4945", "OP STORE GCS COMM" },
	{ "4a0f", "OP BRANCH COND IND GCS-ACCESS LINK" },
	{ "4a12", "OP BRANCH IND RETURN" },
	{ "4a00", "OP BRANCH" },
	{ "4a19", "OP BRANCH COND NEITHER-LINK-NOR-RETURN" },
	{ "4a20", "OP RESERVED CLASS=0x2 payload=0x20" },
	{ "4b00", "OP RESERVED CLASS=0x3 payload=0x0" },
	{ "02", "UNKNOWN header=0x2" },
	{ "4411", "UNKNOWN header=0x44 payload=0x11" },
	{ "2000", "UNKNOWN header=0x20,0x0" },
	{ "24b01000000000000000", "UNKNOWN header=0x24,0xb0 payload=0x10" },
};

static size_t from_hex(const char *hex, uint8_t *bytes)
{
	size_t n = 0;

	for (; *hex; hex += 2) {
		char pair[3] = { hex[0], hex[1], 0 };

		bytes[n++] = (uint8_t)strtoul(pair, NULL, 16);
	}
	return n;
}

static void all_vectors(void)
{
	char text[ARMSPE_TEXT_MAX];
	struct armspe_packet p;
	uint8_t bytes[16];
	unsigned int i;
	size_t len;

	for (i = 0; i < sizeof(vectors) / sizeof(vectors[0]); i++) {
		len = from_hex(vectors[i].hex, bytes);
		CHECK(armspe_packet_decode(bytes, len, &p) == ARMSPE_OK);
		CHECK_EQ(armspe_packet_bytes(&p), len);
		CHECK_EQ(armspe_text_packet(&p, text, sizeof(text)),
			 strlen(vectors[i].text));
		CHECK_STR(text, vectors[i].text);
	}
}

static void cut_text(void)
{
	uint8_t bytes[2] = { 0x42, 0xff };
	char text[ARMSPE_TEXT_MAX], whole[ARMSPE_TEXT_MAX];
	struct armspe_packet p;
	size_t size, len;

	armspe_packet_decode(bytes, 2, &p);
	len = armspe_text_packet(&p, whole, sizeof(whole));
	for (size = 0; size < len + 2; size++) {
		memset(text, '#', sizeof(text));
		CHECK_EQ(armspe_text_packet(&p, text, size), len);
		if (size) {
			CHECK_EQ(strlen(text), size <= len ? size - 1 : len);
			CHECK(!strncmp(text, whole, strlen(text)));
		}
		CHECK(text[size] == '#');
	}
}

/* Numbers are copied whole where they fit: cut them at every digit. */
static void cut_numbers(void)
{
	uint8_t bytes[9] = { 0x71, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff };
	static const char *const wholes[] = {
		"TIMESTAMP 18446744073709551615",
		"RESERVED-ADDRESS[5] 0xffffffffffffffff",
	};
	char text[ARMSPE_TEXT_MAX];
	struct armspe_packet p;
	size_t size, len;
	unsigned int i;

	for (i = 0; i < 2; i++) {
		armspe_packet_decode(bytes, 9, &p);
		len = strlen(wholes[i]);
		for (size = 1; size < len + 2; size++) {
			memset(text, '#', sizeof(text));
			CHECK_EQ(armspe_text_packet(&p, text, size), len);
			CHECK_EQ(strlen(text), size <= len ? size - 1 : len);
			CHECK(!strncmp(text, wholes[i], strlen(text)));
			CHECK(text[size] == '#');
		}
		bytes[0] = 0xb5;
	}
}

static void longest_text(void)
{
	uint8_t bytes[9];
	char text[ARMSPE_TEXT_MAX];
	struct armspe_packet p;

	memset(bytes, 0xff, sizeof(bytes));
	bytes[0] = 0x72;
	armspe_packet_decode(bytes, 9, &p);
	CHECK(armspe_text_packet(&p, text, sizeof(text)) < sizeof(text));
}

const struct test_case text_cases[] = {
	{ "text: vectors", all_vectors },
	{ "text: cut to any size", cut_text },
	{ "text: numbers cut to any size", cut_numbers },
	{ "text: the longest fits ARMSPE_TEXT_MAX", longest_text },
	{ 0 },
};
