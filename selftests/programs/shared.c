// SPDX-License-Identifier: GPL-2.0-only
/*
 * A program with a known memory profile.  add_left() and add_right() are threads on two CPUs
 * that use neighbouring words of one cache line and nothing else.  They advance in step,
 * however the host schedules the CPUs.  walk() reads every 1024th byte of an array of 64 pages
 * again and again.  Compiled with -DAPART, each of the two words has a line of its own.
 *
 * usage: shared ROUNDS   (of each thread, and reads of walk())
 */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { PAGES = 64, STRIDE = 1024, ARRAY = PAGES * 4096, TURN = 1024 };

#ifdef APART
#define PLACE	_Alignas(64)
#else
#define PLACE
#endif

/* Two neighbours on a cache line that holds nothing else. */
static struct {
	_Alignas(64) volatile uint64_t left;
	PLACE volatile uint64_t right;
	_Alignas(64) uint64_t end;
} line;
static _Alignas(4096) volatile uint8_t array[ARRAY];
static long rounds;
static pthread_barrier_t both;

/* Lets neither thread get more than a turn ahead of the other. */
static void keep_pace(long done)
{
	if (done % TURN == 0)
		pthread_barrier_wait(&both);
}

__attribute__((noinline)) void add_left(void)
{
	for (long i = 0; i < rounds; i++) {
		keep_pace(i);
		line.left++;
	}
}

__attribute__((noinline)) void add_right(void)
{
	for (long i = 0; i < rounds; i++) {
		keep_pace(i);
		line.right++;
	}
}

__attribute__((noinline)) unsigned int walk(long reads)
{
	unsigned int sum = 0;

	for (size_t at = 0; reads--; at = (at + STRIDE) % ARRAY)
		sum += array[at];
	return sum;
}

/* Ignore an error: with one CPU the threads still share the line. */
static void run_on(int cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	sched_setaffinity(0, sizeof(set), &set);
}

static void *right(void *unused)
{
	run_on(1);
	add_right();
	return unused;
}

int main(int argc, char **argv)
{
	pthread_t thread;
	char *end = NULL;

	errno = 0;
	rounds = argc == 2 ? strtol(argv[1], &end, 10) : -1;
	if (rounds < 1 || rounds > 1000000000 || errno || *end) {
		fprintf(stderr, "usage: shared ROUNDS (1 to 1000000000)\n");
		return 2;
	}
	pthread_barrier_init(&both, NULL, 2);
	if (pthread_create(&thread, NULL, right, NULL)) {
		perror("shared: a second thread");
		return 1;
	}
	run_on(0);
	add_left();
	pthread_join(thread, NULL);
	printf("%llu and %llu, %u\n", (unsigned long long)line.left,
	       (unsigned long long)line.right, walk(rounds));
	return 0;
}
