// SPDX-License-Identifier: GPL-2.0-only
/*
 * What every driver must do when the buffer faults: deliver what was recorded before, let the
 * next session work, and keep the machine running.  Needs a guest with the model's injection
 * register.
 */
#include "inject.h"
#include "test.h"

FIXTURE(fault) {
	struct spe_test t;
};

FIXTURE_VARIANT(fault) {
	uint64_t event;		/* on the 20th record write */
	bool stops;
	unsigned int whole;	/* records before the event, if it stops the unit */
};

FIXTURE_SETUP(fault)
{
	spe_test_begin(_metadata, &self->t);
	ASSERT_EQ(0, spe_inject(0, SPE_INJECT(CLEAR, 0)));
}

FIXTURE_TEARDOWN(fault)
{
	spe_inject(0, SPE_INJECT(CLEAR, 0));
	spe_test_end(&self->t);
}

FIXTURE_VARIANT_ADD(fault, full) { .event = SPE_INJECT(FULL, 20) };
FIXTURE_VARIANT_ADD(fault, collision) { .event = SPE_INJECT(COLLISION, 20) };
FIXTURE_VARIANT_ADD(fault, stage_1) {
	.event = SPE_INJECT(STAGE1, 20) | SPE_INJECT_FSC(0x07), .stops = true, .whole = 19,
};
FIXTURE_VARIANT_ADD(fault, granule_protection) {
	.event = SPE_INJECT(GPC, 20), .stops = true, .whole = 19,
};
FIXTURE_VARIANT_ADD(fault, external) {
	.event = SPE_INJECT(EXTERNAL, 20), .stops = true, .whole = 19,
};
FIXTURE_VARIANT_ADD(fault, external_asynchronous) {
	.event = SPE_INJECT(EXTERNAL_ASYNC, 20), .stops = true, .whole = 20,
};
FIXTURE_VARIANT_ADD(fault, access_not_allowed) {
	.event = SPE_INJECT(NOT_ALLOWED, 20), .stops = true, .whole = 19,
};
FIXTURE_VARIANT_ADD(fault, buffer_too_large) {
	.event = SPE_INJECT(TOO_LARGE, 20), .stops = true, .whole = 19,
};
FIXTURE_VARIANT_ADD(fault, implementation_defined) {
	.event = SPE_INJECT(IMP_DEF, 20), .stops = true, .whole = 19,
};

static void record(struct __test_metadata *_metadata, struct spe_test *t)
{
	spe_enable(_metadata, t);
	work_alu(spe_rounds(t, WORK_ALU_OPS, 200));
	ASSERT_EQ(0, spe_session_disable(&t->session));
	ASSERT_LE(1, spe_session_drain(&t->session));
	spe_records_free(&t->records);
	spe_session_records(&t->session, &t->records);
}

TEST_F(fault, is_survived)
{
	struct spe_test *t = &self->t;

	spe_open(_metadata, t, AUX_PAGES);
	ASSERT_EQ(0, spe_inject(0, variant->event));
	record(_metadata, t);
	EXPECT_EQ(0, spe_inject_queued(0));
	EXPECT_EQ(0, t->records.damaged);
	if (variant->stops) {
		/*
		 * perf does not always disable the event, and then the driver starts it again.
		 */
		EXPECT_LE(variant->whole, t->records.count);
	} else {
		EXPECT_EQ(0, t->session.flags & PERF_AUX_FLAG_TRUNCATED);
		EXPECT_LE(195, t->records.count);
	}
	/* First the same perf event is enabled again, then a new one is opened. */
	for (int i = 0; i < 2; i++) {
		spe_session_forget(&t->session);
		record(_metadata, t);
		EXPECT_EQ(0, t->session.flags & PERF_AUX_FLAG_TRUNCATED);
		EXPECT_LE(195, t->records.count);
		EXPECT_EQ(0, t->records.damaged);
		spe_session_close(&t->session);
		spe_open(_metadata, t, AUX_PAGES);
	}
}

TEST_HARNESS_MAIN
