// SPDX-License-Identifier: GPL-2.0-only
/*
 * Many sessions of every kind, begun and ended by several tasks at once while
 * CPU 1 comes and goes, the delivery of events is switched and, where the guest
 * has the injector, the unit meets events of each kind.  Some sessions lead a group
 * whose other members pause and resume them, or interrupt: by NMIs, and too often,
 * where the kernel has those.  What comes out is not what a test expects of one
 * session, but it is never damaged in silence, and afterwards all is as before.
 *
 * ARM_SPE_STRESS is how often a session is begun, 300 if nothing is said.
 * What can go wrong in the kernel, a debug kernel sees: selftests/rig/check-debug.
 */
#include "counters.h"
#include "group.h"
#include "test.h"

#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/wait.h>

#define ONLINE		"/sys/devices/system/cpu/cpu1/online"
#define INJECT		"/sys/kernel/debug/arm_spe_inject"
#define WORKERS		3
#define CPU_TIME	"/proc/sys/kernel/perf_cpu_time_max_percent"
#define WORST		60	/* rounds of work in a thousand operations */

/* What the tasks share. */
struct shared {
	atomic_uint begun;
	atomic_uint refused;
	atomic_uint injected;
	atomic_uint grouped;
	atomic_uint snapshots;
	atomic_bool failed;
	unsigned int wanted;
};

struct dice {
	uint64_t seed;
};

/* A session, and what is to be expected of its records. */
struct run {
	struct spe_session session;
	struct spe_group group;
	int pid, cpu;
	bool inherit, timed;
	uint64_t flags;		/* of all that its buffer may still hold */
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
static int draw_session(struct dice *dice, struct run *run, union spe_attr *attr,
			const struct spe_pmu *pmu)
{
	struct spe_shape shape = {
		.aux_pages = 2u << draw(dice, 4), .overwrite = !draw(dice, 4),
	};
	struct spe_field field;

	memset(run, 0, sizeof(*run));
	spe_group_begin(&run->group);
	run->timed = !spe_pmu_field(pmu, "ts_enable", &field) &&
		     attr->word[field.word] >> field.low & 1;
	run->cpu = -1;
	switch (draw(dice, 4)) {
	case 0:
		run->pid = -1;
		run->cpu = (int)draw(dice, 2);
		break;
	case 1:
		run->inherit = true;
		attr->perf.inherit = 1;
		run->cpu = (int)draw(dice, 2);
		break;
	}
	return spe_session_open(&run->session, attr, run->pid, run->cpu, shape);
}

/* What this kernel or machine does not have is left out. */
static void draw_group(struct dice *dice, struct shared *shared, struct run *run)
{
	int leader = run->session.fd, err = -ENOENT;

	if (run->inherit)
		return;
	switch (draw(dice, 4)) {
	case 0:
		err = spe_group_cycles(&run->group, leader, run->pid, run->cpu,
				       20000u << draw(dice, 6));
		break;
	case 1:
		err = spe_group_pause(&run->group, leader, run->pid, run->cpu);
		break;
	}
	if (!err)
		atomic_fetch_add(&shared->grouped, 1);
	else
		spe_group_close(&run->group);
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

/* Of a task that is sampled alone: an instruction of this program. */
static bool known_pc(const struct spe_record *record)
{
	extern const char __executable_start[], etext[];
	const char *vdso = (const char *)getauxval(AT_SYSINFO_EHDR);

	return !(record->has & SPE_HAS_PC) || record->pc_el ||
	       spe_pc_in(record, __executable_start, etext) ||
	       spe_pc_in(record, vdso, vdso + 4 * 4096);
}

/* Each record is one that this session can have made, in the order of time. */
static bool plausible(const struct run *run, const struct spe_records *records)
{
	uint64_t last = 0;

	for (size_t i = 0; i < records->count; i++) {
		const struct spe_record *r = &records->record[i];

		if (!run->pid && !known_pc(r)) {
			fprintf(stderr, "# record %zu of %zu: PC %#lx\n", i, records->count, r->pc);
			return false;
		}
		if (run->timed != !!(r->has & SPE_HAS_TIMESTAMP))
			return false;
		if (run->timed && !run->inherit && r->timestamp < last) {
			fprintf(stderr, "# record %zu of %zu: time %lu after %lu\n", i,
				records->count, r->timestamp, last);
			return false;
		}
		last = r->timestamp;
	}
	return true;
}

/* Where the unit has gone round, the oldest record may be half of one. */
static bool sound_snapshot(struct shared *shared, const struct run *run)
{
	struct spe_records records;
	bool ok;

	spe_session_snapshot(&run->session, &records);
	ok = records.damaged < 64 && plausible(run, &records);
	if (!ok)
		fprintf(stderr, "# snapshot: %zu bytes damaged\n", records.damaged);
	if (records.count)
		atomic_fetch_add(&shared->snapshots, 1);
	spe_records_free(&records);
	return ok;
}

/* Bytes that are no record are told of, and no byte is passed over. */
static bool sound(struct shared *shared, struct run *run)
{
	const uint64_t told = PERF_AUX_FLAG_PARTIAL | PERF_AUX_FLAG_TRUNCATED;
	struct spe_session *session = &run->session;
	struct spe_records records;
	bool ok;

	if (spe_session_drain(session) < 0)
		return false;
	run->flags |= session->flags;
	if (session->overwrite)
		return run->flags & told || sound_snapshot(shared, run);
	spe_session_records(session, &records);
	ok = session->flags & told ||
	     (!records.damaged && !session->gaps && plausible(run, &records));
	if (!ok)
		fprintf(stderr, "# flags %#lx, %zu bytes damaged, %u gaps\n",
			session->flags, records.damaged, session->gaps);
	spe_records_free(&records);
	return ok;
}

/* Paused for a third of the time, where the group does that. */
static void work_and_pause(unsigned int rounds)
{
	work_alu(rounds);
	getsid(0);
	work_alu(rounds);
	getpgid(0);
	work_alu(rounds);
}

static bool begin_and_end(struct dice *dice, struct shared *shared, struct run *run)
{
	struct spe_session *session = &run->session;
	unsigned int turns = 1 + draw(dice, 6);

	while (turns--) {
		if (spe_session_enable(session))
			break;
		atomic_fetch_add(&shared->begun, 1);
		work_and_pause(1 + draw(dice, WORST) * 80);
		if (run->inherit && !draw(dice, 4))
			fork_and_work();
		/* The last turn may end by closing the event. */
		if (!turns && draw(dice, 2))
			break;
		spe_session_disable(session);
		if (!sound(shared, run))
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
		union spe_attr attr;
		struct run run;
		bool ok;
		int err;

		spe_pin((int)draw(&dice, 2));
		draw_attr(&dice, &attr, pmu);
		err = draw_session(&dice, &run, &attr, pmu);
		if (err) {
			/* Taken, or gone. */
			if (err != -EBUSY && err != -ENODEV) {
				fprintf(stderr, "# open: %d\n", err);
				return 2;
			}
			atomic_fetch_add(&shared->refused, 1);
			continue;
		}
		draw_group(&dice, shared, &run);
		ok = begin_and_end(&dice, shared, &run);
		spe_group_close(&run.group);
		spe_session_close(&run.session);
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
	static const char *const deliveries[] = { "auto", "interrupt" };
	struct dice dice = { .seed = 99 };
	bool online = true;

	while (!over(shared)) {
		if (!draw(&dice, 4))
			spe_write_file(SPE_DELIVERY, deliveries[draw(&dice, 2)]);
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

FIXTURE(stress) {
	struct spe_test t;
	char delivery[16];
	long cpu_time;
};

FIXTURE_SETUP(stress)
{
	int fd = open(SPE_DELIVERY, O_RDONLY | O_CLOEXEC);

	spe_test_begin(_metadata, &self->t);
	memset(self->delivery, 0, sizeof(self->delivery));
	ASSERT_LT(0, read(fd, self->delivery, sizeof(self->delivery) - 1));
	close(fd);
	/* Or perf lowers the rate below what sessions ask for: its NMIs are slow here. */
	self->cpu_time = spe_read_number(CPU_TIME);
	ASSERT_EQ(0, spe_write_file(CPU_TIME, "0"));
}

FIXTURE_TEARDOWN(stress)
{
	char text[32];

	snprintf(text, sizeof(text), "%ld", self->cpu_time);
	EXPECT_EQ(0, spe_write_file(CPU_TIME, text));
	EXPECT_EQ(0, spe_write_file(SPE_DELIVERY, self->delivery));
	spe_test_end(&self->t);
}

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
	TH_LOG("%u begun, %u refused, %u in groups, %u snapshots, %u events injected, CPU 1 %s",
	       atomic_load(&shared->begun), atomic_load(&shared->refused),
	       atomic_load(&shared->grouped), atomic_load(&shared->snapshots),
	       atomic_load(&shared->injected),
	       hotplug ? "came and went" : "stayed");
	EXPECT_LE(shared->wanted, atomic_load(&shared->begun));
	/* A short run may have none without a loss. */
	if (shared->wanted >= 300)
		EXPECT_LT(0, atomic_load(&shared->snapshots));
	expect_recovery(_metadata, &self->t);
	munmap(shared, sizeof(*shared));
}

TEST_HARNESS_MAIN
