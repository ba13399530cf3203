// SPDX-License-Identifier: GPL-2.0-only
/*
 * A host that profiles a task which runs a virtual machine: KVM keeps the
 * guest out of the host's profile (MDCR_EL2.E2PB and the controls of Table
 * D17-2), so the host's records are all there and none is the guest's.  A host that
 * has given EL2 up is at EL1 as its guests are: their addresses tell.
 */
#include "machine.h"
#include "test.h"

#include <errno.h>
#include <stdlib.h>

#define RUNS		20
#define SAMPLES		400

FIXTURE(kvm) {
	struct spe_test t;
	struct spe_machine machine;
};

FIXTURE_VARIANT(kvm) {
	bool user, kernel;
};

FIXTURE_VARIANT_ADD(kvm, user) { .user = true };
FIXTURE_VARIANT_ADD(kvm, kernel) { .kernel = true };
FIXTURE_VARIANT_ADD(kvm, both) { .user = true, .kernel = true };

FIXTURE_SETUP(kvm)
{
	int err;

	self->machine = SPE_NO_MACHINE;
	spe_test_begin(_metadata, &self->t);
	err = spe_machine_open(&self->machine);
	if (err == -ENOENT) {
		/* Only a kernel at EL2 is a host. */
		ASSERT_STRNE("2", getenv("ARM_SPE_KERNEL_EL") ?: "1");
		SKIP(return, "no /dev/kvm");
	}
	ASSERT_EQ(0, err);
}

FIXTURE_TEARDOWN(kvm)
{
	spe_machine_close(&self->machine);
	spe_test_end(&self->t);
}

/* The guest executes as much as the host, in turns. */
TEST_F(kvm, guest_is_left_out_and_the_host_is_whole)
{
	struct spe_test *t = &self->t;
	uint64_t host = spe_rounds(t, WORK_ALU_OPS, SAMPLES / RUNS);
	uint64_t guest = spe_rounds(t, SPE_MACHINE_OPS, SAMPLES / RUNS);
	size_t guests = 0, kernels = 0, count;
	int level = atoi(getenv("ARM_SPE_KERNEL_EL") ?: "1");

	t->attr.perf.exclude_user = !variant->user;
	t->attr.perf.exclude_kernel = !variant->kernel;
	spe_open(_metadata, t, 256);
	for (int i = 0; i < RUNS; i++) {
		spe_enable(_metadata, t);
		work_alu(host);
		ASSERT_EQ(0, spe_machine_run(&self->machine, guest));
		ASSERT_EQ(0, spe_session_disable(&t->session));
		ASSERT_LE(0, spe_session_drain(&t->session));
	}
	if (variant->kernel)
		spe_finish_with_kernel(_metadata, t);
	else
		spe_finish(_metadata, t);
	for (size_t i = 0; i < t->records.count; i++) {
		const struct spe_record *r = &t->records.record[i];

		guests += (r->pc_el == 1 && level == 2) ||
			  (r->pc >= SPE_MACHINE_RAM &&
			   r->pc < SPE_MACHINE_RAM + SPE_MACHINE_SIZE);
		kernels += r->pc_el == level;
	}
	EXPECT_EQ(0, guests);
	count = spe_count_pc(&t->records, work_alu, work_alu_end);
	if (variant->user && !variant->kernel) {
		EXPECT_LE(SAMPLES - 5, count);
		EXPECT_GE(SAMPLES + 5, count);
	}
	EXPECT_EQ(variant->user, count > 0);
	/* Entering a guest is the host's kernel's work. */
	EXPECT_EQ(variant->kernel, kernels > 0);
}

/* Guests cannot be profiled, least of all alone. */
TEST_F(kvm, exclude_guest_changes_nothing)
{
	struct spe_test *t = &self->t;

	t->attr.perf.exclude_user = !variant->user;
	t->attr.perf.exclude_kernel = !variant->kernel;
	t->attr.perf.exclude_guest = 1;
	spe_open(_metadata, t, 64);
	spe_enable(_metadata, t);
	work_alu(spe_rounds(t, WORK_ALU_OPS, 40));
	ASSERT_EQ(0, spe_machine_run(&self->machine,
				     spe_rounds(t, SPE_MACHINE_OPS, 200)));
	ASSERT_EQ(0, spe_session_disable(&t->session));
	ASSERT_LE(0, spe_session_drain(&t->session));
	spe_session_records(&t->session, &t->records);
	EXPECT_LT(0, t->records.count);
	EXPECT_EQ(0, t->records.damaged);
}

TEST_HARNESS_MAIN
