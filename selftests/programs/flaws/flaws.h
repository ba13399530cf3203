/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the programs have in common that selftests/rig/check-advise records.  Each of them is
 * compiled twice: with -DFLAWED it has the flaw that the head of its file describes, and without
 * it is the healthy twin, which does the same work.  selftests/rig/lib/corpus.sh draws the other
 * macros from a seed:
 *
 *   HOT      name of the function that has the flaw
 *   FORM     how the program comes to the flaw: 0, 1 or 2
 *   ROUNDS   rounds of HOT, in each thread
 *   NOISE    healthy pieces of work in each round
 *   RANDOM   where the random numbers begin
 */
#ifndef SPE_FLAWS_H
#define SPE_FLAWS_H

#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifdef FLAWED
enum { IS_FLAWED = 1 };
#else
enum { IS_FLAWED = 0 };
#endif

enum { LINE = 64, PAGE = 4096, CPUS = 2 };

#define HOT_FUNCTION	__attribute__((noipa))
/* A compiler that sees this in both ways of a branch makes no conditional select of it. */
#define KEEP_BRANCH()	__asm__ volatile("")

/* Memory that only one thread uses, for its noise */
struct noise {
	_Alignas(LINE) volatile uint64_t words[64];
};

/* Loads, arithmetic and stores that hit the first cache, without a branch */
static inline void make_noise(struct noise *noise, uint64_t round)
{
#pragma GCC unroll 16
	for (int i = 0; i < NOISE; i++) {
		uint64_t at = (round + 5u * (unsigned int)i) % 64;

		noise->words[at] = (noise->words[at] ^ round) * 9;
	}
}

static uint64_t random_state = RANDOM;

/* Knuth's linear congruential generator */
static inline uint32_t next_random(void)
{
	random_state = random_state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (uint32_t)(random_state >> 33);
}

static inline void run_on(unsigned int cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	if (sched_setaffinity(0, sizeof(set), &set)) {
		perror("cannot choose a CPU");
		exit(1);
	}
}

#ifdef THREADS
/*
 * A thread runs TURN rounds and then waits for its next turn.  So lines go from one CPU to the
 * other at fixed places, however the host schedules the CPUs, and no memory is shared but the
 * program's own.
 */
static int turns[THREADS][2];

/* A system call without the C library, which would take longer than a turn. */
static inline long call(long number, int file, const void *memory)
{
	register long x0 __asm__("x0") = file;
	register long x1 __asm__("x1") = (long)memory;
	register long x2 __asm__("x2") = 1;
	register long x8 __asm__("x8") = number;

	__asm__ volatile("svc 0" : "+r"(x0) : "r"(x1), "r"(x2), "r"(x8) : "memory");
	return x0;
}

static inline void wait_for_turn(unsigned int me)
{
	char token;

	if (call(__NR_read, turns[me][0], &token) != 1)
		exit(1);
}

static inline void end_turn(unsigned int me)
{
	if (call(__NR_write, turns[(me + 1) % THREADS][1], "") != 1)
		exit(1);
}

/* Runs thread 0 to THREADS - 1 on the CPUs in turn. */
static inline void run_threads(void *(*thread)(void *number))
{
	pthread_t threads[THREADS];

	for (uintptr_t i = 0; i < THREADS; i++)
		if (pipe(turns[i]) || pthread_create(&threads[i], NULL, thread, (void *)i)) {
			fputs("cannot start a thread\n", stderr);
			exit(1);
		}
	end_turn(THREADS - 1);
	for (unsigned int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
}
#endif

#endif /* SPE_FLAWS_H */
