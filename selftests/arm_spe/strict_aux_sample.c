// SPDX-License-Identifier: GPL-2.0-only
/*
 * Samples of another event in the session's group carry the newest records of the CPU
 * (PERF_SAMPLE_AUX), which only our driver supports.
 */
#include "test.h"

#include "group.h"
#include "sampler.h"
#include "watch.h"

#include <stdio.h>
#include <sys/wait.h>

/* perf_event_attr.aux_sample_size: 128 records of 64 bytes. */
#define SIZE		8192
#define ROOM		(SIZE / 64)

/* Difference between a timestamp and perf's clock that rounding may make, in ns. */
#define SLACK		1000

/* A session, and an event of its group that samples. */
struct pair {
	struct spe_test t;
	struct spe_sampler sampler;
};

static void pair_begin(struct __test_metadata *_metadata, struct pair *p)
{
	spe_sampler_begin(&p->sampler);
	spe_test_begin(_metadata, &p->t);
	spe_set(_metadata, &p->t, "ts_enable", 1);
}

static void pair_end(struct pair *p)
{
	spe_sampler_close(&p->sampler);
	spe_test_end(&p->t);
}

/* Reads without being sampled: reading takes more operations than the work of the tests. */
static void pair_drain(struct __test_metadata *_metadata, struct pair *p)
{
	ASSERT_EQ(0, spe_session_disable(&p->t.session));
	ASSERT_LE(0, spe_session_drain(&p->t.session));
	ASSERT_EQ(0, spe_sampler_drain(&p->sampler));
}

#define PAIR_FIXTURE_SETUP(name)					\
	FIXTURE_SETUP(name)						\
	{								\
		pair_begin(_metadata, &self->p);			\
	}								\
	FIXTURE_TEARDOWN(name)						\
	{								\
		pair_end(&self->p);					\
	}

/* A session of the task with a sample at each getppid(). */
static void open_call(struct __test_metadata *_metadata, struct pair *p,
		      struct spe_shape shape, uint32_t size)
{
	ASSERT_EQ(0, spe_session_open(&p->t.session, &p->t.attr, 0, -1, shape));
	ASSERT_EQ(0, spe_sampler_open(&p->sampler, SPE_SAMPLER_CALL, p->t.session.fd, 0, -1, 1,
				      size, false));
}

/* Works for COUNT records. */
static void alu_records(const struct spe_test *t, uint64_t count)
{
	work_alu(spe_rounds(t, WORK_ALU_OPS, count));
}

static void alu2_records(const struct spe_test *t, uint64_t count)
{
	work_alu2(spe_rounds(t, WORK_ALU_OPS, count));
}

static size_t in_alu(const struct spe_records *records)
{
	return spe_count_pc(records, work_alu, work_alu_end);
}

static size_t in_alu2(const struct spe_records *records)
{
	return spe_count_pc(records, work_alu2, work_alu2_end);
}

/* Each sample has the size that perf announced, whole records, and padding only after them. */
static void expect_sound(struct __test_metadata *_metadata, struct spe_sampler *sampler,
			 uint32_t size)
{
	ASSERT_EQ(0, spe_sampler_drain(sampler));
	EXPECT_EQ(0, sampler->lost);
	for (size_t i = 0; i < sampler->count; i++) {
		const struct spe_sample *s = &sampler->sample[i];
		struct spe_records records;

		spe_sampler_records(sampler, s, &records);
		EXPECT_EQ(0, records.damaged)
			TH_LOG("sample %zu", i);
		EXPECT_EQ(size, s->size);
		for (size_t k = 0; k < records.count; k++)
			EXPECT_TRUE(records.record[k].has & SPE_HAS_TIMESTAMP);
		spe_records_free(&records);
	}
}

/* The records of the sample number INDEX. */
static struct spe_records sample_records(struct __test_metadata *_metadata,
					 const struct spe_sampler *sampler, size_t index)
{
	struct spe_records records = { 0 };

	EXPECT_LT(index, sampler->count);
	if (index < sampler->count)
		spe_sampler_records(sampler, &sampler->sample[index], &records);
	return records;
}

static bool same(const struct spe_record *a, const struct spe_record *b)
{
	return a->has == b->has && a->timestamp == b->timestamp && a->pc == b->pc &&
	       a->total == b->total && a->issue == b->issue && a->events == b->events;
}

/*
 * Finds the sample's records in all records of the session, and returns how many records
 * precede the end of the sample; 0 if the sample's records are no part of the others.
 */
static size_t find(const struct spe_records *all, const struct spe_records *sample)
{
	for (size_t end = all->count; end >= sample->count && end; end--) {
		size_t k = 0;

		while (k < sample->count &&
		       same(&sample->record[sample->count - 1 - k], &all->record[end - 1 - k]))
			k++;
		if (k == sample->count)
			return end;
	}
	return 0;
}

/*
 * The sample has as many records as fit.  Its last record is the newest: that record is earlier
 * than the sample, and the session's next record is later.
 */
static void expect_newest(struct __test_metadata *_metadata, const struct spe_sampler *sampler,
			  const struct spe_sample *s, const struct spe_records *all)
{
	struct spe_records records;
	uint64_t last, next;
	size_t end;

	spe_sampler_records(sampler, s, &records);
	end = find(all, &records);
	ASSERT_LT(0, end)
		TH_LOG("%zu records at time %lu are not in the AUX buffer", records.count, s->time);
	EXPECT_LE(end < ROOM - 2 ? end : ROOM - 2, records.count);
	last = spe_sampler_time(sampler, all->record[end - 1].timestamp);
	if (last) {
		EXPECT_GE(s->time + SLACK, last);
		if (end < all->count) {
			next = spe_sampler_time(sampler, all->record[end].timestamp);
			EXPECT_LE(s->time, next + SLACK)
				TH_LOG("a record is missing: last %lu, next %lu", last, next);
		}
	}
	spe_records_free(&records);
}

/* Samples by an interrupt, or by an NMI. */
#define RATE		"/proc/sys/kernel/perf_event_max_sample_rate"
#define CPU_TIME	"/proc/sys/kernel/perf_cpu_time_max_percent"

FIXTURE(interrupt) {
	struct pair p;
	long cpu_time;
};

FIXTURE_VARIANT(interrupt) {
	enum spe_sampler_kind kind;
	uint64_t period;
	uint64_t frequency;	/* of the session; 0: a period */
	bool overwrite;
};

FIXTURE_SETUP(interrupt)
{
	pair_begin(_metadata, &self->p);
	/*
	 * Interrupts are slow here.  Undo what perf has lowered the sample rate to, and keep
	 * perf from lowering it: a throttled group has no session when its sample is taken.
	 */
	ASSERT_EQ(0, spe_write_file(RATE, "100000"));
	self->cpu_time = spe_read_number(CPU_TIME);
	ASSERT_EQ(0, spe_write_file(CPU_TIME, "0"));
}

FIXTURE_TEARDOWN(interrupt)
{
	char text[32];

	snprintf(text, sizeof(text), "%ld", self->cpu_time);
	EXPECT_EQ(0, spe_write_file(CPU_TIME, text));
	pair_end(&self->p);
}

FIXTURE_VARIANT_ADD(interrupt, clock) {
	.kind = SPE_SAMPLER_CLOCK, .period = 1000000,
};
FIXTURE_VARIANT_ADD(interrupt, clock_and_frequency) {
	.kind = SPE_SAMPLER_CLOCK, .period = 1000000, .frequency = 4000,
};
FIXTURE_VARIANT_ADD(interrupt, clock_and_snapshot) {
	.kind = SPE_SAMPLER_CLOCK, .period = 1000000, .overwrite = true,
};
FIXTURE_VARIANT_ADD(interrupt, cycles) {
	.kind = SPE_SAMPLER_CYCLES, .period = 1000000,
};
FIXTURE_VARIANT_ADD(interrupt, cycles_and_frequency) {
	.kind = SPE_SAMPLER_CYCLES, .period = 1000000, .frequency = 4000,
};
FIXTURE_VARIANT_ADD(interrupt, cycles_and_snapshot) {
	.kind = SPE_SAMPLER_CYCLES, .period = 1000000, .overwrite = true,
};

#define SAMPLES	30
/* 400 records at the shortest interval. */
#define ROUNDS	(400 * 257 / WORK_ALU_OPS)

TEST_F(interrupt, samples_carry_the_newest_records)
{
	struct spe_shape shape = { .aux_pages = AUX_PAGES, .overwrite = variant->overwrite };
	struct spe_sampler *sampler = &self->p.sampler;
	struct spe_test *t = &self->p.t;
	size_t carried = 0;

	if (variant->frequency) {
		t->attr.perf.freq = 1;
		t->attr.perf.sample_freq = variant->frequency;
	}
	ASSERT_EQ(0, spe_session_open(&t->session, &t->attr, -1, 0, shape));
	ASSERT_EQ(0, spe_sampler_open(sampler, variant->kind, t->session.fd, -1, 0, variant->period,
				      SIZE, false));
	for (int i = 0; i < 2000 && sampler->count < SAMPLES; i++) {
		spe_enable(_metadata, t);
		work_alu(ROUNDS);
		pair_drain(_metadata, &self->p);
	}
	EXPECT_LE(SAMPLES, sampler->count);
	expect_sound(_metadata, sampler, SIZE);
	if (variant->overwrite) {
		spe_session_snapshot(&t->session, &t->records);
	} else {
		spe_session_records(&t->session, &t->records);
		EXPECT_EQ(0, t->session.gaps);
		EXPECT_EQ(0, t->records.damaged);
	}
	for (size_t i = 0; i < sampler->count; i++) {
		struct spe_records records = sample_records(_metadata, sampler, i);

		EXPECT_EQ(0, sampler->sample[i].cpu);
		carried += !!records.count;
		/* The snapshot may have lost what the first samples hold. */
		if (records.count && t->records.count && (!variant->overwrite ||
		    records.record[0].timestamp > t->records.record[0].timestamp))
			expect_newest(_metadata, sampler, &sampler->sample[i], &t->records);
		spe_records_free(&records);
	}
	/* Few hit the driver's own code, or come before the first record. */
	EXPECT_LE(sampler->count * 3 / 4, carried);
}

FIXTURE(mode) {
	struct pair p;
};

FIXTURE_VARIANT(mode) {
	bool overwrite;
};

PAIR_FIXTURE_SETUP(mode)

FIXTURE_VARIANT_ADD(mode, full_trace) { .overwrite = false };
FIXTURE_VARIANT_ADD(mode, snapshot) { .overwrite = true };

TEST_F(mode, a_sample_holds_the_work_before_it)
{
	struct spe_shape shape = { .aux_pages = AUX_PAGES, .overwrite = variant->overwrite };
	struct spe_sampler *sampler = &self->p.sampler;
	struct spe_records records;
	struct spe_test *t = &self->p.t;

	open_call(_metadata, &self->p, shape, SIZE);
	spe_enable(_metadata, t);
	alu_records(t, 40);
	getppid();
	alu2_records(t, 40);
	getppid();
	alu_records(t, 400);
	getppid();
	ASSERT_EQ(0, spe_session_disable(&t->session));
	expect_sound(_metadata, sampler, SIZE);
	ASSERT_EQ(3, sampler->count);

	records = sample_records(_metadata, sampler, 0);
	EXPECT_LE(38, in_alu(&records));
	EXPECT_GE(42, in_alu(&records));
	EXPECT_EQ(0, in_alu2(&records));
	spe_records_free(&records);

	records = sample_records(_metadata, sampler, 1);
	EXPECT_LE(38, in_alu(&records));
	EXPECT_LE(38, in_alu2(&records));
	EXPECT_GE(42, in_alu2(&records));
	spe_records_free(&records);

	/* The older work does not fit. */
	records = sample_records(_metadata, sampler, 2);
	EXPECT_LE(ROOM - 3, in_alu(&records));
	EXPECT_EQ(0, in_alu2(&records));
	spe_records_free(&records);
}

/* The samples change neither the number nor the content of the session's own records. */
TEST_F(mode, samples_leave_the_session_as_it_is)
{
	struct spe_shape shape = { .aux_pages = AUX_PAGES, .overwrite = variant->overwrite };
	struct spe_test *t = &self->p.t;

	open_call(_metadata, &self->p, shape, SIZE);
	spe_enable(_metadata, t);
	for (int i = 0; i < 50; i++) {
		alu_records(t, 20);
		getppid();
	}
	ASSERT_EQ(0, spe_session_disable(&t->session));
	ASSERT_LE(0, spe_session_drain(&t->session));
	if (variant->overwrite)
		spe_session_snapshot(&t->session, &t->records);
	else
		spe_session_records(&t->session, &t->records);
	EXPECT_EQ(0, t->records.damaged);
	EXPECT_LE(990, in_alu(&t->records));
	EXPECT_GE(1010, in_alu(&t->records));
	expect_sound(_metadata, &self->p.sampler, SIZE);
	EXPECT_EQ(50, self->p.sampler.count);
	for (size_t i = 0; i < self->p.sampler.count; i++)
		expect_newest(_metadata, &self->p.sampler, &self->p.sampler.sample[i], &t->records);
}

/* The buffer wraps between the samples, and inside of them. */
TEST_F(mode, a_sample_may_span_the_end_of_the_buffer)
{
	struct spe_shape shape = { .aux_pages = 4, .overwrite = variant->overwrite };
	unsigned int room = 4 * spe_page_records();
	struct spe_sampler *sampler = &self->p.sampler;
	struct spe_test *t = &self->p.t;
	unsigned int turns = 6 * room / 48;

	open_call(_metadata, &self->p, shape, SIZE);
	for (unsigned int i = 0; i < turns; i++) {
		spe_enable(_metadata, t);
		if (i & 1)
			alu2_records(t, 48);
		else
			alu_records(t, 48);
		getppid();
		pair_drain(_metadata, &self->p);
	}
	expect_sound(_metadata, sampler, SIZE);
	ASSERT_EQ(turns, sampler->count);
	/* Three pieces of work, the oldest of them in part. */
	for (unsigned int i = 2; i < turns; i++) {
		struct spe_records records = sample_records(_metadata, sampler, i);
		size_t newer = i & 1 ? in_alu2(&records) : in_alu(&records);
		size_t older = i & 1 ? in_alu(&records) : in_alu2(&records);

		EXPECT_LE(46 + ROOM - 2 * 50 - 6, newer)
			TH_LOG("sample %u", i);
		EXPECT_LE(46, older)
			TH_LOG("sample %u", i);
		spe_records_free(&records);
	}
}

/* perf rounds the size down to 8 bytes, and limits a sample to 64 KiB and to the buffer's size. */
FIXTURE(size) {
	struct pair p;
};

FIXTURE_VARIANT(size) {
	uint32_t wanted;
	size_t least, most;	/* bytes of the samples */
	size_t records;		/* that fit at least */
};

PAIR_FIXTURE_SETUP(size)

FIXTURE_VARIANT_ADD(size, of_8_bytes) { 8, 8, 8, 0 };
FIXTURE_VARIANT_ADD(size, of_100_bytes) { 100, 96, 96, 0 };
FIXTURE_VARIANT_ADD(size, of_256_bytes) { 256, 256, 256, 2 };
FIXTURE_VARIANT_ADD(size, of_4096_bytes) { 4096, 4096, 4096, 62 };
FIXTURE_VARIANT_ADD(size, of_a_megabyte) { 1 << 20, 60000, UINT16_MAX, 900 };

TEST_F(size, bounds_the_sample)
{
	struct spe_shape shape = { .aux_pages = AUX_PAGES };
	struct spe_records records;
	struct spe_test *t = &self->p.t;
	const struct spe_sample *s;
	long samples = spe_counter(&t->pmu, "aux_samples", -1);
	long empty = spe_counter(&t->pmu, "aux_empty", -1);

	open_call(_metadata, &self->p, shape, variant->wanted);
	spe_enable(_metadata, t);
	alu_records(t, 1500);
	getppid();
	spe_finish(_metadata, t);
	ASSERT_EQ(0, spe_sampler_drain(&self->p.sampler));
	ASSERT_EQ(1, self->p.sampler.count);
	s = &self->p.sampler.sample[0];
	EXPECT_LE(variant->least, s->size);
	EXPECT_GE(variant->most, s->size);
	spe_sampler_records(&self->p.sampler, s, &records);
	EXPECT_EQ(0, records.damaged);
	EXPECT_LE(variant->records, records.count);
	EXPECT_EQ(samples + 1, spe_counter(&t->pmu, "aux_samples", -1));
	EXPECT_EQ(empty + !records.count, spe_counter(&t->pmu, "aux_empty", -1));
	spe_records_free(&records);
}

/* The samples are inside of the driver's own code, which may be changing its buffer. */
FIXTURE(aux_sample) {
	struct pair p;
};

PAIR_FIXTURE_SETUP(aux_sample)

TEST_F(aux_sample, inside_of_the_driver_has_padding_only)
{
	struct spe_shape shape = { .aux_pages = 8 };
	struct spe_test *t = &self->p.t;
	long empty = spe_counter(&t->pmu, "aux_empty", -1);

	t->attr.perf.aux_watermark = (uint32_t)spe_page_size();
	ASSERT_EQ(0, spe_session_open(&t->session, &t->attr, -1, 0, shape));
	ASSERT_EQ(0, spe_sampler_open(&self->p.sampler, SPE_SAMPLER_SERVICE, t->session.fd, -1, 0,
				      1, SIZE, false));
	for (int i = 0; i < 20; i++) {
		spe_enable(_metadata, t);
		alu_records(t, 2 * spe_page_records());
		pair_drain(_metadata, &self->p);
	}
	spe_finish(_metadata, t);
	expect_sound(_metadata, &self->p.sampler, SIZE);
	EXPECT_LE(10, self->p.sampler.count);
	for (size_t i = 0; i < self->p.sampler.count; i++) {
		struct spe_records records = sample_records(_metadata, &self->p.sampler, i);

		EXPECT_EQ(0, records.count);
		EXPECT_EQ(SIZE, records.padding);
		spe_records_free(&records);
	}
	EXPECT_EQ(empty + (long)self->p.sampler.count,
		  spe_counter(&t->pmu, "aux_empty", -1));
	EXPECT_LE(40 * spe_page_records() - 100, in_alu(&t->records));
}

/* Records that the unit of another CPU has written are no records of this CPU. */
TEST_F(aux_sample, holds_records_of_its_cpu)
{
	struct spe_shape shape = { .aux_pages = AUX_PAGES };
	struct spe_test *t = &self->p.t;

	open_call(_metadata, &self->p, shape, SIZE);
	spe_enable(_metadata, t);
	alu_records(t, 40);
	ASSERT_EQ(0, spe_pin(1));
	alu2_records(t, 40);
	getppid();
	ASSERT_EQ(0, spe_pin(0));
	getppid();
	alu_records(t, 40);
	getppid();
	spe_finish(_metadata, t);
	expect_sound(_metadata, &self->p.sampler, SIZE);
	ASSERT_EQ(3, self->p.sampler.count);
	for (size_t i = 0; i < 3; i++) {
		struct spe_records records = sample_records(_metadata, &self->p.sampler, i);

		EXPECT_EQ(!i, self->p.sampler.sample[i].cpu);
		if (i == 0) {
			EXPECT_LE(38, in_alu2(&records));
			EXPECT_EQ(0, in_alu(&records));
		} else {
			EXPECT_EQ(0, in_alu2(&records));
			EXPECT_GE(42, in_alu(&records));
			EXPECT_LE(i == 2 ? 38 : 0, in_alu(&records));
		}
		spe_records_free(&records);
	}
}

/* A paused session stays paused after a sample, which has the records from before the pause. */
TEST_F(aux_sample, leaves_a_paused_session_paused)
{
	struct spe_shape shape = { .aux_pages = AUX_PAGES };
	struct spe_test *t = &self->p.t;
	struct spe_records records;
	struct spe_group group;

	open_call(_metadata, &self->p, shape, SIZE);
	spe_group_begin(&group);
	if (spe_group_pause(&group, t->session.fd, 0, -1)) {
		spe_group_close(&group);
		SKIP(return, "this kernel has no aux_action");
	}
	spe_enable(_metadata, t);
	alu_records(t, 40);
	getsid(0);
	alu2_records(t, 40);
	getppid();
	alu2_records(t, 40);
	getppid();
	getpgid(0);
	alu_records(t, 40);
	getppid();
	spe_finish(_metadata, t);
	spe_group_close(&group);
	EXPECT_EQ(0, in_alu2(&t->records));
	EXPECT_LE(76, in_alu(&t->records));
	expect_sound(_metadata, &self->p.sampler, SIZE);
	ASSERT_EQ(3, self->p.sampler.count);
	for (size_t i = 0; i < 3; i++) {
		records = sample_records(_metadata, &self->p.sampler, i);
		EXPECT_LE(i == 2 ? 76 : 38, in_alu(&records));
		EXPECT_GE(i == 2 ? 84 : 42, in_alu(&records));
		spe_records_free(&records);
	}
}

/* The child has a session and samples of its own, which fill the CPU's buffers. */
TEST_F(aux_sample, is_inherited)
{
	struct spe_shape shape = { .aux_pages = AUX_PAGES };
	struct spe_test *t = &self->p.t;
	size_t of_child = 0;
	pid_t child;

	t->attr.perf.inherit = 1;
	ASSERT_EQ(0, spe_session_open(&t->session, &t->attr, 0, 0, shape));
	ASSERT_EQ(0, spe_sampler_open(&self->p.sampler, SPE_SAMPLER_CALL, t->session.fd, 0, 0, 1,
				      SIZE, true));
	spe_enable(_metadata, t);
	child = fork();
	ASSERT_LE(0, child);
	if (!child) {
		alu2_records(t, 100);
		getppid();
		_exit(0);
	}
	ASSERT_EQ(child, waitpid(child, NULL, 0));
	spe_finish(_metadata, t);
	expect_sound(_metadata, &self->p.sampler, SIZE);
	for (size_t i = 0; i < self->p.sampler.count; i++) {
		struct spe_records records = sample_records(_metadata, &self->p.sampler, i);

		if (self->p.sampler.sample[i].pid == (uint32_t)child) {
			of_child++;
			EXPECT_LE(95, in_alu2(&records));
		}
		spe_records_free(&records);
	}
	EXPECT_LE(1, of_child);
}

#define ONLINE		"/sys/devices/system/cpu/cpu1/online"

/* perf removes the CPU's events while they sample; afterwards new ones work. */
TEST_F(aux_sample, outlasts_the_cpu_going_offline)
{
	struct spe_shape shape = { .aux_pages = AUX_PAGES, .overwrite = true };
	struct pair *p = &self->p;
	struct spe_worker worker;

	if (access(ONLINE, W_OK))
		SKIP(return, "this kernel cannot take CPU 1 offline");
	for (int i = 0; i < 3; i++) {
		ASSERT_EQ(0, spe_write_file(ONLINE, "1"));
		ASSERT_EQ(0, spe_worker_start(&worker, 1, work_alu));
		ASSERT_EQ(0, spe_session_open(&p->t.session, &p->t.attr, -1, 1, shape));
		ASSERT_EQ(0, spe_sampler_open(&p->sampler, SPE_SAMPLER_CLOCK, p->t.session.fd, -1,
					      1, 200000, SIZE, false));
		spe_enable(_metadata, &p->t);
		ASSERT_EQ(0, spe_worker_begin(&worker, spe_rounds(&p->t, WORK_ALU_OPS, 20000)));
		for (int k = 0; k < 1000 && p->sampler.count < 5; k++) {
			usleep(1000);
			ASSERT_EQ(0, spe_sampler_drain(&p->sampler));
		}
		EXPECT_EQ(0, spe_write_file(ONLINE, "0"));
		ASSERT_EQ(0, spe_worker_wait(&worker));
		/* The test does not read the ring meanwhile: on a busy host it fills, and perf loses samples. */
		ASSERT_EQ(0, spe_sampler_drain(&p->sampler));
		p->sampler.lost = 0;
		expect_sound(_metadata, &p->sampler, SIZE);
		EXPECT_LE(5, p->sampler.count);
		spe_worker_stop(&worker);
		spe_sampler_close(&p->sampler);
		spe_session_close(&p->t.session);
	}
	EXPECT_EQ(0, spe_write_file(ONLINE, "1"));
}

TEST_HARNESS_MAIN
