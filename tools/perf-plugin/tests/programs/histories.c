// SPDX-License-Identifier: GPL-2.0-only
/*
 * Random histories of processes: recordings whose ids, names, mappings and kernel symbols
 * change, with the events of each CPU in order and those of different CPUs in any order.
 * perf-spe must find the owner and the place of each record that the oracle finds.
 *
 * usage: histories COUNT [SEED [COUNT-WITH-DETAILS]]
 */
#include <fcntl.h>
#include <inttypes.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "analysis/rows/rows.h"
#include "util/util.h"

#define IDS	9	/* few, so that each is used again and again */
#define CPUS	3
#define STEPS	160
#define PAGE	0x1000u
#define USER	0x400000u
#define KERNEL	0xffff800009000000u

enum kind { FORK, COMM, MAP, EXIT, SWITCH, KSYM };

struct event {
	enum kind kind;
	uint64_t time;			/* 0: what was there before */
	int cpu, pid, tid, ppid, ptid;	/* FORK: ppid and ptid are the parent's */
	unsigned int from, pages;	/* MAP, KSYM */
	char name[16];
	bool flag;			/* COMM: exec; SWITCH: out; KSYM: gone */
};

struct sample {
	uint64_t time, pc;
	int cpu, tid;			/* the thread that made it */
};

struct history {
	struct event events[4 * STEPS];	/* in the order of the file */
	struct sample samples[STEPS];
	size_t nr_events, nr_samples;
	bool contexts, switches, wide;	/* what the recording has */
	bool foreign;			/* its contexts are ids of another namespace */
	uint64_t random, time;
	int of[IDS + 1];		/* pid of each living thread, 0: free */
	int runs[CPUS];			/* thread on each CPU */
};

static unsigned int below(struct history *h, unsigned int limit)
{
	h->random = h->random * 6364136223846793005u + 1442695040888963407u;
	return (unsigned int)(h->random >> 33) % limit;
}

/* ---------------------------------------------------------------- oracle */

struct answer {
	int pid, tid;
	char comm[16], file[16];
};

struct state {
	struct answer threads[IDS + 1];
	struct event maps[IDS + 1][4 * STEPS], ksyms[4 * STEPS];	/* by pid */
	size_t nr_maps[IDS + 1], nr_ksyms;
	int runs[CPUS];
};

static int by_time(const void *a, const void *b)
{
	const struct event *x = a, *y = b;

	return x->time < y->time ? -1 : x->time > y->time;
}

static void replay(struct state *s, const struct event *e)
{
	struct answer *t = &s->threads[e->tid];

	switch (e->kind) {
	case FORK:
		*t = s->threads[e->ptid];
		t->pid = e->pid;
		t->tid = e->tid;
		if (e->pid == e->ppid)
			break;
		memcpy(s->maps[e->pid], s->maps[e->ppid], sizeof(s->maps[0]));
		s->nr_maps[e->pid] = s->nr_maps[e->ppid];
		break;
	case COMM:
		t->pid = e->pid;
		t->tid = e->tid;
		memcpy(t->comm, e->name, sizeof(t->comm));
		if (e->flag)
			s->nr_maps[e->pid] = 0;
		break;
	case MAP:
		s->maps[e->pid][s->nr_maps[e->pid]++] = *e;
		break;
	case KSYM:
		s->ksyms[s->nr_ksyms++] = *e;
		break;
	case SWITCH:
		s->runs[e->cpu] = e->flag ? 0 : e->tid;
		break;
	case EXIT:
		break;
	}
}

static void name_at(struct answer *a, const struct event *maps, size_t nr, uint64_t page)
{
	while (nr--)
		if (page - maps[nr].from < maps[nr].pages) {
			if (!maps[nr].flag)
				memcpy(a->file, maps[nr].name, sizeof(a->file));
			return;
		}
}

static struct answer oracle(const struct history *h, const struct sample *sample)
{
	static struct event events[4 * STEPS];
	static struct state s;
	struct answer a;
	size_t i;

	memset(&s, 0, sizeof(s));
	memcpy(events, h->events, sizeof(events));
	qsort(events, h->nr_events, sizeof(events[0]), by_time);
	for (i = 0; i < h->nr_events && events[i].time <= sample->time; i++)
		replay(&s, &events[i]);
	a = s.threads[h->contexts && !h->foreign ? sample->tid : s.runs[sample->cpu]];
	if (sample->pc >= KERNEL)
		name_at(&a, s.ksyms, s.nr_ksyms, (sample->pc - KERNEL) / PAGE);
	else
		name_at(&a, s.maps[a.pid], s.nr_maps[a.pid], (sample->pc - USER) / PAGE);
	return a;
}

/* ------------------------------------------------------------- generator */

static struct event *add(struct history *h, enum kind kind, int tid)
{
	struct event *e = &h->events[h->nr_events++];

	*e = (struct event){
		.kind = kind, .time = h->time, .cpu = (int)below(h, CPUS),
		.tid = tid, .pid = h->of[tid], .from = below(h, 8), .pages = 1 + below(h, 4),
	};
	/* No two events have one time, but those of what was there before. */
	if (h->time)
		h->time++;
	return e;
}

static bool runs(const struct history *h, int tid)
{
	int cpu;

	for (cpu = 0; cpu < CPUS; cpu++)
		if (h->runs[cpu] == tid)
			return true;
	return false;
}

/* A random thread that lives and, with @idle, does not run; 0: there is none */
static int any_thread(struct history *h, bool idle)
{
	int tid = 1 + (int)below(h, IDS), tries;

	for (tries = 0; tries < IDS; tries++, tid = tid % IDS + 1)
		if (h->of[tid] && !(idle && runs(h, tid)))
			return tid;
	return 0;
}

static void give_name(struct history *h, struct event *e, const char *of)
{
	snprintf(e->name, sizeof(e->name), "%s%u", of, below(h, 100));
}

static void fork_one(struct history *h, bool thread)
{
	int parent = any_thread(h, false), tid = 1 + (int)below(h, IDS);
	struct event *e;

	/* An id is free only if no thread of a process with this pid lives either. */
	if (h->of[tid])
		return;
	for (int i = 1; i <= IDS; i++)
		if (h->of[i] == tid)
			return;
	h->of[tid] = thread ? h->of[parent] : tid;
	e = add(h, FORK, tid);
	e->ppid = h->of[parent];
	e->ptid = parent;
}

static void end_one(struct history *h, int tid)
{
	/* The first thread outlives the others, and one process always lives. */
	for (int i = 1; i <= IDS; i++)
		if (i != tid && h->of[i] == tid)
			return;
	if (tid < 3)
		return;
	add(h, EXIT, tid);
	h->of[tid] = 0;
}

static void exec_one(struct history *h, int pid)
{
	struct event *e;

	for (int i = 1; i <= IDS; i++)
		if (i != pid && h->of[i] == pid && runs(h, i))
			return;
	for (int i = 1; i <= IDS; i++)
		if (i != pid && h->of[i] == pid) {
			add(h, EXIT, i);
			h->of[i] = 0;
		}
	e = add(h, COMM, pid);
	e->flag = true;
	give_name(h, e, "exec");
	for (int i = (int)below(h, 3); i; i--)
		give_name(h, add(h, MAP, pid), "/bin/f");
}

static void switch_one(struct history *h)
{
	int cpu = (int)below(h, CPUS), tid = any_thread(h, true);
	struct event *e;

	if (h->runs[cpu]) {
		e = add(h, SWITCH, h->runs[cpu]);
		e->cpu = cpu;
		e->flag = true;
	}
	h->runs[cpu] = tid;
	if (tid)
		add(h, SWITCH, tid)->cpu = cpu;
}

static void sample_one(struct history *h)
{
	int cpu = (int)below(h, CPUS);
	uint64_t base = below(h, 4) ? USER : KERNEL;

	if (h->runs[cpu])
		h->samples[h->nr_samples++] = (struct sample){
			h->time++, base + below(h, 12) * PAGE + 4 * below(h, PAGE / 4), cpu, h->runs[cpu],
		};
}

static void step(struct history *h)
{
	int tid = any_thread(h, false), idle = any_thread(h, true);
	unsigned int what = below(h, 100);
	struct event *e;

	if (what < 8) {
		fork_one(h, what < 4);
	} else if (what < 14 && idle) {
		end_one(h, idle);
	} else if (what < 19) {
		exec_one(h, h->of[tid]);
	} else if (what < 24) {
		give_name(h, add(h, COMM, tid), "name");
	} else if (what < 34) {
		give_name(h, add(h, MAP, tid), "/lib/f");
	} else if (what < 40) {
		e = add(h, KSYM, tid);
		e->flag = below(h, 3) == 0;
		give_name(h, e, "bpf_prog_");
	} else if (what < 55) {
		switch_one(h);
	} else {
		sample_one(h);
	}
}

/* Each CPU's events stay in order; a CPU that is drawn gives some of its next ones. */
static void shuffle(struct history *h)
{
	static struct event old[4 * STEPS];
	size_t next[CPUS] = { 0 }, to = 0, end = 0;
	int cpu;

	memcpy(old, h->events, sizeof(old));
	while (end < h->nr_events && !old[end].time)
		end++;
	for (cpu = 0; cpu < CPUS; cpu++)
		next[cpu] = end;
	for (to = end; to < h->nr_events;) {
		unsigned int some = 1 + below(h, 20);

		for (cpu = (int)below(h, CPUS); some && next[cpu] < h->nr_events; next[cpu]++)
			if (old[next[cpu]].cpu == cpu) {
				h->events[to++] = old[next[cpu]];
				some--;
			}
	}
}

static void generate(struct history *h, uint64_t seed)
{
	int i;

	memset(h, 0, sizeof(*h));
	h->random = seed;
	i = (int)below(h, 4);
	h->contexts = i != 1;
	h->switches = i != 0;
	h->foreign = i == 3;
	h->wide = below(h, 2);
	for (i = 1; i <= 3; i++) {
		h->of[i] = i;
		give_name(h, add(h, COMM, i), "first");
		give_name(h, add(h, MAP, i), "/bin/f");
	}
	h->time = 1000;
	for (i = 0; i < STEPS; i++)
		step(h);
	shuffle(h);
}

/* ------------------------------------------------------------------ file */

static uint8_t file[1 << 18];
static size_t at, event_at;

static void put(const void *bytes, size_t len)
{
	memcpy(file + at, bytes, len);
	at += len;
}

static void put32(uint32_t value)
{
	put(&value, 4);
}

static void put64(uint64_t value)
{
	put(&value, 8);
}

static void begin(uint32_t type, uint16_t misc)
{
	event_at = at;
	put32(type);
	put32(misc);
}

static void end(void)
{
	uint16_t size = (uint16_t)(at - event_at);

	memcpy(file + event_at + 6, &size, 2);
}

static void write_name(const char *name)
{
	char text[16] = "";

	memcpy(text, name, strlen(name));
	put(text, 16);
}

static void put_event(const struct event *e, bool wide)
{
	static const uint8_t no_id[24];

	switch (e->kind) {
	case FORK:
	case EXIT:
		begin(e->kind == FORK ? PERF_RECORD_FORK : PERF_RECORD_EXIT, 0);
		put32((uint32_t)e->pid);
		put32((uint32_t)e->ppid);
		put32((uint32_t)e->tid);
		put32((uint32_t)e->ptid);
		put64(e->time);
		break;
	case COMM:
		begin(PERF_RECORD_COMM, e->flag ? PERF_RECORD_MISC_COMM_EXEC : 0);
		put32((uint32_t)e->pid);
		put32((uint32_t)e->tid);
		write_name(e->name);
		break;
	case MAP:
		begin(PERF_RECORD_MMAP2, PERF_RECORD_MISC_USER);
		put32((uint32_t)e->pid);
		put32((uint32_t)e->tid);
		put64(USER + e->from * PAGE);
		put64(e->pages * PAGE);
		put64(0);
		put(no_id, 24);
		put32(PROT_READ | PROT_EXEC);
		put32(MAP_PRIVATE);
		write_name(e->name);
		break;
	case KSYM:
		begin(PERF_RECORD_KSYMBOL, PERF_RECORD_MISC_KERNEL);
		put64(KERNEL + e->from * PAGE);
		put32(e->pages * PAGE);
		put32(PERF_RECORD_KSYMBOL_TYPE_BPF | (e->flag ? 1u << 16 : 0));
		write_name(e->name);
		break;
	case SWITCH:
		begin(wide ? PERF_RECORD_SWITCH_CPU_WIDE : PERF_RECORD_SWITCH,
		      e->flag ? PERF_RECORD_MISC_SWITCH_OUT : 0);
		if (wide)
			put64(0);	/* to or from the idle thread */
		break;
	}
	/* PERF_SAMPLE_TID, TIME and CPU */
	put32((uint32_t)e->pid);
	put32((uint32_t)e->tid);
	put64(e->time);
	put64((uint64_t)e->cpu);
	end();
}

static void put_record(const struct history *h, const struct sample *s)
{
	uint64_t el = s->pc >= KERNEL ? UINT64_C(0xa0) : UINT64_C(0x80), pc = s->pc & ~(UINT64_C(0xff) << 56);
	uint32_t context = (uint32_t)(h->foreign ? s->tid % IDS + 1 : s->tid);

	put("\xb0", 1);			/* address of the instruction */
	put64(pc | el << 56);
	if (h->contexts) {
		put("\x64", 1);		/* CONTEXTIDR_EL1 */
		put32(context);
	}
	put("\x42\x02", 2);		/* events: retired */
	put("\x48\x00", 2);		/* other operation */
	put("\x71", 1);			/* timestamp */
	put64(s->time);
}

static void put_aux(const struct history *h, int cpu)
{
	uint64_t len;
	size_t from, i;

	begin(71, 0);			/* PERF_RECORD_AUXTRACE */
	put64(0);			/* size */
	put64(0);			/* offset */
	put64(0);			/* reference */
	put32((uint32_t)cpu);		/* index */
	put32((uint32_t)-1);		/* thread */
	put32((uint32_t)cpu);
	put32(0);
	end();
	from = at;
	for (i = 0; i < h->nr_samples; i++)
		if (h->samples[i].cpu == cpu)
			put_record(h, &h->samples[i]);
	len = at - from;
	memcpy(file + from - 40, &len, 8);
}

static void write_file(const struct history *h, int fd)
{
	struct perf_event_attr attr = {
		.type = 8, .size = sizeof(attr), .sample_period = 1024, .sample_id_all = 1,
		.sample_type = PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_CPU,
	};
	uint64_t len;
	size_t data, i;
	int cpu;

	at = 0;
	put("PERFILE2", 8);
	put64(104);			/* size of the header */
	put64(sizeof(attr) + 16);	/* of an attribute */
	put64(104);
	put64(sizeof(attr) + 16);
	data = 104 + sizeof(attr) + 16;
	put64(data);
	memset(file + at, 0, 104 - at);
	at = 104;
	put(&attr, sizeof(attr));
	put64(0);			/* no ids */
	put64(0);
	begin(70, 0);			/* PERF_RECORD_AUXTRACE_INFO: Arm SPE, version 1 */
	put64(4);
	put64(8);
	put64(0);
	end();
	begin(79, 0);			/* PERF_RECORD_TIME_CONV: ticks are ns */
	put64(0);
	put64(1);
	put64(0);
	end();
	for (i = 0; i < h->nr_events; i++)
		if (h->switches || h->events[i].kind != SWITCH)
			put_event(&h->events[i], h->wide);
	for (cpu = CPUS; cpu--;)
		put_aux(h, cpu);
	len = at - data;
	memcpy(file + 48, &len, 8);
	if (ftruncate(fd, 0) || pwrite(fd, file, at, 0) != (ssize_t)at)
		abort();
}

/* --------------------------------------------------------------- compare */

struct compare {
	const struct history *h;
	size_t seen, wrong;
};

static void print_wrong(const struct sample *s, const struct answer *a,
			const struct owner *owner, const char *name)
{
	printf("  time %" PRIu64 ", pc 0x%" PRIx64 ": pid %d, tid %d, %s, %s; perf-spe: pid %d, tid %d, %s, %s\n",
	       s->time, s->pc, a->pid, a->tid, a->comm, a->file, owner->pid, owner->tid,
	       owner->comm ? owner->comm : "-", name);
}

static void see(void *context, const struct row *row)
{
	struct compare *c = context;
	const struct sample *s = c->h->samples;
	const struct owner *owner = &row->owner;
	const char *name;
	struct answer a;

	while (s->time != row->rec->timestamp)
		s++;
	c->seen++;
	a = oracle(c->h, s);
	name = s->pc >= KERNEL ? row->place->symbol : row->place->object;
	if (!name || !strcmp(name, "[unknown]"))
		name = "";
	if (owner->pid == a.pid && owner->tid == a.tid &&
	    !strcmp(owner->comm ? owner->comm : "", a.comm) && !strcmp(name, a.file))
		return;
	if (!c->wrong++)
		print_wrong(s, &a, owner, name);
}

static void see_all(void *context, const struct row_batch *b)
{
	batch_each(b, see, context);
}

static size_t compare(const struct history *h, const char *path, const char *empty)
{
	struct rows r = { .verb = "histories", .need = NEED_PLACE, .src.path = path,
			  .symbol_options.symfs = empty };
	const struct row_taker taker = { .take = see_all };
	struct sample_totals totals = { 0 };
	struct compare c = { .h = h };

	if (rows_open(&r) != EXIT_OK)
		abort();
	rows_take_again(&r, &taker, &c, &totals);
	if (c.seen != h->nr_samples) {
		printf("  %zu records of %zu\n", c.seen, h->nr_samples);
		c.wrong++;
	}
	/* None of the files is there. */
	absent_free(&r.absent);
	rows_close(&r);
	return c.wrong;
}

int main(int argc, char **argv)
{
	uint64_t count = argc > 1 ? strtoull(argv[1], NULL, 0) : 1000, i;
	uint64_t seed = argc > 2 ? strtoull(argv[2], NULL, 0) : 1;
	char path[32], empty[] = "/tmp/histories.XXXXXX";
	size_t records = 0, wrong = 0, bad;
	static struct history h;
	int fd = memfd_create("history", 0);

	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	if (fd < 0 || !mkdtemp(empty))
		abort();
	for (i = seed; i < seed + count; i++) {
		generate(&h, i);
		write_file(&h, fd);
		bad = compare(&h, path, empty);
		if (bad)
			printf("  history %" PRIu64 ": %zu of %zu records differ\n", i, bad, h.nr_samples);
		records += h.nr_samples;
		wrong += bad;
	}
	rmdir(empty);
	printf("%s histories: %" PRIu64 " recordings, %zu records, %zu differ from the oracle\n",
	       wrong ? "FAIL" : "ok", count, records, wrong);
	return wrong != 0;
}
