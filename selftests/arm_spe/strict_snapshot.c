// SPDX-License-Identifier: GPL-2.0-only
/*
 * Snapshot mode of our driver: one AUX record for each snapshot, however often the buffer has
 * wrapped.
 */
#include "test.h"

FIXTURE(snapshot) {
	struct spe_test t;
};

FIXTURE_VARIANT(snapshot) {
	unsigned int pages;
	unsigned int rounds;	/* times that the buffer wraps, about */
};

SPE_FIXTURE_SETUP(snapshot)

FIXTURE_VARIANT_ADD(snapshot, not_wrapped) { .pages = 16, .rounds = 0 };
FIXTURE_VARIANT_ADD(snapshot, wrapped_twice) { .pages = 16, .rounds = 2 };
FIXTURE_VARIANT_ADD(snapshot, wrapped_often) { .pages = 2, .rounds = 40 };

TEST_F(snapshot, is_one_aux_record)
{
	struct spe_shape shape = { .aux_pages = variant->pages,
				   .overwrite = true };
	struct spe_test *t = &self->t;
	uint64_t room = variant->pages * spe_page_records();

	/*
	 * A session of the CPU, because a session of a task has one AUX record for each time it
	 * is scheduled in.
	 */
	ASSERT_EQ(0, spe_session_open(&t->session, &t->attr, -1, 0, shape));
	spe_enable(_metadata, t);
	work_alu(spe_rounds(t, WORK_ALU_OPS,
			    variant->rounds * room + room / 4));
	ASSERT_EQ(0, spe_session_disable(&t->session));
	ASSERT_LE(0, spe_session_drain(&t->session));
	ASSERT_EQ(1, t->session.chunks);
	EXPECT_EQ(PERF_AUX_FLAG_OVERWRITE, t->session.chunk[0].flags);
	EXPECT_LT(0, t->session.chunk[0].size);
	EXPECT_GE(t->session.aux_size, t->session.chunk[0].size);
}

TEST_HARNESS_MAIN
