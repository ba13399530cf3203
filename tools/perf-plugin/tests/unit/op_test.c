// SPDX-License-Identifier: GPL-2.0-only
/*
 * Operation table: the bit patterns of D18.2.7 as the manual writes them,
 * against all 4 * 256 payloads.
 */
#include "test.h"

static const struct {
	unsigned int op_class;
	const char *pattern;
	unsigned int subclass;
} rows[] = {
	{ 0, "00000xxx", ARMSPE_OP_OTHER },
	{ 0, "0xxx1xx0", ARMSPE_OP_SVE },
	{ 0, "1xxx1xx0", ARMSPE_OP_SME },
	{ 1, "0000000x", ARMSPE_OP_LDST_GP },
	{ 1, "0000010x", ARMSPE_OP_LDST_SIMD_FP },
	{ 1, "0001000x", ARMSPE_OP_LDST_UNSPECIFIED },
	{ 1, "0001010x", ARMSPE_OP_LDST_TAG },
	{ 1, "0011000x", ARMSPE_OP_LDST_SYSREG },
	{ 1, "000xxx1x", ARMSPE_OP_LDST_EXTENDED },
	{ 1, "xxxx1x0x", ARMSPE_OP_LDST_SVE_SME },
	{ 1, "0010000x", ARMSPE_OP_LDST_MEMCPY },
	{ 1, "00100101", ARMSPE_OP_LDST_MEMSET },
	{ 1, "01000x0x", ARMSPE_OP_LDST_GCS },
	{ 2, "000xxxxx", ARMSPE_OP_BRANCH },
};

#define NR_ROWS (sizeof(rows) / sizeof(rows[0]))

static bool fits(const char *pattern, unsigned int payload)
{
	int bit;

	for (bit = 7; bit >= 0; bit--, pattern++)
		if (*pattern != 'x' &&
		    (payload >> bit & 1) != (unsigned int)(*pattern - '0'))
			return false;
	return true;
}

static void every_payload(void)
{
	unsigned int op_class, payload, i;
	struct armspe_op op;

	for (op_class = 0; op_class < 4; op_class++) {
		for (payload = 0; payload < 256; payload++) {
			unsigned int want = ARMSPE_OP_RESERVED, matches = 0;

			for (i = 0; i < NR_ROWS; i++) {
				if (rows[i].op_class == op_class &&
				    fits(rows[i].pattern, payload)) {
					want = rows[i].subclass;
					matches++;
				}
			}
			CHECK(matches <= 1);
			CHECK(armspe_op_decode(op_class, (uint8_t)payload,
					       &op) == (matches == 1));
			CHECK_EQ(op.subclass, want);
			/* Only EVL and ETS are sizes. */
			if (!(op.flags & ARMSPE_OPF_BITS_VALID))
				CHECK_EQ(op.vector_bits, 0);
		}
	}
}

/* armspe.h: a name for values outside the enum too */
static void names_outside(void)
{
	CHECK_STR(armspe_op_name(ARMSPE_OP_RESERVED), "RESERVED");
	CHECK_STR(armspe_op_name(ARMSPE_OP_RESERVED + 1), "INVALID");
	CHECK_STR(armspe_op_name(UINT32_MAX), "INVALID");
	CHECK(!armspe_op_flag_name(16));
	CHECK(!armspe_op_flag_name(UINT32_MAX));
}

static uint32_t flags_of(unsigned int op_class, uint8_t payload)
{
	struct armspe_op op;

	armspe_op_decode(op_class, payload, &op);
	return op.flags;
}

static void other_fields(void)
{
	CHECK_EQ(flags_of(0, 0x00), 0);
	CHECK_EQ(flags_of(0, 0x01), ARMSPE_OPF_COND);
	CHECK_EQ(flags_of(0, 0x02), ARMSPE_OPF_FP);
	CHECK_EQ(flags_of(0, 0x04), ARMSPE_OPF_ASE);
}

static void sve_fields(void)
{
	static const unsigned int bits[] = {
		32, 64, 128, 256, 512, 1024, 2048, 2048,
	};
	struct armspe_op op;
	unsigned int evl;

	CHECK_EQ(flags_of(0, 0x0a), ARMSPE_OPF_FP | ARMSPE_OPF_BITS_VALID);
	CHECK_EQ(flags_of(0, 0x0c), ARMSPE_OPF_PRED | ARMSPE_OPF_BITS_VALID);
	for (evl = 0; evl < 8; evl++) {
		armspe_op_decode(0, (uint8_t)(0x08 | evl << 4), &op);
		CHECK_EQ(op.vector_bits, bits[evl]);
		CHECK_EQ(!!(op.flags & ARMSPE_OPF_BITS_ABOVE), evl == 7);
		armspe_op_decode(1, (uint8_t)(0x08 | evl << 4), &op);
		CHECK_EQ(op.vector_bits, bits[evl]);
		CHECK_EQ(op.flags & ~ARMSPE_OPF_BITS_ABOVE,
			 ARMSPE_OPF_LOAD | ARMSPE_OPF_BITS_VALID);
	}
	CHECK_EQ(flags_of(1, 0x8d), ARMSPE_OPF_STORE | ARMSPE_OPF_PRED |
				    ARMSPE_OPF_SG | ARMSPE_OPF_BITS_VALID);
}

static void sme_fields(void)
{
	struct armspe_op op;
	unsigned int ets;

	for (ets = 0; ets < 16; ets++) {
		armspe_op_decode(0, (uint8_t)(0x88 | (ets >> 1) << 4 |
					      (ets & 1) << 2), &op);
		CHECK_EQ(op.subclass, ARMSPE_OP_SME);
		if (ets < 12) {
			CHECK_EQ(op.vector_bits, 128u << ets);
			CHECK_EQ(op.flags, ARMSPE_OPF_BITS_VALID);
		} else if (ets == 15) {
			CHECK_EQ(op.flags, ARMSPE_OPF_WHOLE_ZA);
		} else {
			CHECK_EQ(op.flags, ARMSPE_OPF_RESERVED);
		}
	}
	CHECK_EQ(flags_of(0, 0x8a), ARMSPE_OPF_FP | ARMSPE_OPF_BITS_VALID);
}

static void load_store_fields(void)
{
	static const uint8_t general[] = {
		0x00, 0x04, 0x10, 0x14, 0x30, 0x02, 0x20, 0x40,
	};
	unsigned int i;

	for (i = 0; i < sizeof(general); i++) {
		CHECK_EQ(flags_of(1, general[i]), ARMSPE_OPF_LOAD);
		CHECK_EQ(flags_of(1, general[i] | 1), ARMSPE_OPF_STORE);
	}
	CHECK_EQ(flags_of(1, 0x25), ARMSPE_OPF_STORE);
	CHECK_EQ(flags_of(1, 0x24), ARMSPE_OPF_RESERVED);
	CHECK_EQ(flags_of(1, 0x06), ARMSPE_OPF_LOAD | ARMSPE_OPF_AT);
	CHECK_EQ(flags_of(1, 0x0a), ARMSPE_OPF_LOAD | ARMSPE_OPF_EXCL);
	CHECK_EQ(flags_of(1, 0x12), ARMSPE_OPF_LOAD | ARMSPE_OPF_AR);
	CHECK_EQ(flags_of(1, 0x44), ARMSPE_OPF_LOAD | ARMSPE_OPF_COMM);
}

static void branch_fields(void)
{
	const uint32_t b = ARMSPE_OPF_BRANCH, cr = ARMSPE_OPF_CR_VALID;

	CHECK_EQ(flags_of(2, 0x00), b);
	CHECK_EQ(flags_of(2, 0x01), b | ARMSPE_OPF_COND);
	CHECK_EQ(flags_of(2, 0x02), b | ARMSPE_OPF_INDIRECT);
	CHECK_EQ(flags_of(2, 0x04), b | ARMSPE_OPF_GCS);
	CHECK_EQ(flags_of(2, 0x08), b | cr | ARMSPE_OPF_LINK);
	CHECK_EQ(flags_of(2, 0x10), b | cr | ARMSPE_OPF_RETURN);
	CHECK_EQ(flags_of(2, 0x18), b | cr);
}

static void event_names(void)
{
	unsigned int i, j;

	CHECK_STR(armspe_event_name(0), "exception");
	CHECK_STR(armspe_event_name(5), "tlb-walk");
	CHECK_STR(armspe_event_name(11), "misaligned");
	CHECK_STR(armspe_event_name(15), "impdef-15");
	CHECK_STR(armspe_event_name(18), "empty-predicate");
	CHECK_STR(armspe_event_name(25), "smcu");
	CHECK_STR(armspe_event_name(40), "reserved-40");
	CHECK_STR(armspe_event_name(63), "impdef-63");
	CHECK_STR(armspe_event_name(64), "invalid");
	CHECK_STR(armspe_event_of(0, 3, 0), "exception");
	CHECK_STR(armspe_event_of(0, 1, 0), "impdef-0");
	CHECK_STR(armspe_event_of(0x413fd0c1, 0x1002, 12), "late-prefetch");
	CHECK_STR(armspe_event_of(0x413fd0c1, 0x2002, 13), "impdef-13");
	CHECK_STR(armspe_event_of(0x410fd490, 0x1002, 12), "impdef-12");
	CHECK_STR(armspe_event_of(0, 2, 64), "invalid");
	for (i = 0; i < 64; i++)
		for (j = 0; j < i; j++)
			CHECK(strcmp(armspe_event_name(i),
				     armspe_event_name(j)));
}

const struct test_case op_cases[] = {
	{ "op: every class and payload, D18.2.7", every_payload },
	{ "op: names outside the enum", names_outside },
	{ "op: other", other_fields },
	{ "op: SVE data processing and load/store, EVL", sve_fields },
	{ "op: SME, ETS", sme_fields },
	{ "op: load/store", load_store_fields },
	{ "op: branch, CR", branch_fields },
	{ "event: 64 distinct names, D18.2.6", event_names },
	{ 0 },
};
