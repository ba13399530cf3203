// SPDX-License-Identifier: GPL-2.0-only
/*
 * Many sessions of every kind, begun and ended by several tasks at once while
 * CPU 1 comes and goes and, where the guest has the injector, while the unit
 * meets events of each kind.  What comes out is not what a test expects of one
 * session, but it is never damaged in silence, and afterwards all is as before.
 *
 * ARM_SPE_STRESS is how often a session is begun, 300 if nothing is said.
 * What can go wrong in the kernel, a debug kernel sees: selftests/rig/check-debug.
 */
#include "test.h"

#include <stdatomic.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/wait.h>

#define ONLINE		"/sys/devices/system/cpu/cpu1/online"
#define INJECT		"/sys/kernel/debug/arm_spe_inject"
#define WORKERS		3
#define WORST		60	/* rounds of work in a thousand operations */

/* What the tasks share. */
struct shared {
	atomic_uint begun;
	atomic_uint refused;
	atomic_uint injected;
	atomic_bool failed;
	unsigned int wanted;
};

struct dice {
	uint64_t seed;
};

static unsigned int draw(struct dice *dice, unsigned int below)
{
	dice->seed = dice->seed * UINT64_C(6364136223846793005) +
		     UINT64_C(1442695040888963407);
	return (unsigned int)(dice->seed >> 33) % below;
}

static bool over(const struct shared *shared)
{
	return atomic_load(&shared->failed) ||
	       atomic_load(&shared->begun) >= shared->wanted;
}

/* Whatever an attribute can be; the kernel only for some, for it fills buffers. */
static void draw_attr(struct dice *dice, union spe_attr *attr,
		      const struct spe_pmu *pmu)
{
	static const char *const names[] = {
		"ts_enable", "pa_enable", "jitter", "load_filter",
		"branch_filter", "discard",
	};

	spe_attr_init(attr, pmu);
	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (!draw(dice, 4))
			spe_attr_set(attr, pmu, names[i], 1);
	attr->perf.exclude_kernel = !!draw(dice, 4);
	attr->perf.aux_watermark = draw(dice, 3) * 4096;
	attr->perf.sample_period = 256 << draw(dice, 5);
	/* What is discarded has no frequency: then the period stays. */
	if (!draw(dice, 4) && !(attr->perf.config >> 35 & 1)) {
		attr->perf.freq = 1;
		attr->perf.sample_freq = 1000 << draw(dice, 4);
	}
}

/*
 * Its own session, one that its children inherit, or a CPU's, which may have
 * gone or be taken.
 */
static int draw_session(struct dice *dice, struct spe_session *session,
			union spe_attr *attr)
{
	struct spe_shape shape = {
		.aux_pages = 2u << draw(dice, 4), .overwrite = !draw(dice, 4),
	};

	switch (draw(dice, 4)) {
	case 0:
		return spe_session_open(session, attr, -1, (int)draw(dice, 2),
					shape);
	case 1:
		attr->perf.inherit = 1;
		return spe_session_open(session, attr, 0, (int)draw(dice, 2),
					shape);
	default:
		return spe_session_open(session, attr, 0, -1, shape);
	}
}

/* A child that works and ends, so that its copy of an event ends with it. */
static void fork_and_work(void)
{
	pid_t pid = fork();

	if (!pid) {
		work_alu(20000);
		_exit(0);
	}
	if (pid > 0)
		waitpid(pid, NULL, 0);
}

/* Bytes that are no record are told of, and no byte is passed over. */
static bool sound(struct spe_session *session)
{
	const uint64_t told = PERF_AUX_FLAG_PARTIAL | PERF_AUX_FLAG_TRUNCATED;
	struct spe_records records;
	bool ok = true;

	if (spe_session_drain(session) < 0)
		return false;
	if (session->overwrite)
		return true;
	spe_session_records(session, &records);
	if (records.damaged && !(session->flags & told))
		ok = false;
	if (session->gaps && !(session->flags & told))
		ok = false;
	if (!ok)
		fprintf(stderr, "# flags %#lx, %zu bytes damaged, %u gaps\n",
			session->flags, records.damaged, session->gaps);
	spe_records_free(&records);
	return ok;
}

static bool begin_and_end(struct dice *dice, struct shared *shared,
			  struct spe_session *session, bool inherit)
{
	unsigned int turns = 1 + draw(dice, 6);

	while (turns--) {
		if (spe_session_enable(session))
			break;
		atomic_fetch_add(&shared->begun, 1);
		work_alu(1 + draw(dice, WORST) * 250);
		if (inherit && !draw(dice, 4))
			fork_and_work();
		/* The last turn may end by closing the event. */
		if (!turns && draw(dice, 2))
			break;
		spe_session_disable(session);
		if (!sound(session))
			return false;
		spe_session_forget(session);
	}
	return true;
}

/* Returns the status that the task ends with: 0, or what went wrong. */
static int serve(struct shared *shared, const struct spe_pmu *pmu, int number)
{
	struct dice dice = { .seed = (uint64_t)number + 1 };

	while (!over(shared)) {
		struct spe_session session;
		union spe_attr attr;
		bool ok;
		int err;

		spe_pin((int)draw(&dice, 2));
		draw_attr(&dice, &attr, pmu);
		err = draw_session(&dice, &session, &attr);
		if (err) {
			/* Taken, or gone. */
			if (err != -EBUSY && err != -ENODEV) {
				fprintf(stderr, "# open: %d\n", err);
				return 2;
			}
			atomic_fetch_add(&shared->refused, 1);
			continue;
		}
		ok = begin_and_end(&dice, shared, &session, attr.perf.inherit);
		spe_session_close(&session);
		if (!ok)
			return 3;
	}
	return 0;
}

/* Kinds 1 to 10 of the model's, each with what it takes. */
static void inject(struct dice *dice, struct shared *shared)
{
	unsigned int kind = 1 + draw(dice, 10);
	uint64_t value = (1 + draw(dice, 20)) | kind << 12;
	char text[32];

	if (kind == 2 || kind == 3)
		value |= UINT64_C(7) << 16;
	snprintf(text, sizeof(text), "%u %lx", draw(dice, 2), value);
	/* An absent CPU and a full queue refuse. */
	if (!spe_write_file(INJECT, text))
		atomic_fetch_add(&shared->injected, 1);
}

/* Until the others are done. */
static void disturb(struct shared *shared, bool hotplug, bool faults)
{
	struct dice dice = { .seed = 99 };
	bool online = true;

	while (!over(shared)) {
		if (faults)
			inject(&dice, shared);
		if (hotplug && (!online || !draw(&dice, 4))) {
			online = !online;
			spe_write_file(ONLINE, online ? "1" : "0");
		}
		usleep(1000 + draw(&dice, 10000));
	}
	if (hotplug)
		spe_write_file(ONLINE, "1");
}

SPE_FIXTURE(stress);

/* Each CPU records as if nothing had been. */
static void expect_recovery(struct __test_metadata *_metadata,
			    struct spe_test *t)
{
	spe_attr_init(&t->attr, &t->pmu);
	for (int cpu = 0; cpu < 2; cpu++) {
		ASSERT_EQ(0, spe_pin(cpu));
		spe_open(_metadata, t, AUX_PAGES);
		spe_enable(_metadata, t);
		work_alu(spe_rounds(t, WORK_ALU_OPS, 100));
		spe_finish(_metadata, t);
		EXPECT_LE(95, t->records.count);
		spe_session_close(&t->session);
	}
	EXPECT_EQ(0, spe_read_number("/sys/module/arm_spe_pmu/refcnt"));
}

/* An hour, where the kernel is a debug kernel and the host slow. */
TEST_F_TIMEOUT(stress, of_sessions_hotplug_and_faults, 3600)
{
	const char *wanted = getenv("ARM_SPE_STRESS");
	bool hotplug = !access(ONLINE, W_OK), faults = !access(INJECT, W_OK);
	struct shared *shared;
	pid_t pid[WORKERS];

	shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE,
		      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	ASSERT_NE(MAP_FAILED, shared);
	shared->wanted = wanted ? (unsigned int)atoi(wanted) : 300;
	for (int i = 0; i < WORKERS; i++) {
		pid[i] = fork();
		ASSERT_LE(0, pid[i]);
		if (!pid[i]) {
			int status = serve(shared, &self->t.pmu, i);

			if (status)
				atomic_store(&shared->failed, true);
			_exit(status);
		}
	}
	disturb(shared, hotplug, faults);
	for (int i = 0; i < WORKERS; i++) {
		int status = -1;

		ASSERT_EQ(pid[i], waitpid(pid[i], &status, 0));
		EXPECT_EQ(0, status)
			TH_LOG("task %d ended with %#x", i, status);
	}
	/* Events that nobody met must not meet the next session. */
	if (faults) {
		EXPECT_LT(0, atomic_load(&shared->injected));
		EXPECT_EQ(0, spe_write_file(INJECT, "0 0"));
		EXPECT_EQ(0, spe_write_file(INJECT, "1 0"));
	}
	TH_LOG("%u begun, %u refused, %u events injected, CPU 1 %s",
	       atomic_load(&shared->begun), atomic_load(&shared->refused),
	       atomic_load(&shared->injected),
	       hotplug ? "came and went" : "stayed");
	EXPECT_LE(shared->wanted, atomic_load(&shared->begun));
	expect_recovery(_metadata, &self->t);
	munmap(shared, sizeof(*shared));
}

TEST_HARNESS_MAIN
