// SPDX-License-Identifier: GPL-2.0-only
/*
 * Measures the cost of entering and leaving the kernel.  If time is the number of instructions
 * (run-guest --icount), the results are instructions.
 *
 * usage: entries ROUNDS
 *
 * Prints ns for a system call (getppid), a page fault, and a task switch through a pipe and
 * back: the median of nine turns each.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { TURNS = 9 };

static int there[2], back[2];
static size_t page;

static void fail(const char *what)
{
	fprintf(stderr, "entries: %s: %s\n", what, strerror(errno));
	exit(1);
}

static uint64_t now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

static uint64_t calls(long rounds)
{
	uint64_t start = now();

	for (long i = 0; i < rounds; i++)
		syscall(SYS_getppid);
	return now() - start;
}

static uint64_t faults(long rounds)
{
	size_t size = (size_t)rounds * page;
	volatile char *memory = mmap(NULL, size, PROT_READ | PROT_WRITE,
				     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	uint64_t start;

	if (memory == MAP_FAILED)
		fail("mmap");
	start = now();
	for (long i = 0; i < rounds; i++)
		memory[(size_t)i * page] = 1;
	start = now() - start;
	munmap((void *)memory, size);
	return start;
}

static uint64_t switches(long rounds)
{
	uint64_t start = now();
	char byte = 0;

	for (long i = 0; i < rounds; i++)
		if (write(there[1], &byte, 1) != 1 || read(back[0], &byte, 1) != 1)
			fail("a pipe");
	return now() - start;
}

static void echo(void)
{
	char byte;

	close(there[1]);
	while (read(there[0], &byte, 1) == 1)
		if (write(back[1], &byte, 1) != 1)
			break;
	_exit(0);
}

static int compare(const void *a, const void *b)
{
	uint64_t left = *(const uint64_t *)a, right = *(const uint64_t *)b;

	return (left > right) - (left < right);
}

/* Timer ticks hit some turns more than others, so use the median. */
static double median(uint64_t (*work)(long), long rounds)
{
	uint64_t turn[TURNS];

	work(rounds);
	for (int i = 0; i < TURNS; i++)
		turn[i] = work(rounds);
	qsort(turn, TURNS, sizeof(turn[0]), compare);
	return (double)turn[TURNS / 2] / (double)rounds;
}

int main(int argc, char **argv)
{
	long rounds = argc > 1 ? atol(argv[1]) : 0;
	cpu_set_t cpus;

	if (rounds < 1) {
		fprintf(stderr, "usage: entries ROUNDS\n");
		return 2;
	}
	page = (size_t)sysconf(_SC_PAGESIZE);
	CPU_ZERO(&cpus);
	CPU_SET(0, &cpus);
	if (sched_setaffinity(0, sizeof(cpus), &cpus) || pipe(there) || pipe(back))
		fail("set-up");
	if (!fork())
		echo();
	printf("%.2f %.2f %.2f\n", median(calls, rounds), median(faults, rounds),
	       median(switches, rounds));
	close(there[1]);
	wait(NULL);
	return 0;
}
