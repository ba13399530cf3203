// SPDX-License-Identifier: GPL-2.0-only
/*
 * Profiling exceptions while kprobes executes probed instructions out of line.  The kernel
 * keeps the state of a stepped kprobe per CPU, with room for one nested kprobe.  So no
 * exception may come during the step: "Mask all of DAIF while executing the instruction
 * out-of-line, to keep things simple and avoid nesting exceptions"
 * (arch/arm64/kernel/probes/kprobes.c).  The module spe_probed puts one kprobe on the stepped
 * instruction and one on a function that the exception's handler calls.
 */
#include "counters.h"
#include "test.h"

#include <stdlib.h>

#define FILES		"/sys/module/spe_probed/parameters/"
#define SERVED		"perf_aux_output_end"
#define STEPS		"20000"
#define PAGES		spe_pages(64 * AUX_BYTES)
#define ENOUGH		20
/* Pages of records between two events */
#define MAX_DISTANCE	64

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
	ASSERT_EQ(0, spe_write_file(FILES "inner", SERVED));
}

FIXTURE_TEARDOWN(probes)
{
	spe_test_end(&self->t);
}

/*
 * Runs the steps while the kernel is sampled, so that events come anywhere in its code.  There
 * is an event for every "pages" pages of records.
 */
static void step(struct __test_metadata *_metadata, FIXTURE_DATA(probes) *self,
		 const char *how, unsigned int pages)
{
	FILE *file;

	self->t.attr.perf.aux_watermark = (uint32_t)(pages * spe_page_size());
	spe_counters_begin(&self->counters, &self->counts);
	spe_open(_metadata, &self->t, PAGES);
	spe_enable(_metadata, &self->t);
	EXPECT_EQ(0, spe_write_file(how, STEPS));
	spe_finish_with_kernel(_metadata, &self->t);
	spe_session_close(&self->t.session);
	spe_counters_end(&self->counters, &self->counts);
	file = fopen(FILES "result", "r");
	ASSERT_NE(NULL, file);
	ASSERT_EQ(3, fscanf(file, "outer=%d hits=%d missed=%ld", &self->outer, &self->hits,
			    &self->missed));
	fclose(file);
	TH_LOG("every %u pages: %ld events by exception, %ld by interrupt; kprobe in " SERVED
	       " during the steps: %d hits, %ld missed", pages, (long)self->counts.exceptions,
	       (long)self->counts.interrupts, self->hits, self->missed);
	/* Without FEAT_EBEP a session that includes the kernel keeps PMBIRQ. */
	EXPECT_EQ(self->ebep, self->counts.exceptions > 0);
}

/*
 * Runs the steps until "enough" events came during them.  A debug kernel executes so much for
 * one event that the samples of that alone fill a page: then the events follow one another
 * until the buffer is full, before the first step.  So try longer distances too.
 */
static void step_enough(struct __test_metadata *_metadata, FIXTURE_DATA(probes) *self,
			const char *how, long enough)
{
	unsigned int pages;

	for (pages = 1; pages <= MAX_DISTANCE; pages *= 2) {
		step(_metadata, self, how, pages);
		if (self->hits + self->missed >= enough)
			return;
	}
	ASSERT_LE(enough, self->hits + self->missed);
}

/* The kernel counts a kprobe as missed if it is hit inside another kprobe. */
TEST_F(probes, no_exception_comes_in_an_instruction_that_is_stepped)
{
	step_enough(_metadata, self, FILES "run", ENOUGH);
	EXPECT_EQ(atoi(STEPS), self->outer);
	EXPECT_LE(ENOUGH, self->hits);
	EXPECT_EQ(0, self->missed);
}

/*
 * A kprobe is already running, so the kprobe of the stepped instruction is the one that may
 * nest.  A third one would end in "Failed to recover from reentered kprobes" and BUG().
 */
TEST_F(probes, no_exception_nests_a_third_kprobe)
{
	step_enough(_metadata, self, FILES "nested", 1);
	EXPECT_EQ(0, self->outer);
	/* The CPU takes the exception between two steps, while the outer kprobe runs. */
	EXPECT_LE(1, self->missed);
}

TEST_HARNESS_MAIN
