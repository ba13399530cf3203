// SPDX-License-Identifier: GPL-2.0-only
/*
 * A host that profiles a task which runs a virtual machine, and does not ask for guests
 * (strict_guests.c does): KVM keeps the guest out of the host's profile (MDCR_EL2.E2PB and
 * the controls of Table D17-2), so the host's records are all there and none is the guest's.
 * A host that has given EL2 up is at EL1 as its guests are: their addresses tell.
 *
 * A host at EL2 runs its guests with TGE 0, where PMSCR_EL1.E1SPE and E0SPE say
 * whether they are sampled (Table D17-2).  selftests/modules/spe_power sets both before
 * this project's driver is loaded, and again at each power-down.
 *
 * Protected KVM unmaps pages of the host from its stage 2 when it gives pages to a
 * guest, and maps the others again when the CPU touches them.  The unit cannot: it
 * takes a stage 2 fault there, and the driver goes on after it (ARM_SPE_STAGE2=y).
 */
#include "counters.h"
#include "machine.h"
#include "test.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define CYCLE		"/sys/module/spe_power/parameters/cycle"
#define RUNS		20
#define SAMPLES		400
/* Samples that may be missing: at the ends of a session, and around a stage 2 fault. */
#define MISSING		5

FIXTURE(kvm) {
	struct spe_test t;
	struct spe_machine machine;
	struct spe_counters counters;
	struct spe_counts counts;
};

FIXTURE_VARIANT(kvm) {
	bool user, kernel;
};

FIXTURE_VARIANT_ADD(kvm, user) { .user = true };
FIXTURE_VARIANT_ADD(kvm, kernel) { .kernel = true };
FIXTURE_VARIANT_ADD(kvm, both) { .user = true, .kernel = true };

static int kernel_level(void)
{
	return atoi(getenv("ARM_SPE_KERNEL_EL") ?: "1");
}

/* The in-tree driver knows nothing of power-downs. */
static bool can_power_down(void)
{
	return kernel_level() == 2 && !strcmp(getenv("DRIVER") ?: "", "ours");
}

FIXTURE_SETUP(kvm)
{
	int err;

	self->machine = SPE_NO_MACHINE;
	spe_test_begin(_metadata, &self->t);
	self->t.may_lose = !strcmp(getenv("ARM_SPE_STAGE2") ?: "n", "y");
	if (self->t.may_lose)
		ASSERT_EQ(0, spe_counters_find(&self->counters, &self->t.pmu));
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

/* A record of what the guest has executed, by its level or by its address. */
static bool is_guests(const struct spe_record *r)
{
	return (r->pc_el == 1 && kernel_level() == 2) ||
	       (r->pc >= SPE_MACHINE_RAM && r->pc < SPE_MACHINE_RAM + SPE_MACHINE_SIZE);
}

/* The faults of stage 2 since spe_counters_begin(): each of them is flagged, and nothing else. */
static long faults_flagged(struct __test_metadata *_metadata, struct spe_test *t,
			   const struct spe_counters *counters, struct spe_counts *counts)
{
	if (!t->may_lose)
		return 0;
	spe_counters_end(counters, counts);
	EXPECT_EQ(counts->retried > 0, !!(t->session.flags & PERF_AUX_FLAG_PARTIAL));
	return counts->retried;
}

static size_t count_guests(const struct spe_records *records)
{
	size_t guests = 0;

	for (size_t i = 0; i < records->count; i++)
		guests += is_guests(&records->record[i]);
	return guests;
}

/* The guest executes as much as the host, in turns. */
TEST_F(kvm, guest_is_left_out_and_the_host_is_whole)
{
	struct spe_test *t = &self->t;
	uint64_t host = spe_rounds(t, WORK_ALU_OPS, SAMPLES / RUNS);
	uint64_t guest = spe_rounds(t, SPE_MACHINE_OPS, SAMPLES / RUNS);
	size_t kernels = 0, count, missing = MISSING;
	int level = kernel_level();

	spe_counters_begin(&self->counters, &self->counts);
	t->attr.perf.exclude_user = !variant->user;
	t->attr.perf.exclude_kernel = !variant->kernel;
	spe_open(_metadata, t, spe_pages(4 * AUX_BYTES));
	for (int i = 0; i < RUNS; i++) {
		if (i == RUNS / 2 && can_power_down())
			ASSERT_EQ(0, spe_write_file(CYCLE, "0"));
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
	missing += MISSING * faults_flagged(_metadata, t, &self->counters, &self->counts);
	for (size_t i = 0; i < t->records.count; i++)
		kernels += t->records.record[i].pc_el == level;
	EXPECT_EQ(0, count_guests(&t->records));
	count = spe_count_pc(&t->records, work_alu, work_alu_end);
	if (variant->user && !variant->kernel) {
		EXPECT_LE(SAMPLES, count + missing);
		EXPECT_GE(SAMPLES + MISSING, count);
	}
	EXPECT_EQ(variant->user, count > 0);
	/* Entering a guest is the host's kernel's work. */
	EXPECT_EQ(variant->kernel, kernels > 0);
}

/* Nobody has asked for guests, so there is nothing to exclude. */
TEST_F(kvm, exclude_guest_changes_nothing)
{
	struct spe_test *t = &self->t;

	t->attr.perf.exclude_user = !variant->user;
	t->attr.perf.exclude_kernel = !variant->kernel;
	t->attr.perf.exclude_guest = 1;
	spe_open(_metadata, t, AUX_PAGES);
	spe_enable(_metadata, t);
	work_alu(spe_rounds(t, WORK_ALU_OPS, 40));
	ASSERT_EQ(0, spe_machine_run(&self->machine,
				     spe_rounds(t, SPE_MACHINE_OPS, 200)));
	ASSERT_EQ(0, spe_session_disable(&t->session));
	ASSERT_LE(0, spe_session_drain(&t->session));
	spe_session_records(&t->session, &t->records);
	EXPECT_LT(0, t->records.count);
	EXPECT_EQ(0, t->records.damaged);
	EXPECT_EQ(0, count_guests(&t->records));
}

TEST_HARNESS_MAIN
