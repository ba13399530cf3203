// SPDX-License-Identifier: GPL-2.0-only
/*
 * What perf spe top costs on machines of many CPUs, with and without call stacks.
 *
 *   top_cpus CPUS...
 *
 * No machine is needed: the rings of so many CPUs are filled here, and read as top reads them.
 * Each CPU writes RECORDS records, SWITCHES context switches and, with stacks, STACKS call chains
 * a second, all in the kernel, in FUNCTIONS functions that several chains of callers call.  The
 * figure is CPU time for each second of the rings' time, in percent of a CPU, of all but the
 * filling.  A second and a half of it passes before the measurement.  The goals are for GOAL_CPUS.
 */
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "analysis/rows/rows.h"
#include "../tests/encode.h"
#include "armspe.h"
#include "input/input.h"
#include "output/text/text.h"
#include "output/tui/tui.h"
#include "system/system.h"
#include "util/util.h"
#include "verbs/verbs.h"

#define RECORDS		2000
#define STACKS		STACKS_FP_FREQ
#define SWITCHES	100
#define FUNCTIONS	200
#define FUNCTION_BYTES	0x100
#define DEPTH		12
#define WAYS		4		/* chains of callers for each function */
#define KERNEL		UINT64_C(0xffff800080000000)

#define AUX_SIZE	((size_t)1 << 20)
#define EVENTS_SIZE	((size_t)512 << 10)
#define SECOND		UINT64_C(1000000000)	/* ns */
#define READ		(SECOND / 20)
#define TABLE		(2 * SECOND)
#define BEFORE		(3 * SECOND / 2)
#define MEASURED	(4 * SECOND)

#define GOAL_CPUS	192
#define GOAL		5.0		/* percent of a CPU */
#define GOAL_STACKS	25.0

/* A CPU's kernel side */
struct cpu {
	struct perf_event_mmap_page page;
	uint8_t *events, *aux;
	uint64_t next_record, next_switch, next_stack;	/* when, in ns */
	uint64_t nr_records, nr_stacks;
	int32_t tid;
};

struct bench {
	struct top top;
	struct cpu *cpus;
	size_t nr_cpus;
	FILE *to;
};

static double cpu_seconds(void)
{
	return clock_seconds(CLOCK_PROCESS_CPUTIME_ID);
}

static void put_event(struct cpu *c, const void *event, size_t size)
{
	size_t at = c->page.data_head % EVENTS_SIZE, part = EVENTS_SIZE - at;

	part = part < size ? part : size;
	memcpy(c->events + at, event, part);
	memcpy(c->events, (const uint8_t *)event + part, size - part);
	c->page.data_head += size;
}

static void put_switch(struct cpu *c, uint32_t number)
{
	struct {
		struct perf_event_header header;
		uint32_t pid, tid;
		uint64_t time, cpu, event;
	} e = { { PERF_RECORD_SWITCH, 0, sizeof(e) }, 0, 0, c->next_switch, number, 0 };

	c->tid = (int32_t)(1000 + 4 * number + c->next_switch / (SECOND / SWITCHES) % 4);
	e.pid = 1000 + 4 * number;
	e.tid = (uint32_t)c->tid;
	put_event(c, &e, sizeof(e));
	c->next_switch += SECOND / SWITCHES;
}

/* The names of the CPU's threads, so that it is known that they live */
static void put_comms(struct cpu *c, uint32_t number)
{
	struct {
		struct perf_event_header header;
		uint32_t pid, tid;
		char comm[8];
		uint32_t of_pid, of_tid;
		uint64_t time, cpu, event;
	} e = { { PERF_RECORD_COMM, 0, sizeof(e) }, 1000 + 4 * number, 0, "bench",
		1000 + 4 * number, 0, c->next_switch - 1, number, 0 };

	for (e.tid = e.pid; e.tid < e.pid + 4; e.tid++) {
		e.of_tid = e.tid;
		put_event(c, &e, sizeof(e));
	}
}

/* The function that the CPU @number executes at @time: 200 times a second another one */
static uint64_t function_at(uint64_t time, uint32_t number)
{
	return (time / (SECOND / 200) + number) % FUNCTIONS;
}

static void put_stack(struct cpu *c, uint32_t number)
{
	struct {
		struct perf_event_header header;
		uint64_t event;
		uint32_t pid, tid;
		uint64_t time, cpu, count, chain[DEPTH + 1], abi;
	} e = { { PERF_RECORD_SAMPLE, 0, sizeof(e) }, 0, 1000 + 4 * number, (uint32_t)c->tid,
		c->next_stack, number, DEPTH + 1, { 0 }, 0 };
	uint64_t way = c->nr_stacks++ / 8 % WAYS, f = function_at(c->next_stack, number), i;

	e.chain[0] = (uint64_t)PERF_CONTEXT_KERNEL;
	for (i = 0; i < DEPTH; i++)
		e.chain[i + 1] = KERNEL + (f + i * (i == 3 ? way + 1 : 1)) % FUNCTIONS * FUNCTION_BYTES +
				 4 * (i + way + 2);
	put_event(c, &e, sizeof(e));
	c->next_stack += SECOND / STACKS;
}

static void put_record(struct cpu *c, uint32_t number)
{
	uint64_t pc = KERNEL + function_at(c->next_record, number) * FUNCTION_BYTES +
		      4 * (c->nr_records++ * 7 % 60);
	struct armspe_encoder enc;
	uint8_t bytes[64];
	size_t at = c->page.aux_head % AUX_SIZE, part = AUX_SIZE - at;

	armspe_encode_init(&enc, bytes, sizeof(bytes));
	armspe_encode_address(&enc, SPE_ADDR_PC, (pc & SPE_ADDR_MASK) |
			      (uint64_t)(SPE_ADDR_NS | 1 << SPE_ADDR_EL_SHIFT) << SPE_ADDR_TOP_SHIFT);
	armspe_encode_counter(&enc, SPE_COUNTER_TOTAL, (uint16_t)(5 + c->nr_records % 50));
	armspe_encode_timestamp(&enc, c->next_record);
	part = part < enc.len ? part : enc.len;
	memcpy(c->aux + at, bytes, part);
	memcpy(c->aux, bytes + part, enc.len - part);
	c->page.aux_head += enc.len;
	c->next_record += SECOND / RECORDS;
}

/* What the CPU writes up to @time */
static void fill(struct bench *b, uint32_t number, uint64_t time)
{
	struct cpu *c = &b->cpus[number];
	bool stacks = b->top.options.stacks != STACKS_NONE;

	while (c->next_switch < time) {
		uint64_t end = c->next_switch + SECOND / SWITCHES;

		put_switch(c, number);
		end = end < time ? end : time;
		while (stacks && c->next_stack < end)
			put_stack(c, number);
		while (c->next_record < end)
			put_record(c, number);
	}
}

static void make_rings(struct bench *b)
{
	struct live *l = &b->top.live;
	size_t i;

	l->nr_rings = b->nr_cpus;
	l->rings = xcalloc(l->nr_rings, sizeof(*l->rings));
	b->cpus = xcalloc(b->nr_cpus, sizeof(*b->cpus));
	for (i = 0; i < b->nr_cpus; i++) {
		struct cpu *c = &b->cpus[i];

		c->events = xzeroed(1, EVENTS_SIZE);
		c->aux = xzeroed(1, AUX_SIZE);
		/* CPUs do not do everything at the same time. */
		c->next_record = c->next_switch = c->next_stack = SECOND + 1000 * i;
		c->page.cap_user_time = c->page.cap_user_time_zero = 1;
		c->page.time_mult = 1;
		put_comms(c, (uint32_t)i);
		l->rings[i] = (struct ring){
			.page = &c->page, .events = c->events, .aux = c->aux,
			.events_size = EVENTS_SIZE, .aux_size = AUX_SIZE, .cpu = (int32_t)i,
			.tid = NO_ID, .idx = (uint32_t)i,
		};
	}
}

static void free_rings(struct bench *b)
{
	size_t i;

	for (i = 0; i < b->nr_cpus; i++) {
		free(b->cpus[i].events);
		free(b->cpus[i].aux);
	}
	free(b->cpus);
	free(b->top.live.rings);
}

static void print_table(struct bench *b)
{
	struct top *t = &b->top;

	view_finish(&t->view, &t->rows);
	view_print(&t->view, b->to);
	top_stacks_print(t, b->to);
	fflush(b->to);
	top_restart(t);
}

/* Read the rings as top does, and return the CPU time of it for a second of the rings. */
static double run(struct bench *b)
{
	uint64_t from = SECOND, time = from, forgotten = from, table = from, seen = 0;
	uint64_t turn = b->top.rows.finder ? (uint64_t)(TOP_STACKS_TURN * 1e9) : TABLE;
	double spent = 0, begun;
	uint32_t i;

	while (time < from + BEFORE + MEASURED) {
		time += READ;
		for (i = 0; i < b->nr_cpus; i++)
			fill(b, i, time);
		begun = cpu_seconds();
		live_drain(&b->top.live);
		if (time - forgotten >= turn) {
			live_forget(&b->top.live);
			forgotten = time;
		}
		if (time - table >= TABLE) {
			seen += b->top.rows.seen;
			print_table(b);
			table = time;
		}
		if (time > from + BEFORE)
			spent += cpu_seconds() - begun;
	}
	seen += b->top.rows.seen;
	if (seen + 2 * b->nr_cpus < b->nr_cpus * RECORDS * ((BEFORE + MEASURED) / SECOND))
		say("bench: %zu of the records are missing", (size_t)seen);
	return spent / ((double)MEASURED / (double)SECOND);
}

/* A table of the kernel's functions; returns the path of the file. */
static char *write_kallsyms(void)
{
	char *path = xformat("/tmp/top_cpus.XXXXXX");
	int fd = mkstemp(path), i;
	FILE *to = fd < 0 ? NULL : fdopen(fd, "w");

	if (!to)
		exit(1);
	for (i = 0; i <= FUNCTIONS; i++)
		fprintf(to, "%016llx %c %s%d\n",
			(unsigned long long)KERNEL + (unsigned long long)i * FUNCTION_BYTES, 'T',
			i == FUNCTIONS ? "end" : "function_", i);
	fclose(to);
	return path;
}

static double measure(size_t cpus, enum stack_method stacks, const char *kallsyms)
{
	struct bench b = { .nr_cpus = cpus, .to = fopen("/dev/null", "we") };
	struct top *t = &b.top;
	struct row_taker taker;
	double seconds;

	*t = (struct top){ .rows.verb = "top", .rows.need = NEED_PLACE, .options.stacks = stacks };
	t->rows.symbol_options.kallsyms = kallsyms;
	t->browse = (struct browse){ .verb = "top", .what = t->what, .rows = &t->rows,
				     .view = &t->view, .shown = &t->view };
	live_init(&t->live, &t->rows.src.session, 8, 1024);
	taker = top_taker(t);
	row_sink_init(&t->sink, &t->rows, &taker, t);
	t->live.decoder = row_sink_decoder(&t->sink, &t->live.totals);
	t->live.context = t;
	make_rings(&b);
	if (stacks != STACKS_NONE)
		t->target.stack_attr = (struct stack_attr){ "cycles", PERF_TYPE_HARDWARE,
							    PERF_COUNT_HW_CPU_CYCLES, STACKS };
	top_stacks_begin(t);
	if (!b.to || rows_ready(&t->rows) != EXIT_OK)
		exit(1);
	top_restart(t);
	seconds = run(&b);
	if (stacks != STACKS_NONE && !t->rows.stack_count[STACK_FOUND])
		say("bench: no record has a stack");
	browse_end(&t->browse);
	view_clear(&t->view);
	call_tree_free(&t->calls);
	free_rings(&b);
	rows_finish(&t->rows);
	live_free(&t->live);
	row_sink_free(&t->sink);
	fclose(b.to);
	return seconds;
}

int main(int argc, char **argv)
{
	char *kallsyms = write_kallsyms();
	int i;

	for (i = 1; i < argc; i++) {
		size_t cpus = strtoul(argv[i], NULL, 10);
		double without = measure(cpus, STACKS_NONE, kallsyms);
		double with = measure(cpus, STACKS_FP, kallsyms);

		printf("top of %zu CPUs: %.1f%% of a CPU, with --stacks %.1f%%, for %d records and %d stacks a second from each CPU",
		       cpus, 100 * without, 100 * with, RECORDS, STACKS);
		if (cpus == GOAL_CPUS)
			printf(", goals at most %g%% and %g%%: %s and %s", GOAL, GOAL_STACKS,
			       100 * without <= GOAL ? "met" : "missed",
			       100 * with <= GOAL_STACKS ? "met" : "missed");
		putchar('\n');
		fflush(stdout);
	}
	unlink(kallsyms);
	free(kallsyms);
	return 0;
}
