// SPDX-License-Identifier: GPL-2.0-only
/* Lookups in sessions that the test builds by hand. */
#include <stdlib.h>
#include <string.h>

#include "input/input.h"
#include "symbols/symbols.h"
#include "test.h"

static struct turn turns0[] = { { 50, 20, 20 } }, turns1[] = {
	{ 100, 10, 10 }, { 300, NO_ID, NO_ID }, { 200, 11, 12 }, { 400, 10, 10 },
};

static int32_t who(const struct session *s, uint32_t cpu, uint64_t time)
{
	static size_t near;
	uint64_t until;
	const struct turn *turn = session_turn_find(s, cpu, time, &near, &until);

	return turn ? turn->pid : NO_ID;
}

static void turns_by_time(void)
{
	struct cpu_turns cpus[] = { { .turns = turns0, .nr = 1 },
				    { .turns = turns1, .nr = 4, .unsorted = true }, { 0 } };
	struct session s = { .cpus = cpus, .nr_cpus = 3 };

	session_sort(&s);
	CHECK(who(&s, 1, 99) == NO_ID);
	CHECK(who(&s, 1, 100) == 10);
	CHECK(who(&s, 1, 250) == 11);
	CHECK(who(&s, 1, 399) == NO_ID);
	CHECK(who(&s, 1, UINT64_MAX) == 10);
	CHECK(who(&s, 0, 49) == NO_ID);
	CHECK(who(&s, 0, 1000) == 20);
	CHECK(who(&s, 2, 1000) == NO_ID);
	CHECK(who(&s, 3, 1000) == NO_ID);
}

static void time_conversion(void)
{
	struct session s = { 0 };
	uint64_t time;

	CHECK(!session_time(&s, 1, &time));
	/* 25 MHz: 40 ns a tick */
	s.tc.valid = true;
	s.tc.shift = 24;
	s.tc.mult = 40u << 24;
	s.tc.zero = 1000;
	CHECK(session_time(&s, 5, &time));
	CHECK_EQ(time, 1200);
	/* No overflow where cycles * mult has more than 64 bits */
	CHECK(session_time(&s, 1ULL << 40, &time));
	CHECK_EQ(time, 1000 + (40ULL << 40));
	/* A short counter wraps. */
	s.tc.is_short = true;
	s.tc.cycles = 0x1fffffff0;
	s.tc.mask = 0xffffffff;
	CHECK(session_time(&s, 0x10, &time));
	CHECK_EQ(time, 1000 + 40 * 0x200000010ULL);
}

/* Near times are those of the formula, or the answer is that they are not near. */
static void near_times(void)
{
	struct test_random r = { 2 };
	unsigned int i, k, shorts = 0, longs = 0, refused = 0;

	for (i = 0; i < 20000; i++) {
		struct time_conv tc = {
			.is_short = test_random(&r) & 1, .shift = test_random_below(&r, 34),
			.mult = test_random(&r) >> (30 + test_random_below(&r, 20)),
			.zero = test_random(&r), .cycles = test_random(&r) >> test_random_below(&r, 64),
			.mask = UINT64_MAX >> test_random_below(&r, 40),
		};
		uint64_t first = test_random_below(&r, 4) ? tc.cycles + (test_random(&r) & tc.mask) :
				 test_random(&r) >> test_random_below(&r, 64);
		unsigned int bits = test_random_below(&r, 33);
		uint64_t at[8], time[8];

		for (k = 0; k < 8; k++)
			at[k] = first + (test_random(&r) >> (63 - bits)) - (k ? UINT64_C(1) << bits : 0);
		if (!session_times_near(&tc, at, 8, time)) {
			refused++;
			continue;
		}
		*(tc.is_short ? &shorts : &longs) += 1;
		for (k = 0; k < 8; k++)
			CHECK_EQ(time[k], session_time_of(&tc, at[k]));
	}
	CHECK(shorts > 1000 && longs > 1000 && refused > 1000);
}

static struct map child_maps[] = {
	{ 0x1000, 0x2000, 0, 0, 10, 0, "/old", NULL, 0, NULL, 0, 0, false },
	{ 0x1800, 0x3000, 0, 0, 20, 1, "/new", NULL, 0, NULL, 0, 0, false },
};
static struct map parent_maps[] = {
	{ 0x8000, 0x9000, 0, 0, 0, 0, "/lib", NULL, 0, NULL, 0, 0, false },
	{ 0xa000, 0xb000, 0, 0, 30, 1, "/late", NULL, 0, NULL, 0, 0, false },
};

static const char *file_at(const struct process *p, uint64_t address, uint64_t time)
{
	const struct map *map = process_code_at(p, address, time);

	return map ? map->file : "(none)";
}

static bool is_always(const struct process *p, uint64_t address)
{
	uint64_t from;

	return process_code_always(p, address, &from);
}

static void maps_by_time(void)
{
	struct process parent = { .pid = 1, .maps = parent_maps, .nr_maps = 2 };
	struct process child = { .pid = 2, .maps = child_maps, .nr_maps = 2 };

	process_inherit(&child, &parent, 5, false);
	process_sort(&parent);
	process_sort(&child);
	CHECK(is_always(&child, 0x1700));
	CHECK(!is_always(&child, 0x1800));
	CHECK(is_always(&child, 0x2000));
	CHECK(!is_always(&child, 0x3000));
	CHECK(is_always(&parent, 0x8000));
	CHECK(is_always(&child, 0x8000));
	CHECK_STR(file_at(&child, 0x1900, 15), "/old");
	CHECK_STR(file_at(&child, 0x1900, 20), "/new");
	CHECK_STR(file_at(&child, 0x1100, 20), "/old");
	CHECK_STR(file_at(&child, 0x3000, 99), "(none)");
	CHECK_STR(file_at(&parent, 0xa800, 29), "(none)");
	CHECK_STR(file_at(&parent, 0xa800, 30), "/late");
	/* Inherited: what the parent had at the fork */
	CHECK_STR(file_at(&child, 0x8800, 99), "/lib");
	CHECK_STR(file_at(&child, 0xa800, 99), "(none)");
}

static void map_code(struct processes *p, uint64_t start, uint64_t end, uint64_t time,
		     const char *file)
{
	const struct process_change c = {
		.kind = CHANGE_MAP, .pid = 1, .tid = 1, .time = time,
		.map = { .start = start, .end = end, .time = time, .file = file },
	};

	processes_change(p, &c);
}

static void forked(struct processes *p, int32_t pid, int32_t parent, uint64_t time)
{
	const struct process_change c = {
		.kind = CHANGE_FORK, .pid = pid, .tid = pid, .parent = parent, .by = parent,
		.time = time,
	};

	processes_change(p, &c);
}

static void mappings_end_with_an_exec(void)
{
	const struct process_change exec = {
		.kind = CHANGE_EXEC, .pid = 2, .tid = 2, .time = 50, .comm = "new",
	};
	struct processes all = { 0 };

	/* In the wrong order; and a loop of parents must not hang the lookup. */
	processes_change(&all, &exec);
	forked(&all, 1, 2, 60);
	forked(&all, 2, 1, 5);
	map_code(&all, 0x8000, 0x9000, 1, "/lib");
	processes_apply(&all);
	CHECK_STR(file_at(processes_at(&all, 2, 49), 0x8800, 49), "/lib");
	CHECK_STR(file_at(processes_at(&all, 2, 99), 0x8800, 99), "(none)");
	CHECK_STR(file_at(processes_at(&all, 1, 59), 0x8800, 59), "/lib");
	CHECK_STR(file_at(processes_at(&all, 1, 99), 0x8800, 99), "(none)");
	processes_free(&all);
}

/* Mappings that are forgotten change the tree of the others. */
static void maps_are_forgotten(void)
{
	struct processes all = { 0 };
	const struct process *p;

	map_code(&all, 0x1000, 0x9000, 1, "/all");
	map_code(&all, 0x2000, 0x3000, 2, "/old");
	map_code(&all, 0x2000, 0x3000, 3, "/new");
	processes_apply(&all);
	CHECK(processes_forget(&all));
	p = processes_at(&all, 1, UINT64_MAX);
	CHECK_EQ(p->nr_maps, 2);
	CHECK_STR(file_at(p, 0x2800, 9), "/new");
	CHECK_STR(file_at(p, 0x5000, 9), "/all");
	processes_free(&all);
}

/* The latest mapping, found by a linear search */
static const struct map *latest(const struct process *p, uint64_t address,
				uint64_t time)
{
	const struct map *best = NULL, *map;

	for (map = p->maps; map < p->maps + p->nr_maps; map++)
		if (address >= map->start && address < map->end &&
		    map->time <= time &&
		    (!best || map->time > best->time ||
		     (map->time == best->time && map->seq > best->seq)))
			best = map;
	return best;
}

/* Whether all mappings have the same bytes there, found by a linear search */
static bool always(const struct process *p, uint64_t address)
{
	const struct map *one = NULL, *map;

	for (map = p->maps; map < p->maps + p->nr_maps; map++) {
		if (address < map->start || address >= map->end)
			continue;
		if (one && (one->start - one->pgoff != map->start - map->pgoff ||
			    strcmp(one->file, map->file)))
			return false;
		one = map;
	}
	return one;
}

static void maps_at_random(void)
{
	struct test_random r = { 1 };
	struct map maps[200] = { 0 };
	struct session s = { .kernel = { .maps = maps } };
	unsigned int round, i;

	for (round = 0; round < 200; round++) {
		s.kernel.nr_maps = test_random_below(&r, 200);
		for (i = 0; i < s.kernel.nr_maps; i++) {
			maps[i].start = test_random_below(&r, 1000);
			maps[i].end = maps[i].start + 1 +
				      test_random_below(&r, i % 9 ? 20 : 1000);
			maps[i].time = test_random_below(&r, 5);
			maps[i].seq = i;
			maps[i].pgoff = maps[i].start + (i % 5 ? 0 : 1);
			maps[i].file = i % 7 ? "/a" : "/b";
		}
		s.kernel.sorted = false;
		session_sort(&s);
		for (i = 0; i < 200; i++) {
			uint64_t address = test_random_below(&r, 2100);
			uint64_t time = test_random_below(&r, 6);

			CHECK(process_map_find(&s.kernel, address, time) ==
			      latest(&s.kernel, address, time));
			CHECK(is_always(&s.kernel, address) ==
			      always(&s.kernel, address));
		}
	}
}

/* A mapping that covers all others must not make lookups linear. */
static void maps_many(void)
{
	const size_t count = 200000;
	struct map *maps = calloc(count, sizeof(*maps));
	struct session s = { .kernel = { .maps = maps, .nr_maps = count } };
	size_t i;

	for (i = 0; i < count; i++) {
		maps[i].start = 0x1000 * i;
		maps[i].end = i ? maps[i].start + 0x800 : UINT64_MAX;
	}
	session_sort(&s);
	for (i = 0; i < count; i++)
		CHECK(process_map_find(&s.kernel, 0x1000 * i + 0x900, 0) ==
		      &maps[0]);
	free(maps);
}

/* A guest has a number of its own, which tells the host's process or pid. */
static void owner_numbers(void)
{
	const struct process process = { .number = 5, .pid = 100 };
	struct owner host = { .pid = 100, .process = &process };
	struct owner guest = { .pid = 100, .guest = true, .vm = &process };
	uint32_t number = owner_number(guest);

	CHECK_EQ(owner_number(host), 5);
	CHECK(owner_process(&host) == &process && owner_process(&guest) == &process);
	CHECK(owner_is_guest(number) && !owner_is_guest(owner_number(host)));
	CHECK_EQ(owner_host(number), owner_number(host));
	CHECK_EQ(owner_pid(number), NO_ID);
	host.process = guest.vm = NULL;
	CHECK(owner_number(host) != owner_number(guest));
	CHECK_EQ(owner_pid(owner_number(host)), 100);
	CHECK_EQ(owner_pid(owner_number(guest)), 100);
	CHECK_EQ(owner_host(owner_number(guest)), owner_number(host));
	host.pid = guest.pid = NO_ID;
	CHECK(owner_number(host) != owner_number(guest));
	CHECK_EQ(owner_pid(owner_number(host)), NO_ID);
	CHECK_EQ(owner_pid(owner_number(guest)), NO_ID);
}

const struct test_case session_cases[] = {
	{ "session: who ran on a CPU at a time", turns_by_time },
	{ "session: timestamps to perf time", time_conversion },
	{ "session: timestamps near each other to perf time", near_times },
	{ "session: mappings by time, inheritance", maps_by_time },
	{ "session: mappings end with an exec", mappings_end_with_an_exec },
	{ "session: mappings that are forgotten", maps_are_forgotten },
	{ "session: mappings at random against a search of all", maps_at_random },
	{ "session: many mappings below a large one", maps_many },
	{ "session: numbers of the host's processes and of guests", owner_numbers },
	{ 0 },
};
