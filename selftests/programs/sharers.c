// SPDX-License-Identifier: GPL-2.0-only
/*
 * Patterns of cache lines that threads share, or do not.  What each pattern is follows from its
 * source here:
 *
 *   true    several CPUs use the same bytes at the same time, and one of them writes there
 *   false   several CPUs use the line at the same time and one of them writes there, but the
 *           accesses that make it move between the CPUs have no byte in common
 *   none    the line stays where it is: only one CPU uses it, or one after the other, or
 *           no thread writes to it while other threads use it
 *
 * usage: sharers --list          prints the name and the kind of each pattern
 *        sharers PATTERN ROUNDS  runs one, and prints the lines that it is about: each line's
 *                                address and, where the pattern uses several, its number
 */
#define _GNU_SOURCE
#include <errno.h>
#include <inttypes.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sharers.h"

enum { LINE = 64, TURN = 256 };

/* The lines of most patterns; nothing else is in them. */
static _Alignas(4096) uint8_t lines[4096];

static const struct pattern *pattern;
static long rounds;
static pthread_barrier_t barrier;
static uint8_t *places[MAX_ACTORS];

static void run_on(int cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	if (sched_setaffinity(0, sizeof(set), &set)) {
		fprintf(stderr, "sharers: no CPU %d: %s\n", cpu, strerror(errno));
		exit(1);
	}
}

/* No actor gets more than a turn ahead of the others, however the host runs the CPUs. */
static void act(const struct actor *a, uint8_t *at)
{
	static _Thread_local _Alignas(LINE) volatile uint64_t private;

	for (long i = 0; i < rounds; i++) {
		if (i % TURN == 0 && !pattern->phases)
			pthread_barrier_wait(&barrier);
		if (!a->every || i % a->every == 0)
			a->step(at, (uint64_t)i);
		else
			private++;
	}
}

static void *actor(void *argument)
{
	size_t index = (size_t)argument;
	const struct actor *a = &pattern->actors[index];
	int phase;

	run_on(a->cpu);
	if (!pattern->phases)
		act(a, places[index]);
	for (phase = 0; phase < pattern->phases; phase++) {
		if (phase % pattern->nr_actors == (int)index)
			act(a, places[index]);
		pthread_barrier_wait(&barrier);
	}
	return NULL;
}

/* Two objects of malloc() on one line */
static void take_heap(void)
{
	for (;;) {
		places[0] = calloc(1, 24);
		places[1] = calloc(1, 24);
		if (!places[0] || !places[1])
			abort();
		if ((uintptr_t)places[0] / LINE == (uintptr_t)places[1] / LINE)
			return;
		/* Else the next two would be as far from a line's start. */
		if (!malloc(24))
			abort();
	}
}

static void print_lines(void)
{
	uintptr_t seen = 0;

	for (int i = 0; i < pattern->nr_actors; i++) {
		uintptr_t line = (uintptr_t)places[i] & ~(uintptr_t)(LINE - 1);

		if (line != seen)
			printf("0x%" PRIxPTR "\n", line);
		seen = line;
	}
}

static int run(void)
{
	pthread_t threads[MAX_ACTORS];
	size_t i, nr = (size_t)pattern->nr_actors;

	if (pattern->heap)
		take_heap();
	else
		for (i = 0; i < nr; i++)
			places[i] = lines + pattern->actors[i].offset;
	if (pattern->filled)
		for (long n = 0; n < rounds / 4; n++)
			fill(places[0], (uint64_t)n);
	pthread_barrier_init(&barrier, NULL, (unsigned int)nr);
	for (i = 0; i < nr; i++) {
		errno = pthread_create(&threads[i], NULL, actor, (void *)i);
		if (errno) {
			perror("sharers: a thread");
			return 1;
		}
	}
	for (i = 0; i < nr; i++)
		pthread_join(threads[i], NULL);
	print_lines();
	return 0;
}

int main(int argc, char **argv)
{
	char *end = NULL;

	if (argc == 2 && !strcmp(argv[1], "--list")) {
		for (size_t i = 0; i < nr_patterns; i++)
			printf("%s %s\n", patterns[i].name, patterns[i].kind);
		return 0;
	}
	for (size_t i = 0; argc == 3 && i < nr_patterns; i++)
		if (!strcmp(patterns[i].name, argv[1]))
			pattern = &patterns[i];
	errno = 0;
	rounds = argc == 3 ? strtol(argv[2], &end, 10) : -1;
	if (!pattern || rounds < 1 || rounds > 1000000000 || errno || *end) {
		fprintf(stderr, "usage: sharers --list | PATTERN ROUNDS (1 to 1000000000)\n");
		return 2;
	}
	return run();
}
