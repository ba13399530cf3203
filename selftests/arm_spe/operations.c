// SPDX-License-Identifier: GPL-2.0-only
/* What the record of each kind of operation must hold (D17.6, D18.2.7). */
#include "test.h"

FIXTURE(operation) {
	struct spe_test t;
};

FIXTURE_VARIANT(operation) {
	enum work_index index;
};

SPE_FIXTURE_SETUP(operation)

#define CASE(label, which)						\
	FIXTURE_VARIANT_ADD(operation, label) { .index = which }
CASE(nop, WORK_NOP);
CASE(add, WORK_ADD);
CASE(mul, WORK_MUL);
CASE(csel, WORK_CSEL);
CASE(ccmp, WORK_CCMP);
CASE(prfm, WORK_PRFM);
CASE(fadd_scalar, WORK_FADD);
CASE(add_vector, WORK_VADD);
CASE(ldr, WORK_LDR);
CASE(ldrb, WORK_LDRB);
CASE(ldp, WORK_LDP);
CASE(str, WORK_STR);
CASE(stp, WORK_STP);
CASE(ldr_d, WORK_LDR_D);
CASE(str_q, WORK_STR_Q);
CASE(ld1, WORK_LD1);
CASE(ldar, WORK_LDAR);
CASE(stlr, WORK_STLR);
CASE(ldxr, WORK_LDXR);
CASE(stxr, WORK_STXR);
CASE(ldadd, WORK_LDADD);
CASE(stadd, WORK_STADD);
CASE(cas, WORK_CAS);
CASE(swpal, WORK_SWPAL);
CASE(b, WORK_B);
CASE(b_cond_taken, WORK_B_EQ_TAKEN);
CASE(b_cond_not_taken, WORK_B_NE_NOT_TAKEN);
CASE(cbz_taken, WORK_CBZ);
CASE(tbnz_taken, WORK_TBNZ);
CASE(bl, WORK_BL);
CASE(br, WORK_BR);
CASE(blr, WORK_BLR);
CASE(ret, WORK_RET);

static void expect_access(struct __test_metadata *_metadata,
			  const struct spe_record *r, const void *memory,
			  unsigned int bytes)
{
	ASSERT_TRUE(r->has & SPE_HAS_VA);
	ASSERT_LE((uintptr_t)memory, r->va);
	ASSERT_GT((uintptr_t)memory + bytes, r->va);
	/* Every load, store and atomic has "The translation latency" packet. */
	ASSERT_TRUE(r->has & SPE_HAS_TRANSLATION);
	if (spe_is_load(r))
		ASSERT_FALSE(r->has & SPE_HAS_TARGET);
}

static void expect_branch(struct __test_metadata *_metadata,
			  const struct spe_record *r,
			  const struct work_operation *operation)
{
	unsigned int cr = r->subclass & SPE_OP_CR_MASK;

	EXPECT_EQ(operation->not_taken, spe_event(r, SPE_EVENT_NOT_TAKEN));
	if (operation->target) {
		ASSERT_TRUE(r->has & SPE_HAS_TARGET);
		ASSERT_EQ((uintptr_t)operation->target, r->target);
		ASSERT_EQ(0, r->target_el);
	}
	/* CR is 0 without FEAT_SPE_CRR, and never 0 with it. */
	if (!cr)
		return;
	switch (operation - work_operations) {
	case WORK_BL:
	case WORK_BLR:
		EXPECT_EQ(SPE_OP_CR_LINK << SPE_OP_CR_SHIFT, cr);
		break;
	case WORK_RET:
		EXPECT_EQ(SPE_OP_CR_RETURN << SPE_OP_CR_SHIFT, cr);
		break;
	default:
		EXPECT_EQ(SPE_OP_CR_NEITHER << SPE_OP_CR_SHIFT, cr);
	}
}

TEST_F(operation, is_recorded_as_what_it_is)
{
	const struct work_operation *operation;
	static uint8_t memory[64] __attribute__((aligned(64)));
	struct spe_test *t = &self->t;
	size_t found = 0;

	operation = &work_operations[variant->index];
	spe_open(_metadata, t, AUX_PAGES);
	spe_enable(_metadata, t);
	operation->run(spe_rounds(t, 4, 120), memory);
	spe_finish(_metadata, t);
	for (size_t i = 0; i < t->records.count; i++) {
		const struct spe_record *r = &t->records.record[i];

		if (!spe_pc_in(r, operation->pc, operation->pc + 4))
			continue;
		found++;
		ASSERT_EQ(0, r->pc_el);
		ASSERT_TRUE(r->has & SPE_HAS_OPERATION);
		ASSERT_EQ(operation->class, r->class);
		ASSERT_EQ(operation->value, r->subclass & operation->mask)
			TH_LOG("payload %#x", r->subclass);
		ASSERT_TRUE(spe_event(r, SPE_EVENT_RETIRED));
		ASSERT_TRUE(r->has & SPE_HAS_TOTAL);
		if (operation->bytes)
			expect_access(_metadata, r, memory, operation->bytes);
		if (operation->class == SPE_OP_CLASS_BRANCH)
			expect_branch(_metadata, r, operation);
		else
			ASSERT_FALSE(r->has & SPE_HAS_TARGET);
	}
	/*
	 * One sample in four meets the operation; the first and the last may lie outside the
	 * loop.
	 */
	ASSERT_LE(27, found);
	ASSERT_GE(33, found);
}

TEST_HARNESS_MAIN
