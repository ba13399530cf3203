// SPDX-License-Identifier: GPL-2.0-only
/* Samples with call chains in rings of the kernel, and when live.c forgets them */
#include <string.h>

#include "analysis/rows/rows.h"
#include "analysis/stacks/stacks.h"
#include "fake_rings.h"
#include "input/input.h"
#include "system/system.h"
#include "test.h"

/* A sample of two addresses: perf_event_open(2), in the order of LIVE_STACK_TYPE's parts */
struct chain_sample {
	struct perf_event_header header;
	uint64_t event;
	uint32_t pid, tid;
	uint64_t time, cpu, count, address[2], abi, lr;
};

static struct chain_sample chain_sample(uint32_t tid, uint64_t time, uint64_t leaf,
					uint64_t returns)
{
	return (struct chain_sample){
		.header = { PERF_RECORD_SAMPLE, 0, sizeof(struct chain_sample) },
		.event = 77, .pid = 10, .tid = tid, .time = time, .cpu = 1, .count = 2,
		.address = { leaf, returns }, .abi = PERF_SAMPLE_REGS_ABI_64, .lr = 0x6004,
	};
}

static const struct stack_attr cycles = { "cycles", PERF_TYPE_HARDWARE, 0, 4000 };

static void call_chains_are_read(void)
{
	const struct call_samples *calls;
	struct chain_sample cut = chain_sample(10, 30, 0x4000, 0x5004);
	uint64_t raw[2];
	struct fake f;
	struct watched *w;

	fake_init(&f, 1);
	w = watch(&f, 1);
	calls = &w->rows.src.session.calls;
	/* Nobody wants them. */
	EVENT(&f, chain_sample(10, 10, 0x4000, 0x5004));
	live_drain(&w->live);
	CHECK_EQ(calls->nr, 0);
	live_stacks(&w->live, &cycles);
	EVENT(&f, chain_sample(11, 20, 0x4000, 0x5004));
	EVENT(&f, chain_sample(12, 21, 0x4000, 0x5004));
	/* It says that it has more addresses than its size allows. */
	cut.count = 5;
	EVENT(&f, cut);
	cut.count = UINT64_MAX / 8 + 2;
	EVENT(&f, cut);
	/* The event behind these is read as ever. */
	EVENT(&f, fake_comm(13, "last", 40, false));
	live_drain(&w->live);
	CHECK_EQ(calls->nr, 2);
	if (calls->nr == 2) {
		CHECK_EQ(calls->samples[0].time, 20);
		CHECK_EQ(calls->samples[0].pid, 10);
		CHECK_EQ(calls->samples[0].tid, 11);
		CHECK_EQ(calls->samples[1].tid, 12);
		CHECK_EQ(calls->samples[0].chain->nr_words, 2);
		CHECK_EQ(call_chain_addresses(calls->samples[0].chain, raw), 2);
		CHECK_EQ(armspe_addr_virtual(raw[0]), 0x4000);
		/* The call is the instruction before the return address: 4 bytes in A64. */
		CHECK_EQ(armspe_addr_virtual(raw[1]), 0x5000);
		CHECK_EQ(calls->samples[0].chain->lr, 0x6004);
		CHECK(calls->samples[0].chain == calls->samples[1].chain);
	}
	CHECK_STR(processes_era(&w->rows.src.session.processes, 13, 40)->comm, "last");
	unwatch(w);
}

/* What happened when, for a callback of live_drain() */
static struct {
	struct fake *fake;
	struct watched *watched;
	size_t settled, ready, samples;
} order;

static void on_settle(void *context)
{
	(void)context;
	order.settled++;
	/* Neither is there when live_drain() begins. */
	EVENT(order.fake, chain_sample(10, 200, 0x4000, 0x5004));
	fake_record(order.fake, 0x4000, 201);
}

static void on_ready(void *context)
{
	(void)context;
	order.ready++;
	order.samples = order.watched->rows.src.session.calls.nr;
	CHECK_EQ(order.watched->rows.seen, order.ready - 1);
}

static void stacks_come_before_records(void)
{
	struct fake f;
	struct watched *w;

	fake_init(&f, 1);
	w = watch(&f, 1);
	memset(&order, 0, sizeof(order));
	order.fake = &f;
	order.watched = w;
	live_stacks(&w->live, &cycles);
	w->live.settle = on_settle;
	w->live.ready = on_ready;
	live_drain(&w->live);
	/* No SPE record is there to wait for. */
	CHECK_EQ(order.settled, 0);
	CHECK_EQ(order.ready, 0);
	fake_record(&f, 0x4000, 100);
	live_drain(&w->live);
	CHECK_EQ(order.settled, 1);
	CHECK_EQ(order.ready, 1);
	CHECK_EQ(order.samples, 1);
	/* The record that came meanwhile is for the next time. */
	CHECK_EQ(w->rows.seen, 1);
	live_drain(&w->live);
	CHECK_EQ(order.samples, 2);
	CHECK_EQ(w->rows.seen, 2);
	unwatch(w);
}

/* One sample every 10 ms, and live.h says that 200 ms of them are kept: 21 samples. */
static void stacks_are_forgotten(void)
{
	const struct call_samples *calls;
	uint64_t i, raw[2];
	struct fake f;
	struct watched *w;

	fake_init(&f, 1);
	w = watch(&f, 1);
	calls = &w->rows.src.session.calls;
	live_stacks(&w->live, &cycles);
	for (i = 1; i <= 1000; i++) {
		/* A chain of its own, and one that returns */
		EVENT(&f, chain_sample(10, i * 10000000, 0x4000 + 4 * i, 0x5004));
		EVENT(&f, chain_sample(10, i * 10000000, 0x4000, 0x5004));
		live_drain(&w->live);
		live_forget(&w->live);
	}
	CHECK_EQ(calls->nr, 2 * 21);
	CHECK_EQ(calls->chains.count, 21 + 1);
	CHECK_EQ(calls->samples[0].time, UINT64_C(980) * 10000000);
	CHECK_EQ(call_chain_addresses(calls->samples[0].chain, raw), 2);
	CHECK_EQ(armspe_addr_virtual(raw[0]), 0x4000 + 4 * 980);
	CHECK(calls->samples[1].chain == calls->samples[41].chain);
	unwatch(w);
}

static bool same_thread(const struct stack_thread *a, const struct stack_thread *b)
{
	bool same = a->nr == b->nr;
	size_t i;

	for (i = 0; same && i < a->nr; i++)
		same = a->samples[i].time == b->samples[i].time &&
		       (!i || a->samples[i - 1].time < a->samples[i].time) &&
		       a->samples[i].leaf->number == b->samples[i].leaf->number &&
		       a->samples[i].leaf->path == b->samples[i].leaf->path;
	return same;
}

static bool same_samples(const struct stacks *a, const struct stacks *b)
{
	bool same = a->nr_samples == b->nr_samples && a->threads.count == b->threads.count &&
		    a->nr_callers == b->nr_callers;
	struct stack_thread **slot = NULL, **other;

	while (same && (slot = hash_table_next(&a->threads, &stack_threads, slot))) {
		other = hash_table_find(&b->threads, &stack_threads, *slot);
		same = other && same_thread(*slot, *other);
	}
	return same;
}

/* What is added at each reading must be what a preparation of all samples gives. */
static void stacks_are_added(void)
{
	struct test_random random = { .state = 4 };
	struct rows *rows;
	struct stacks *before, *all;
	struct fake f;
	struct watched *w;
	uint64_t i, n, time = 1000;

	fake_init(&f, 1);
	w = watch(&f, 1);
	live_stacks(&w->live, &cycles);
	rows = &w->rows;
	rows->resolver.session = &rows->src.session;
	rows_restack(rows);
	before = rows->stacks;
	for (i = 0; i < 40; i++) {
		for (n = test_random_below(&random, 8); n; n--, time++)
			EVENT(&f, chain_sample(test_random_below(&random, 5),
					       time * 7919 % 100003,	/* each once */
					       0x4000 + 4 * test_random_below(&random, 9),
					       0x5004 + 4 * test_random_below(&random, 3)));
		live_drain(&w->live);
		CHECK(rows_add_stacks(rows));
		all = stacks_new(&rows->resolver, stacks_within(rows->stacks));
		CHECK(same_samples(rows->stacks, all));
		stacks_free(all);
	}
	CHECK(rows->stacks == before);
	CHECK(stacks_samples(rows->stacks) > 50);
	/* Another file may be at an address now. */
	EVENT(&f, fake_mapped(10, 0x4000, "//a", time));
	live_drain(&w->live);
	CHECK(!rows_add_stacks(rows));
	rows_restack(rows);
	CHECK(rows_add_stacks(rows));
	/* The chains of samples may be gone. */
	EVENT(&f, chain_sample(1, LIVE_STACKS_KEPT + 1, 0x4000, 0x5004));
	live_drain(&w->live);
	live_forget(&w->live);
	CHECK(!rows_add_stacks(rows));
	unwatch(w);
}

const struct test_case live_stacks_cases[] = {
	{ "live: samples with call chains, and some that are cut", call_chains_are_read },
	{ "live: call chains are read before the records", stacks_come_before_records },
	{ "live: call chains are forgotten", stacks_are_forgotten },
	{ "live: call chains are prepared once", stacks_are_added },
	{ 0 },
};
