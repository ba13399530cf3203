// SPDX-License-Identifier: GPL-2.0-only
/*
 * The budget of time for the driver's interrupts (cpu_time_max_percent), which only our driver
 * has.  A session with the shortest period, of kernel and user code, in a buffer of two pages
 * makes the unit interrupt as often as it can.  The guest's clock must advance with its
 * instructions (QEMU's icount), and the guest has one CPU: so the work that a program does in a
 * second shows what the interrupts take, independent of the driver's own counters.
 */
#include "loader.h"
#include "test.h"
#include "watch.h"

#include <time.h>

#define PERCENT	spe_module_file("parameters/cpu_time_max_percent")
#define SECOND	UINT64_C(1000000000)
#define TIME	(SECOND / 2)

static uint64_t now(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * SECOND + now.tv_nsec;
}

/* What a program gets done in TIME, and what the driver's counters say of that time. */
struct progress {
	uint64_t rounds, ns;
	long busy, throttles, throttled, bytes;
};

static void count(const struct spe_test *t, struct progress *p)
{
	p->busy = spe_counter(&t->pmu, "service_ns", 0);
	p->throttles = spe_counter(&t->pmu, "throttles", 0);
	p->throttled = spe_counter(&t->pmu, "throttled_ns", 0);
	p->bytes = spe_counter(&t->pmu, "bytes", 0);
}

static struct progress work(const struct spe_test *t)
{
	struct progress before, p;
	uint64_t start;

	count(t, &before);
	p.rounds = 0;
	for (start = now(); now() - start < TIME; p.rounds += 1000)
		work_alu(1000);
	p.ns = now() - start;
	count(t, &p);
	p.busy -= before.busy;
	p.throttles -= before.throttles;
	p.throttled -= before.throttled;
	p.bytes -= before.bytes;
	return p;
}

/* The best of three: a kernel with checks has work of its own in some of them. */
static struct progress best_work(const struct spe_test *t)
{
	struct progress best = work(t);

	for (int i = 0; i < 2; i++) {
		struct progress p = work(t);

		if (p.rounds * best.ns > best.rounds * p.ns)
			best = p;
	}
	return best;
}

/* Per mille of the time. */
static long busy_share(const struct progress *p)
{
	return p->busy * 1000 / (long)p->ns;
}

/* Per mille of the rounds without a session that are missing. */
static long missing_share(const struct progress *alone, const struct progress *p)
{
	uint64_t all = alone->rounds * p->ns / alone->ns;

	return all > p->rounds ? (long)((all - p->rounds) * 1000 / all) : 0;
}

static void set_percent(struct __test_metadata *_metadata, const char *text)
{
	ASSERT_EQ(0, spe_write_file(PERCENT, text)) TH_LOG("%s", text);
}

FIXTURE(budget) {
	struct spe_test t;
	struct spe_session other;
	long percent;
};

FIXTURE_SETUP(budget)
{
	spe_test_begin(_metadata, &self->t);
	self->percent = spe_read_number(PERCENT);
	ASSERT_LE(0, self->percent);
	self->t.attr.perf.sample_period = 256;
	self->t.attr.perf.exclude_kernel = 0;
}

FIXTURE_TEARDOWN(budget)
{
	char text[16];

	snprintf(text, sizeof(text), "%ld", self->percent);
	EXPECT_EQ(0, spe_write_file(PERCENT, text));
	spe_session_close(&self->other);
	spe_test_end(&self->t);
}

/* A session of CPU 0, as perf record -a opens one for each CPU. */
static void open_cpu(struct __test_metadata *_metadata, struct spe_test *t,
		     struct spe_session *session, struct spe_shape shape)
{
	ASSERT_EQ(0, spe_session_open(session, &t->attr, -1, 0, shape));
	ASSERT_EQ(0, spe_session_enable(session));
}

/* A snapshot needs no reader, so that the interrupts alone delay the work. */
static const struct spe_shape tiny = { .aux_pages = 2, .overwrite = true };

/*
 * Without a limit the interrupts take more than 1% of the CPU; with the limit of 1% no more.
 * Entry and exit of an interrupt are not the driver's, but delay the work too: about as long as
 * these services, which are the shortest, and five times as long in a kernel with pseudo-NMIs
 * and checks.  The limit must shorten both alike.
 */
TEST_F(budget, keeps_a_hostile_session_from_taking_the_cpu)
{
	struct progress alone, unlimited, limited;
	struct spe_test *t = &self->t;
	uint64_t start;
	long share;

	alone = best_work(t);
	open_cpu(_metadata, t, &t->session, tiny);
	set_percent(_metadata, "0");
	unlimited = best_work(t);
	set_percent(_metadata, "1");
	start = now();
	limited = best_work(t);
	TH_LOG("alone %lu rounds, unlimited %lu, limited %lu", alone.rounds, unlimited.rounds,
	       limited.rounds);
	TH_LOG("unlimited: interrupts %ld, missing %ld, limited: %ld, %ld per mille",
	       busy_share(&unlimited), missing_share(&alone, &unlimited), busy_share(&limited),
	       missing_share(&alone, &limited));
	EXPECT_LT(15, busy_share(&unlimited));
	EXPECT_LT(35, missing_share(&alone, &unlimited));
	EXPECT_EQ(0, unlimited.throttles);
	EXPECT_GE(11, busy_share(&limited));
	EXPECT_LE(8, busy_share(&limited));
	share = missing_share(&alone, &unlimited) * 11 / busy_share(&unlimited);
	EXPECT_GE(share + 5, missing_share(&alone, &limited));
	EXPECT_LT(1, limited.throttles);
	/*
	 * The driver has started the session again after each pause: the service that begins the
	 * next one needs a full buffer.
	 */
	EXPECT_LE((limited.throttles - 1) * (long)spe_page_size(), limited.bytes);
	EXPECT_GT(unlimited.bytes, limited.bytes);
	EXPECT_LT(0, limited.throttled);
	/* A pause that ended in this time may have begun before it, with the limit. */
	EXPECT_GE((long)(now() - start), limited.throttled);
}

/* What a reader has seen. */
struct seen {
	long flagged, damaged;
	bool after;		/* records after a pause */
};

/* Reads what the session has published since the last call. */
static void take(struct __test_metadata *_metadata, struct spe_test *t, struct seen *seen)
{
	ASSERT_LE(0, spe_session_drain(&t->session));
	for (size_t i = 0; i < t->session.chunks; i++) {
		const struct spe_chunk *chunk = &t->session.chunk[i];

		seen->after |= seen->flagged && chunk->size;
		seen->flagged += !!(chunk->flags & PERF_AUX_FLAG_PARTIAL);
		EXPECT_FALSE(chunk->flags & PERF_AUX_FLAG_TRUNCATED);
	}
	spe_session_records(&t->session, &t->records);
	seen->damaged += (long)t->records.damaged;
	spe_records_free(&t->records);
	EXPECT_EQ(0, t->session.gaps);
	EXPECT_EQ(0, t->session.lost);
	spe_session_forget(&t->session);
}

/*
 * A reader of the session and other work in turns.  To decode a record takes more operations
 * than the period: without the limit the reader would never catch up.
 */
static struct progress record(struct __test_metadata *_metadata, struct spe_test *t,
			      struct seen *seen)
{
	struct progress before, p;
	uint64_t start;

	count(t, &before);
	p.rounds = 0;
	for (start = now(); now() - start < TIME; p.rounds += spe_rounds(t, WORK_ALU_OPS, 100)) {
		work_alu(spe_rounds(t, WORK_ALU_OPS, 100));
		take(_metadata, t, seen);
	}
	p.ns = now() - start;
	count(t, &p);
	p.busy -= before.busy;
	p.throttles -= before.throttles;
	return p;
}

/*
 * A recording with an AUX record for each page of the buffer.  Each pause is flagged: a reader
 * counts as many AUX records with PARTIAL as the driver counts pauses.
 */
TEST_F(budget, flags_each_pause_of_a_hostile_recording)
{
	const struct spe_shape shape = { .aux_pages = AUX_PAGES };
	struct spe_test *t = &self->t;
	struct progress limited;
	struct seen seen = { 0 };
	long partial = spe_counter(&t->pmu, "partial", 0);
	long throttles = spe_counter(&t->pmu, "throttles", 0);

	t->attr.perf.aux_watermark = 4096;
	set_percent(_metadata, "1");
	open_cpu(_metadata, t, &t->session, shape);
	limited = record(_metadata, t, &seen);
	ASSERT_EQ(0, spe_session_disable(&t->session));
	/* A pause between the last look and the end is in the last AUX record. */
	take(_metadata, t, &seen);
	TH_LOG("interrupts %ld per mille", busy_share(&limited));
	EXPECT_GE(11, busy_share(&limited));
	EXPECT_LT(1, seen.flagged);
	EXPECT_TRUE(seen.after);
	EXPECT_EQ(0, seen.damaged);
	EXPECT_EQ(throttles + seen.flagged, spe_counter(&t->pmu, "throttles", 0));
	EXPECT_EQ(partial + seen.flagged, spe_counter(&t->pmu, "partial", 0));
}

/* Frequency mode counts no time without sampling: it must not shorten the interval after a pause. */
TEST_F(budget, holds_in_frequency_mode)
{
	const struct spe_shape shape = { .aux_pages = 2, .overwrite = true };
	struct progress unlimited, limited;
	struct spe_test *t = &self->t;

	t->attr.perf.freq = 1;
	t->attr.perf.sample_freq = 50000;
	open_cpu(_metadata, t, &t->session, shape);
	set_percent(_metadata, "0");
	work(t);
	unlimited = work(t);
	set_percent(_metadata, "1");
	limited = work(t);
	TH_LOG("unlimited: interrupts %ld, limited: %ld per mille", busy_share(&unlimited),
	       busy_share(&limited));
	EXPECT_LT(12, busy_share(&unlimited));
	EXPECT_GE(11, busy_share(&limited));
	EXPECT_LT(0, limited.throttles);
	EXPECT_GT(unlimited.bytes, limited.bytes);
}

/* Each event has a budget, but event after event takes no more than one does. */
TEST_F(budget, is_not_evaded_by_event_after_event)
{
	struct spe_test *t = &self->t;
	struct progress p;

	set_percent(_metadata, "1");
	for (int i = 0; i < 50; i++) {
		open_cpu(_metadata, t, &t->session, tiny);
		work_alu(spe_rounds(t, WORK_ALU_OPS, 1000));
		spe_session_close(&t->session);
	}
	open_cpu(_metadata, t, &t->session, tiny);
	p = work(t);
	EXPECT_GE(11, busy_share(&p));
	EXPECT_LT(0, p.bytes);
	/* Without a limit the session goes on at once. */
	set_percent(_metadata, "100");
	work(t);
	p = work(t);
	EXPECT_EQ(0, p.throttles);
	EXPECT_EQ(0, p.throttled);
	EXPECT_LT(15, busy_share(&p));
}

/* perf's limit for the handlers of sampling interrupts has the same default. */
TEST_F(budget, of_a_quarter_leaves_ordinary_sessions_alone)
{
	const struct spe_shape shape = { .aux_pages = AUX_PAGES, .overwrite = true };
	struct spe_test *t = &self->t;
	struct progress p;

	EXPECT_EQ(25, self->percent);
	t->attr.perf.sample_period = 1024;
	open_cpu(_metadata, t, &t->session, shape);
	p = work(t);
	TH_LOG("interrupts %ld per mille", busy_share(&p));
	EXPECT_LT(0, p.busy);
	EXPECT_EQ(0, p.throttles);
}

TEST_F(budget, refuses_what_is_no_percentage)
{
	static const char *const texts[] = { "101", "-1", "many" };

	for (size_t i = 0; i < ARRAY_SIZE(texts); i++) {
		EXPECT_EQ(-EINVAL, spe_write_file(PERCENT, texts[i]))
			TH_LOG("%s", texts[i]);
	}
	EXPECT_EQ(25, spe_read_number(PERCENT));
}

TEST_HARNESS_MAIN
