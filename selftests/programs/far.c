// SPDX-License-Identifier: GPL-2.0-only
/*
 * A program whose memory is on another NUMA node than its CPU: it writes PAGES pages on one CPU,
 * and then reads them on another one until it is killed.
 *
 * usage: far PAGES WRITER READER   (numbers of CPUs)
 *
 * Prints the address of the first page once it reads.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static long number(const char *text)
{
	char *end;
	long value = strtol(text, &end, 10);

	return end == text || *end || value < 0 ? -1 : value;
}

static int run_on(long cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	return sched_setaffinity(0, sizeof(set), &set);
}

/* Loads from all lines, in an order that has no pattern */
static uint64_t read_pages(const char *memory, size_t bytes, uint64_t seed)
{
	uint64_t sum = seed;

	for (int i = 0; i < 1000000; i++) {
		sum = sum * 6364136223846793005u + 1442695040888963407u;
		sum += *(const volatile uint64_t *)&memory[(sum >> 20) % bytes & ~UINT64_C(63)];
	}
	return sum;
}

int main(int argc, char **argv)
{
	long pages = argc == 4 ? number(argv[1]) : -1, writer = argc == 4 ? number(argv[2]) : -1;
	long reader = argc == 4 ? number(argv[3]) : -1;
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	uint64_t sum = 1;
	char *memory;

	if (pages < 1 || pages > 100000 || writer < 0 || reader < 0 || writer >= CPU_SETSIZE ||
	    reader >= CPU_SETSIZE) {
		fprintf(stderr, "usage: far PAGES WRITER READER (1 to 100000 pages)\n");
		return 2;
	}
	if (run_on(writer)) {
		fprintf(stderr, "far: cannot run on CPU %ld: %s\n", writer, strerror(errno));
		return 1;
	}
	memory = mmap(NULL, (size_t)pages * page, PROT_READ | PROT_WRITE,
		      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (memory == MAP_FAILED) {
		fprintf(stderr, "far: no memory for %ld pages: %s\n", pages, strerror(errno));
		return 1;
	}
	/* The kernel takes a page from the node of the CPU that writes to it first. */
	madvise(memory, (size_t)pages * page, MADV_NOHUGEPAGE);
	memset(memory, 1, (size_t)pages * page);
	if (run_on(reader)) {
		fprintf(stderr, "far: cannot run on CPU %ld: %s\n", reader, strerror(errno));
		return 1;
	}
	printf("%p\n", (void *)memory);
	fflush(stdout);
	while (sum)
		sum = read_pages(memory, (size_t)pages * page, sum) | 1;
	return 0;
}
