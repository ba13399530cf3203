// SPDX-License-Identifier: GPL-2.0-only
/*
 * A session in a group with a cycle counter that overflows too often and interrupts by NMI
 * (irqchip.gicv3_pseudo_nmi=1).  perf stops the whole group in the NMI and starts it again at
 * the next tick (perf_event_throttle_group() and perf_event_unthrottle_group(),
 * kernel/events/core.c, Linux 6.16).  strict_nmi tests each place in the driver on purpose;
 * here the NMIs come at random.
 */
#include "inject.h"
#include "test.h"
#include "watch.h"

#include <stdio.h>
#include <sys/syscall.h>
#include <time.h>

#define RATE	"/proc/sys/kernel/perf_event_max_sample_rate"
#define SECONDS	3

/* Cycles between two interrupts: a tick of 4 ms has more of them than perf allows. */
#define CYCLES	1000000

FIXTURE(throttle) {
	struct spe_test t;
	long rate;
	int counter;
};

FIXTURE_VARIANT(throttle) {
	const char *slow;	/* function of the kernel to slow down, or NULL */
};

/* Where in the driver most of the NMIs come. */
FIXTURE_VARIANT_ADD(throttle, anywhere) { };
FIXTURE_VARIANT_ADD(throttle, publish) { .slow = "perf_aux_output_end" };
FIXTURE_VARIANT_ADD(throttle, reopen) { .slow = "perf_aux_output_begin" };

FIXTURE_SETUP(throttle)
{
	self->counter = -1;
	spe_test_begin(_metadata, &self->t);
	self->rate = spe_read_number(RATE);
	ASSERT_LT(0, self->rate);
	/* Allows a counter one interrupt per tick. */
	ASSERT_EQ(0, spe_write_file(RATE, "100"));
}

FIXTURE_TEARDOWN(throttle)
{
	char text[32];

	spe_inject_burden("none", 0);
	snprintf(text, sizeof(text), "%ld", self->rate);
	EXPECT_EQ(0, spe_write_file(RATE, text));
	if (self->counter >= 0)
		close(self->counter);
	spe_test_end(&self->t);
}

static int open_counter(int leader)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_HARDWARE, .size = sizeof(attr),
		.config = PERF_COUNT_HW_CPU_CYCLES, .sample_period = CYCLES,
	};
	int fd = (int)syscall(SYS_perf_event_open, &attr, -1, 0, leader, PERF_FLAG_FD_CLOEXEC);

	return fd < 0 ? -errno : fd;
}

static double now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (double)ts.tv_sec + (double)ts.tv_nsec / 1e9;
}

/* A session of CPU 0 that publishes every page while the test reads. */
static void open_group(struct __test_metadata *_metadata, FIXTURE_DATA(throttle) *self,
		       const FIXTURE_VARIANT(throttle) *variant)
{
	struct spe_shape shape = { .aux_pages = AUX_PAGES };
	struct spe_test *t = &self->t;

	t->attr.perf.aux_watermark = (uint32_t)spe_page_size();
	ASSERT_EQ(0, spe_session_open(&t->session, &t->attr, -1, 0, shape));
	self->counter = open_counter(t->session.fd);
	ASSERT_LE(0, self->counter);
	if (variant->slow)
		ASSERT_EQ(0, spe_inject_burden(variant->slow, 100000));
}

TEST_F(throttle, of_the_group_ends_and_begins_the_session)
{
	struct spe_test *t = &self->t;
	long sessions = spe_counter(&t->pmu, "sessions", 0);
	size_t records = 0;
	double end;

	open_group(_metadata, self, variant);
	spe_enable(_metadata, t);
	for (end = now() + SECONDS; now() < end;) {
		work_alu(spe_rounds(t, WORK_ALU_OPS, 50));
		ASSERT_LE(0, spe_session_drain(&t->session));
		spe_session_records(&t->session, &t->records);
		records += t->records.count;
		ASSERT_EQ(0, t->records.damaged);
		ASSERT_EQ(0, t->session.gaps);
		ASSERT_EQ(0, t->session.flags & PERF_AUX_FLAG_PARTIAL);
		spe_records_free(&t->records);
		spe_session_forget(&t->session);
	}
	ASSERT_EQ(0, spe_session_disable(&t->session));
	spe_inject_burden("none", 0);
	EXPECT_LT(0, records);
	/* Each restart of the group counts as a session. */
	EXPECT_LT(sessions + 10, spe_counter(&t->pmu, "sessions", 0));
	TH_LOG("session started %ld times, %zu records",
	       spe_counter(&t->pmu, "sessions", 0) - sessions, records);
	/* A new session works normally. */
	close(self->counter);
	self->counter = -1;
	spe_session_close(&t->session);
	spe_attr_init(&t->attr, &t->pmu);
	spe_open(_metadata, t, AUX_PAGES);
	spe_enable(_metadata, t);
	work_alu(spe_rounds(t, WORK_ALU_OPS, 100));
	spe_finish(_metadata, t);
	EXPECT_LE(95, spe_count_pc(&t->records, work_alu, work_alu_end));
}

TEST_HARNESS_MAIN
