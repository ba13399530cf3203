// SPDX-License-Identifier: GPL-2.0-only
/*
 * Sampling of kernel code that runs with interrupts masked (module spe_masked).  With PMBIRQ
 * the samples end when the first part of the buffer is full; with the Profiling exception they
 * continue.  ARM_SPE_EBEP says whether the CPU has FEAT_EBEP: without it a session that
 * includes the kernel keeps PMBIRQ.
 */
#include "counters.h"
#include "test.h"

#include <inttypes.h>
#include <stdlib.h>

#define FILES		"/sys/module/spe_masked/parameters/"

/*
 * The first part of the buffer holds 1024 records of 64 bytes or 512 of 128, less than SAMPLES.
 */
#define WATERMARK	(AUX_BYTES / 4)
#define SAMPLES		1500
#define OPS		4
/*
 * The kernel executes more code before and after the masked code; on a debug kernel that is
 * thousands of samples.  The test reads only afterwards, so the buffer must be large.
 */
#define PAGES		spe_pages(64 * AUX_BYTES)

FIXTURE(masked) {
	struct spe_test t;
	struct spe_counters counters;
	bool ebep;
};

FIXTURE_SETUP(masked)
{
	const char *ebep = getenv("ARM_SPE_EBEP");

	ASSERT_NE(NULL, ebep);
	self->ebep = *ebep == 'y';
	spe_test_begin(_metadata, &self->t);
	ASSERT_EQ(0, spe_counters_find(&self->counters, &self->t.pmu));
	self->t.attr.perf.exclude_kernel = 0;
	self->t.attr.perf.exclude_user = 1;
	self->t.attr.perf.aux_watermark = WATERMARK;
}

FIXTURE_TEARDOWN(masked)
{
	EXPECT_EQ(0, spe_write_file(SPE_DELIVERY, "auto"));
	spe_test_end(&self->t);
}

static long count_masked(struct __test_metadata *_metadata, const struct spe_test *t)
{
	uint64_t start = 0, end = 0;
	FILE *file = fopen(FILES "code", "r");

	ASSERT_NE(NULL, file);
	ASSERT_EQ(2, fscanf(file, "%" SCNx64 " %" SCNx64, &start, &end));
	fclose(file);
	return (long)spe_count_pc(&t->records, (void *)start, (void *)end);
}

/*
 * Runs a session with this delivery and returns the number of records from the masked code.
 * COUNTS: how the events came.
 */
static long spin(struct __test_metadata *_metadata, struct spe_test *t,
		 const struct spe_counters *counters, const char *delivery,
		 struct spe_counts *counts)
{
	char rounds[32];

	snprintf(rounds, sizeof(rounds), "%" PRIu64, spe_rounds(t, OPS, SAMPLES));
	ASSERT_EQ(0, spe_write_file(SPE_DELIVERY, delivery));
	spe_counters_begin(counters, counts);
	spe_open(_metadata, t, PAGES);
	spe_enable(_metadata, t);
	EXPECT_EQ(0, spe_write_file(FILES "spin", rounds));
	spe_finish_with_kernel(_metadata, t);
	spe_counters_end(counters, counts);
	spe_session_close(&t->session);
	memset(&t->session, 0, sizeof(t->session));
	return count_masked(_metadata, t);
}

TEST_F(masked, code_is_sampled_to_the_end_by_exception_alone)
{
	struct spe_counts by_interrupt, by_exception;
	long some, all;

	some = spin(_metadata, &self->t, &self->counters, "interrupt", &by_interrupt);
	all = spin(_metadata, &self->t, &self->counters, "auto", &by_exception);
	TH_LOG("of %d samples with interrupts masked PMBIRQ recorded %ld, auto %ld",
	       SAMPLES, some, all);
	/* Only the part that was being filled has records, and it ends at a page boundary. */
	EXPECT_LE(1, some);
	EXPECT_GE(WATERMARK / 64 + 64, some);
	EXPECT_EQ(0, by_interrupt.exceptions);
	EXPECT_LE(1, by_interrupt.interrupts);
	if (self->ebep) {
		/* The handler's own operations advance the sample counter too. */
		EXPECT_LE(SAMPLES * 9 / 10, all);
		EXPECT_LE(1, by_exception.exceptions);
		EXPECT_EQ(0, by_exception.interrupts);
	} else {
		EXPECT_GE(WATERMARK / 64 + 64, all);
		EXPECT_EQ(0, by_exception.exceptions);
		EXPECT_LE(1, by_exception.interrupts);
	}
}

TEST_F(masked, kernel_needs_ebep_for_the_exception)
{
	struct spe_shape shape = { .aux_pages = AUX_PAGES };
	struct spe_test *t = &self->t;

	ASSERT_EQ(0, spe_write_file(SPE_DELIVERY, "exception"));
	EXPECT_EQ(self->ebep ? 0 : -EOPNOTSUPP,
		  spe_session_open(&t->session, &t->attr, 0, -1, shape));
	spe_session_close(&t->session);
	memset(&t->session, 0, sizeof(t->session));
	/* A session without the kernel uses the exception on every CPU. */
	t->attr.perf.exclude_kernel = 1;
	t->attr.perf.exclude_user = 0;
	EXPECT_EQ(0, spe_session_open(&t->session, &t->attr, 0, -1, shape));
}

TEST_F(masked, the_driver_says_which_delivery)
{
	char text[256];

	ASSERT_LT(0, spe_pmu_read(&self->t.pmu, "delivery", text, sizeof(text)));
	EXPECT_STREQ(self->ebep ? "exception: CPU, firmware and kernel allow it" :
		     "exception: only for sessions that exclude the kernel, because "
		     "without FEAT_EBEP the kernel cannot unmask the exception", text);
}

TEST_HARNESS_MAIN
