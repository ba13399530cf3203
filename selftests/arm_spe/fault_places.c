// SPDX-License-Identifier: GPL-2.0-only
/*
 * Buffer management events in difficult situations: while another event is pending, without a
 * session, in discard mode, in a snapshot, at the end of a session, on one of two busy CPUs,
 * and a thousand times in a row.  For our driver only, in a guest with the model's injection
 * register.
 */
#include "inject.h"
#include "loader.h"
#include "test.h"
#include "watch.h"

#define LOSSES	(PERF_AUX_FLAG_TRUNCATED | PERF_AUX_FLAG_PARTIAL | PERF_AUX_FLAG_COLLISION)
/* Here interrupts are masked and the driver is about to disable the unit. */
#define END_OF_SESSION	"spe_session_del"
#define PERCENT	spe_module_file("parameters/cpu_time_max_percent")
#define STORM	1000
#define TRANSLATION(record)	(SPE_INJECT(STAGE2, record) | SPE_INJECT_FSC(0x07))

static void alu(uint64_t rounds)
{
	work_alu(rounds);
}

static void work(const struct spe_test *t, unsigned int samples)
{
	work_alu(spe_rounds(t, WORK_ALU_OPS, samples));
}

FIXTURE(event) {
	struct spe_test t;
};

FIXTURE_SETUP(event)
{
	spe_test_begin(_metadata, &self->t);
	ASSERT_EQ(0, spe_inject(0, SPE_INJECT(CLEAR, 0)));
	ASSERT_EQ(0, spe_inject(1, SPE_INJECT(CLEAR, 0)));
}

FIXTURE_TEARDOWN(event)
{
	spe_inject(0, SPE_INJECT(CLEAR, 0));
	spe_inject(1, SPE_INJECT(CLEAR, 0));
	spe_inject_burden("none", 0);
	spe_test_end(&self->t);
}

static long counter(const struct spe_test *t, const char *name)
{
	return spe_counter(&t->pmu, name, -1);
}

/* Decodes what was recorded so far. */
static void look(struct __test_metadata *_metadata, struct spe_test *t)
{
	ASSERT_EQ(0, spe_session_disable(&t->session));
	ASSERT_LE(0, spe_session_drain(&t->session));
	spe_records_free(&t->records);
	spe_session_records(&t->session, &t->records);
}

/* A new session works normally. */
static void next_works(struct __test_metadata *_metadata, struct spe_test *t)
{
	spe_session_close(&t->session);
	spe_open(_metadata, t, AUX_PAGES);
	spe_enable(_metadata, t);
	work(t, 50);
	spe_finish(_metadata, t);
	EXPECT_EQ(0, t->session.flags & LOSSES);
	EXPECT_LE(48, t->records.count);
}

/*
 * RBPFPN: an asynchronous External abort while S is set adds EA and DL to the syndrome of the
 * event that came first.
 */
TEST_F(event, that_comes_second_turns_a_full_buffer_into_a_stop)
{
	const uint64_t both[] = { SPE_INJECT(FULL, 0), SPE_INJECT(EXTERNAL_ASYNC, 0) };
	struct spe_test *t = &self->t;
	long full = counter(t, "event_full"), external = counter(t, "event_external");

	spe_open(_metadata, t, AUX_PAGES);
	spe_enable(_metadata, t);
	work(t, 20);
	ASSERT_EQ(0, spe_inject_all(0, both, 2));
	work(t, 100);
	look(_metadata, t);
	EXPECT_EQ(PERF_AUX_FLAG_TRUNCATED | PERF_AUX_FLAG_PARTIAL, t->session.flags & LOSSES);
	EXPECT_GT(60, t->records.count);
	EXPECT_EQ(full + 1, counter(t, "event_full"));
	EXPECT_EQ(external, counter(t, "event_external"));
	next_works(_metadata, t);
}

TEST_F(event, that_comes_second_leaves_the_first_ones_name)
{
	const uint64_t both[] = {
		SPE_INJECT(STAGE1, 0) | SPE_INJECT_FSC(0x07), SPE_INJECT(EXTERNAL_ASYNC, 0),
	};
	struct spe_test *t = &self->t;
	long stage1 = counter(t, "event_stage1");

	spe_open(_metadata, t, AUX_PAGES);
	spe_enable(_metadata, t);
	work(t, 20);
	ASSERT_EQ(0, spe_inject_all(0, both, 2));
	work(t, 100);
	look(_metadata, t);
	EXPECT_EQ(PERF_AUX_FLAG_TRUNCATED | PERF_AUX_FLAG_PARTIAL, t->session.flags & LOSSES);
	EXPECT_GT(60, t->records.count);
	EXPECT_EQ(stage1 + 1, counter(t, "event_stage1"));
	next_works(_metadata, t);
}

/*
 * The hypervisor never maps the page: the driver must retry once, and only once.  This is a
 * session of a CPU, because a session of a task begins anew after each task switch, and then
 * the driver may retry again.
 */
TEST_F(event, of_stage_2_without_progress_ends_the_session)
{
	struct spe_shape shape = { .aux_pages = AUX_PAGES };
	const uint64_t twice[] = { TRANSLATION(20), TRANSLATION(21) };
	struct spe_test *t = &self->t;
	long retried = counter(t, "retried"), halted = counter(t, "halted");

	ASSERT_EQ(0, spe_session_open(&t->session, &t->attr, -1, 0, shape));
	ASSERT_EQ(0, spe_inject_all(0, twice, 2));
	spe_enable(_metadata, t);
	work(t, 100);
	look(_metadata, t);
	EXPECT_EQ(PERF_AUX_FLAG_TRUNCATED | PERF_AUX_FLAG_PARTIAL, t->session.flags & LOSSES);
	EXPECT_EQ(19, t->records.count);
	EXPECT_EQ(retried + 1, counter(t, "retried"));
	EXPECT_EQ(halted + 1, counter(t, "halted"));
	next_works(_metadata, t);
}

/*
 * The hypervisor maps each page when the unit writes to it: the session must survive every
 * fault.
 */
TEST_F(event, of_stage_2_with_progress_is_survived_each_time)
{
	enum { FAULTS = 32 };
	uint64_t each[FAULTS];
	struct spe_test *t = &self->t;
	long retried = counter(t, "retried"), halted = counter(t, "halted");

	/* One record between two faults. */
	for (int i = 0; i < FAULTS; i++)
		each[i] = TRANSLATION(10 + 2 * i);
	spe_open(_metadata, t, AUX_PAGES);
	ASSERT_EQ(0, spe_inject_all(0, each, FAULTS));
	spe_enable(_metadata, t);
	work(t, 200);
	look(_metadata, t);
	EXPECT_EQ(0, spe_inject_queued(0));
	EXPECT_EQ(PERF_AUX_FLAG_PARTIAL, t->session.flags & LOSSES);
	EXPECT_LE(200 - FAULTS - 3, t->records.count);
	EXPECT_EQ(0, t->records.damaged);
	EXPECT_EQ(retried + FAULTS, counter(t, "retried"));
	EXPECT_EQ(halted, counter(t, "halted"));
	next_works(_metadata, t);
}

TEST_F(event, without_a_session_is_counted_and_forgotten)
{
	struct spe_test *t = &self->t;
	long stage1 = counter(t, "event_stage1"), truncated = counter(t, "truncated");
	long services = counter(t, "services");

	ASSERT_EQ(0, spe_inject(0, SPE_INJECT(STAGE1, 0)));
	ASSERT_EQ(0, spe_inject(0, SPE_INJECT(FULL, 0)));
	EXPECT_EQ(stage1 + 1, counter(t, "event_stage1"));
	EXPECT_EQ(services + 2, counter(t, "services"));
	/* Nothing was sampled, so nothing was lost. */
	EXPECT_EQ(truncated, counter(t, "truncated"));
	next_works(_metadata, t);
}

static void open_discarding(struct __test_metadata *_metadata, struct spe_test *t)
{
	spe_set(_metadata, t, "discard", 1);
	spe_open(_metadata, t, 0);
	spe_enable(_metadata, t);
	work(t, 20);
}

TEST_F(event, in_discard_mode_goes_on_where_it_may)
{
	struct spe_test *t = &self->t;
	long halted = counter(t, "halted"), truncated = counter(t, "truncated");

	ASSERT_EQ(0, spe_trace_begin());
	open_discarding(_metadata, t);
	for (int i = 0; i < 3; i++) {
		ASSERT_EQ(0, spe_inject(0, SPE_INJECT(FULL, 0)));
		work(t, 20);
	}
	ASSERT_EQ(0, spe_session_disable(&t->session));
	EXPECT_EQ(3, spe_trace_count("arm_spe_service", "path=discard"));
	EXPECT_EQ(halted, counter(t, "halted"));
	EXPECT_EQ(truncated, counter(t, "truncated"));
	spe_set(_metadata, t, "discard", 0);
	next_works(_metadata, t);
}

TEST_F(event, in_discard_mode_ends_the_session_where_it_must)
{
	struct spe_test *t = &self->t;
	long halted = counter(t, "halted"), truncated = counter(t, "truncated");

	open_discarding(_metadata, t);
	ASSERT_EQ(0, spe_inject(0, SPE_INJECT(STAGE1, 0)));
	work(t, 20);
	ASSERT_EQ(0, spe_session_disable(&t->session));
	/* Without a buffer there is no AUX record that could carry a flag. */
	EXPECT_EQ(halted + 1, counter(t, "halted"));
	EXPECT_EQ(truncated + 1, counter(t, "truncated"));
	spe_set(_metadata, t, "discard", 0);
	next_works(_metadata, t);
}

#define SNAPSHOT_PAGES	2

static void open_snapshot(struct __test_metadata *_metadata, struct spe_test *t)
{
	struct spe_shape shape = { .aux_pages = SNAPSHOT_PAGES, .overwrite = true };

	ASSERT_EQ(0, spe_session_open(&t->session, &t->attr, 0, -1, shape));
	spe_enable(_metadata, t);
	/* Fill the buffer twice. */
	work(t, 2 * shape.aux_pages * spe_page_records());
}

/* The number of a record that the unit writes after the buffer was full once. */
static uint64_t snapshot_middle(void)
{
	return (SNAPSHOT_PAGES + 1) * spe_page_records() + 8;
}

TEST_F(event, in_a_snapshot_leaves_what_was_recorded_before_it)
{
	struct spe_test *t = &self->t;

	ASSERT_EQ(0, spe_inject(0, SPE_INJECT(STAGE1, snapshot_middle())));
	open_snapshot(_metadata, t);
	ASSERT_EQ(0, spe_session_disable(&t->session));
	ASSERT_LE(1, spe_session_drain(&t->session));
	EXPECT_TRUE(t->session.flags & PERF_AUX_FLAG_TRUNCATED);
	spe_session_snapshot(&t->session, &t->records);
	EXPECT_LE(100, t->records.count);
	EXPECT_EQ(0, t->records.damaged);
	next_works(_metadata, t);
}

TEST_F(event, of_stage_2_in_a_snapshot_is_survived)
{
	struct spe_test *t = &self->t;

	ASSERT_EQ(0, spe_inject(0, TRANSLATION(snapshot_middle())));
	open_snapshot(_metadata, t);
	work_alu2(spe_rounds(t, WORK_ALU_OPS, 30));
	ASSERT_EQ(0, spe_session_disable(&t->session));
	ASSERT_LE(1, spe_session_drain(&t->session));
	EXPECT_EQ(PERF_AUX_FLAG_PARTIAL, t->session.flags & LOSSES);
	spe_session_snapshot(&t->session, &t->records);
	EXPECT_LE(28, spe_count_pc(&t->records, work_alu2, work_alu2_end));
	EXPECT_EQ(0, t->records.damaged);
	next_works(_metadata, t);
}

/*
 * The interrupt's handler executes so much sampled code that the buffer is full again each
 * time: without the pauses of the budget the program would never go on.
 */
TEST_F(event, that_follows_from_its_own_service_leaves_time_for_the_program)
{
	struct spe_test *t = &self->t;
	uint64_t period = t->attr.perf.sample_period;
	long throttles = counter(t, "throttles");
	char text[256];

	if (!spe_inject_can_at())
		SKIP(return, "this kernel has no kprobes");
	if (spe_pmu_read(&t->pmu, "delivery", text, sizeof(text)) > 0 &&
	    !strncmp(text, "exception", 9))
		SKIP(return, "the exception's handler does not call irq_work_run()");
	/* The rig takes the limit away. */
	snprintf(text, sizeof(text), "%ld", spe_read_number(PERCENT));
	ASSERT_EQ(0, spe_write_file(PERCENT, "25"));
	t->attr.perf.exclude_kernel = 0;
	t->attr.perf.sample_period = 256;
	/* The driver gives the unit one page at a time, which these operations fill. */
	ASSERT_EQ(0, spe_inject_burden("irq_work_run",
				       2 * spe_page_records() * t->attr.perf.sample_period));
	open_snapshot(_metadata, t);
	ASSERT_EQ(0, spe_inject_burden("none", 0));
	ASSERT_EQ(0, spe_session_disable(&t->session));
	ASSERT_LE(1, spe_session_drain(&t->session));
	EXPECT_TRUE(t->session.flags & PERF_AUX_FLAG_PARTIAL);
	EXPECT_FALSE(t->session.flags & PERF_AUX_FLAG_TRUNCATED);
	EXPECT_LT(throttles, counter(t, "throttles"));
	EXPECT_EQ(0, spe_write_file(PERCENT, text));
	t->attr.perf.exclude_kernel = 1;
	t->attr.perf.sample_period = period;
	next_works(_metadata, t);
}

/* Whether the CPU takes events even with interrupts masked, by the Profiling exception. */
static bool unmasked(const struct spe_test *t)
{
	char text[256];

	return spe_pmu_read(&t->pmu, "delivery", text, sizeof(text)) > 0 &&
	       !strcmp(text, "exception: CPU, firmware and kernel allow it");
}

/* The event comes at the end of the session, while interrupts are masked. */
static void end_with(struct __test_metadata *_metadata, struct spe_test *t, uint64_t event)
{
	spe_open(_metadata, t, AUX_PAGES);
	spe_enable(_metadata, t);
	work(t, 50);
	ASSERT_EQ(0, spe_inject_at(END_OF_SESSION, event));
	look(_metadata, t);
	ASSERT_FALSE(spe_inject_waits());
}

TEST_F(event, at_the_end_of_a_session_is_told_without_an_interrupt)
{
	struct spe_test *t = &self->t;
	long stage1 = counter(t, "event_stage1"), services = counter(t, "services");

	if (!spe_inject_can_at())
		SKIP(return, "this kernel has no kprobes");
	end_with(_metadata, t, SPE_INJECT(STAGE1, 0));
	EXPECT_TRUE(t->session.flags & PERF_AUX_FLAG_TRUNCATED);
	EXPECT_LE(48, t->records.count);
	EXPECT_EQ(stage1 + 1, counter(t, "event_stage1"));
	EXPECT_EQ(services + unmasked(t), counter(t, "services"));
	next_works(_metadata, t);
}

TEST_F(event, of_a_full_buffer_at_the_end_loses_nothing)
{
	struct spe_test *t = &self->t;
	long full = counter(t, "event_full"), services = counter(t, "services");

	if (!spe_inject_can_at())
		SKIP(return, "this kernel has no kprobes");
	end_with(_metadata, t, SPE_INJECT(FULL, 0));
	EXPECT_EQ(0, t->session.flags & LOSSES);
	EXPECT_LE(48, t->records.count);
	EXPECT_EQ(full + 1, counter(t, "event_full"));
	EXPECT_EQ(services + unmasked(t), counter(t, "services"));
	next_works(_metadata, t);
}

/* The event ends the session on CPU 1; the session on CPU 0 continues without loss. */
TEST_F(event, on_one_cpu_is_none_of_the_others)
{
	struct spe_shape shape = { .aux_pages = AUX_PAGES };
	struct spe_test *t = &self->t;
	struct spe_session other;
	struct spe_worker worker;
	long here = spe_counter(&t->pmu, "event_stage1", 0);
	long there = spe_counter(&t->pmu, "event_stage1", 1);

	ASSERT_EQ(0, spe_worker_start(&worker, 1, alu));
	spe_open(_metadata, t, AUX_PAGES);
	ASSERT_EQ(0, spe_session_open(&other, &t->attr, worker.pid, -1, shape));
	ASSERT_EQ(0, spe_inject(1, SPE_INJECT(STAGE1, 20)));
	spe_enable(_metadata, t);
	ASSERT_EQ(0, spe_session_enable(&other));
	ASSERT_EQ(0, spe_worker_begin(&worker, spe_rounds(t, WORK_ALU_OPS, 200)));
	work(t, 200);
	ASSERT_EQ(0, spe_worker_wait(&worker));
	ASSERT_EQ(0, spe_session_disable(&other));
	ASSERT_LE(1, spe_session_drain(&other));
	EXPECT_TRUE(other.flags & PERF_AUX_FLAG_TRUNCATED);
	spe_session_close(&other);
	spe_worker_stop(&worker);
	spe_finish(_metadata, t);
	EXPECT_EQ(0, t->session.flags & LOSSES);
	EXPECT_LE(195, t->records.count);
	EXPECT_EQ(here, spe_counter(&t->pmu, "event_stage1", 0));
	EXPECT_EQ(there + 1, spe_counter(&t->pmu, "event_stage1", 1));
}

/* Every event ends a session and is counted, and the next session works. */
TEST_F(event, after_event_is_survived)
{
	static const struct {
		const char *counter;
		uint64_t value;
	} kinds[] = {
		{ "event_stage1", SPE_INJECT(STAGE1, 2) },
		{ "event_gpc", SPE_INJECT(GPC, 2) },
		{ "event_external", SPE_INJECT(EXTERNAL_ASYNC, 2) },
		{ "event_not_allowed", SPE_INJECT(NOT_ALLOWED, 2) },
		{ "event_impdef", SPE_INJECT(IMP_DEF, 2) },
	};
	const unsigned int nr = ARRAY_SIZE(kinds);
	struct spe_test *t = &self->t;
	long before[ARRAY_SIZE(kinds)], truncated = counter(t, "truncated");

	for (unsigned int i = 0; i < nr; i++)
		before[i] = counter(t, kinds[i].counter);
	spe_open(_metadata, t, AUX_PAGES);
	for (unsigned int i = 0; i < STORM; i++) {
		ASSERT_EQ(0, spe_inject(0, kinds[i % nr].value));
		spe_enable(_metadata, t);
		work(t, 4);
		ASSERT_EQ(0, spe_session_disable(&t->session));
		ASSERT_LE(1, spe_session_drain(&t->session));
		ASSERT_TRUE(t->session.flags & PERF_AUX_FLAG_TRUNCATED);
		ASSERT_EQ(0, t->session.gaps);
		spe_session_forget(&t->session);
	}
	for (unsigned int i = 0; i < nr; i++) {
		EXPECT_EQ(before[i] + STORM / nr, counter(t, kinds[i].counter))
			TH_LOG("%s", kinds[i].counter);
	}
	EXPECT_EQ(truncated + STORM, counter(t, "truncated"));
	next_works(_metadata, t);
}

TEST_HARNESS_MAIN
