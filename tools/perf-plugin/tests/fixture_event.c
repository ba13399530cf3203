// SPDX-License-Identifier: GPL-2.0-only
/* Lines of events: each event has a function. */
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>

#include "fixture.h"

static void do_map(void)
{
	uint64_t pid = number(), start = number(), len = number();
	uint64_t pgoff = number(), time = number();
	const char *id = word();
	bool has_id = strcmp(id, "-");
	uint8_t bytes[24] = { 0 };
	unsigned int i;

	begin(PERF_RECORD_MMAP2, has_id ? 1 << 14 | 2 : 2);
	put32((uint32_t)pid);
	put32((uint32_t)pid);
	put64(start);
	put64(len);
	put64(pgoff);
	if (has_id) {
		bytes[0] = (uint8_t)(strlen(id) / 2);
		for (i = 0; i < bytes[0] && i < 20; i++)
			sscanf(id + 2 * i, "%2hhx", &bytes[4 + i]);
	}
	put(bytes, 24);
	put32(5);		/* PROT_READ | PROT_EXEC */
	put32(2);		/* MAP_PRIVATE */
	put_name(word());
	end_with_id((int64_t)pid, (int64_t)pid, 0, time);
}

/* dmap PID TID START LEN PGOFF TIME PROT NAME: a mapping that is not executable */
static void do_dmap(void)
{
	static const uint8_t no_id[24];
	uint64_t pid = number(), tid = number(), time;

	begin(PERF_RECORD_MMAP2, PERF_RECORD_MISC_MMAP_DATA | 2);
	put32((uint32_t)pid);
	put32((uint32_t)tid);
	put64(number());
	put64(number());
	put64(number());
	time = number();
	put(no_id, 24);
	put32((uint32_t)number());
	put32(2);		/* MAP_PRIVATE */
	put_name(word());
	end_with_id((int64_t)pid, (int64_t)tid, 0, time);
}

/* thread PID TID PARENT-TID TIME */
static void do_thread(void)
{
	uint64_t pid = number(), tid = number(), parent = number();
	uint64_t time = number();

	begin(PERF_RECORD_FORK, 0);
	put32((uint32_t)pid);
	put32((uint32_t)pid);
	put32((uint32_t)tid);
	put32((uint32_t)parent);
	put64(time);
	end_with_id((int64_t)pid, (int64_t)parent, 0, time);
}

static void do_kmap(void)
{
	begin(PERF_RECORD_MMAP, 1);
	put32((uint32_t)-1);
	put32(0);
	put64(number());
	put64(number());
	put64(number());
	put_name(word());
	end_with_id(-1, 0, 0, 0);
}

static void do_comm(void)
{
	uint64_t pid = number(), tid = number(), time = number();

	begin(PERF_RECORD_COMM, number() ? 1 << 13 : 0);
	put32((uint32_t)pid);
	put32((uint32_t)tid);
	put_name(word());
	end_with_id((int64_t)pid, (int64_t)tid, 0, time);
}

static void do_fork(void)
{
	uint64_t pid = number(), parent = number(), time = number();

	begin(PERF_RECORD_FORK, 0);
	put32((uint32_t)pid);
	put32((uint32_t)parent);
	put32((uint32_t)pid);
	put32((uint32_t)parent);
	put64(time);
	end_with_id((int64_t)pid, (int64_t)pid, 0, time);
}

static void put_ksym(uint16_t flags)
{
	uint64_t time;
	uint16_t bpf = 1;

	begin(PERF_RECORD_KSYMBOL, 1);
	put64(number());
	put32((uint32_t)number());
	put(&bpf, 2);
	put(&flags, 2);
	time = number();
	put_name(word());
	end_with_id(0, 0, 0, time);
}

static void do_ksym(void)
{
	put_ksym(0);
}

static void do_ksym_gone(void)
{
	put_ksym(PERF_RECORD_KSYMBOL_FLAGS_UNREGISTER);
}

static void do_itrace(void)
{
	uint64_t pid = number(), tid = number(), cpu = number();

	begin(PERF_RECORD_ITRACE_START, 0);
	put32((uint32_t)pid);
	put32((uint32_t)tid);
	end_with_id((int64_t)pid, (int64_t)tid, (int64_t)cpu, number());
}

static void do_switch(void)
{
	uint64_t out = number(), pid = number(), tid = number();
	uint64_t cpu = number();

	begin(PERF_RECORD_SWITCH, out ? 1 << 13 : 0);
	end_with_id((int64_t)pid, (int64_t)tid, (int64_t)cpu, number());
}

static void do_wide(void)
{
	uint64_t out = number(), pid = number(), tid = number();
	uint64_t cpu = number(), time = number();

	begin(PERF_RECORD_SWITCH_CPU_WIDE, out ? 1 << 13 : 0);
	put32((uint32_t)number());
	put32((uint32_t)number());
	end_with_id((int64_t)pid, (int64_t)tid, (int64_t)cpu, time);
}

static void do_aux(void)
{
	char *cpu, *time;

	begin(PERF_RECORD_AUX, 0);
	put64(0);
	put64(0);
	put64(number());
	cpu = more_words();
	time = cpu ? more_words() : NULL;
	end_with_id(0, 0, cpu ? atoi(cpu) : 0, time ? strtoull(time, NULL, 0) : 0);
}

static void do_lost(void)
{
	begin(PERF_RECORD_LOST, 0);
	put64(FIXTURE_EVENT_ID);
	put64(number());
	end_with_id(0, 0, 0, 0);
}

/* A sample of a hardware event, with its period */
static void do_sample(void)
{
	begin(PERF_RECORD_SAMPLE, 0);
	put64(FIXTURE_EVENT_ID + fixture_owner);
	put64(0x1000);		/* its instruction */
	put64(0);		/* thread */
	put64(0);		/* time */
	put64(0);		/* CPU */
	put64(number());
	end();
}

static uint64_t registers[64];
static unsigned int nr_registers;

/* reg WORD... */
static void do_reg(void)
{
	char *text;

	for (nr_registers = 0; nr_registers < 64 && (text = more_words());)
		registers[nr_registers++] = strtoull(text, NULL, 0);
}

/* The first fields of a sample; returns which parts follow */
static uint64_t begin_sample(void)
{
	uint64_t type = fixture_told[fixture_owner].attr.sample_type, pid = number();

	begin(PERF_RECORD_SAMPLE, 0);
	put64(FIXTURE_EVENT_ID + fixture_owner);
	put64(0x1000);
	put32((uint32_t)pid);
	put32((uint32_t)number());
	return type;
}

/* The line has the CPU before the time, as others do. */
static void put_cpu_time(uint64_t type)
{
	uint64_t cpu = number();

	put64(number());
	put64(cpu);
	if (type & PERF_SAMPLE_PERIOD)
		put64(1);
}

/* The call chain is the rest of the line. */
static void put_chain(uint64_t type)
{
	uint64_t words[256], count = 0;
	char *text;

	while (count < 256 && (text = more_words()))
		words[count++] = strtoull(text, NULL, 0);
	if (!(type & PERF_SAMPLE_CALLCHAIN))
		return;
	put64(count);
	put(words, 8 * count);
}

/* calls PID TID CPU TIME WORD... */
static void do_calls(void)
{
	uint64_t type = begin_sample(), i;

	put_cpu_time(type);
	put_chain(type);
	if (type & PERF_SAMPLE_REGS_USER) {
		put64(nr_registers ? PERF_SAMPLE_REGS_ABI_64 : 0);
		for (i = 0; i < nr_registers; i++)
			put64(registers[i]);
	}
	if (type & PERF_SAMPLE_STACK_USER) {
		put64(fixture_spe.len);
		put(fixture_spe.bytes, fixture_spe.len);
		if (fixture_spe.len)
			put64(fixture_spe.len);
		fixture_spe.len = 0;
	}
	end();
}

/* auxsample PID TID CPU TIME KEEP WORD... */
static void do_auxsample(void)
{
	uint64_t type = begin_sample(), keep;

	put_cpu_time(type);
	keep = number();
	put_chain(type);
	put64(fixture_spe.len);
	put(fixture_spe.bytes, fixture_spe.len);
	end();
	memmove(fixture_spe.bytes, fixture_spe.bytes + fixture_spe.len - keep, keep);
	fixture_spe.len = keep;
}

static void do_conv(void)
{
	begin(79, 0);
	put64(number());
	put64(number());
	put64(number());
	put64(0);
	put64(~0ULL);
	put("\1\0\0\0\0\0\0", 8);
	end();
}

static void do_info(void)
{
	begin(70, 0);
	put32((uint32_t)number());
	put32(0);
	put64(8);		/* PMU type */
	put64(0);		/* per-CPU mmaps */
	end();
}

static uint64_t least_interval = 256;

static void do_least(void)
{
	least_interval = number();
}

/* AUXTRACE_INFO of version 2; the line has one number per CPU, from CPU 0 on */
static void put_metadata(uint64_t cpus, bool pmus)
{
	uint64_t cpu;

	begin(70, 0);
	put32(4);
	put32(0);
	put64(2);		/* version */
	put64(4);		/* words in this head */
	put64(8);		/* PMU type */
	put64(cpus);
	for (cpu = 0; cpu < cpus; cpu++) {
		put64(0x1010101010101010);
		put64(cpu);
		put64(4);	/* parameters */
		put64(pmus ? 0x410fd0c0 : number());
		put64(pmus ? number() : 8);
		put64(least_interval);
		put64(0);
	}
	end();
}

static void do_midrs(void)
{
	put_metadata(number(), false);
}

static void do_pmus(void)
{
	put_metadata(number(), true);
}

static void do_auxtrace(void)
{
	uint64_t idx = number(), cpu = number(), tid = number();

	begin(71, 0);
	put64(fixture_spe.len);
	put64(number());
	put64(0);
	put32((uint32_t)idx);
	put32((uint32_t)tid);
	put32((uint32_t)cpu);
	put32(0);
	end();
	put(fixture_spe.bytes, fixture_spe.len);
	fixture_spe.len = 0;
}

static void do_event(void)
{
	uint64_t type = number(), n = number();

	begin((uint32_t)type, 0);
	while (n--)
		put("", 1);
	end();
}

bool event_line(const char *verb)
{
	static const struct {
		const char *name;
		void (*run)(void);
	} verbs[] = {
		{ "map", do_map }, { "dmap", do_dmap },
		{ "thread", do_thread }, { "kmap", do_kmap }, { "comm", do_comm },
		{ "fork", do_fork }, { "ksym", do_ksym },
		{ "ksym-gone", do_ksym_gone }, { "itrace", do_itrace },
		{ "switch", do_switch }, { "wide", do_wide },
		{ "aux", do_aux }, { "lost", do_lost }, { "conv", do_conv },
		{ "info", do_info }, { "midrs", do_midrs },
		{ "least", do_least },
		{ "pmus-of-cpus", do_pmus }, { "auxtrace", do_auxtrace },
		{ "sample", do_sample }, { "event", do_event },
		{ "reg", do_reg }, { "calls", do_calls }, { "auxsample", do_auxsample },
	};
	size_t i;

	for (i = 0; i < sizeof(verbs) / sizeof(verbs[0]); i++) {
		if (!strcmp(verb, verbs[i].name)) {
			verbs[i].run();
			return true;
		}
	}
	return false;
}
