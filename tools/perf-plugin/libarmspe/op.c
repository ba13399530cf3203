// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Operation Type packet payloads: one row for each SUBCLASS of D18.2.7.
 */
#include "internal.h"

enum op_size { SIZE_NONE, SIZE_EVL, SIZE_ETS };

struct op_row {
	uint8_t op_class;
	uint8_t mask;		/* bits that the subclass pattern fixes */
	uint8_t value;
	uint8_t subclass;
	uint8_t size;		/* enum op_size */
	bool ldst;		/* bit 0 is LDST */
	uint32_t always;	/* flags that the subclass implies */
	struct {
		uint8_t bit;	/* mask in the payload, 0 ends the list */
		uint32_t flag;
	} field[5];
};

#define OTHER	SPE_OP_CLASS_OTHER
#define LDST	SPE_OP_CLASS_LDST
#define BRANCH	SPE_OP_CLASS_BRANCH

static const struct op_row op_rows[] = {
	{ OTHER, SPE_OP_OTHER_MASK, SPE_OP_OTHER, ARMSPE_OP_OTHER,
	  .field = { { SPE_OP_COND, ARMSPE_OPF_COND },
		     { SPE_OP_FP, ARMSPE_OPF_FP },
		     { SPE_OP_OTHER_ASE, ARMSPE_OPF_ASE } } },
	{ OTHER, SPE_OP_SVE_MASK, SPE_OP_SVE, ARMSPE_OP_SVE, SIZE_EVL,
	  .field = { { SPE_OP_FP, ARMSPE_OPF_FP },
		     { SPE_OP_PRED, ARMSPE_OPF_PRED } } },
	{ OTHER, SPE_OP_SME_MASK, SPE_OP_SME, ARMSPE_OP_SME, SIZE_ETS,
	  .field = { { SPE_OP_FP, ARMSPE_OPF_FP } } },
	{ LDST, SPE_OP_LDST_GENERAL_MASK, SPE_OP_LDST_GP,
	  ARMSPE_OP_LDST_GP, .ldst = true },
	{ LDST, SPE_OP_LDST_GENERAL_MASK, SPE_OP_LDST_SIMD_FP,
	  ARMSPE_OP_LDST_SIMD_FP, .ldst = true },
	{ LDST, SPE_OP_LDST_GENERAL_MASK, SPE_OP_LDST_UNSPECIFIED,
	  ARMSPE_OP_LDST_UNSPECIFIED, .ldst = true },
	{ LDST, SPE_OP_LDST_GENERAL_MASK, SPE_OP_LDST_TAG,
	  ARMSPE_OP_LDST_TAG, .ldst = true },
	{ LDST, SPE_OP_LDST_GENERAL_MASK, SPE_OP_LDST_SYSREG,
	  ARMSPE_OP_LDST_SYSREG, .ldst = true },
	{ LDST, SPE_OP_LDST_EXTENDED_MASK, SPE_OP_LDST_EXTENDED,
	  ARMSPE_OP_LDST_EXTENDED, .ldst = true,
	  .field = { { SPE_OP_AT, ARMSPE_OPF_AT },
		     { SPE_OP_EXCL, ARMSPE_OPF_EXCL },
		     { SPE_OP_AR, ARMSPE_OPF_AR } } },
	{ LDST, SPE_OP_LDST_SVE_SME_MASK, SPE_OP_LDST_SVE_SME,
	  ARMSPE_OP_LDST_SVE_SME, SIZE_EVL, .ldst = true,
	  .field = { { SPE_OP_PRED, ARMSPE_OPF_PRED },
		     { SPE_OP_SG, ARMSPE_OPF_SG } } },
	{ LDST, SPE_OP_LDST_MEMCPY_MASK, SPE_OP_LDST_MEMCPY,
	  ARMSPE_OP_LDST_MEMCPY, .ldst = true },
	{ LDST, SPE_OP_LDST_MEMSET_MASK, SPE_OP_LDST_MEMSET,
	  ARMSPE_OP_LDST_MEMSET, .ldst = true },
	{ LDST, SPE_OP_LDST_GCS_MASK, SPE_OP_LDST_GCS,
	  ARMSPE_OP_LDST_GCS, .ldst = true,
	  .field = { { SPE_OP_COMM, ARMSPE_OPF_COMM } } },
	{ BRANCH, SPE_OP_BRANCH_MASK, SPE_OP_BRANCH, ARMSPE_OP_BRANCH,
	  .always = ARMSPE_OPF_BRANCH,
	  .field = { { SPE_OP_COND, ARMSPE_OPF_COND },
		     { SPE_OP_IND, ARMSPE_OPF_INDIRECT },
		     { SPE_OP_BRANCH_GCS, ARMSPE_OPF_GCS } } },
};

/* The rows of a class do not overlap, so their order does not matter. */
_Static_assert(!(SPE_OP_LDST_EXTENDED & SPE_OP_LDST_SVE_SME_MASK &
		 SPE_OP_LDST_SVE_SME), "extended and SVE patterns differ");
_Static_assert(ARRAY_LEN(op_rows) == ARMSPE_OP_RESERVED,
	       "one row for each subclass");

static const struct op_row *op_find(unsigned int op_class, uint8_t payload)
{
	const struct op_row *row;

	for (row = op_rows; row < op_rows + ARMSPE_OP_RESERVED; row++)
		if (row->op_class == op_class &&
		    (payload & row->mask) == row->value)
			return row;
	return NULL;
}

/* EVL: 32 << EVL bits, and 0b111 for more than 2048 */
static void op_evl(uint8_t payload, struct armspe_op *op)
{
	unsigned int evl = (payload & SPE_OP_EVL_MASK) >> SPE_OP_EVL_SHIFT;

	op->flags |= ARMSPE_OPF_BITS_VALID;
	op->vector_bits = 32u << evl;
	if (evl == SPE_OP_EVL_OVER_2048) {
		op->vector_bits = 2048;
		op->flags |= ARMSPE_OPF_BITS_ABOVE;
	}
}

/* ETS: 128 << ETS bits up to 0b1011, the whole array for 0b1111 */
static void op_ets(uint8_t payload, struct armspe_op *op)
{
	unsigned int ets = (payload & SPE_OP_ETS_HI_MASK) >>
		(SPE_OP_ETS_HI_SHIFT - 1);

	if (payload & SPE_OP_ETS_LO)
		ets |= 1;
	if (ets == SPE_OP_ETS_WHOLE_ZA) {
		op->flags |= ARMSPE_OPF_WHOLE_ZA;
	} else if (ets > 11) {
		op->flags |= ARMSPE_OPF_RESERVED;
	} else {
		op->flags |= ARMSPE_OPF_BITS_VALID;
		op->vector_bits = 128u << ets;
	}
}

static uint32_t op_branch_cr(uint8_t payload)
{
	switch ((payload & SPE_OP_CR_MASK) >> SPE_OP_CR_SHIFT) {
	case SPE_OP_CR_LINK:
		return ARMSPE_OPF_CR_VALID | ARMSPE_OPF_LINK;
	case SPE_OP_CR_RETURN:
		return ARMSPE_OPF_CR_VALID | ARMSPE_OPF_RETURN;
	case SPE_OP_CR_NEITHER:
		return ARMSPE_OPF_CR_VALID;
	default:
		return 0;
	}
}

bool armspe_op_decode(unsigned int op_class, uint8_t payload,
		      struct armspe_op *op)
{
	const struct op_row *row = op_find(op_class, payload);
	unsigned int i;

	memset(op, 0, sizeof(*op));
	if (!row) {
		op->subclass = ARMSPE_OP_RESERVED;
		op->flags = ARMSPE_OPF_RESERVED;
		return false;
	}
	op->subclass = row->subclass;
	op->flags = row->always;
	for (i = 0; i < 5 && row->field[i].bit; i++)
		if (payload & row->field[i].bit)
			op->flags |= row->field[i].flag;
	if (row->ldst)
		op->flags |= payload & SPE_OP_LDST ? ARMSPE_OPF_STORE :
						     ARMSPE_OPF_LOAD;
	if (row->op_class == BRANCH)
		op->flags |= op_branch_cr(payload);
	if (row->size == SIZE_EVL)
		op_evl(payload, op);
	else if (row->size == SIZE_ETS)
		op_ets(payload, op);
	return true;
}

const char *armspe_op_name(unsigned int subclass)
{
	static const char *const names[] = {
		[ARMSPE_OP_OTHER] = "OTHER",
		[ARMSPE_OP_SVE] = "SVE",
		[ARMSPE_OP_SME] = "SME",
		[ARMSPE_OP_LDST_GP] = "GP-REG",
		[ARMSPE_OP_LDST_SIMD_FP] = "SIMD-FP-REG",
		[ARMSPE_OP_LDST_UNSPECIFIED] = "UNSPECIFIED-REG",
		[ARMSPE_OP_LDST_TAG] = "ALLOCATION-TAG",
		[ARMSPE_OP_LDST_SYSREG] = "NV2-SYSREG",
		[ARMSPE_OP_LDST_EXTENDED] = "EXTENDED",
		[ARMSPE_OP_LDST_SVE_SME] = "SVE-SME-REG",
		[ARMSPE_OP_LDST_MEMCPY] = "MEMORY-COPY",
		[ARMSPE_OP_LDST_MEMSET] = "MEMORY-SET",
		[ARMSPE_OP_LDST_GCS] = "GCS",
		[ARMSPE_OP_BRANCH] = "BRANCH",
		[ARMSPE_OP_RESERVED] = "RESERVED",
	};

	_Static_assert(ARRAY_LEN(names) == ARMSPE_OP_RESERVED + 1,
		       "a name for each subclass");
	if (subclass > ARMSPE_OP_RESERVED)
		return "INVALID";
	return names[subclass];
}

/* Number of the lowest set bit of a flag */
#define BIT_OF(flag)	__builtin_ctz(flag)

/* armspe_text_packet() writes LOAD, STORE and sizes itself: they have no name here. */
const char *armspe_op_flag_name(unsigned int bit)
{
	static const char *const names[] = {
		[BIT_OF(ARMSPE_OPF_COND)] = "COND",
		[BIT_OF(ARMSPE_OPF_INDIRECT)] = "IND",
		[BIT_OF(ARMSPE_OPF_FP)] = "FP",
		[BIT_OF(ARMSPE_OPF_ASE)] = "ASE",
		[BIT_OF(ARMSPE_OPF_PRED)] = "PRED",
		[BIT_OF(ARMSPE_OPF_SG)] = "SG",
		[BIT_OF(ARMSPE_OPF_AT)] = "AT",
		[BIT_OF(ARMSPE_OPF_EXCL)] = "EXCL",
		[BIT_OF(ARMSPE_OPF_AR)] = "AR",
		[BIT_OF(ARMSPE_OPF_COMM)] = "COMM",
		[BIT_OF(ARMSPE_OPF_GCS)] = "GCS-ACCESS",
		[BIT_OF(ARMSPE_OPF_LINK)] = "LINK",
		[BIT_OF(ARMSPE_OPF_RETURN)] = "RETURN",
	};

	_Static_assert(ARRAY_LEN(names) == BIT_OF(ARMSPE_OPF_RETURN) + 1,
		       "RETURN is the last flag with a name");
	if (bit >= ARRAY_LEN(names))
		return NULL;
	return names[bit];
}
