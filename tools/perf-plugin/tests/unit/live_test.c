// SPDX-License-Identifier: GPL-2.0-only
/* What live.c makes of rings of events and SPE bytes; live_stacks_test.c has call chains. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analysis/rows/rows.h"
#include "fake_rings.h"
#include "input/input.h"
#include "system/system.h"
#include "test.h"

static void rings_wrap(void)
{
	struct fake f;
	struct watched *w;
	uint8_t bytes[64];
	uint64_t round, put = 0;

	fake_init(&f, 1);
	w = watch(&f, 1);
	EVENT(&f, fake_comm(10, "ten", 0, false));
	EVENT(&f, fake_switched(10, 0, 1));
	/* 64 is no multiple of a record, so that cuts fall on every byte. */
	for (round = 0; round < 5000; round++) {
		size_t len = fake_bytes(bytes, 0x4000, round), done = 0;

		while (done < len) {
			size_t part = fake_aux(&f, bytes + done, len - done);

			done += part;
			if (!part || round % 7 == 0)
				live_drain(&w->live);
		}
		put += len;
		EVENT(&f, fake_comm(10, "ten", round, false));
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

/* Records of threads 10 and 11 in turn, six of each, from @time on */
static void put_both(struct fake *f, uint64_t time)
{
	unsigned int i;

	for (i = 0; i < 12; i++) {
		EVENT(f, fake_switched(i & 1 ? 11 : 10, time + 2 * i, 0));
		fake_record(f, 0x1000, time + 2 * i + 1);
	}
}

static void filter_comes_and_goes(void)
{
	struct watched *w;
	struct fake f;

	fake_init(&f, 0);
	w = watch(&f, 1);
	w->rows.filter = filter_parse("test", "pid == 11");
	put_both(&f, 100);
	live_drain(&w->live);
	CHECK_EQ(w->count[10], 0);
	CHECK_EQ(w->count[11], 6);
	filter_free(w->rows.filter);
	w->rows.filter = NULL;
	put_both(&f, 1000);
	live_drain(&w->live);
	CHECK_EQ(w->count[10], 6);
	CHECK_EQ(w->count[11], 12);
	unwatch(w);
}

static void who_runs_where(void)
{
	struct fake f[2];
	struct watched *w;

	fake_init(&f[0], 0);
	fake_init(&f[1], 1);
	w = watch(f, 2);
	EVENT(&f[0], fake_switched(10, 100, 0));
	EVENT(&f[0], fake_switched(11, 200, 0));
	EVENT(&f[1], fake_switched(12, 50, 1));
	fake_record(&f[0], 0x1000, 150);
	fake_record(&f[0], 0x1000, 250);
	fake_record(&f[1], 0x1000, 60);
	live_drain(&w->live);
	live_forget(&w->live);
	CHECK_EQ(w->rows.src.session.cpus[0].nr, 1);
	CHECK_EQ(w->rows.src.session.cpus[1].nr, 1);
	/* The last thread of the CPU still runs. */
	fake_record(&f[0], 0x1000, 1000);
	fake_record(&f[1], 0x1000, 1000);
	live_drain(&w->live);
	CHECK_EQ(w->count[10], 1);
	CHECK_EQ(w->count[11], 2);
	CHECK_EQ(w->count[12], 2);
	unwatch(w);
}

static const char *object_of(struct watched *w, struct fake *f, uint64_t pc,
			     uint64_t time, uint32_t pid)
{
	EVENT(f, fake_switched(pid, time, 0));
	fake_record(f, pc, time);
	live_drain(&w->live);
	return w->object[pid] ? w->object[pid] : "";
}

static void mappings_change(void)
{
	struct fake f;
	struct watched *w;

	fake_init(&f, 0);
	w = watch(&f, 1);
	EVENT(&f, fake_comm(10, "ten", 1, false));
	EVENT(&f, fake_mapped(10, 0x8000, "//a", 2));
	CHECK_STR(object_of(w, &f, 0x8010, 10, 10), "//a");
	CHECK_STR(object_of(w, &f, 0x8010, 11, 10), "//a");
	/* Another file is mapped there, and the child inherits it. */
	EVENT(&f, fake_mapped(10, 0x8000, "//b", 20));
	EVENT(&f, fake_task(PERF_RECORD_FORK, 20, 10, 21));
	CHECK_STR(object_of(w, &f, 0x8010, 30, 10), "//b");
	CHECK_STR(object_of(w, &f, 0x8010, 31, 20), "//b");
	/* Of two maps at the same addresses only the later one is left. */
	live_forget(&w->live);
	CHECK_EQ(processes_at(&w->rows.src.session.processes, 10, UINT64_MAX)->nr_maps, 1);
	CHECK_STR(object_of(w, &f, 0x8010, 32, 10), "//b");
	/* After an exec and live_forget() the old program's maps are gone. */
	EVENT(&f, fake_comm(20, "new", 40, true));
	EVENT(&f, fake_mapped(20, 0x9000, "//c", 41));
	CHECK_STR(object_of(w, &f, 0x9010, 50, 20), "//c");
	CHECK_STR(object_of(w, &f, 0x8010, 39, 20), "//b");
	live_forget(&w->live);
	CHECK_EQ(processes_at(&w->rows.src.session.processes, 20, UINT64_MAX)->nr_maps, 1);
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
	EVENT(&f, fake_mapped(NOBODY, 0x8000, "//a", 2));
	EVENT(&f, fake_mapped((uint32_t)getpid(), 0x8000, "//a", 2));
	EVENT(&f, fake_task(PERF_RECORD_EXIT, NOBODY, 1, 10));
	EVENT(&f, fake_task(PERF_RECORD_EXIT, (uint32_t)getpid(), 1, 10));
	live_drain(&w->live);
	gone = processes_at(&w->rows.src.session.processes, (int32_t)NOBODY, UINT64_MAX);
	here = processes_at(&w->rows.src.session.processes, getpid(), UINT64_MAX);
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
	p = processes_at(&w->rows.src.session.processes, getpid(), UINT64_MAX);
	CHECK(p && p->comm && strlen(p->comm));
	map = p ? process_code_at(p, here, 5) : NULL;
	CHECK(map && map->file[0] == '/');
	unwatch(w);
}

struct named {
	pthread_barrier_t barrier;
	int32_t tid;
};

static void *run_named(void *data)
{
	struct named *n = data;

	n->tid = gettid();
	CHECK(!pthread_setname_np(pthread_self(), "of its own"));
	pthread_barrier_wait(&n->barrier);
	pthread_barrier_wait(&n->barrier);
	return NULL;
}

static void proc_tells_of_threads(void)
{
	const struct processes *all;
	const struct era *thread;
	pthread_t other;
	struct named n;
	struct fake f;
	struct watched *w;

	fake_init(&f, 0);
	w = watch(&f, 1);
	all = &w->rows.src.session.processes;
	pthread_barrier_init(&n.barrier, NULL, 2);
	CHECK(!pthread_create(&other, NULL, run_named, &n));
	pthread_barrier_wait(&n.barrier);
	CHECK(proc_one(&w->live, "", getpid()));
	pthread_barrier_wait(&n.barrier);
	pthread_join(other, NULL);
	session_sort(&w->rows.src.session);
	thread = processes_era(all, n.tid, UINT64_MAX);
	CHECK(thread && thread->process == processes_at(all, getpid(), UINT64_MAX));
	CHECK_STR(thread ? thread->comm : "none", "of its own");
	CHECK(strcmp(processes_era(all, getpid(), UINT64_MAX)->comm, "of its own"));
	pthread_barrier_destroy(&n.barrier);
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
		EVENT(&f, fake_comm((uint32_t)(i % 100), i & 1 ? "odd" : "even", i,
			       false));
		live_drain(&w->live);
	}
	CHECK_EQ(w->rows.src.session.strings.table.count, 2);
	CHECK_STR(processes_era(&w->rows.src.session.processes, 7, UINT64_MAX)->comm, "odd");
	unwatch(w);
}

const struct test_case live_cases[] = {
	{ "live: rings that wrap, records that are cut", rings_wrap },
	{ "live: a filter that the user sets and clears", filter_comes_and_goes },
	{ "live: who runs on which CPU, and who is forgotten", who_runs_where },
	{ "live: mappings that change, fork and exec", mappings_change },
	{ "live: processes that end", processes_end },
	{ "live: rings that make no sense", nonsense_is_left_out },
	{ "live: /proc tells of this process", proc_tells },
	{ "live: /proc tells the names of threads", proc_tells_of_threads },
	{ "live: names are kept once", names_are_kept_once },
	{ 0 },
};
