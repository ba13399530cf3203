// SPDX-License-Identifier: GPL-2.0-only
/*
 * perf calls stop() and start() "from NMI context with the PMU generates NMIs" (struct pmu,
 * include/linux/perf_event.h).  perf_event_throttle() does so for each event of a group if one
 * of them overflows too often.  The module spe_nmi makes such calls in the middle of the
 * driver's own work.  Wherever they come, the last call must decide, and no record may be
 * damaged.
 */
#include "test.h"
#include "watch.h"

#include <stdio.h>
#include <sys/ioctl.h>

#define AT	"/sys/module/spe_nmi/parameters/at"
#define DONE	"/sys/module/spe_nmi/parameters/done"
#define CYCLE	"/sys/module/spe_power/parameters/cycle"
#define OUTSIDE	"__arm64_sys_getpgid"

/* More than one page of records; the driver gives the unit one page at a time. */
#define SAMPLES	(3 * spe_page_records() + 8)

/* Room for the records of two works: perf leaves at least one page of the buffer free. */
#define PAGES	8

FIXTURE(nmi) {
	struct spe_test t;
};

FIXTURE_SETUP(nmi)
{
	spe_test_begin(_metadata, &self->t);
	ASSERT_EQ(0, spe_write_file(AT, "none"))
		TH_LOG("spe_nmi is not loaded");
}

FIXTURE_TEARDOWN(nmi)
{
	EXPECT_EQ(0, spe_write_file(AT, "none"));
	spe_test_end(&self->t);
}

/* A session of CPU 0, which task switches do not interrupt, with a wakeup for each page. */
static void open_cpu(struct __test_metadata *_metadata, struct spe_test *t)
{
	struct spe_shape shape = { .aux_pages = PAGES };

	t->attr.perf.aux_watermark = (uint32_t)spe_page_size();
	ASSERT_EQ(0, spe_session_open(&t->session, &t->attr, -1, 0, shape));
}

/*
 * Arms spe_nmi: when CALLER next calls FUNCTION, the module makes the calls that ACTIONS names.
 */
static void call_at(struct __test_metadata *_metadata, const struct spe_test *t,
		    const char *function, const char *caller, const char *actions)
{
	char text[160];

	snprintf(text, sizeof(text), "%d %s %s %s", t->session.fd, function, caller, actions);
	ASSERT_EQ(0, spe_write_file(AT, text))
		TH_LOG("%s", text);
}

static void work(const struct spe_test *t)
{
	work_alu(spe_rounds(t, WORK_ALU_OPS, SAMPLES));
}

static void work2(const struct spe_test *t)
{
	work_alu2(spe_rounds(t, WORK_ALU_OPS, SAMPLES));
}

/* Reads what the driver has published; it must be whole and without a gap. */
static void collect(struct __test_metadata *_metadata, struct spe_test *t)
{
	ASSERT_LE(0, spe_session_drain(&t->session));
	spe_records_free(&t->records);
	spe_session_records(&t->session, &t->records);
	EXPECT_EQ(0, t->session.gaps);
	EXPECT_EQ(0, t->session.lost);
	EXPECT_EQ(0, t->records.damaged);
	EXPECT_EQ(0, t->session.flags & (PERF_AUX_FLAG_TRUNCATED | PERF_AUX_FLAG_PARTIAL));
}

static size_t in_work(const struct spe_test *t)
{
	return spe_count_pc(&t->records, work_alu, work_alu_end);
}

static size_t in_work2(const struct spe_test *t)
{
	return spe_count_pc(&t->records, work_alu2, work_alu2_end);
}

/* The event is on its CPU but stopped.  Setting the period makes perf stop and start it. */
static void expect_restart(struct __test_metadata *_metadata, struct spe_test *t)
{
	uint64_t period = t->attr.perf.sample_period;

	if (t->attr.perf.freq) {
		ASSERT_EQ(0, spe_session_disable(&t->session));
		spe_enable(_metadata, t);
	} else {
		ASSERT_EQ(0, ioctl(t->session.fd, PERF_EVENT_IOC_PERIOD, &period));
	}
	spe_session_forget(&t->session);
	work(t);
	ASSERT_EQ(0, spe_session_disable(&t->session));
	collect(_metadata, t);
	if (!t->attr.perf.freq) {
		EXPECT_LE(SAMPLES - 5, in_work(t));
		EXPECT_GE(SAMPLES + 5, in_work(t));
	}
	EXPECT_EQ(0, in_work2(t));
}

static void expect_done(struct __test_metadata *_metadata, long calls)
{
	ASSERT_EQ(calls, spe_read_number(DONE));
	ASSERT_EQ(0, spe_write_file(AT, "none"));
}

/* Calls while the driver handles a full buffer. */
FIXTURE(service) {
	struct spe_test t;
};

FIXTURE_VARIANT(service) {
	const char *function;
	const char *stop, *both, *sample;
};

FIXTURE_SETUP(service)
{
	spe_test_begin(_metadata, &self->t);
	ASSERT_EQ(0, spe_write_file(AT, "none"))
		TH_LOG("spe_nmi is not loaded");
	open_cpu(_metadata, &self->t);
}

FIXTURE_TEARDOWN(service)
{
	EXPECT_EQ(0, spe_write_file(AT, "none"));
	spe_test_end(&self->t);
}

/* Before and after the driver resumes the unit, and at each call into perf's AUX code. */
FIXTURE_VARIANT_ADD(service, verdict) {
	.function = "ktime_get_mono_fast_ns", .stop = "s", .both = "sr", .sample = "a",
};
FIXTURE_VARIANT_ADD(service, resumed) {
	.function = "ktime_get_mono_fast_ns", .stop = ",s", .both = ",sr", .sample = ",a",
};
FIXTURE_VARIANT_ADD(service, publish) {
	.function = "perf_aux_output_end", .stop = "s", .both = "sr", .sample = "a",
};
FIXTURE_VARIANT_ADD(service, reopen) {
	.function = "perf_aux_output_begin", .stop = "s", .both = "sr", .sample = "a",
};
FIXTURE_VARIANT_ADD(service, publish_by_software) {
	.function = "perf_aux_output_end", .stop = "S", .both = "SR", .sample = "A",
};
FIXTURE_VARIANT_ADD(service, reopen_by_software) {
	.function = "perf_aux_output_begin", .stop = "S", .both = "SR", .sample = "A",
};

TEST_F(service, is_stopped)
{
	struct spe_test *t = &self->t;

	spe_enable(_metadata, t);
	call_at(_metadata, t, variant->function, "driver", variant->stop);
	work(t);
	expect_done(_metadata, 1);
	work2(t);
	/* stop() has published the records, because nothing else ended the session. */
	collect(_metadata, t);
	EXPECT_LE(50, in_work(t));
	EXPECT_GT(SAMPLES - 10, in_work(t));
	EXPECT_EQ(0, in_work2(t));
	expect_restart(_metadata, t);
}

TEST_F(service, is_stopped_and_started)
{
	struct spe_test *t = &self->t;

	spe_enable(_metadata, t);
	call_at(_metadata, t, variant->function, "driver", variant->both);
	work(t);
	expect_done(_metadata, 2);
	work2(t);
	ASSERT_EQ(0, spe_session_disable(&t->session));
	collect(_metadata, t);
	EXPECT_LE(SAMPLES - 5, in_work(t));
	EXPECT_LE(SAMPLES - 5, in_work2(t));
}

/* A sample of another event copies nothing here, and the service goes on undisturbed. */
TEST_F(service, is_sampled)
{
	struct spe_test *t = &self->t;
	long empty = spe_counter(&t->pmu, "aux_empty", 0);

	spe_enable(_metadata, t);
	call_at(_metadata, t, variant->function, "driver", variant->sample);
	work(t);
	expect_done(_metadata, 1);
	work2(t);
	ASSERT_EQ(0, spe_session_disable(&t->session));
	collect(_metadata, t);
	EXPECT_LE(SAMPLES - 5, in_work(t));
	EXPECT_LE(SAMPLES - 5, in_work2(t));
	EXPECT_EQ(empty + 1, spe_counter(&t->pmu, "aux_empty", 0));
}

/* start() comes later, as when a tick unthrottles the event. */
TEST_F(service, is_started_by_the_next_one)
{
	struct spe_test *t = &self->t;
	long sessions = spe_counter(&t->pmu, "sessions", 0);

	spe_enable(_metadata, t);
	call_at(_metadata, t, variant->function, "driver", variant->stop);
	work(t);
	expect_done(_metadata, 1);
	call_at(_metadata, t, OUTSIDE, "any", "r");
	getpgid(0);
	expect_done(_metadata, 1);
	work2(t);
	ASSERT_EQ(0, spe_session_disable(&t->session));
	collect(_metadata, t);
	EXPECT_LE(SAMPLES - 5, in_work2(t));
	EXPECT_EQ(sessions + 2, spe_counter(&t->pmu, "sessions", 0));
}

/* The calls come while no code of the driver runs. */
TEST_F(nmi, that_stops_publishes_what_there_is)
{
	struct spe_test *t = &self->t;

	open_cpu(_metadata, t);
	spe_enable(_metadata, t);
	work_alu(spe_rounds(t, WORK_ALU_OPS, 40));
	call_at(_metadata, t, OUTSIDE, "any", "s");
	getpgid(0);
	expect_done(_metadata, 1);
	work2(t);
	collect(_metadata, t);
	EXPECT_LE(38, in_work(t));
	EXPECT_EQ(0, in_work2(t));
	expect_restart(_metadata, t);
}

TEST_F(nmi, that_starts_what_runs_changes_nothing)
{
	struct spe_test *t = &self->t;

	open_cpu(_metadata, t);
	spe_enable(_metadata, t);
	work(t);
	call_at(_metadata, t, OUTSIDE, "any", "r");
	getpgid(0);
	expect_done(_metadata, 1);
	work2(t);
	ASSERT_EQ(0, spe_session_disable(&t->session));
	collect(_metadata, t);
	EXPECT_LE(SAMPLES - 5, in_work(t));
	EXPECT_LE(SAMPLES - 5, in_work2(t));
}

/*
 * The buffer is full and the interrupt has come, but its handler has not read PMBSR_EL1.  A
 * sample must leave the event to the handler.
 */
TEST_F(nmi, that_samples_while_an_event_is_pending)
{
	struct spe_test *t = &self->t;
	long empty = spe_counter(&t->pmu, "aux_empty", 0);
	char delivery[256] = "";

	spe_pmu_read(&t->pmu, "delivery", delivery, sizeof(delivery));
	open_cpu(_metadata, t);
	spe_enable(_metadata, t);
	call_at(_metadata, t, strncmp(delivery, "exception", 9) ? "spe_irq_handle" : "spe_exc_handle",
		"driver", "a");
	work(t);
	expect_done(_metadata, 1);
	work2(t);
	ASSERT_EQ(0, spe_session_disable(&t->session));
	collect(_metadata, t);
	EXPECT_LE(SAMPLES - 5, in_work(t));
	EXPECT_LE(SAMPLES - 5, in_work2(t));
	EXPECT_EQ(empty, spe_counter(&t->pmu, "aux_empty", 0));
}

/* perf sets the event's state to ACTIVE before it calls add(). */
TEST_F(nmi, that_stops_while_the_session_begins)
{
	struct spe_test *t = &self->t;

	open_cpu(_metadata, t);
	call_at(_metadata, t, "perf_aux_output_begin", "driver", "s");
	spe_enable(_metadata, t);
	expect_done(_metadata, 1);
	work2(t);
	collect(_metadata, t);
	EXPECT_EQ(0, in_work2(t));
	expect_restart(_metadata, t);
}

/* The event's state is ACTIVE until del() returns. */
TEST_F(nmi, that_comes_while_the_session_ends)
{
	static const char *const actions[] = { "s", "r", "sr", "rs", "S", "R", "a", "sar", "A" };
	static const char *const places[] = { "spe_session_del", "perf_aux_output_end" };
	struct spe_test *t = &self->t;

	open_cpu(_metadata, t);
	for (size_t i = 0; i < 2 * ARRAY_SIZE(actions); i++) {
		const char *action = actions[i / 2];

		spe_session_forget(&t->session);
		spe_enable(_metadata, t);
		work(t);
		call_at(_metadata, t, places[i % 2], "driver", action);
		ASSERT_EQ(0, spe_session_disable(&t->session));
		expect_done(_metadata, (long)strlen(action));
		work2(t);
		collect(_metadata, t);
		EXPECT_LE(SAMPLES - 5, in_work(t));
		EXPECT_EQ(0, in_work2(t))
			TH_LOG("%s at %s", action, places[i % 2]);
	}
}

/*
 * The timer of frequency mode stops the unit and starts it again.  On a busy host the timer
 * can be late by the time in which the buffer fills.  Without room the session ends and its
 * timer with it, so read the buffer while waiting.
 */
TEST_F(nmi, that_stops_while_the_frequency_is_steered)
{
	struct spe_test *t = &self->t;

	t->attr.perf.freq = 1;
	t->attr.perf.sample_freq = 1000;
	open_cpu(_metadata, t);
	call_at(_metadata, t, "hrtimer_forward", "driver", "s");
	spe_enable(_metadata, t);
	for (int i = 0; i < 10000 && !spe_read_number(DONE); i++) {
		work(t);
		ASSERT_LE(0, spe_session_drain(&t->session));
	}
	expect_done(_metadata, 1);
	work2(t);
	collect(_metadata, t);
	EXPECT_EQ(0, in_work2(t));
	expect_restart(_metadata, t);
}

/* The CPU comes back with its SPE registers reset; needs selftests/modules/spe_power. */
TEST_F(nmi, that_stops_while_the_cpu_comes_back)
{
	struct spe_test *t = &self->t;

	open_cpu(_metadata, t);
	spe_enable(_metadata, t);
	work(t);
	call_at(_metadata, t, "spe_probe_reset_this_cpu", "driver", "as");
	ASSERT_EQ(0, spe_write_file(CYCLE, "0"));
	expect_done(_metadata, 2);
	work2(t);
	collect(_metadata, t);
	EXPECT_LE(SAMPLES - 5, in_work(t));
	EXPECT_EQ(0, in_work2(t));
	expect_restart(_metadata, t);
}

TEST_HARNESS_MAIN
