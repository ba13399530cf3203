// SPDX-License-Identifier: GPL-2.0-only
/*
 * Profiling exceptions while kprobes executes probed instructions out of line.
 * The state of a kprobe that is being stepped is per-CPU and holds one nested
 * kprobe, so exceptions must not nest there: "Mask all of DAIF while executing
 * the instruction out-of-line, to keep things simple and avoid nesting
 * exceptions" (arch/arm64/kernel/probes/kprobes.c).  The handler has a kprobe
 * too, in a function that it calls.  The module spe_probed has both.
 */
#include "counters.h"
#include "test.h"

#include <stdlib.h>

#define FILES		"/sys/module/spe_probed/parameters/"
#define SERVED		"perf_aux_output_end"
#define STEPS		"20000"
/* An event for each page, 64 records. */
#define WATERMARK	4096
#define PAGES		(64 * AUX_PAGES)
#define ENOUGH		20

FIXTURE(probes) {
	struct spe_test t;
	struct spe_counters counters;
	struct spe_counts counts;
	int outer, hits;
	long missed;
	bool ebep;
};

FIXTURE_SETUP(probes)
{
	const char *ebep = getenv("ARM_SPE_EBEP");

	ASSERT_NE(NULL, ebep);
	self->ebep = *ebep == 'y';
	spe_test_begin(_metadata, &self->t);
	ASSERT_EQ(0, spe_counters_find(&self->counters, &self->t.pmu));
	self->t.attr.perf.exclude_kernel = 0;
	self->t.attr.perf.exclude_user = 1;
	self->t.attr.perf.aux_watermark = WATERMARK;
	ASSERT_EQ(0, spe_write_file(FILES "inner", SERVED));
}

FIXTURE_TEARDOWN(probes)
{
	spe_test_end(&self->t);
}

/* Steps while the kernel is sampled, so that events come in all its code. */
static void step(struct __test_metadata *_metadata, FIXTURE_DATA(probes) *self,
		 const char *how)
{
	FILE *file;

	spe_counters_begin(&self->counters, &self->counts);
	spe_open(_metadata, &self->t, PAGES);
	spe_enable(_metadata, &self->t);
	EXPECT_EQ(0, spe_write_file(how, STEPS));
	spe_finish_with_kernel(_metadata, &self->t);
	spe_counters_end(&self->counters, &self->counts);
	file = fopen(FILES "result", "r");
	ASSERT_NE(NULL, file);
	ASSERT_EQ(3, fscanf(file, "outer=%d hits=%d missed=%ld", &self->outer, &self->hits,
			    &self->missed));
	fclose(file);
	TH_LOG("events: %ld by exception, %ld by interrupt; kprobe in " SERVED
	       ": %d hits, %ld missed", (long)self->counts.exceptions,
	       (long)self->counts.interrupts, self->hits, self->missed);
	EXPECT_LE(ENOUGH, self->counts.exceptions + self->counts.interrupts);
	/* Without FEAT_EBEP such a session keeps PMBIRQ. */
	EXPECT_EQ(self->ebep, self->counts.exceptions > 0);
}

/* A kprobe is missed where the CPU meets it inside another one. */
TEST_F(probes, no_exception_comes_in_an_instruction_that_is_stepped)
{
	step(_metadata, self, FILES "run");
	EXPECT_EQ(atoi(STEPS), self->outer);
	EXPECT_LE(ENOUGH, self->hits);
	EXPECT_EQ(0, self->missed);
}

/*
 * With a kprobe running the instruction's is the one that may nest, and a third
 * inside it is "Failed to recover from reentered kprobes" and BUG().
 */
TEST_F(probes, no_exception_nests_a_third_kprobe)
{
	step(_metadata, self, FILES "nested");
	EXPECT_EQ(0, self->outer);
	/* Between two steps the exception is taken, with that kprobe running. */
	EXPECT_LE(1, self->missed);
}

TEST_HARNESS_MAIN
