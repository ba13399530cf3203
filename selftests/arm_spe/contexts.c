// SPDX-License-Identifier: GPL-2.0-only
/*
 * Which task a record belongs to: children, threads, control groups and containers. If the
 * kernel writes thread ids to CONTEXTIDR (ARM_SPE_CONTEXTIDR=y), each record must hold the id
 * of its own thread.
 */
#include "test.h"

#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <sys/wait.h>

#define GROUPS	"/tmp/spe-groups"

static void alu(uint64_t rounds)
{
	work_alu(rounds);
}

static void alu2(uint64_t rounds)
{
	work_alu2(rounds);
}

static bool configured(void)
{
	const char *text = getenv("ARM_SPE_CONTEXTIDR");

	return text && *text == 'y';
}

/* Counts the records of the loop at START that do not have the context TID. */
static size_t strangers(const struct spe_records *records, const void *start,
			const void *end, int tid)
{
	size_t count = 0;

	for (size_t i = 0; i < records->count; i++) {
		const struct spe_record *r = &records->record[i];
		bool second = r->has & SPE_HAS_CONTEXT2;

		if (!spe_pc_in(r, start, end))
			continue;
		if (!(r->has & (SPE_HAS_CONTEXT1 | SPE_HAS_CONTEXT2)) ||
		    (second ? r->context2 : r->context1) != (uint32_t)tid)
			count++;
	}
	return count;
}

SPE_FIXTURE(contexts);

struct thread {
	pthread_t handle;
	uint64_t rounds;
	int tid;
};

static void *run_thread(void *data)
{
	struct thread *thread = data;

	thread->tid = gettid();
	work_alu2(thread->rounds);
	return NULL;
}

/*
 * Like perf record: the event is inherited and bound to a CPU, and all tasks share one buffer.
 */
TEST_F(contexts, of_children_and_threads_are_their_own)
{
	struct spe_shape shape = { .aux_pages = AUX_PAGES };
	struct spe_test *t = &self->t;
	struct thread thread = { .rounds = spe_rounds(t, WORK_ALU_OPS, 200) };
	struct spe_worker child;
	pid_t pid;

	t->attr.perf.inherit = 1;
	ASSERT_EQ(0, spe_pin(1));
	ASSERT_EQ(0, spe_session_open(&t->session, &t->attr, 0, 1, shape));
	spe_enable(_metadata, t);
	ASSERT_EQ(0, spe_worker_start(&child, 1, alu));
	pid = child.pid;
	ASSERT_EQ(0, spe_worker_begin(&child, spe_rounds(t, WORK_ALU_OPS, 200)));
	ASSERT_EQ(0, pthread_create(&thread.handle, NULL, run_thread, &thread));
	ASSERT_EQ(0, pthread_join(thread.handle, NULL));
	ASSERT_EQ(0, spe_worker_wait(&child));
	spe_worker_stop(&child);
	spe_finish(_metadata, t);
	EXPECT_LE(190, spe_count_pc(&t->records, work_alu, work_alu_end));
	EXPECT_LE(190, spe_count_pc(&t->records, work_alu2, work_alu2_end));
	if (!configured())
		return;
	EXPECT_EQ(0, strangers(&t->records, work_alu, work_alu_end, pid));
	EXPECT_EQ(0, strangers(&t->records, work_alu2, work_alu2_end, thread.tid));
}

/* Runs as the first process of a container: its own process id is 1. */
static int contained(struct spe_test *t, int report)
{
	struct spe_shape shape = { .aux_pages = AUX_PAGES };
	uint32_t own = 0;

	if (getpid() != 1 || spe_session_open(&t->session, &t->attr, 0, -1, shape) ||
	    spe_session_enable(&t->session))
		return 1;
	work_alu(spe_rounds(t, WORK_ALU_OPS, 200));
	if (spe_session_disable(&t->session) || spe_session_drain(&t->session) < 1)
		return 2;
	spe_session_records(&t->session, &t->records);
	if (spe_count_pc(&t->records, work_alu, work_alu_end) < 190)
		return 3;
	/* PERF_RECORD_ITRACE_START holds the id inside the container. */
	if (t->session.start_tid != 1)
		return 4;
	for (size_t i = 0; i < t->records.count && !own; i++)
		own = t->records.record[i].has & SPE_HAS_CONTEXT2 ?
		      t->records.record[i].context2 : t->records.record[i].context1;
	if (strangers(&t->records, work_alu, work_alu_end, own) && configured())
		return 5;
	return write(report, &own, sizeof(own)) == sizeof(own) ? 0 : 6;
}

/* CONTEXTIDR holds the id outside the container, because the kernel writes global ids. */
TEST_F(contexts, in_a_container_are_the_machines_numbers)
{
	uint32_t context = 0;
	int report[2], status;
	pid_t pid;

	ASSERT_EQ(0, pipe(report));
	ASSERT_EQ(0, unshare(CLONE_NEWPID | CLONE_NEWNS));
	pid = fork();
	ASSERT_LE(0, pid);
	if (!pid)
		_exit(contained(&self->t, report[1]));
	ASSERT_EQ(pid, waitpid(pid, &status, 0));
	ASSERT_TRUE(WIFEXITED(status));
	ASSERT_EQ(0, WEXITSTATUS(status));
	ASSERT_EQ(sizeof(context), (size_t)read(report[0], &context, sizeof(context)));
	if (configured())
		EXPECT_EQ((uint32_t)pid, context);
}

/* Like perf record -G: an event of a CPU that samples only the tasks of one control group. */
TEST_F(contexts, of_a_control_group_leave_out_other_tasks)
{
	struct spe_shape shape = { .aux_pages = AUX_PAGES, .cgroup = true };
	struct spe_test *t = &self->t;
	uint64_t rounds = spe_rounds(t, WORK_ALU_OPS, 100);
	struct spe_worker inside, outside;
	struct utsname kernel;
	char pid[16];
	int group;

	/*
	 * Before Linux 5.18 perf compares the groups of two tasks twice in a context switch, and
	 * warns in perf_cgroup_switch() where the answers differ; the guest panics on a warning.
	 */
	ASSERT_EQ(0, uname(&kernel));
	if (!strncmp(kernel.release, "5.10.", 5))
		SKIP(return, "this kernel may warn of control groups");
	mkdir(GROUPS, 0755);
	ASSERT_EQ(0, mount("cgroup2", GROUPS, "cgroup2", 0, NULL));
	/* With any controller enabled, new groups get their own perf_event state. */
	ASSERT_EQ(0, spe_write_file(GROUPS "/cgroup.subtree_control", "+pids"));
	ASSERT_TRUE(!mkdir(GROUPS "/inside", 0755) || errno == EEXIST);
	ASSERT_EQ(0, spe_worker_start(&inside, 1, alu));
	ASSERT_EQ(0, spe_worker_start(&outside, 1, alu2));
	snprintf(pid, sizeof(pid), "%d", inside.pid);
	ASSERT_EQ(0, spe_write_file(GROUPS "/inside/cgroup.procs", pid));
	group = open(GROUPS "/inside", O_RDONLY | O_CLOEXEC);
	ASSERT_LE(0, group);
	ASSERT_EQ(0, spe_session_open(&t->session, &t->attr, group, 1, shape));
	spe_enable(_metadata, t);
	for (int i = 0; i < 3; i++) {
		ASSERT_EQ(0, spe_worker_begin(&inside, rounds));
		ASSERT_EQ(0, spe_worker_begin(&outside, rounds));
		ASSERT_EQ(0, spe_worker_wait(&inside));
		ASSERT_EQ(0, spe_worker_wait(&outside));
	}
	spe_finish(_metadata, t);
	EXPECT_LE(290, spe_count_pc(&t->records, work_alu, work_alu_end));
	EXPECT_EQ(0, spe_count_pc(&t->records, work_alu2, work_alu2_end));
	close(group);
	spe_worker_stop(&inside);
	spe_worker_stop(&outside);
	umount2(GROUPS, MNT_DETACH);
}

TEST_HARNESS_MAIN
