// SPDX-License-Identifier: GPL-2.0-only
/*
 * The PMU spe_sample_N: each record is a sample of perf.  What the samples hold, which there are,
 * and whose.  strict_sampler has what the PMU refuses, and its life.
 */
#include "sampling.h"
#include "test.h"
#include "watch.h"

#include <signal.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <time.h>

#define RATE		"/proc/sys/kernel/perf_event_max_sample_rate"
#define RING_BYTES	(1024 * 1024)

/* A chain of calls with frame records: top() calls middle(), which calls a loop without one. */
#define CALLER(name, callee)						\
	asm(".pushsection .text." name ", \"ax\"\n"			\
	    ".balign 64\n"						\
	    ".global " name "\n"					\
	    ".type " name ", %function\n"				\
	    name ":\n"							\
	    "	stp	x29, x30, [sp, #-16]!\n"			\
	    "	mov	x29, sp\n"					\
	    "	bl	" callee "\n"					\
	    "	ldp	x29, x30, [sp], #16\n"				\
	    "	ret\n"							\
	    ".global " name "_end\n"					\
	    name "_end:\n"						\
	    ".popsection\n")

CALLER("call_middle", "work_alu");
CALLER("call_top", "call_middle");

void call_top(uint64_t rounds);
extern const char call_top_end[];

FIXTURE(samples) {
	struct spe_test t;	/* the unit, and the period of .attr */
	struct spe_pmu pmu;
	union spe_attr attr;
	struct spe_sampling s;
	struct spe_worker worker;
	long rate;
};

FIXTURE_VARIANT(samples) {
	unsigned int batch;
};

FIXTURE_VARIANT_ADD(samples, one_by_one) { .batch = 1 };
FIXTURE_VARIANT_ADD(samples, by_8) { .batch = 8 };
FIXTURE_VARIANT_ADD(samples, by_64) { .batch = 64 };

FIXTURE_SETUP(samples)
{
	spe_sampling_begin(&self->s);
	spe_test_begin(_metadata, &self->t);
	if (spe_sampling_find(&self->pmu, &self->t.pmu))
		SKIP(return, "the driver has no PMU spe_sample here");
	spe_sampling_attr(&self->attr, &self->pmu, variant->batch);
	/* Otherwise perf leaves out what is more than 400 samples in a tick. */
	self->rate = spe_read_number(RATE);
	ASSERT_EQ(0, spe_write_file(RATE, "10000000"));
}

FIXTURE_TEARDOWN(samples)
{
	char text[32];

	snprintf(text, sizeof(text), "%ld", self->rate);
	if (self->rate > 0 && self->rate != spe_read_number(RATE))
		EXPECT_EQ(0, spe_write_file(RATE, text));
	spe_worker_stop(&self->worker);
	spe_sampling_close(&self->s);
	spe_test_end(&self->t);
}

static void open_on(struct __test_metadata *_metadata, FIXTURE_DATA(samples) *self, int pid, int cpu)
{
	ASSERT_EQ(0, spe_sampling_open(&self->s, &self->attr, pid, cpu, RING_BYTES));
}

static void enable(struct __test_metadata *_metadata, FIXTURE_DATA(samples) *self)
{
	ASSERT_EQ(0, ioctl(self->s.fd, PERF_EVENT_IOC_ENABLE, 0));
}

/* Reads what there is; perf has dropped nothing, and every sample has a whole record. */
static void drain(struct __test_metadata *_metadata, FIXTURE_DATA(samples) *self)
{
	ASSERT_EQ(0, spe_sampling_drain(&self->s));
	ASSERT_EQ(0, self->s.lost);
	if (!(self->s.type & PERF_SAMPLE_RAW))
		return;
	for (size_t i = 0; i < self->s.count; i++) {
		ASSERT_NE(0, self->s.sample[i].size);
	}
}

static void finish(struct __test_metadata *_metadata, FIXTURE_DATA(samples) *self)
{
	ASSERT_EQ(0, ioctl(self->s.fd, PERF_EVENT_IOC_DISABLE, 0));
	drain(_metadata, self);
	ASSERT_EQ(0, spe_sampling_lost(&self->s));
}

static uint64_t canonical(uint64_t address)
{
	return address >> 55 & 1 ? address | ~SPE_ADDR_MASK : address;
}

static uint64_t now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (uint64_t)ts.tv_sec * 1000000000 + (uint64_t)ts.tv_nsec;
}

static long counter(FIXTURE_DATA(samples) *self, const char *name)
{
	return spe_counter(&self->t.pmu, name, -1);
}

/* The fields, by the record that the sample carries itself. */
static void check_fields(struct __test_metadata *_metadata, const struct spe_sampled *s)
{
	const struct spe_record *r = &s->record;
	bool memory = r->class == SPE_OP_CLASS_LDST;

	ASSERT_EQ(canonical(r->pc), s->ip);
	ASSERT_EQ(r->has & SPE_HAS_VA ? canonical(r->va) : 0, s->addr);
	ASSERT_EQ(r->has & SPE_HAS_PA ? r->pa : 0, s->physical);
	ASSERT_EQ(r->total, s->weight.var1_dw);
	ASSERT_EQ(r->issue, s->weight.var2_w);
	ASSERT_EQ(r->has & SPE_HAS_TRANSLATION ? r->translation : 0, s->weight.var3_w);
	if (!memory) {
		ASSERT_EQ(0, s->source.val);
	} else {
		ASSERT_EQ(r->subclass & SPE_OP_LDST ? PERF_MEM_OP_STORE : PERF_MEM_OP_LOAD,
			  (int)s->source.mem_op);
	}
	/* perf pads a record to a multiple of eight bytes, with its size before it. */
	ASSERT_EQ(0, (s->raw + 4) % 8);
	ASSERT_GT(8, s->raw - s->size);
}

TEST_F(samples, hold_what_their_records_hold)
{
	static uint64_t memory[8] __attribute__((aligned(64)));
	uint64_t loads = 0, others = 0, physical = 0;
	struct spe_test *t = &self->t;

	self->attr.perf.sample_type |= PERF_SAMPLE_PHYS_ADDR;
	open_on(_metadata, self, 0, -1);
	enable(_metadata, self);
	work_mixed(spe_rounds(t, WORK_MIXED_OPS, 400), memory);
	finish(_metadata, self);
	ASSERT_LE(390, self->s.count);
	for (size_t i = 0; i < self->s.count; i++) {
		const struct spe_sampled *s = &self->s.sample[i];

		check_fields(_metadata, s);
		ASSERT_EQ((uint32_t)getpid(), s->pid);
		ASSERT_EQ((uint32_t)gettid(), s->tid);
		ASSERT_EQ(0, s->cpu);
		ASSERT_EQ(self->attr.perf.sample_period & ~UINT64_C(0xff), s->period);
		loads += s->record.class == SPE_OP_CLASS_LDST;
		others += s->record.class != SPE_OP_CLASS_LDST;
		physical += s->physical > 0;
	}
	EXPECT_LE(390, spe_sampling_count(&self->s, work_mixed, work_mixed_end, 0));
	EXPECT_LT(100, loads);
	EXPECT_LT(100, others);
	EXPECT_EQ(loads, physical);
}

/* With PERF_SAMPLE_WEIGHT the whole field is the total latency. */
TEST_F(samples, have_one_weight_or_three)
{
	self->attr.perf.sample_type ^= PERF_SAMPLE_WEIGHT_STRUCT | PERF_SAMPLE_WEIGHT;
	open_on(_metadata, self, 0, -1);
	enable(_metadata, self);
	work_alu(spe_rounds(&self->t, WORK_ALU_OPS, 100));
	finish(_metadata, self);
	ASSERT_LE(95, self->s.count);
	for (size_t i = 0; i < self->s.count; i++) {
		ASSERT_EQ(self->s.sample[i].record.total, self->s.sample[i].weight.full);
	}
}

/* No field that is not asked for; what is left is where perf expects it. */
TEST_F(samples, have_no_other_field)
{
	self->attr.perf.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_ADDR;
	ASSERT_EQ(0, spe_sampling_open(&self->s, &self->attr, 0, -1, RING_BYTES));
	enable(_metadata, self);
	work_alu(spe_rounds(&self->t, WORK_ALU_OPS, 100));
	ASSERT_EQ(0, ioctl(self->s.fd, PERF_EVENT_IOC_DISABLE, 0));
	ASSERT_EQ(0, spe_sampling_drain(&self->s));
	EXPECT_LE(95, spe_sampling_count(&self->s, work_alu, work_alu_end, 0));
}

/*
 * Each sample has the time of its record.  The driver converts it when it reads a batch, and a
 * host may take the CPU away just then: so a few samples may be late, or up to two batches.
 */
TEST_F(samples, have_the_times_of_their_records)
{
	uint64_t last = 0;
	size_t near = 0;

	open_on(_metadata, self, 0, -1);
	enable(_metadata, self);
	work_alu(spe_rounds(&self->t, WORK_ALU_OPS, 640));
	finish(_metadata, self);
	ASSERT_LE(600, self->s.count);
	for (size_t i = 0; i < self->s.count; i++) {
		const struct spe_sampled *s = &self->s.sample[i];
		uint64_t time = spe_sampling_time(&self->s, s->record.timestamp);

		ASSERT_TRUE(s->record.has & SPE_HAS_TIMESTAMP);
		ASSERT_LE(last, s->record.timestamp);
		last = s->record.timestamp;
		ASSERT_NE(0, time);
		near += s->time + 20000 >= time && s->time <= time + 20000;
	}
	EXPECT_LE(self->s.count * 95 / 100, near + 2 * variant->batch)
		TH_LOG("%zu of %zu samples", near, self->s.count);
	/* The first and the last are farther apart than a batch that has one time for all. */
	EXPECT_LT(self->s.sample[0].time, self->s.sample[self->s.count - 1].time);
	EXPECT_NE(self->s.sample[100].time, self->s.sample[101].time);
}

TEST_F(samples, are_as_many_as_the_period_says)
{
	long samples = counter(self, "samples"), lost = counter(self, "samples_lost");

	for (unsigned int count = 1; count <= 1000; count *= 10) {
		open_on(_metadata, self, 0, -1);
		enable(_metadata, self);
		work_alu(spe_rounds(&self->t, WORK_ALU_OPS, count));
		finish(_metadata, self);
		EXPECT_LE(count * 95 / 100, self->s.count + 1);
		EXPECT_GE(count * 105 / 100 + 2, self->s.count);
		EXPECT_GE(self->s.count, spe_sampling_count(&self->s, work_alu, work_alu_end, 0));
		samples += (long)self->s.count;
		spe_sampling_close(&self->s);
	}
	EXPECT_EQ(samples, counter(self, "samples"));
	EXPECT_EQ(lost, counter(self, "samples_lost"));
}

/* A filter's records are the samples. */
TEST_F(samples, are_what_the_filters_let_pass)
{
	static uint64_t memory[8] __attribute__((aligned(64)));

	if (spe_attr_set(&self->attr, &self->pmu, "store_filter", 1))
		SKIP(return, "this unit has no store_filter");
	open_on(_metadata, self, 0, -1);
	enable(_metadata, self);
	work_mixed(spe_rounds(&self->t, WORK_MIXED_OPS, 400), memory);
	finish(_metadata, self);
	ASSERT_LE(80, self->s.count);
	for (size_t i = 0; i < self->s.count; i++) {
		ASSERT_TRUE(spe_is_store(&self->s.sample[i].record));
	}
}

TEST_F(samples, end_and_begin_with_the_event)
{
	open_on(_metadata, self, 0, -1);
	for (int round = 0; round < 4; round++) {
		work_alu2(spe_rounds(&self->t, WORK_ALU_OPS, 100));
		enable(_metadata, self);
		work_alu(spe_rounds(&self->t, WORK_ALU_OPS, 100));
		finish(_metadata, self);
		EXPECT_LE(95, spe_sampling_count(&self->s, work_alu, work_alu_end, 0));
		EXPECT_EQ(0, spe_sampling_count(&self->s, work_alu2, work_alu2_end, 0));
		spe_sampling_forget(&self->s);
	}
}

static void alu(uint64_t rounds)
{
	work_alu(rounds);
}

/* The event of a task has no sample of another one. */
TEST_F(samples, of_a_task_are_its_own)
{
	struct spe_worker *worker = &self->worker;

	ASSERT_EQ(0, spe_worker_start(worker, 0, alu));
	open_on(_metadata, self, worker->pid, -1);
	enable(_metadata, self);
	for (int round = 0; round < 10; round++) {
		ASSERT_EQ(0, spe_worker_begin(worker, spe_rounds(&self->t, WORK_ALU_OPS, 10)));
		work_alu2(spe_rounds(&self->t, WORK_ALU_OPS, 10));
		ASSERT_EQ(0, spe_worker_wait(worker));
	}
	finish(_metadata, self);
	EXPECT_LE(90, spe_sampling_count(&self->s, work_alu, work_alu_end, 0));
	EXPECT_EQ(0, spe_sampling_count(&self->s, work_alu2, work_alu2_end, 0));
	for (size_t i = 0; i < self->s.count; i++) {
		ASSERT_EQ((uint32_t)worker->pid, self->s.sample[i].tid);
	}
}

/*
 * A child inherits the event: its samples have its own thread, and are in the parent's ring.  perf
 * calls no driver when it switches between the two (perf_event_context_sched_out()).
 */
TEST_F(samples, are_inherited)
{
	uint64_t few = spe_rounds(&self->t, WORK_ALU_OPS, 12);
	struct spe_worker *worker = &self->worker;
	uint32_t parent = (uint32_t)gettid(), child;

	self->attr.perf.inherit = 1;
	self->attr.perf.read_format = 0;
	/* perf maps the ring of such an event only if it is of one CPU. */
	open_on(_metadata, self, 0, 0);
	enable(_metadata, self);
	ASSERT_EQ(0, spe_worker_start(worker, 0, alu));
	child = (uint32_t)worker->pid;
	for (int round = 0; round < 20; round++) {
		ASSERT_EQ(0, spe_worker_begin(worker, few));
		work_alu2(few);
		ASSERT_EQ(0, spe_worker_wait(worker));
	}
	spe_worker_stop(worker);
	ASSERT_EQ(0, ioctl(self->s.fd, PERF_EVENT_IOC_DISABLE, 0));
	drain(_metadata, self);
	EXPECT_LE(200, spe_sampling_count(&self->s, work_alu, work_alu_end, child));
	EXPECT_LE(200, spe_sampling_count(&self->s, work_alu2, work_alu2_end, parent));
	EXPECT_EQ(0, spe_sampling_count(&self->s, work_alu, work_alu_end, parent));
	EXPECT_EQ(0, spe_sampling_count(&self->s, work_alu2, work_alu2_end, child));
}

/* A task that works a little and lets the other one run, for ever. */
static pid_t start_turns(void (*work)(uint64_t rounds), uint64_t rounds)
{
	pid_t pid = fork();

	if (pid)
		return pid;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	spe_pin(0);
	for (;;) {
		work(rounds);
		sched_yield();
	}
}

/*
 * The event of a CPU goes on while tasks switch, and a batch may begin in one task and end in
 * the other.  Each sample is of the task that has executed the operation.
 */
TEST_F(samples, of_a_cpu_have_the_right_task)
{
	uint64_t end = now() + UINT64_C(20000000000);
	size_t one, two;
	pid_t first, second;

	/* Some 5 records in each turn, and short samples, so that the reader keeps up. */
	self->attr.perf.sample_period *= 16;
	self->attr.perf.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID;
	first = start_turns(work_alu, spe_rounds(&self->t, WORK_ALU_OPS, 80));
	second = start_turns(work_alu2, spe_rounds(&self->t, WORK_ALU_OPS, 80));
	ASSERT_LT(0, first);
	ASSERT_LT(0, second);
	ASSERT_EQ(0, spe_pin(1));
	open_on(_metadata, self, -1, 0);
	enable(_metadata, self);
	do {
		usleep(20000);
		drain(_metadata, self);
		one = spe_sampling_count(&self->s, work_alu, work_alu_end, 0);
		two = spe_sampling_count(&self->s, work_alu2, work_alu2_end, 0);
	} while ((one < 500 || two < 500) && now() < end);
	finish(_metadata, self);
	kill(first, SIGKILL);
	kill(second, SIGKILL);
	one = spe_sampling_count(&self->s, work_alu, work_alu_end, 0);
	two = spe_sampling_count(&self->s, work_alu2, work_alu2_end, 0);
	EXPECT_LE(500, one);
	EXPECT_LE(500, two);
	EXPECT_EQ(one, spe_sampling_count(&self->s, work_alu, work_alu_end, (uint32_t)first));
	EXPECT_EQ(two, spe_sampling_count(&self->s, work_alu2, work_alu2_end, (uint32_t)second));
}

/*
 * perf stops an event with more samples in a tick than the sysctl allows, says so, and starts it
 * again at the next tick: it goes on to the end.
 */
TEST_F(samples, are_throttled_by_perf_and_go_on)
{
	uint64_t start = now(), half = UINT64_C(1500000000);
	size_t first = 0, second = 0;

	/* One sample in a tick.  The reader is sampled too: a shorter period would give it ever more. */
	ASSERT_EQ(0, spe_write_file(RATE, "100"));
	self->attr.perf.sample_period *= 64;
	open_on(_metadata, self, 0, -1);
	enable(_metadata, self);
	while (now() < start + 2 * half) {
		work_alu(2000);
		drain(_metadata, self);
		*(now() < start + half ? &first : &second) += self->s.count;
		self->s.count = 0;
	}
	ASSERT_EQ(0, ioctl(self->s.fd, PERF_EVENT_IOC_DISABLE, 0));
	drain(_metadata, self);
	TH_LOG("throttled %u times, unthrottled %u, %zu and %zu samples", self->s.throttled,
	       self->s.unthrottled, first, second);
	EXPECT_LT(10, self->s.throttled);
	EXPECT_GE(1, self->s.throttled - self->s.unthrottled);
	EXPECT_LT(10, first);
	EXPECT_LT(10, second);
	/* A tick has no more than a batch and the sample that it allows; a second has 250. */
	EXPECT_GE(2 * 3 * 250 * (variant->batch + 1), first + second);
}

/* PERF_EVENT_IOC_REFRESH: the event stops after exactly so many samples. */
TEST_F(samples, are_exactly_as_many_as_refresh_allows)
{
	static const unsigned int counts[] = { 1, 5, 64, 100 };

	open_on(_metadata, self, 0, -1);
	for (size_t i = 0; i < ARRAY_SIZE(counts); i++) {
		ASSERT_EQ(0, ioctl(self->s.fd, PERF_EVENT_IOC_REFRESH, counts[i]));
		work_alu(spe_rounds(&self->t, WORK_ALU_OPS, 2 * counts[i] + 2 * variant->batch));
		drain(_metadata, self);
		EXPECT_EQ(counts[i], self->s.count);
		spe_sampling_forget(&self->s);
	}
	/* Without a refresh there are none. */
	work_alu(spe_rounds(&self->t, WORK_ALU_OPS, 200));
	drain(_metadata, self);
	EXPECT_EQ(0, self->s.count);
}

TEST_F(samples, follow_a_change_of_the_period)
{
	uint64_t period = 4 * self->attr.perf.sample_period;
	size_t after = 0;

	open_on(_metadata, self, 0, -1);
	enable(_metadata, self);
	work_alu(spe_rounds(&self->t, WORK_ALU_OPS, 200));
	ASSERT_EQ(0, ioctl(self->s.fd, PERF_EVENT_IOC_PERIOD, &period));
	work_alu(spe_rounds(&self->t, WORK_ALU_OPS, 800));
	finish(_metadata, self);
	for (size_t i = 0; i < self->s.count; i++)
		after += self->s.sample[i].period == (period & ~UINT64_C(0xff));
	EXPECT_LE(190, after);
	EXPECT_GE(210, after);
	EXPECT_LE(390, self->s.count);
	EXPECT_GE(410, self->s.count);
	EXPECT_EQ(self->attr.perf.sample_period & ~UINT64_C(0xff), self->s.sample[0].period);
}

/*
 * With one record for each interrupt the call chain is the record's own, or empty.  In a batch all
 * but the last record are older than the interrupt, so each chain is empty and counts.
 */
TEST_F(samples, have_their_own_call_chain_or_none)
{
	uint64_t period = self->attr.perf.sample_period;
	long empty = counter(self, "chains_empty");
	size_t whole = 0, none = 0;

	ASSERT_LT(0, period);
	open_on(_metadata, self, 0, -1);
	enable(_metadata, self);
	call_top(spe_rounds(&self->t, WORK_ALU_OPS, 400));
	finish(_metadata, self);
	for (size_t i = 0; i < self->s.count; i++) {
		const struct spe_sampled *s = &self->s.sample[i];

		if (!s->frames) {
			none++;
			continue;
		}
		ASSERT_LE(2, s->frames);
		ASSERT_EQ(PERF_CONTEXT_USER, s->frame[0]);
		ASSERT_EQ(s->ip, s->frame[1]);
		if (s->ip < (uintptr_t)work_alu || s->ip >= (uintptr_t)work_alu_end)
			continue;
		/* The loop has no frame record of its own: its caller's return address is next. */
		ASSERT_LE(4, s->frames);
		ASSERT_LT((uintptr_t)call_top, s->frame[2]);
		ASSERT_GT((uintptr_t)call_top_end, s->frame[2]);
		whole++;
	}
	EXPECT_EQ(empty + (long)none, counter(self, "chains_empty"));
	if (variant->batch > 1) {
		EXPECT_EQ(self->s.count, none);
	} else {
		EXPECT_LE(300, whole);
	}
	TH_LOG("%zu with a chain, %zu without, of %zu", whole, none, self->s.count);
}

/* The program executes on beyond a call before the interrupt comes: no chain is of another function. */
TEST_F(samples, of_calls_have_no_foreign_chain)
{
	open_on(_metadata, self, 0, -1);
	enable(_metadata, self);
	for (int i = 0; i < 20000; i++) {
		call_top(1 + i % 3);
		work_alu2(1);
	}
	finish(_metadata, self);
	EXPECT_LT(20, self->s.count);
	for (size_t i = 0; i < self->s.count; i++) {
		const struct spe_sampled *s = &self->s.sample[i];
		bool other = s->ip >= (uintptr_t)work_alu2 && s->ip < (uintptr_t)work_alu2_end;

		/* work_alu2() is not called by call_top(). */
		if (s->frames < 3 || !other)
			continue;
		ASSERT_FALSE(s->frame[2] >= (uintptr_t)call_top &&
			     s->frame[2] < (uintptr_t)call_top_end);
	}
}

TEST_HARNESS_MAIN
