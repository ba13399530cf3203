// SPDX-License-Identifier: GPL-2.0-only
/*
 * Loading and unloading the module file that ARM_SPE_MODULE names.  The module is loaded before
 * and after these tests.
 */
#include "loader.h"
#include "test.h"

SPE_FIXTURE(module);

TEST_F(module, cannot_be_unloaded_under_a_session)
{
	struct spe_test *t = &self->t;

	spe_open(_metadata, t, 4);
	/* delete_module(2) returns this for a module in use. */
	EXPECT_EQ(-EWOULDBLOCK, spe_module_unload());
	spe_enable(_metadata, t);
	EXPECT_EQ(-EWOULDBLOCK, spe_module_unload());
	work_alu(spe_rounds(t, WORK_ALU_OPS, 50));
	spe_finish(_metadata, t);
	EXPECT_LE(45, t->records.count);
}

TEST_F(module, cannot_be_unloaded_under_a_mapping_alone)
{
	struct spe_test *t = &self->t;

	spe_open(_metadata, t, 4);
	/* The mapped buffer keeps the event alive. */
	close(t->session.fd);
	t->session.fd = 0;
	EXPECT_EQ(-EWOULDBLOCK, spe_module_unload());
}

TEST_F(module, takes_its_pmu_with_it_and_brings_it_back)
{
	struct spe_test *t = &self->t;
	struct spe_pmu pmu;

	for (int i = 0; i < 5; i++) {
		ASSERT_EQ(0, spe_module_unload());
		EXPECT_EQ(-ENOENT, spe_pmu_find(&pmu));
		EXPECT_GT(0, spe_attr_open(&t->attr, 0, -1));
		ASSERT_EQ(0, spe_module_load());
		ASSERT_EQ(0, spe_pmu_find(&pmu));
	}
	/* The PMU may have got another type when it was registered again. */
	spe_attr_init(&t->attr, &pmu);
	spe_open(_metadata, t, 4);
	spe_enable(_metadata, t);
	work_alu(spe_rounds(t, WORK_ALU_OPS, 50));
	spe_finish(_metadata, t);
	EXPECT_LE(45, t->records.count);
}

TEST_F(module, cannot_be_loaded_twice)
{
	ASSERT_EQ(-EEXIST, spe_module_load());
}

TEST_HARNESS_MAIN
