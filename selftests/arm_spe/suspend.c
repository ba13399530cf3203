// SPDX-License-Identifier: GPL-2.0-only
/*
 * Sessions across a suspend of the whole machine: suspend to idle, ended by the RTC, and the
 * path to hibernation and back (pm_test), in which the other CPUs go offline and the last one
 * powers down.  If spe_power is loaded, the last CPU's unit loses its registers.
 */
#include "test.h"

#define POWER		"/sys/power/"
#define ALARM		"/sys/class/rtc/rtc0/wakealarm"

SPE_FIXTURE(suspend);

static void alu2(uint64_t rounds)
{
	work_alu2(rounds);
}

/*
 * Suspends until the RTC wakes the machine; returns 0 or a negative error number.  On a slow
 * machine the alarm may go off before the kernel sleeps.  The kernel counts that as a wakeup
 * event and refuses to sleep; the test then tries again with twice the time.
 */
static int sleep_and_wake(void)
{
	char count[32], seconds[16];
	int ret = -EAGAIN;

	for (int i = 2; i <= 64 && ret; i *= 2) {
		snprintf(count, sizeof(count), "%ld", spe_read_number(POWER "wakeup_count"));
		snprintf(seconds, sizeof(seconds), "+%d", i);
		ret = spe_write_file(ALARM, "0");
		if (!ret)
			ret = spe_write_file(ALARM, seconds);
		if (!ret)
			ret = spe_write_file(POWER "wakeup_count", count);
		if (!ret)
			ret = spe_write_file(POWER "state", "freeze");
	}
	return ret;
}

TEST_F(suspend, to_idle_leaves_a_session_as_it_was)
{
	struct spe_test *t = &self->t;
	long slept = spe_read_number(POWER "suspend_stats/success");

	ASSERT_EQ(0, access(ALARM, W_OK)) {
		TH_LOG("cannot write " ALARM ": the guest needs an RTC to wake up");
	}
	ASSERT_LE(0, slept);
	spe_open(_metadata, t, AUX_PAGES);
	spe_enable(_metadata, t);
	work_alu(spe_rounds(t, WORK_ALU_OPS, 300));
	ASSERT_EQ(0, sleep_and_wake());
	work_alu2(spe_rounds(t, WORK_ALU_OPS, 300));
	spe_finish(_metadata, t);
	EXPECT_LT(slept, spe_read_number(POWER "suspend_stats/success"));
	EXPECT_LE(295, spe_count_pc(&t->records, work_alu, work_alu_end));
	EXPECT_LE(295, spe_count_pc(&t->records, work_alu2, work_alu2_end));
	EXPECT_GE(302, spe_count_pc(&t->records, work_alu2, work_alu2_end));
}

/* One task is on the CPU that stays online, the other on a CPU that goes and comes back. */
TEST_F(suspend, to_disk_leaves_the_sessions_of_tasks_as_they_were)
{
	struct spe_shape shape = { .aux_pages = AUX_PAGES };
	struct spe_test *t = &self->t;
	uint64_t rounds = spe_rounds(t, WORK_ALU_OPS, 300);
	struct spe_records records;
	struct spe_session other;
	struct spe_worker worker;

	ASSERT_EQ(0, spe_worker_start(&worker, 1, alu2));
	ASSERT_EQ(0, spe_session_open(&other, &t->attr, worker.pid, -1, shape));
	ASSERT_EQ(0, spe_session_enable(&other));
	spe_open(_metadata, t, AUX_PAGES);
	spe_enable(_metadata, t);
	for (int i = 0; i < 2; i++) {
		ASSERT_EQ(0, spe_worker_begin(&worker, rounds));
		work_alu(rounds);
		if (!i) {
			ASSERT_EQ(0, spe_write_file(POWER "pm_test", "core"));
			ASSERT_EQ(0, spe_write_file(POWER "state", "disk"));
			ASSERT_EQ(0, spe_write_file(POWER "pm_test", "none"));
		}
		ASSERT_EQ(0, spe_worker_wait(&worker));
	}
	spe_finish(_metadata, t);
	ASSERT_EQ(0, spe_session_disable(&other));
	ASSERT_LE(1, spe_session_drain(&other));
	spe_session_records(&other, &records);
	EXPECT_LE(590, spe_count_pc(&t->records, work_alu, work_alu_end));
	EXPECT_GE(602, spe_count_pc(&t->records, work_alu, work_alu_end));
	EXPECT_LE(580, spe_count_pc(&records, work_alu2, work_alu2_end));
	EXPECT_GE(605, spe_count_pc(&records, work_alu2, work_alu2_end));
	EXPECT_EQ(0, records.damaged);
	EXPECT_EQ(0, other.flags & (PERF_AUX_FLAG_TRUNCATED | PERF_AUX_FLAG_PARTIAL));
	spe_records_free(&records);
	spe_session_close(&other);
	spe_worker_stop(&worker);
}

/*
 * perf ends the session of a CPU that goes offline; the session of the boot CPU continues.
 * Both must deliver all that they recorded.
 */
TEST_F(suspend, to_disk_loses_nothing_of_the_sessions_of_cpus)
{
	struct spe_shape shape = { .aux_pages = AUX_PAGES };
	struct spe_test *t = &self->t;
	uint64_t rounds = spe_rounds(t, WORK_ALU_OPS, 300);
	struct spe_records records;
	struct spe_session other;
	struct spe_worker worker;

	ASSERT_EQ(0, spe_worker_start(&worker, 1, alu2));
	ASSERT_EQ(0, spe_session_open(&other, &t->attr, -1, 1, shape));
	ASSERT_EQ(0, spe_session_open(&t->session, &t->attr, -1, 0, shape));
	ASSERT_EQ(0, spe_session_enable(&other));
	spe_enable(_metadata, t);
	ASSERT_EQ(0, spe_worker_begin(&worker, rounds));
	ASSERT_EQ(0, spe_worker_wait(&worker));
	work_alu(rounds);
	ASSERT_EQ(0, spe_write_file(POWER "pm_test", "core"));
	ASSERT_EQ(0, spe_write_file(POWER "state", "disk"));
	ASSERT_EQ(0, spe_write_file(POWER "pm_test", "none"));
	work_alu(rounds);
	spe_finish(_metadata, t);
	ASSERT_LE(1, spe_session_drain(&other));
	spe_session_records(&other, &records);
	EXPECT_LE(595, spe_count_pc(&t->records, work_alu, work_alu_end));
	EXPECT_LE(295, spe_count_pc(&records, work_alu2, work_alu2_end));
	EXPECT_EQ(0, records.damaged);
	spe_records_free(&records);
	spe_session_close(&other);
	spe_worker_stop(&worker);
}

TEST_HARNESS_MAIN
