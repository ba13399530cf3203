// SPDX-License-Identifier: GPL-2.0-only
/*
 * Several tasks begin and end many sessions of every kind at once.  Meanwhile CPU 1 goes
 * offline and comes back, the delivery of events is switched, and in guests with the injector
 * the unit meets events of each kind.  Some sessions lead a group whose other members pause and
 * resume them, interrupt, or have samples that carry records, by NMIs if the kernel uses them.
 * Records may be lost, but never silently damaged, and afterwards each CPU must work normally.
 *
 * ARM_SPE_STRESS is the number of sessions to begin, 300 by default.  Mistakes inside the
 * kernel show on a debug kernel: selftests/rig/jobs/check-debug.sh.
 */
#include "counters.h"
#include "group.h"
#include "sampler.h"
#include "test.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/wait.h>

#define ONLINE		"/sys/devices/system/cpu/cpu1/online"
#define INJECT		"/sys/kernel/debug/arm_spe_inject"
#define WORKERS		3
#define CPU_TIME	"/proc/sys/kernel/perf_cpu_time_max_percent"
#define WORST		60	/* most work in a turn, thousands of operations */
/*
 * The shortest periods of the other members, in cycles (of 1 ns in the model).  perf does not
 * limit here how long interrupts take, so they must be far enough apart for the slowest kernel:
 * with KCSAN and 20000 cycles, a CPU does nothing but serve them.  A sample with records takes
 * longer, because the interrupt copies them.
 */
#define COUNTER_PERIOD	200000u
#define SAMPLER_PERIOD	400000u

/* Shared between the tasks. */
struct shared {
	/*
	 * Held by a task that pins itself, and while CPU 1 goes offline or comes back.  If CPU 1
	 * goes offline while a task moves there, migration_cpu_stop() in kernel/sched/core.c
	 * leaves the task on CPU 0 and completes its request.  On PREEMPT_RT kernels, as
	 * 6.12.117-rt, the task's next spinlock then meets a WARN in affine_move_task(), with or
	 * without this driver.
	 *
	 * Also held while a task opens a session and its group: Linux accepts a leader whose CPU has
	 * been offline (patches/upstream/core/0003).  Up to 6.12 it does not attach the new member
	 * while the CPU comes back, and then never drops the member's reference on the leader.
	 */
	pthread_mutex_t placement;
	atomic_uint begun;
	atomic_uint refused;
	atomic_uint injected;
	atomic_uint grouped;
	atomic_uint snapshots;
	atomic_uint samples;	/* of other events, with records */
	atomic_bool failed;
	unsigned int wanted;
};

struct dice {
	uint64_t seed;
};

/* A session, and what its records must look like. */
struct run {
	struct spe_session session;
	struct spe_group group;
	struct spe_sampler sampler;
	int pid, cpu;
	bool inherit, timed;
	uint64_t flags;		/* of all data that may still be in its buffer */
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

/*
 * Draws the attributes.  The kernel is sampled only in some sessions, because it fills buffers.
 */
static void draw_attr(struct dice *dice, union spe_attr *attr,
		      const struct spe_pmu *pmu)
{
	static const char *const names[] = {
		"ts_enable", "pa_enable", "jitter", "load_filter",
		"branch_filter", "discard", "guest",
	};

	spe_attr_init(attr, pmu);
	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (!draw(dice, 4))
			spe_attr_set(attr, pmu, names[i], 1);
	attr->perf.exclude_kernel = !!draw(dice, 4);
	attr->perf.aux_watermark = (uint32_t)(draw(dice, 3) * spe_page_size());
	attr->perf.sample_period = 256 << draw(dice, 5);
	/* Discard mode excludes frequency mode, so keep the period. */
	if (!draw(dice, 4) && !(attr->perf.config >> 35 & 1)) {
		attr->perf.freq = 1;
		attr->perf.sample_freq = 1000 << draw(dice, 4);
	}
}

/*
 * Opens a session of the task itself, an inherited one, or one of a CPU.  The CPU may be
 * offline or already have a session.
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
	spe_sampler_begin(&run->sampler);
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

/* What the other members of a session's group do */
enum members { MEMBERS_CYCLES, MEMBERS_PAUSE, MEMBERS_SAMPLER, NO_MEMBERS, NR_MEMBERS };

/* Leaves out what this kernel or machine does not support. */
static void open_group(struct dice *dice, struct shared *shared, struct run *run,
		       enum members members)
{
	int leader = run->session.fd, err = -ENOENT;

	if (run->inherit || members == NO_MEMBERS)
		return;
	switch (members) {
	case MEMBERS_CYCLES:
		err = spe_group_cycles(&run->group, leader, run->pid, run->cpu,
				       COUNTER_PERIOD << draw(dice, 4));
		break;
	case MEMBERS_PAUSE:
		err = spe_group_pause(&run->group, leader, run->pid, run->cpu);
		break;
	default:
		err = spe_sampler_open(&run->sampler,
				       draw(dice, 2) ? SPE_SAMPLER_CLOCK : SPE_SAMPLER_CYCLES,
				       leader, run->pid, run->cpu, SAMPLER_PERIOD << draw(dice, 4),
				       64u << draw(dice, 8), false);
		break;
	}
	if (!err)
		atomic_fetch_add(&shared->grouped, 1);
	else
		spe_group_close(&run->group);
}

/* Sessions without a group meet a CPU that goes offline while they are opened. */
static int draw_run(struct dice *dice, struct shared *shared, struct run *run,
		    const struct spe_pmu *pmu)
{
	enum members members = draw(dice, NR_MEMBERS);
	union spe_attr attr;
	int err;

	draw_attr(dice, &attr, pmu);
	if (members != NO_MEMBERS)
		pthread_mutex_lock(&shared->placement);
	err = draw_session(dice, run, &attr, pmu);
	if (!err)
		open_group(dice, shared, run, members);
	if (members != NO_MEMBERS)
		pthread_mutex_unlock(&shared->placement);
	return err;
}

/* A child that works and exits, so that its inherited event ends with it. */
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

/* Whether the PC is in this program or the vDSO. */
static bool known_pc(const struct spe_record *record)
{
	extern const char __executable_start[], etext[];
	const char *vdso = (const char *)getauxval(AT_SYSINFO_EHDR);

	return !(record->has & SPE_HAS_PC) || record->pc_el ||
	       spe_pc_in(record, __executable_start, etext) ||
	       spe_pc_in(record, vdso, vdso + 4 * 4096);
}

/* Whether this session can have made each record, and the records are in the order of time. */
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

/* Where the snapshot wraps, the oldest record may be cut. */
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

/* Samples of another event carry whole records. */
static bool sound_samples(struct shared *shared, struct run *run)
{
	struct spe_sampler *sampler = &run->sampler;
	struct spe_records records;
	bool ok = true;

	if (sampler->fd < 0)
		return true;
	if (spe_sampler_drain(sampler))
		return false;
	for (size_t i = 0; i < sampler->count; i++) {
		spe_sampler_records(sampler, &sampler->sample[i], &records);
		if (records.damaged || !plausible(run, &records)) {
			fprintf(stderr, "# sample %zu of %zu: %zu bytes damaged\n", i,
				sampler->count, records.damaged);
			ok = false;
		}
		if (records.count)
			atomic_fetch_add(&shared->samples, 1);
		spe_records_free(&records);
	}
	spe_sampler_forget(sampler);
	return ok;
}

/* Damaged bytes need a flag, and there must be no gap. */
static bool sound(struct shared *shared, struct run *run)
{
	const uint64_t told = PERF_AUX_FLAG_PARTIAL | PERF_AUX_FLAG_TRUNCATED;
	struct spe_session *session = &run->session;
	struct spe_records records;
	bool ok;

	if (spe_session_drain(session) < 0)
		return false;
	run->flags |= session->flags;
	if (!sound_samples(shared, run) && !(run->flags & told))
		return false;
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

/* If the group pauses the session, it is paused for a third of the work. */
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
		/* In the last turn the session may end by closing the event. */
		if (!turns && draw(dice, 2))
			break;
		spe_session_disable(session);
		if (!sound(shared, run))
			return false;
		spe_session_forget(session);
	}
	return true;
}

/* Pins the task to a CPU, or leaves it where it is if the CPU is offline. */
static void place(struct shared *shared, int cpu)
{
	pthread_mutex_lock(&shared->placement);
	spe_pin(cpu);
	pthread_mutex_unlock(&shared->placement);
}

/* Returns the exit status of the task: 0, or which step failed. */
static int serve(struct shared *shared, const struct spe_pmu *pmu, int number)
{
	struct dice dice = { .seed = (uint64_t)number + 1 };

	while (!over(shared)) {
		struct run run;
		bool ok;
		int err;

		place(shared, (int)draw(&dice, 2));
		err = draw_run(&dice, shared, &run, pmu);
		if (err) {
			/* The CPU already has a session, or is offline. */
			if (err != -EBUSY && err != -ENODEV) {
				fprintf(stderr, "# cannot open a session: error %d\n", err);
				return 2;
			}
			atomic_fetch_add(&shared->refused, 1);
			continue;
		}
		ok = begin_and_end(&dice, shared, &run);
		spe_group_close(&run.group);
		spe_sampler_close(&run.sampler);
		spe_session_close(&run.session);
		if (!ok)
			return 3;
	}
	return 0;
}

/* Injects a random event of the model's kinds 1 to 10, with the fault code that it needs. */
static void inject(struct dice *dice, struct shared *shared)
{
	unsigned int kind = 1 + draw(dice, 10);
	uint64_t value = (1 + draw(dice, 20)) | kind << 12;
	char text[32];

	if (kind == 2 || kind == 3)
		value |= UINT64_C(7) << 16;
	snprintf(text, sizeof(text), "%u %lx", draw(dice, 2), value);
	/* The write fails if the CPU is offline or the queue is full. */
	if (!spe_write_file(INJECT, text))
		atomic_fetch_add(&shared->injected, 1);
}

/* Takes CPU 1 offline or brings it back. */
static void switch_cpu(struct shared *shared, bool online)
{
	pthread_mutex_lock(&shared->placement);
	spe_write_file(ONLINE, online ? "1" : "0");
	pthread_mutex_unlock(&shared->placement);
}

/* Disturbs the other tasks until they are done. */
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
			switch_cpu(shared, online);
		}
		usleep(1000 + draw(&dice, 10000));
	}
	if (hotplug)
		switch_cpu(shared, true);
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
	/*
	 * Otherwise perf would lower the sample rate below what sessions request, because NMIs
	 * are slow here.
	 */
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

/* Every CPU records normally afterwards. */
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
	EXPECT_EQ(0, spe_read_number(spe_module_file("refcnt")));
}

/* The counters are 0. */
static struct shared *shared_new(void)
{
	struct shared *shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE,
				     MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	pthread_mutexattr_t attr;

	if (shared == MAP_FAILED)
		return NULL;
	if (pthread_mutexattr_init(&attr) ||
	    pthread_mutexattr_setpshared(&attr, PTHREAD_PROCESS_SHARED) ||
	    pthread_mutex_init(&shared->placement, &attr)) {
		munmap(shared, sizeof(*shared));
		return NULL;
	}
	pthread_mutexattr_destroy(&attr);
	return shared;
}

/* An hour, for debug kernels on slow hosts. */
TEST_F_TIMEOUT(stress, of_sessions_hotplug_and_faults, 3600)
{
	const char *wanted = getenv("ARM_SPE_STRESS");
	bool hotplug = !access(ONLINE, W_OK), faults = !access(INJECT, W_OK);
	struct shared *shared = shared_new();
	pid_t pid[WORKERS];

	ASSERT_NE(NULL, shared);
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
	/* Remove events that are still queued, so that they do not come in the next session. */
	if (faults) {
		EXPECT_LT(0, atomic_load(&shared->injected));
		EXPECT_EQ(0, spe_write_file(INJECT, "0 0"));
		EXPECT_EQ(0, spe_write_file(INJECT, "1 0"));
	}
	TH_LOG("%u begun, %u refused, %u in groups, %u snapshots, %u samples with records, %u events injected, CPU 1 %s",
	       atomic_load(&shared->begun), atomic_load(&shared->refused),
	       atomic_load(&shared->grouped), atomic_load(&shared->snapshots),
	       atomic_load(&shared->samples), atomic_load(&shared->injected),
	       hotplug ? "came and went" : "stayed");
	EXPECT_LE(shared->wanted, atomic_load(&shared->begun));
	/* In a short run every snapshot may have a loss. */
	if (shared->wanted >= 300)
		EXPECT_LT(0, atomic_load(&shared->snapshots));
	expect_recovery(_metadata, &self->t);
	munmap(shared, sizeof(*shared));
}

TEST_HARNESS_MAIN
