// SPDX-License-Identifier: GPL-2.0-only
/*
 * Fake rings of the kernel: events and SPE bytes that wrap, and the session and
 * samples that live.c makes of them.
 */
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "test.h"
#include "analysis/fields.h"
#include "analysis/rows.h"
#include "input/call_samples.h"
#include "input/ids.h"
#include "input/process.h"
#include "input/session.h"
#include "live/live.h"
#include "live/proc.h"
#include "live/ring.h"
#include "live/stack_event.h"
#include "output/view.h"
#include "util/message.h"

#define EVENTS	4096u
#define AUX	256u		/* bytes, so that records are cut */

/* The kernel's side of a ring, in memory of the same layout */
struct fake {
	_Alignas(8) uint8_t events[EVENTS], aux[AUX];
	struct perf_event_mmap_page page;
	struct ring ring;
};

static void fake_init(struct fake *f, int32_t cpu)
{
	memset(f, 0, sizeof(*f));
	f->ring = (struct ring){
		.page = &f->page, .events = f->events, .aux = f->aux,
		.events_size = EVENTS, .aux_size = AUX, .cpu = cpu,
		.tid = NO_ID, .idx = (uint32_t)cpu,
	};
	f->page.cap_user_time = f->page.cap_user_time_zero = 1;
	f->page.time_mult = 1;
}

static void fake_event(struct fake *f, const void *event)
{
	const struct perf_event_header *header = event;
	uint16_t i;

	for (i = 0; i < header->size; i++)
		f->events[(f->page.data_head + i) % EVENTS] =
			((const uint8_t *)event)[i];
	f->page.data_head += header->size;
}

/* Write as many bytes as fit; returns how many. */
static size_t fake_aux(struct fake *f, const uint8_t *bytes, size_t len)
{
	size_t i;

	for (i = 0; i < len && f->page.aux_head - f->page.aux_tail < AUX; i++)
		f->aux[f->page.aux_head++ % AUX] = bytes[i];
	return i;
}

struct id {
	uint32_t pid, tid;
	uint64_t time, cpu, event;
};

struct comm {
	struct perf_event_header header;
	uint32_t pid, tid;
	char comm[16];
	struct id id;
};

static struct comm comm(uint32_t pid, const char *name, uint64_t time, bool exec)
{
	struct comm e = {
		.header = { PERF_RECORD_COMM,
			    exec ? PERF_RECORD_MISC_COMM_EXEC : 0, sizeof(e) },
		.pid = pid, .tid = pid, .id = { pid, pid, time, 0, 0 },
	};

	strncpy(e.comm, name, sizeof(e.comm) - 1);
	return e;
}

struct task {
	struct perf_event_header header;
	uint32_t pid, ppid, tid, ptid;
	uint64_t time;
	struct id id;
};

static struct task task(uint32_t type, uint32_t pid, uint32_t ppid,
			uint64_t time)
{
	struct task e = {
		.header = { type, 0, sizeof(e) }, .pid = pid, .ppid = ppid,
		.tid = pid, .ptid = ppid, .time = time,
		.id = { pid, pid, time, 0, 0 },
	};

	return e;
}

struct switched {
	struct perf_event_header header;
	struct id id;
};

static struct switched switched(uint32_t pid, uint64_t time, uint64_t cpu)
{
	struct switched e = {
		.header = { PERF_RECORD_SWITCH, 0, sizeof(e) },
		.id = { pid, pid, time, cpu, 0 },
	};

	return e;
}

struct mapped {
	struct perf_event_header header;
	uint32_t pid, tid;
	uint64_t start, len, pgoff, inode[3];
	uint32_t prot, flags;
	char file[16];
	struct id id;
};

static struct mapped mapped(uint32_t pid, uint64_t start, const char *file,
			    uint64_t time)
{
	struct mapped e = {
		.header = { PERF_RECORD_MMAP2, 0, sizeof(e) },
		.pid = pid, .tid = pid, .start = start, .len = 0x1000,
		.prot = PROT_EXEC, .id = { pid, pid, time, 0, 0 },
	};

	strncpy(e.file, file, sizeof(e.file) - 1);
	return e;
}

#define EVENT(fake, made) \
	do { \
		__typeof__(made) made_ = (made); \
		fake_event(fake, &made_); \
	} while (0)

/* One record of a user's instruction; returns its bytes. */
static size_t record(uint8_t bytes[64], uint64_t pc, uint64_t time)
{
	struct armspe_encoder enc;

	armspe_encode_init(&enc, bytes, 64);
	armspe_encode_address(&enc, SPE_ADDR_PC, pc | 1ULL << 63);
	armspe_encode_counter(&enc, SPE_COUNTER_TOTAL, 7);
	armspe_encode_timestamp(&enc, time);
	return enc.len;
}

/* Results of all samples */
struct watched {
	struct rows rows;
	struct live live;
	struct view view;
	struct row_sink sink;
	uint64_t count[256];		/* samples by pid */
	const char *object[256];
};

static void count_row(void *context, const struct row *row)
{
	struct watched *w = context;
	uint8_t pid = (uint8_t)row->owner.pid;

	w->count[pid]++;
	w->object[pid] = row->place.object;
	view_add(&w->view, row);
}

static void on_change(void *context)
{
	struct watched *w = context;

	rows_forget(&w->rows);
}

static struct watched *watch(struct fake *fakes, size_t count)
{
	struct watched *w = calloc(1, sizeof(*w));
	struct ring *rings = calloc(count, sizeof(*rings));
	size_t i;

	if (!w || !rings)
		abort();
	for (i = 0; i < count; i++)
		rings[i] = fakes[i].ring;
	w->sink = (struct row_sink){ &w->rows, count_row, w };
	live_init(&w->live, &w->rows.src.session, 8, 1024, rows_span,
		  &w->sink);
	w->live.changed = on_change;
	w->live.context = w;
	w->live.rings = rings;
	w->live.nr_rings = count;
	/* Use no files of this machine: they have other symbols. */
	w->rows.symbol_options.symfs = "/proc/self/fdinfo";
	w->rows.need = NEED_PLACE;
	CHECK(rows_ready(&w->rows) == EXIT_OK);
	view_begin(&w->view, &w->rows);
	w->rows.need = NEED_PLACE;
	return w;
}

static void unwatch(struct watched *w)
{
	view_clear(&w->view);
	rows_finish(&w->rows);
	free(w->live.rings);
	live_free(&w->live);
	free(w);
}

static void rings_wrap(void)
{
	struct fake f;
	struct watched *w;
	uint8_t bytes[64];
	uint64_t round, put = 0;

	fake_init(&f, 1);
	w = watch(&f, 1);
	EVENT(&f, comm(10, "ten", 0, false));
	EVENT(&f, switched(10, 0, 1));
	/* 64 is no multiple of a record, so that cuts fall on every byte. */
	for (round = 0; round < 5000; round++) {
		size_t len = record(bytes, 0x4000, round), done = 0;

		while (done < len) {
			size_t part = fake_aux(&f, bytes + done, len - done);

			done += part;
			if (!part || round % 7 == 0)
				live_drain(&w->live);
		}
		put += len;
		EVENT(&f, comm(10, "ten", round, false));
		if (round % 31 == 0)
			live_drain(&w->live);
	}
	live_drain(&w->live);
	CHECK_EQ(w->live.totals.decoded.records, 5000);
	CHECK_EQ(w->live.totals.bytes, put);
	CHECK_EQ(w->live.totals.decoded.damaged, 0);
	CHECK_EQ(w->live.damaged_events, 0);
	CHECK_EQ(w->count[10], 5000);
	CHECK_EQ(f.page.data_tail, f.page.data_head);
	CHECK_EQ(f.page.aux_tail, f.page.aux_head);
	unwatch(w);
}

static void put_sample(struct fake *f, uint64_t pc, uint64_t time)
{
	uint8_t bytes[64];
	size_t len = record(bytes, pc, time);

	CHECK_EQ(fake_aux(f, bytes, len), len);
}

static void who_runs_where(void)
{
	struct fake f[2];
	struct watched *w;

	fake_init(&f[0], 0);
	fake_init(&f[1], 1);
	w = watch(f, 2);
	EVENT(&f[0], switched(10, 100, 0));
	EVENT(&f[0], switched(11, 200, 0));
	EVENT(&f[1], switched(12, 50, 1));
	put_sample(&f[0], 0x1000, 150);
	put_sample(&f[0], 0x1000, 250);
	put_sample(&f[1], 0x1000, 60);
	live_drain(&w->live);
	live_forget(&w->live);
	CHECK_EQ(w->rows.src.session.nr_turns, 2);
	/* The last thread of the CPU still runs. */
	put_sample(&f[0], 0x1000, 1000);
	put_sample(&f[1], 0x1000, 1000);
	live_drain(&w->live);
	CHECK_EQ(w->count[10], 1);
	CHECK_EQ(w->count[11], 2);
	CHECK_EQ(w->count[12], 2);
	unwatch(w);
}

static const char *object_of(struct watched *w, struct fake *f, uint64_t pc,
			     uint64_t time, uint32_t pid)
{
	EVENT(f, switched(pid, time, 0));
	put_sample(f, pc, time);
	live_drain(&w->live);
	return w->object[pid] ? w->object[pid] : "";
}

static void mappings_change(void)
{
	struct fake f;
	struct watched *w;

	fake_init(&f, 0);
	w = watch(&f, 1);
	EVENT(&f, comm(10, "ten", 1, false));
	EVENT(&f, mapped(10, 0x8000, "//a", 2));
	CHECK_STR(object_of(w, &f, 0x8010, 10, 10), "//a");
	CHECK_STR(object_of(w, &f, 0x8010, 11, 10), "//a");
	/* Another file is mapped there, and the child inherits it. */
	EVENT(&f, mapped(10, 0x8000, "//b", 20));
	EVENT(&f, task(PERF_RECORD_FORK, 20, 10, 21));
	CHECK_STR(object_of(w, &f, 0x8010, 30, 10), "//b");
	CHECK_STR(object_of(w, &f, 0x8010, 31, 20), "//b");
	/* Of two maps at the same addresses only the later one is left. */
	live_forget(&w->live);
	CHECK_EQ(session_process(&w->rows.src.session, 10)->nr_maps, 1);
	CHECK_STR(object_of(w, &f, 0x8010, 32, 10), "//b");
	/* After an exec and live_forget() the old program's maps are gone. */
	EVENT(&f, comm(20, "new", 40, true));
	EVENT(&f, mapped(20, 0x9000, "//c", 41));
	CHECK_STR(object_of(w, &f, 0x9010, 50, 20), "//c");
	CHECK_STR(object_of(w, &f, 0x8010, 39, 20), "//b");
	live_forget(&w->live);
	CHECK_EQ(session_process(&w->rows.src.session, 20)->nr_maps, 1);
	CHECK_STR(object_of(w, &f, 0x8010, 60, 20), "[unknown]");
	CHECK_STR(object_of(w, &f, 0x9010, 61, 20), "//c");
	unwatch(w);
}

/* A pid that no process has, found with kill() as in live.c */
#define NOBODY 0x3ffffff0u

static void processes_end(void)
{
	const struct process *gone, *here;
	struct fake f;
	struct watched *w;

	fake_init(&f, 0);
	w = watch(&f, 1);
	EVENT(&f, mapped(NOBODY, 0x8000, "//a", 2));
	EVENT(&f, mapped((uint32_t)getpid(), 0x8000, "//a", 2));
	EVENT(&f, task(PERF_RECORD_EXIT, NOBODY, 1, 10));
	EVENT(&f, task(PERF_RECORD_EXIT, (uint32_t)getpid(), 1, 10));
	live_drain(&w->live);
	gone = session_process(&w->rows.src.session, (int32_t)NOBODY);
	here = session_process(&w->rows.src.session, getpid());
	/* Samples from before its end may still arrive. */
	CHECK_EQ(gone->nr_maps, 1);
	live_forget(&w->live);
	CHECK_EQ(gone->nr_maps, 0);
	/* The first thread has ended, and others still run. */
	CHECK_EQ(here->nr_maps, 1);
	unwatch(w);
}

static void nonsense_is_left_out(void)
{
	struct perf_event_header small = { PERF_RECORD_COMM, 0, 4 };
	struct perf_event_header large = { PERF_RECORD_COMM, 0, 0xfff8 };
	struct fake f;
	struct watched *w;

	fake_init(&f, 0);
	w = watch(&f, 1);
	memcpy(f.events, &small, sizeof(small));
	f.page.data_head = 64;
	live_drain(&w->live);
	CHECK_EQ(w->live.damaged_events, 1);
	memcpy(f.events + 64, &large, sizeof(large));
	f.page.data_head = 128;
	live_drain(&w->live);
	CHECK_EQ(w->live.damaged_events, 2);
	CHECK_EQ(f.page.data_tail, 128);
	/* A head that has gone too far shows what is there now, at its place. */
	f.page.aux_head = 10 * AUX;
	live_drain(&w->live);
	CHECK_EQ(w->live.totals.bytes, AUX);
	CHECK_EQ(f.page.aux_tail, 10 * AUX);
	unwatch(w);
}

/* Read this test's own process, whose code is mapped from a file. */
static void proc_tells(void)
{
	const struct process *p;
	const struct map *map;
	uint64_t here = (uint64_t)(uintptr_t)proc_tells;
	struct fake f;
	struct watched *w;

	fake_init(&f, 0);
	w = watch(&f, 1);
	CHECK(proc_one(&w->live, "", getpid()));
	CHECK(!proc_one(&w->live, "", (int32_t)NOBODY));
	CHECK_EQ(proc_process("", getpid()), getpid());
	session_sort(&w->rows.src.session);
	p = session_process(&w->rows.src.session, getpid());
	CHECK(p && p->comm && strlen(p->comm));
	map = p ? session_map_find(&w->rows.src.session, p, here, 5) : NULL;
	CHECK(map && map->file[0] == '/');
	unwatch(w);
}

static void names_are_kept_once(void)
{
	struct fake f;
	struct watched *w;
	uint64_t i;

	fake_init(&f, 0);
	w = watch(&f, 1);
	for (i = 0; i < 5000; i++) {
		EVENT(&f, comm((uint32_t)(i % 100), i & 1 ? "odd" : "even", i,
			       false));
		live_drain(&w->live);
	}
	CHECK_EQ(w->rows.src.session.strings.table.count, 2);
	CHECK_STR(session_process(&w->rows.src.session, 7)->comm, "odd");
	unwatch(w);
}

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
	EVENT(&f, comm(13, "last", 40, false));
	live_drain(&w->live);
	CHECK_EQ(calls->nr, 2);
	if (calls->nr == 2) {
		CHECK_EQ(calls->samples[0].time, 20);
		CHECK_EQ(calls->samples[0].pid, 10);
		CHECK_EQ(calls->samples[0].tid, 11);
		CHECK_EQ(calls->samples[1].tid, 12);
		CHECK_EQ(calls->samples[0].chain->count, 2);
		CHECK_EQ(armspe_addr_virtual(calls->samples[0].chain->address[0]), 0x4000);
		/* The call is the instruction before the return address: 4 bytes in A64. */
		CHECK_EQ(armspe_addr_virtual(calls->samples[0].chain->address[1]), 0x5000);
		CHECK_EQ(calls->samples[0].chain->lr, 0x6004);
		CHECK(calls->samples[0].chain == calls->samples[1].chain);
	}
	CHECK_STR(session_process(&w->rows.src.session, 13)->comm, "last");
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
	put_sample(order.fake, 0x4000, 201);
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
	put_sample(&f, 0x4000, 100);
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
	struct fake f;
	struct watched *w;
	uint64_t i;

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
	CHECK_EQ(armspe_addr_virtual(calls->samples[0].chain->address[0]), 0x4000 + 4 * 980);
	CHECK(calls->samples[1].chain == calls->samples[41].chain);
	unwatch(w);
}

const struct test_case live_cases[] = {
	{ "live: rings that wrap, records that are cut", rings_wrap },
	{ "live: who runs on which CPU, and who is forgotten", who_runs_where },
	{ "live: mappings that change, fork and exec", mappings_change },
	{ "live: processes that end", processes_end },
	{ "live: rings that make no sense", nonsense_is_left_out },
	{ "live: /proc tells of this process", proc_tells },
	{ "live: names are kept once", names_are_kept_once },
	{ "live: samples with call chains, and some that are cut", call_chains_are_read },
	{ "live: call chains are read before the records", stacks_come_before_records },
	{ "live: call chains are forgotten", stacks_are_forgotten },
	{ 0 },
};
