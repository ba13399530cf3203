// SPDX-License-Identifier: GPL-2.0-only
/*
 * Another user's session uses up the budget of time of the CPU (cpu_time_max_percent).  A session
 * that shares the CPU may lose samples by that, but then an AUX record must say so.  The guest's
 * clock must advance with its instructions (QEMU's icount), and the guest has one CPU.
 */
#include "loader.h"
#include "test.h"
#include "watch.h"

#include <grp.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>

#define PERCENT		spe_module_file("parameters/cpu_time_max_percent")
#define OTHER		1000
#define SECOND		UINT64_C(1000000000)
#define TIME		(3 * SECOND / 2)	/* of the CPU, for the victim */

/* The most that may be missing without a flag, per cent. */
#define TOLERANCE	10

static uint64_t cpu_time(void)
{
	struct timespec now;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
	return (uint64_t)now.tv_sec * SECOND + (uint64_t)now.tv_nsec;
}

static bool become(uid_t id)
{
	return !setgroups(0, NULL) && !setresgid(id, id, id) && !setresuid(id, id, id);
}

FIXTURE(neighbor) {
	struct spe_test t;
	long percent;
};

FIXTURE_VARIANT(neighbor) {
	const char *percent;
};

FIXTURE_SETUP(neighbor)
{
	spe_test_begin(_metadata, &self->t);
	self->percent = spe_read_number(PERCENT);
	ASSERT_LE(0, self->percent);
	ASSERT_EQ(0, spe_write_file(PERCENT, variant->percent));
}

FIXTURE_TEARDOWN(neighbor)
{
	char text[16];

	snprintf(text, sizeof(text), "%ld", self->percent);
	EXPECT_EQ(0, spe_write_file(PERCENT, text));
	spe_test_end(&self->t);
}

FIXTURE_VARIANT_ADD(neighbor, at_1_percent) { .percent = "1" };
FIXTURE_VARIANT_ADD(neighbor, at_2_percent) { .percent = "2" };

/* Interrupts as often as an ordinary user can make the unit interrupt. */
static void attack(const struct spe_test *t, bool sample)
{
	struct spe_shape shape = { .aux_pages = 8 };
	union spe_attr attr = t->attr;
	struct spe_session session;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (!become(NOBODY))
		_exit(1);
	attr.perf.sample_period = 256;
	attr.perf.aux_watermark = 1;
	if (sample && (spe_session_open(&session, &attr, 0, -1, shape) ||
		       spe_session_enable(&session)))
		_exit(2);
	for (;;) {
		work_alu(200);
		if (!sample)
			continue;
		__atomic_store_n(&session.page->aux_tail, spe_session_head(&session),
				 __ATOMIC_RELEASE);
		session.page->data_tail = session.page->data_head;
	}
}

/* What the victim's session has recorded in TIME of CPU time, and the pauses meanwhile. */
struct seen {
	uint64_t bytes, flags, lost;
	long flagged;		/* AUX records with a flag */
	long pauses;
};

/* Adds what the session has published, and forgets it. */
static void take(struct spe_session *session, struct seen *seen)
{
	if (spe_session_drain(session) < 0)
		_exit(3);
	for (size_t i = 0; i < session->chunks; i++)
		seen->flagged += !!session->chunk[i].flags;
	seen->flags |= session->flags;
	seen->lost += session->lost;
	spe_session_forget(session);
}

/* A task of yet another user, with an ordinary session, which it reads. */
static void suffer(const struct spe_test *t, struct seen *seen)
{
	struct spe_shape shape = { .aux_pages = AUX_PAGES };
	union spe_attr attr = t->attr;
	struct spe_session session;
	uint64_t start;

	if (!become(OTHER))
		_exit(1);
	attr.perf.sample_period = 4096;
	if (spe_session_open(&session, &attr, 0, -1, shape) || spe_session_enable(&session))
		_exit(2);
	for (start = cpu_time(); cpu_time() - start < TIME;) {
		work_alu(20000);
		take(&session, seen);
	}
	spe_session_disable(&session);
	take(&session, seen);
	seen->bytes = spe_session_head(&session);
	_exit(0);
}

static void measure(struct __test_metadata *_metadata, FIXTURE_DATA(neighbor) *self, bool sample,
		    struct seen *result)
{
	struct seen *seen = mmap(NULL, sizeof(*seen), PROT_READ | PROT_WRITE,
				 MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	long pauses = spe_counter(&self->t.pmu, "throttles", 0);
	pid_t attacker, victim;
	int status = -1;

	ASSERT_NE(MAP_FAILED, seen);
	ASSERT_LE(0, pauses);
	attacker = fork();
	if (!attacker)
		attack(&self->t, sample);
	victim = fork();
	if (!victim)
		suffer(&self->t, seen);
	EXPECT_EQ(victim, waitpid(victim, &status, 0));
	EXPECT_EQ(0, status);
	/* The attacker has not ended by itself. */
	EXPECT_EQ(0, kill(attacker, SIGKILL));
	EXPECT_EQ(attacker, waitpid(attacker, &status, 0));
	EXPECT_TRUE(WIFSIGNALED(status));
	seen->pauses = spe_counter(&self->t.pmu, "throttles", 0) - pauses;
	*result = *seen;
	munmap(seen, sizeof(*seen));
}

/* A quarter of the pauses: the victim is not on the CPU in each of them. */
TEST_F(neighbor, learns_that_samples_are_missing)
{
	struct seen alone, beside;

	measure(_metadata, self, false, &alone);
	measure(_metadata, self, true, &beside);
	TH_LOG("beside a task that spins: %lu bytes, flags %#lx", alone.bytes, alone.flags);
	TH_LOG("beside one that samples: %lu bytes, %ld AUX records with flags (%#lx), %ld pauses",
	       beside.bytes, beside.flagged, beside.flags, beside.pauses);
	EXPECT_EQ(0, alone.flags);
	EXPECT_LT(0, beside.bytes);
	EXPECT_EQ(0, beside.lost);
	if (beside.bytes * 100 < alone.bytes * (100 - TOLERANCE))
		EXPECT_LE(beside.pauses / 4, beside.flagged);
}

TEST_HARNESS_MAIN
