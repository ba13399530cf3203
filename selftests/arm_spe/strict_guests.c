// SPDX-License-Identifier: GPL-2.0-only
/*
 * A host at EL2 samples its KVM guests (exclude_host, and the attribute "guest"): how many
 * records, of which levels, of whom; and no end of a session leaves PMSCR_EL12 set, which
 * selftests/modules/spe_power reads.  A kernel at EL1 must refuse, and say why.
 */
#include "group.h"
#include "loader.h"
#include "machine.h"
#include "test.h"
#include "watch.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>

#define CYCLE		"/sys/module/spe_power/parameters/cycle"
#define GUESTS		"/sys/module/spe_power/parameters/guests"
#define NMI		"/sys/module/spe_nmi/parameters/"
#define PERCENT		spe_module_file("parameters/cpu_time_max_percent")
#define CPU1		"/sys/devices/system/cpu/cpu1/online"

#define RUNS		10
#define SAMPLES		400
/* A session's interval does not end with a run. */
#define MISSING		5
#define CONTEXT		0x5eed1234u

/* PMSCR_EL1 (D24.7.8): E0SPE, E1SPE, CX */
#define USER		1
#define KERNEL		2
#define CX		8

FIXTURE(guests) {
	struct spe_test t;
	struct spe_machine machine;
};

static bool kernel_at_el2(void)
{
	return atoi(getenv("ARM_SPE_KERNEL_EL") ?: "1") == 2;
}

FIXTURE_SETUP(guests)
{
	self->machine = SPE_NO_MACHINE;
	spe_test_begin(_metadata, &self->t);
	if (!kernel_at_el2())
		return;
	ASSERT_EQ(0, spe_machine_open(&self->machine));
	ASSERT_EQ(0, spe_machine_set_context(&self->machine, CONTEXT));
	ASSERT_EQ(0, spe_write_file(GUESTS, "0"))
		TH_LOG("spe_power is not loaded");
}

FIXTURE_TEARDOWN(guests)
{
	spe_machine_close(&self->machine);
	spe_test_end(&self->t);
	if (kernel_at_el2())
		EXPECT_EQ(0, spe_read_number(GUESTS));
}

static int try_open(union spe_attr attr)
{
	int fd = spe_attr_open(&attr, 0, -1);

	if (fd < 0)
		return fd;
	close(fd);
	return 0;
}

/* The host is left out, or it is sampled too. */
static union spe_attr with_guests(union spe_attr attr, bool host)
{
	if (host)
		attr.word[SPE_CONFIG] |= UINT64_C(1) << 17;
	else
		attr.perf.exclude_host = 1;
	return attr;
}

static void expect_answer(struct __test_metadata *_metadata, const struct spe_test *t, int err,
			  const char *text)
{
	char file[256];

	ASSERT_LT(0, spe_pmu_read(&t->pmu, "guests", file, sizeof(file)));
	EXPECT_EQ(0, strncmp(file, text, strlen(text)))
		TH_LOG("guests: %s", file);
	EXPECT_EQ(err, try_open(with_guests(t->attr, false)));
	EXPECT_EQ(err, try_open(with_guests(t->attr, true)));
}

static void reload(struct __test_metadata *_metadata, struct spe_test *t, const char *parameters)
{
	ASSERT_EQ(0, spe_module_unload());
	ASSERT_EQ(0, spe_module_load_with(parameters));
	ASSERT_EQ(0, spe_pmu_find(&t->pmu));
	spe_attr_init(&t->attr, &t->pmu);
}

TEST_F(guests, may_be_forbidden_by_the_owner_of_the_host)
{
	struct spe_test *t = &self->t;

	/* The module must clear what it finds when it goes. */
	if (kernel_at_el2())
		ASSERT_EQ(0, spe_write_file(GUESTS, "3"));
	ASSERT_EQ(0, spe_module_unload());
	if (kernel_at_el2())
		EXPECT_EQ(0, spe_read_number(GUESTS));
	ASSERT_EQ(0, spe_module_load());
	reload(_metadata, t, "guests=0");
	expect_answer(_metadata, t, -EOPNOTSUPP, kernel_at_el2() ?
		      "never sampled, because the module parameter is guests=0" :
		      "never sampled, because this kernel runs at EL1");
	reload(_metadata, t, "");
}

TEST_F(guests, are_offered_or_refused_with_a_reason)
{
	struct spe_test *t = &self->t;
	struct spe_field field;

	if (!kernel_at_el2()) {
		expect_answer(_metadata, t, -EOPNOTSUPP,
			      "never sampled, because this kernel runs at EL1");
		EXPECT_EQ(-ENOENT, spe_pmu_field(&t->pmu, "guest", &field));
		return;
	}
	expect_answer(_metadata, t, 0, "sampled on request");
	ASSERT_EQ(0, spe_pmu_field(&t->pmu, "guest", &field));
	EXPECT_EQ(SPE_CONFIG, field.word);
	EXPECT_EQ(17, field.low);
	EXPECT_EQ(17, field.high);
	/* Older perf tools exclude guests without being asked. */
	t->attr.perf.exclude_guest = 1;
	EXPECT_EQ(0, try_open(with_guests(t->attr, true)));
	/* Nothing would be left. */
	EXPECT_EQ(-EINVAL, try_open(with_guests(t->attr, false)));
}

FIXTURE(counted) {
	struct spe_test t;
	struct spe_machine machine;
};

FIXTURE_VARIANT(counted) {
	bool user, kernel, host;
};

#define COUNTED(_name, _user, _kernel, _host)				\
	FIXTURE_VARIANT_ADD(counted, _name) {				\
		.user = (_user), .kernel = (_kernel), .host = (_host),	\
	}
COUNTED(user, true, false, false);
COUNTED(kernel, false, true, false);
COUNTED(both, true, true, false);
COUNTED(user_and_host, true, false, true);
COUNTED(kernel_and_host, false, true, true);
COUNTED(both_and_host, true, true, true);

FIXTURE_SETUP(counted)
{
	self->machine = SPE_NO_MACHINE;
	spe_test_begin(_metadata, &self->t);
	if (!kernel_at_el2())
		return;
	ASSERT_EQ(0, spe_machine_open(&self->machine));
	ASSERT_EQ(0, spe_machine_set_context(&self->machine, CONTEXT));
}

FIXTURE_TEARDOWN(counted)
{
	spe_machine_close(&self->machine);
	spe_test_end(&self->t);
	if (kernel_at_el2())
		EXPECT_EQ(0, spe_read_number(GUESTS));
}

/* Host and guest execute as much as each other, in turns; in the middle the CPU powers down. */
static void run(struct __test_metadata *_metadata, struct spe_test *t, struct spe_machine *m)
{
	uint64_t host = spe_rounds(t, WORK_ALU_OPS, SAMPLES / RUNS);
	uint64_t guest = spe_rounds(t, SPE_MACHINE_OPS, SAMPLES / RUNS);

	for (int i = 0; i < RUNS; i++) {
		if (i == RUNS / 2)
			ASSERT_EQ(0, spe_write_file(CYCLE, "0"));
		work_alu(host);
		ASSERT_EQ(0, spe_machine_run(m, guest));
	}
}

struct tally {
	size_t el0, el1, host;
};

/*
 * D17.6.9: CONTEXTIDR_EL1 is collected from guests alone, and CONTEXTIDR_EL2 is the host's task
 * in both.
 */
static struct tally count(struct __test_metadata *_metadata, const struct spe_test *t)
{
	const char *contextidr = getenv("ARM_SPE_CONTEXTIDR");
	struct tally n = { 0 };

	for (size_t i = 0; i < t->records.count; i++) {
		const struct spe_record *r = &t->records.record[i];
		bool guest = r->has & SPE_HAS_CONTEXT1;

		if (contextidr && *contextidr == 'y')
			ASSERT_EQ(syscall(SYS_gettid), r->context2);
		ASSERT_EQ(guest, r->pc >= SPE_MACHINE_RAM &&
			  r->pc < SPE_MACHINE_RAM + SPE_MACHINE_SIZE);
		if (!guest) {
			n.host++;
			continue;
		}
		ASSERT_EQ(CONTEXT, r->context1);
		ASSERT_GE(1, r->pc_el);
		n.el0 += !r->pc_el;
		n.el1 += r->pc_el;
	}
	return n;
}

#define EXPECT_WITHIN(number, want, missing)				\
	do {								\
		EXPECT_LE((want) - (missing), (long)(number));		\
		EXPECT_GE((want) + (missing), (long)(number));		\
	} while (0)
#define EXPECT_ABOUT(number, want)	EXPECT_WITHIN(number, want, MISSING)

TEST_F(counted, as_often_as_they_execute)
{
	bool host_kernel = variant->host && variant->kernel;
	/* The intervals go on in the host's kernel, which interrupts both now and then. */
	long missing = host_kernel ? SAMPLES / 10 : MISSING;
	struct spe_test *t = &self->t;
	struct tally n;

	t->attr = with_guests(t->attr, variant->host);
	t->attr.perf.exclude_user = !variant->user;
	t->attr.perf.exclude_kernel = !variant->kernel;
	/* A host's kernel that checks itself executes millions of operations for each run. */
	if (host_kernel)
		t->attr.perf.sample_period *= 64;
	if (!kernel_at_el2()) {
		EXPECT_EQ(-EOPNOTSUPP, try_open(t->attr));
		return;
	}
	spe_set(_metadata, t, "ts_enable", 1);
	spe_open(_metadata, t, spe_pages(4 * AUX_BYTES));
	spe_enable(_metadata, t);
	run(_metadata, t, &self->machine);
	ASSERT_EQ(0, spe_machine_drop(&self->machine));
	run(_metadata, t, &self->machine);
	if (host_kernel)
		spe_finish_with_kernel(_metadata, t);
	else
		spe_finish(_metadata, t);
	n = count(_metadata, t);
	EXPECT_WITHIN(n.el1, variant->kernel ? SAMPLES : 0, variant->kernel ? missing : 0);
	EXPECT_WITHIN(n.el0, variant->user ? SAMPLES : 0, variant->user ? missing : 0);
	if (!variant->host)
		EXPECT_EQ(0, n.host);
	if (variant->host)
		EXPECT_WITHIN(spe_count_pc(&t->records, work_alu, work_alu_end),
			      variant->user ? 2 * SAMPLES : 0, variant->user ? missing : 0);
}

/* A hypervisor in a guest runs at EL1 too, where it takes EL1 for EL2 (FEAT_NV2). */
TEST_F(guests, with_an_el2_of_their_own_are_guests)
{
	struct spe_test *t = &self->t;
	struct tally n = { 0 };

	if (!kernel_at_el2())
		return;
	spe_machine_close(&self->machine);
	if (spe_machine_open_hypervisor(&self->machine) == -EOPNOTSUPP)
		SKIP(return, "KVM runs no hypervisor (kvm-arm.mode=nested)");
	ASSERT_EQ(0, spe_machine_set_context(&self->machine, CONTEXT));
	t->attr = with_guests(t->attr, false);
	t->attr.perf.exclude_kernel = 0;
	spe_open(_metadata, t, spe_pages(4 * AUX_BYTES));
	spe_enable(_metadata, t);
	ASSERT_EQ(0, spe_machine_run(&self->machine, spe_rounds(t, SPE_MACHINE_OPS, SAMPLES)));
	spe_finish(_metadata, t);
	n = count(_metadata, t);
	EXPECT_ABOUT(n.el1, SAMPLES);
	EXPECT_EQ(0, n.el0);
	EXPECT_EQ(0, n.host);
}

/* A session of this task, or of CPU 0, that samples user and kernel code of guests */
static void open_both(struct __test_metadata *_metadata, struct spe_test *t, bool task)
{
	struct spe_shape shape = { .aux_pages = AUX_PAGES };

	t->attr = with_guests(t->attr, false);
	t->attr.perf.exclude_kernel = 0;
	ASSERT_EQ(0, spe_session_open(&t->session, &t->attr, task ? 0 : -1, task ? -1 : 0, shape));
	ASSERT_EQ(0, spe_read_number(GUESTS));
	spe_enable(_metadata, t);
	ASSERT_EQ(CX | KERNEL | USER, spe_read_number(GUESTS));
}

/* An access to the system register S3_0_C9_Cm_op2, with X2 */
#define MRS(crm, op2)	(0xd5389002u | (crm) << 8 | (op2) << 5)
#define MSR(crm, op2)	(0xd5189002u | (crm) << 8 | (op2) << 5)
/* What a guest may read: ID_AA64DFR0_EL1 (S3_0_C0_C5_0), where Linux 5.10 shows PMSVer, and PMBIDR_EL1 */
static const uint32_t readable[] = { 0xd5380502u, MRS(10, 7) };

/* Each access to another register of the unit is undefined, as on a CPU without SPE (ESR_EL1.EC 0). */
static void expect_no_unit(struct __test_metadata *_metadata, struct spe_machine *m)
{
	/*
	 * C9: PMSCR, PMSNEVFR, PMSICR, PMSIRR, PMSFCR, PMSEVFR, PMSLATFR, PMSIDR; C10: PMBLIMITR, PMBPTR, PMBSR,
	 * PMSDSFR, PMBMAR
	 */
	static const uint8_t of[][2] = {
		{ 9, 0 }, { 9, 1 }, { 9, 2 }, { 9, 3 }, { 9, 4 }, { 9, 5 }, { 9, 6 }, { 9, 7 },
		{ 10, 0 }, { 10, 1 }, { 10, 3 }, { 10, 4 }, { 10, 5 },
	};
	uint64_t esr;

	for (size_t i = 0; i < sizeof(of) / sizeof(of[0]); i++) {
		uint32_t crm = of[i][0], op2 = of[i][1];

		EXPECT_EQ(1, spe_machine_try(m, MRS(crm, op2), &esr))
			TH_LOG("read of S3_0_C9_C%u_%u", crm, op2);
		EXPECT_EQ(0, esr >> 26 & 63);
		EXPECT_EQ(1, spe_machine_try(m, MSR(crm, op2), &esr))
			TH_LOG("write of S3_0_C9_C%u_%u", crm, op2);
		EXPECT_EQ(0, esr >> 26 & 63);
	}
}

/* KVM gives a guest no unit, and that is the same while the host samples it. */
TEST_F(guests, cannot_notice_that_they_are_sampled)
{
	struct spe_test *t = &self->t;
	uint64_t before[2], during[2];

	if (!kernel_at_el2())
		return;
	for (int i = 0; i < 2; i++)
		ASSERT_LE(0, spe_machine_try(&self->machine, readable[i], &before[i]));
	EXPECT_NE(0, before[0]);
	expect_no_unit(_metadata, &self->machine);
	open_both(_metadata, t, true);
	for (int i = 0; i < 2; i++)
		ASSERT_LE(0, spe_machine_try(&self->machine, readable[i], &during[i]));
	EXPECT_EQ(before[0], during[0]);
	EXPECT_EQ(before[1], during[1]);
	expect_no_unit(_metadata, &self->machine);
	EXPECT_EQ(CX | KERNEL | USER, spe_read_number(GUESTS));
	ASSERT_EQ(0, spe_machine_run(&self->machine, spe_rounds(t, SPE_MACHINE_OPS, 100)));
	spe_finish(_metadata, t);
	EXPECT_ABOUT(t->records.count, 100);
}

TEST_F(guests, are_left_when_the_session_stops_or_closes)
{
	struct spe_test *t = &self->t;

	if (!kernel_at_el2())
		return;
	open_both(_metadata, t, true);
	ASSERT_EQ(0, spe_session_disable(&t->session));
	EXPECT_EQ(0, spe_read_number(GUESTS));
	spe_enable(_metadata, t);
	EXPECT_EQ(CX | KERNEL | USER, spe_read_number(GUESTS));
	spe_session_close(&t->session);
	memset(&t->session, 0, sizeof(t->session));
	EXPECT_EQ(0, spe_read_number(GUESTS));
}

/* While another task runs, the session of this one is not on the CPU. */
TEST_F(guests, are_left_when_the_task_leaves_the_cpu)
{
	struct spe_test *t = &self->t;
	long seen[2];
	pid_t pid;
	int ends[2];

	if (!kernel_at_el2())
		return;
	ASSERT_EQ(0, pipe(ends));
	open_both(_metadata, t, true);
	pid = fork();
	ASSERT_LE(0, pid);
	if (!pid) {
		seen[0] = spe_read_number(GUESTS);
		_exit(write(ends[1], seen, sizeof(*seen)) != sizeof(*seen));
	}
	ASSERT_EQ(sizeof(*seen), read(ends[0], &seen[1], sizeof(*seen)));
	EXPECT_EQ(0, seen[1]);
	EXPECT_EQ(CX | KERNEL | USER, spe_read_number(GUESTS));
	waitpid(pid, NULL, 0);
	close(ends[0]);
	close(ends[1]);
}

TEST_F(guests, are_left_when_the_cpu_goes_offline)
{
	struct spe_shape shape = { .aux_pages = AUX_PAGES };
	struct spe_test *t = &self->t;

	if (!kernel_at_el2() || access(CPU1, W_OK))
		return;
	t->attr = with_guests(t->attr, false);
	ASSERT_EQ(0, spe_session_open(&t->session, &t->attr, -1, 1, shape));
	spe_enable(_metadata, t);
	EXPECT_EQ(CX | USER, spe_read_number(GUESTS));
	ASSERT_EQ(0, spe_write_file(CPU1, "0"));
	EXPECT_EQ(0, spe_read_number(GUESTS));
	ASSERT_EQ(0, spe_write_file(CPU1, "1"));
	EXPECT_EQ(0, spe_read_number(GUESTS));
}

/*
 * stop() and start() in an NMI, which spe_nmi calls at the entry of getpgid().  perf knows nothing
 * of the stop, so it would start the session of a task again with the task.
 */
TEST_F(guests, are_left_when_an_nmi_stops_the_session)
{
	struct spe_test *t = &self->t;
	char text[64];

	if (!kernel_at_el2() || access(NMI "at", W_OK))
		return;
	open_both(_metadata, t, false);
	snprintf(text, sizeof(text), "%d __arm64_sys_getpgid any s,r", t->session.fd);
	ASSERT_EQ(0, spe_write_file(NMI "at", text));
	syscall(SYS_getpgid, 0);
	EXPECT_EQ(0, spe_read_number(GUESTS));
	ASSERT_EQ(0, spe_machine_run(&self->machine, spe_rounds(t, SPE_MACHINE_OPS, 100)));
	syscall(SYS_getpgid, 0);
	EXPECT_EQ(2, spe_read_number(NMI "done"));
	EXPECT_EQ(CX | KERNEL | USER, spe_read_number(GUESTS));
	ASSERT_EQ(0, spe_write_file(NMI "at", "none"));
	ASSERT_EQ(0, spe_machine_run(&self->machine, spe_rounds(t, SPE_MACHINE_OPS, 100)));
	spe_finish(_metadata, t);
	EXPECT_ABOUT(t->records.count, 100);
}

/* Other events pause and resume the session, if the kernel can; getsid() and getpgid() do. */
TEST_F(guests, are_left_while_another_event_pauses_the_session)
{
	struct spe_test *t = &self->t;
	struct spe_group group;
	long changed;
	int err;

	if (!kernel_at_el2())
		return;
	ASSERT_EQ(0, spe_pin(0));
	spe_group_begin(&group);
	reload(_metadata, t, "aux_pause=1");
	t->attr = with_guests(t->attr, false);
	t->attr.perf.exclude_kernel = 0;
	spe_group_start_paused(&t->attr);
	err = try_open(t->attr);
	if (err == -EINVAL) {
		reload(_metadata, t, "");
		SKIP(return, "this kernel has no aux_action");
	}
	ASSERT_EQ(0, err);
	spe_open(_metadata, t, AUX_PAGES);
	ASSERT_EQ(0, spe_group_pause(&group, t->session.fd, 0, -1));
	spe_enable(_metadata, t);
	EXPECT_EQ(0, spe_read_number(GUESTS));
	getpgid(0);
	EXPECT_EQ(CX | KERNEL | USER, spe_read_number(GUESTS));
	ASSERT_EQ(0, spe_machine_run(&self->machine, spe_rounds(t, SPE_MACHINE_OPS, 100)));
	getsid(0);
	EXPECT_EQ(0, spe_read_number(GUESTS));
	ASSERT_EQ(0, spe_machine_run(&self->machine, spe_rounds(t, SPE_MACHINE_OPS, 100)));
	/* As a resume leaves it that an NMI interrupted to stop the event */
	changed = spe_counter(&t->pmu, "guests_changed", -1);
	ASSERT_EQ(0, spe_write_file(GUESTS "_here", "11"));
	spe_finish(_metadata, t);
	EXPECT_EQ(0, spe_read_number(GUESTS));
	EXPECT_EQ(changed, spe_counter(&t->pmu, "guests_changed", -1));
	EXPECT_ABOUT(t->records.count, 100);
	spe_group_close(&group);
	spe_session_close(&t->session);
	memset(&t->session, 0, sizeof(t->session));
	reload(_metadata, t, "");
}

/* With 1% of the time the unit is paused most of it, as the task on CPU 1 sees. */
TEST_F(guests, are_left_while_the_budget_pauses_the_session)
{
	struct spe_test *t = &self->t;
	long throttles, seen[2] = { 0 };
	pid_t pid;
	int status;

	if (!kernel_at_el2())
		return;
	ASSERT_EQ(0, spe_write_file(PERCENT, "1"));
	throttles = spe_counter(&t->pmu, "throttles", -1);
	t->attr = with_guests(t->attr, false);
	t->attr.perf.exclude_kernel = 0;
	t->attr.perf.sample_period = 256;
	t->attr.perf.aux_watermark = 4096;
	spe_open(_metadata, t, AUX_PAGES);
	pid = fork();
	ASSERT_LE(0, pid);
	if (!pid) {
		spe_pin(1);
		/* CPU 0 may stand still while the host runs other things. */
		for (time_t end = time(NULL) + 60; time(NULL) < end && (seen[0] < 3 || seen[1] < 3);)
			seen[spe_read_number(GUESTS) == 0]++;
		_exit((seen[0] < 3) | (seen[1] < 3) << 1);
	}
	do {
		spe_enable(_metadata, t);
		ASSERT_EQ(0, spe_machine_run(&self->machine, spe_rounds(t, SPE_MACHINE_OPS, 4000)));
		ASSERT_EQ(0, spe_session_disable(&t->session));
		spe_session_drain(&t->session);
	} while (!waitpid(pid, &status, WNOHANG));
	EXPECT_EQ(0, status);
	EXPECT_LT(throttles, spe_counter(&t->pmu, "throttles", -1));
	EXPECT_EQ(0, spe_read_number(GUESTS));
	ASSERT_EQ(0, spe_write_file(PERCENT, "0"));
}

/* As a KVM would that clears the register in the middle of a session. */
TEST_F(guests, that_somebody_else_excludes_are_missed)
{
	struct spe_test *t = &self->t;
	int log = spe_log_open();
	long before;

	ASSERT_LE(0, log);
	if (!kernel_at_el2())
		return;
	before = spe_counter(&t->pmu, "guests_changed", -1);
	open_both(_metadata, t, true);
	ASSERT_EQ(0, spe_write_file(GUESTS, "0"));
	ASSERT_EQ(0, spe_session_disable(&t->session));
	EXPECT_EQ(before + 1, spe_counter(&t->pmu, "guests_changed", -1));
	ASSERT_LE(0, spe_session_drain(&t->session));
	EXPECT_EQ(PERF_AUX_FLAG_PARTIAL, t->session.flags & PERF_AUX_FLAG_PARTIAL);
	EXPECT_TRUE(spe_log_has(log, "PMSCR_EL12 was changed during a session (0x0, expected 0xb)"));
	/* The next start sets the register again. */
	spe_session_forget(&t->session);
	spe_enable(_metadata, t);
	EXPECT_EQ(CX | KERNEL | USER, spe_read_number(GUESTS));
	ASSERT_EQ(0, spe_machine_run(&self->machine, spe_rounds(t, SPE_MACHINE_OPS, 100)));
	spe_finish(_metadata, t);
	EXPECT_ABOUT(t->records.count, 100);
	close(log);
}

TEST_HARNESS_MAIN
