// SPDX-License-Identifier: GPL-2.0-only
/*
 * Code with interrupts masked: with PMBIRQ its samples end where the first
 * buffer is full, with the Profiling exception they do not.  The module
 * spe_masked has the code.  ARM_SPE_EBEP says whether the CPU has FEAT_EBEP,
 * without which a session that includes the kernel keeps PMBIRQ.
 */
#include "counters.h"
#include "test.h"

#include <inttypes.h>
#include <stdlib.h>

#define FILES		"/sys/module/spe_masked/parameters/"

/* The first piece is full of records of 64 bytes, and half as many of 128. */
#define WATERMARK	(AUX_PAGES / 4 * 4096)
#define SAMPLES		1500
#define OPS		4
/*
 * Before and after the masked code the kernel executes what it likes, a debug
 * kernel thousands of samples: nobody reads meanwhile, so there is room.
 */
#define PAGES		(64 * AUX_PAGES)

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

/* Records of the masked code in a session by that delivery; COUNTS: what came. */
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
	/* Nothing after the piece that was being filled, which ends at a page's end. */
	EXPECT_GE(WATERMARK / 64 + 64, some);
	EXPECT_LE(1, some + all);
	EXPECT_EQ(0, by_interrupt.exceptions);
	EXPECT_LE(1, by_interrupt.interrupts);
	if (self->ebep) {
		/* What the handler itself executes is counted in between. */
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
	/* Without the kernel it comes by exception in any case. */
	t->attr.perf.exclude_kernel = 1;
	t->attr.perf.exclude_user = 0;
	EXPECT_EQ(0, spe_session_open(&t->session, &t->attr, 0, -1, shape));
}

TEST_F(masked, the_driver_says_which_delivery)
{
	char text[256];

	ASSERT_LT(0, spe_pmu_read(&self->t.pmu, "delivery", text, sizeof(text)));
	EXPECT_STREQ(self->ebep ? "exception: CPU, firmware and kernel allow it" :
		     "exception: but sessions that include the kernel use the interrupt: "
		     "without FEAT_EBEP the kernel cannot unmask the exception", text);
}

TEST_HARNESS_MAIN
