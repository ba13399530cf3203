// SPDX-License-Identifier: GPL-2.0-only
/*
 * The PMU spe_sample_N: what it offers and refuses, what an ordinary user may do, how it shares
 * the unit with arm_spe_N, and its life.  strict_samples has what its samples hold.
 */
#include "loader.h"
#include "sampling.h"
#include "test.h"
#include "watch.h"

#include <dirent.h>
#include <grp.h>
#include <stdio.h>
#include <sys/mman.h>

#define PARANOID	"/proc/sys/kernel/perf_event_paranoid"
#define ONLINE		"/sys/devices/system/cpu/cpu1/online"
#define RING_BYTES	(64 * 1024)

/* Words of perf_event_attr that the C library's header may lack. */
#define WORD_FLAGS	5
#define WORD_AUX	14

#define REMOVE_ON_EXEC	(UINT64_C(1) << 36)
#define SIGTRAP_FLAG	(UINT64_C(1) << 37)

FIXTURE(sampler) {
	struct spe_test t;
	struct spe_pmu pmu;
	union spe_attr attr;
	struct spe_sampling s;
	struct spe_worker worker;
};

static void begin(struct __test_metadata *_metadata, FIXTURE_DATA(sampler) *self)
{
	spe_sampling_begin(&self->s);
	spe_test_begin(_metadata, &self->t);
	if (!spe_sampling_find(&self->pmu, &self->t.pmu))
		spe_sampling_attr(&self->attr, &self->pmu, 8);
}

FIXTURE_SETUP(sampler)
{
	begin(_metadata, self);
	if (!self->pmu.type)
		SKIP(return, "the driver has no PMU spe_sample here");
}

FIXTURE_TEARDOWN(sampler)
{
	spe_worker_stop(&self->worker);
	spe_sampling_close(&self->s);
	spe_test_end(&self->t);
	spe_write_file(ONLINE, "1");
}

/* Opens and closes an event; returns 0 or a negative error number. */
static int try(union spe_attr *attr, int pid, int cpu)
{
	int fd = spe_attr_open(attr, pid, cpu);

	if (fd < 0)
		return fd;
	close(fd);
	return 0;
}

static void record(struct __test_metadata *_metadata, FIXTURE_DATA(sampler) *self, int pid, int cpu)
{
	ASSERT_EQ(0, spe_sampling_open(&self->s, &self->attr, pid, cpu, RING_BYTES));
	ASSERT_EQ(0, ioctl(self->s.fd, PERF_EVENT_IOC_ENABLE, 0));
	work_alu(spe_rounds(&self->t, WORK_ALU_OPS, 100));
	ASSERT_EQ(0, ioctl(self->s.fd, PERF_EVENT_IOC_DISABLE, 0));
	ASSERT_EQ(0, spe_sampling_drain(&self->s));
	EXPECT_LE(95, spe_sampling_count(&self->s, work_alu, work_alu_end, 0));
}

TEST_F(sampler, offers_the_attributes_of_the_unit_and_the_batch)
{
	struct spe_field field;
	struct dirent *entry;
	char path[128];
	int same = 0;
	DIR *dir;

	ASSERT_EQ(0, spe_pmu_field(&self->pmu, "batch", &field));
	EXPECT_EQ(SPE_CONFIG, field.word);
	EXPECT_EQ(56, field.low);
	EXPECT_EQ(62, field.high);
	EXPECT_EQ(-ENOENT, spe_pmu_field(&self->t.pmu, "batch", &field));
	EXPECT_EQ(-ENOENT, spe_pmu_field(&self->pmu, "discard", &field));
	EXPECT_EQ(-ENOENT, spe_pmu_field(&self->pmu, "guest", &field));
	snprintf(path, sizeof(path), SPE_PMU_ROOT "/%s/format", self->t.pmu.name);
	dir = opendir(path);
	ASSERT_NE(NULL, dir);
	while ((entry = readdir(dir))) {
		struct spe_field mine;

		if (*entry->d_name == '.' || !strcmp(entry->d_name, "discard") ||
		    !strcmp(entry->d_name, "guest"))
			continue;
		ASSERT_EQ(0, spe_pmu_field(&self->t.pmu, entry->d_name, &field));
		EXPECT_EQ(0, spe_pmu_field(&self->pmu, entry->d_name, &mine))
			TH_LOG("%s", entry->d_name);
		EXPECT_EQ(0, memcmp(&field, &mine, sizeof(field)));
		same++;
	}
	closedir(dir);
	EXPECT_LE(4, same);
}

TEST_F(sampler, has_the_capabilities_of_the_unit)
{
	static const char *const files[] = {
		"cpumask", "delivery", "caps/arch_inst", "caps/ernd", "caps/count_size",
		"caps/min_interval", "caps/event_filter",
	};

	for (size_t i = 0; i < ARRAY_SIZE(files); i++) {
		char unit[256] = "", sampler[256] = "";

		EXPECT_LT(0, spe_pmu_read(&self->t.pmu, files[i], unit, sizeof(unit)));
		EXPECT_LT(0, spe_pmu_read(&self->pmu, files[i], sampler, sizeof(sampler)));
		EXPECT_STREQ(unit, sampler);
	}
	EXPECT_NE(self->t.pmu.type, self->pmu.type);
}

/* What a record cannot give, and what means nothing. */
enum nonsense {
	NOTHING, NO_PERIOD, NO_FREQUENCY, REGS_INTR, STACK_USER, BRANCH_STACK, SIGNAL, AUX_OUTPUT,
	AUX_SAMPLE, EXCLUDE_HOST, EXCLUDE_IDLE, BATCH_65, BATCH_127, DISCARD, UNKNOWN_BIT,
};

static union spe_attr nonsense(const union spe_attr *sound, enum nonsense what)
{
	union spe_attr attr = *sound;

	switch (what) {
	case NOTHING:
		break;
	case NO_PERIOD:
		attr.perf.sample_period = 0;
		break;
	case NO_FREQUENCY:
		attr.perf.freq = 1;
		attr.perf.sample_freq = 0;
		break;
	case REGS_INTR:
		attr.perf.sample_type |= PERF_SAMPLE_REGS_INTR;
		attr.perf.sample_regs_intr = 1;
		break;
	case STACK_USER:
		attr.perf.sample_type |= PERF_SAMPLE_STACK_USER;
		attr.perf.sample_stack_user = 64;
		break;
	case BRANCH_STACK:
		attr.perf.sample_type |= PERF_SAMPLE_BRANCH_STACK;
		attr.perf.branch_sample_type = PERF_SAMPLE_BRANCH_USER | PERF_SAMPLE_BRANCH_ANY;
		break;
	case SIGNAL:
		attr.word[WORD_FLAGS] |= SIGTRAP_FLAG | REMOVE_ON_EXEC;
		break;
	case AUX_OUTPUT:
		attr.perf.aux_output = 1;
		break;
	case AUX_SAMPLE:
		attr.perf.sample_type |= PERF_SAMPLE_AUX;
		attr.word[WORD_AUX] = 1024;
		break;
	case EXCLUDE_HOST:
		attr.perf.exclude_host = 1;
		break;
	case EXCLUDE_IDLE:
		attr.perf.exclude_idle = 1;
		break;
	case BATCH_65:
		attr.perf.config = UINT64_C(65) << 56;
		break;
	case BATCH_127:
		attr.perf.config = UINT64_C(127) << 56;
		break;
	case DISCARD:
		attr.perf.config = UINT64_C(1) << 35;
		break;
	case UNKNOWN_BIT:
		attr.perf.config = UINT64_C(1) << 63;
		break;
	}
	return attr;
}

TEST_F(sampler, refuses_what_a_record_cannot_give)
{
	static const struct {
		enum nonsense what;
		int error;
	} rows[] = {
		{ NOTHING, 0 }, { NO_PERIOD, -EINVAL }, { NO_FREQUENCY, -EINVAL },
		{ REGS_INTR, -EOPNOTSUPP }, { STACK_USER, -EOPNOTSUPP },
		{ BRANCH_STACK, -EOPNOTSUPP }, { SIGNAL, -EOPNOTSUPP }, { AUX_OUTPUT, -EINVAL },
		{ AUX_SAMPLE, -EINVAL }, { EXCLUDE_HOST, -EOPNOTSUPP },
		{ EXCLUDE_IDLE, -EOPNOTSUPP }, { BATCH_65, -EINVAL }, { BATCH_127, -EINVAL },
		{ DISCARD, -EOPNOTSUPP }, { UNKNOWN_BIT, -EINVAL },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		union spe_attr attr = nonsense(&self->attr, rows[i].what);
		int task = try(&attr, 0, -1), cpu = try(&attr, -1, 0);

		EXPECT_EQ(rows[i].error, task)
			TH_LOG("row %zu, of a task", i);
		/* perf itself refuses signals to a CPU. */
		if (rows[i].what != SIGNAL)
			EXPECT_EQ(rows[i].error, cpu)
				TH_LOG("row %zu, of a CPU", i);
	}
	for (unsigned int batch = 0; batch <= 64; batch++) {
		self->attr.perf.config = (uint64_t)batch << 56;
		EXPECT_EQ(0, try(&self->attr, 0, -1))
			TH_LOG("batch=%u", batch);
	}
}

TEST_F(sampler, has_no_aux_buffer)
{
	size_t page = spe_page_size();

	ASSERT_EQ(0, spe_sampling_open(&self->s, &self->attr, 0, -1, RING_BYTES));
	self->s.page->aux_offset = self->s.ring_size;
	self->s.page->aux_size = 16 * page;
	EXPECT_EQ(MAP_FAILED, mmap(NULL, 16 * page, PROT_READ | PROT_WRITE, MAP_SHARED, self->s.fd,
				   (off_t)self->s.ring_size));
	EXPECT_EQ(EOPNOTSUPP, errno);
}

/* The two PMUs have one unit: for a CPU the second one is refused, whichever it is. */
TEST_F(sampler, shares_a_cpu_with_no_event_of_the_unit)
{
	int fd = spe_attr_open(&self->t.attr, -1, 0);

	ASSERT_LE(0, fd);
	EXPECT_EQ(-EBUSY, try(&self->attr, -1, 0));
	/* Another CPU has another unit. */
	EXPECT_EQ(0, try(&self->attr, -1, 1));
	close(fd);
	EXPECT_EQ(0, try(&self->attr, -1, 0));
	fd = spe_attr_open(&self->attr, -1, 0);
	ASSERT_LE(0, fd);
	EXPECT_EQ(-EBUSY, try(&self->t.attr, -1, 0));
	EXPECT_EQ(-EBUSY, try(&self->attr, -1, 0));
	EXPECT_EQ(0, try(&self->t.attr, -1, 1));
	close(fd);
	EXPECT_EQ(0, try(&self->t.attr, -1, 0));
	/* What is refused for another reason takes nothing. */
	self->attr.perf.sample_period = 0;
	EXPECT_EQ(-EINVAL, try(&self->attr, -1, 0));
	EXPECT_EQ(0, try(&self->t.attr, -1, 0));
}

/* Events of a task meet when it is scheduled in: the second one waits, and that counts. */
TEST_F(sampler, waits_while_the_unit_serves_another_event_of_the_task)
{
	long busy = spe_counter(&self->t.pmu, "busy_other", -1);
	struct spe_test *t = &self->t;

	ASSERT_LE(0, busy);
	spe_open(_metadata, t, AUX_PAGES);
	spe_enable(_metadata, t);
	ASSERT_EQ(0, spe_sampling_open(&self->s, &self->attr, 0, -1, RING_BYTES));
	ASSERT_EQ(0, ioctl(self->s.fd, PERF_EVENT_IOC_ENABLE, 0));
	work_alu(spe_rounds(t, WORK_ALU_OPS, 100));
	spe_finish(_metadata, t);
	EXPECT_LE(95, spe_count_pc(&t->records, work_alu, work_alu_end));
	EXPECT_LT(busy, spe_counter(&t->pmu, "busy_other", -1));
	/* The unit is free from now on. */
	work_alu2(spe_rounds(t, WORK_ALU_OPS, 400));
	ASSERT_EQ(0, ioctl(self->s.fd, PERF_EVENT_IOC_DISABLE, 0));
	ASSERT_EQ(0, spe_sampling_drain(&self->s));
	EXPECT_EQ(0, spe_sampling_count(&self->s, work_alu, work_alu_end, 0));
	spe_sampling_close(&self->s);
	record(_metadata, self, 0, -1);
}

/* The event of a task waits while an event of the CPU has the unit, so no record is in both. */
TEST_F(sampler, of_a_task_waits_for_an_event_of_the_cpu)
{
	struct spe_shape shape = { .aux_pages = AUX_PAGES };
	struct spe_test *t = &self->t;

	ASSERT_EQ(0, spe_session_open(&t->session, &t->attr, -1, 0, shape));
	spe_enable(_metadata, t);
	ASSERT_EQ(0, spe_sampling_open(&self->s, &self->attr, 0, -1, RING_BYTES));
	ASSERT_EQ(0, ioctl(self->s.fd, PERF_EVENT_IOC_ENABLE, 0));
	work_alu(spe_rounds(t, WORK_ALU_OPS, 100));
	spe_finish_with_kernel(_metadata, t);
	EXPECT_LE(95, spe_count_pc(&t->records, work_alu, work_alu_end));
	ASSERT_EQ(0, ioctl(self->s.fd, PERF_EVENT_IOC_DISABLE, 0));
	ASSERT_EQ(0, spe_sampling_drain(&self->s));
	EXPECT_GE(5, spe_sampling_count(&self->s, work_alu, work_alu_end, 0));
}

/* An open event keeps the module, and a closed one leaves no reference. */
TEST_F(sampler, keeps_the_module_while_it_is_open)
{
	long references = spe_read_number(spe_module_file("refcnt"));

	ASSERT_LE(0, references);
	ASSERT_EQ(0, spe_sampling_open(&self->s, &self->attr, -1, 0, RING_BYTES));
	ASSERT_EQ(0, ioctl(self->s.fd, PERF_EVENT_IOC_ENABLE, 0));
	EXPECT_EQ(references + 1, spe_read_number(spe_module_file("refcnt")));
	EXPECT_EQ(-EWOULDBLOCK, spe_module_unload());
	spe_sampling_close(&self->s);
	EXPECT_EQ(references, spe_read_number(spe_module_file("refcnt")));
	ASSERT_EQ(0, spe_module_unload());
	ASSERT_EQ(0, spe_module_load());
	/* The new module has both PMUs, and they work. */
	ASSERT_EQ(0, spe_pmu_find(&self->t.pmu));
	ASSERT_EQ(0, spe_sampling_find(&self->pmu, &self->t.pmu));
	self->attr.perf.type = self->pmu.type;
	record(_metadata, self, 0, -1);
}

/* Interrupts by which one CPU has others call a function, on all CPUs. */
static long function_calls(void)
{
	FILE *file = fopen("/proc/interrupts", "r");
	char line[1024];
	long sum = -ENOENT;

	while (file && fgets(line, sizeof(line), file)) {
		char *at = strchr(line, ':'), *end;

		if (!at || !strstr(line, "Function call interrupts"))
			continue;
		sum = 0;
		for (at++;; at = end) {
			long count = strtol(at, &end, 10);

			if (end == at)
				break;
			sum += count;
		}
	}
	if (file)
		fclose(file);
	return sum;
}

/*
 * An inherited event watches the scheduler's tracepoint.  To patch the kernel for each such event
 * would interrupt all CPUs, as often as any user likes.  A debug kernel interrupts them for reasons
 * of its own, so events that watch nothing are the measure.
 */
TEST_F(sampler, patches_no_code_for_each_event)
{
	long calls[2];

	for (int inherit = 0; inherit < 2; inherit++) {
		self->attr.perf.inherit = inherit;
		ASSERT_EQ(0, try(&self->attr, 0, -1));
		calls[inherit] = function_calls();
		ASSERT_LE(0, calls[inherit]);
		for (int i = 0; i < 400; i++) {
			ASSERT_EQ(0, try(&self->attr, 0, -1));
		}
		calls[inherit] = function_calls() - calls[inherit];
	}
	EXPECT_GT(100 + 2 * calls[0], calls[1]);
}

static void alu(uint64_t rounds)
{
	work_alu(rounds);
}

/* What CPU 1 has recorded before it goes offline becomes samples. */
TEST_F(sampler, keeps_what_a_cpu_recorded_before_it_goes_offline)
{
	struct spe_test *t = &self->t;

	if (access(ONLINE, W_OK))
		SKIP(return, "this kernel cannot take CPU 1 offline");
	for (int round = 0; round < 3; round++) {
		ASSERT_EQ(0, spe_worker_start(&self->worker, 1, alu));
		ASSERT_EQ(0, spe_sampling_open(&self->s, &self->attr, -1, 1, RING_BYTES));
		ASSERT_EQ(0, ioctl(self->s.fd, PERF_EVENT_IOC_ENABLE, 0));
		ASSERT_EQ(0, spe_worker_begin(&self->worker, spe_rounds(t, WORK_ALU_OPS, 100)));
		ASSERT_EQ(0, spe_worker_wait(&self->worker));
		ASSERT_EQ(0, spe_write_file(ONLINE, "0"));
		ASSERT_EQ(0, spe_sampling_drain(&self->s));
		EXPECT_LE(95, spe_sampling_count(&self->s, work_alu, work_alu_end,
						 (uint32_t)self->worker.pid));
		ASSERT_EQ(0, spe_write_file(ONLINE, "1"));
		spe_sampling_close(&self->s);
		spe_worker_stop(&self->worker);
	}
}

/* An ordinary user at each level of perf_event_paranoid. */
FIXTURE(sampler_user) {
	struct spe_test t;
	struct spe_pmu pmu;
	union spe_attr attr;
	struct spe_sampling s;
};

FIXTURE_VARIANT(sampler_user) {
	const char *paranoid;
	int level;
};

FIXTURE_VARIANT_ADD(sampler_user, at_level_0) { .paranoid = "0", .level = 0 };
FIXTURE_VARIANT_ADD(sampler_user, at_level_1) { .paranoid = "1", .level = 1 };
FIXTURE_VARIANT_ADD(sampler_user, at_level_2) { .paranoid = "2", .level = 2 };

FIXTURE_SETUP(sampler_user)
{
	spe_sampling_begin(&self->s);
	spe_test_begin(_metadata, &self->t);
	if (spe_sampling_find(&self->pmu, &self->t.pmu))
		SKIP(return, "the driver has no PMU spe_sample here");
	spe_sampling_attr(&self->attr, &self->pmu, 8);
	ASSERT_EQ(0, spe_write_file(PARANOID, variant->paranoid));
	ASSERT_EQ(0, setgroups(0, NULL));
	ASSERT_EQ(0, setresgid(NOBODY, NOBODY, NOBODY));
	ASSERT_EQ(0, setresuid(NOBODY, NOBODY, NOBODY));
}

FIXTURE_TEARDOWN(sampler_user)
{
	spe_sampling_close(&self->s);
	spe_test_end(&self->t);
}

/* The samples have the user's own code, and neither kernel nor physical addresses nor contexts. */
TEST_F(sampler_user, may_sample_himself)
{
	static uint64_t memory[8] __attribute__((aligned(64)));
	struct spe_test *t = &self->t;

	ASSERT_EQ(0, spe_sampling_open(&self->s, &self->attr, 0, -1, RING_BYTES));
	ASSERT_EQ(0, ioctl(self->s.fd, PERF_EVENT_IOC_ENABLE, 0));
	work_svc(spe_rounds(t, WORK_SVC_OPS, 60));
	work_mixed(spe_rounds(t, WORK_MIXED_OPS, 100), memory);
	ASSERT_EQ(0, ioctl(self->s.fd, PERF_EVENT_IOC_DISABLE, 0));
	ASSERT_EQ(0, spe_sampling_drain(&self->s));
	EXPECT_LE(95, spe_sampling_count(&self->s, work_mixed, work_mixed_end, 0));
	for (size_t i = 0; i < self->s.count; i++) {
		const struct spe_sampled *s = &self->s.sample[i];

		ASSERT_EQ(0, s->ip >> 55);
		ASSERT_EQ(0, s->addr >> 55);
		ASSERT_EQ(0, s->record.pc_el);
		ASSERT_FALSE(s->record.has & SPE_HAS_PA);
		if (variant->level >= 2) {
			ASSERT_FALSE(s->record.has & (SPE_HAS_CONTEXT1 | SPE_HAS_CONTEXT2));
		}
		for (uint64_t j = 1; j < s->frames && j < SPE_FRAMES; j++) {
			ASSERT_EQ(0, s->frame[j] >> 55);
		}
	}
}

/* As in permissions: a kernel whose perf tells the driver no level lets only root see these. */
TEST_F(sampler_user, may_see_the_kernel_only_below_level_2)
{
	static const char *const names[] = { "pa_enable", "pct_enable" };
	int allowed = variant->level < 2 ? 0 : -EACCES, physical;
	union spe_attr attr = self->attr;

	attr.perf.exclude_kernel = 0;
	EXPECT_EQ(allowed, try(&attr, 0, -1));
	attr = self->attr;
	attr.perf.sample_type |= PERF_SAMPLE_PHYS_ADDR;
	physical = try(&attr, 0, -1);
	EXPECT_TRUE(physical == -EACCES || !allowed);
	EXPECT_TRUE(physical == -EACCES || !physical);
	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		attr = self->attr;
		ASSERT_EQ(0, spe_attr_set(&attr, &self->pmu, names[i], 1));
		EXPECT_EQ(physical, try(&attr, 0, -1))
			TH_LOG("%s", names[i]);
	}
}

TEST_F(sampler_user, may_sample_a_cpu_below_level_1)
{
	EXPECT_EQ(variant->level < 1 ? 0 : -EACCES, try(&self->attr, -1, 0));
}

/* Process 1 is root's. */
TEST_F(sampler_user, may_not_sample_another_user)
{
	EXPECT_EQ(-EACCES, try(&self->attr, 1, -1));
}

TEST_HARNESS_MAIN
