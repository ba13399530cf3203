// SPDX-License-Identifier: GPL-2.0-only
/*
 * Measures the cost of a sample that carries SPE records (PERF_SAMPLE_AUX).  A tracepoint in the
 * group of an SPE event samples at each getppid().  If time is the number of instructions
 * (run-guest --icount), the difference between two sizes is the instructions of a sample.
 *
 * usage: sampled ROUNDS SIZE...
 *
 * Prints a line for each SIZE: the size in bytes, and ns per getppid(), the median of nine turns.
 * With SIZE 0 the samples carry no records.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <linux/perf_event.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { RING_BYTES = 4 << 20, AUX_BYTES = 256 << 10, TURNS = 9 };

#define PMU	"/sys/bus/event_source/devices/arm_spe_0/type"
#define CALL	"/sys/kernel/tracing/events/syscalls/sys_enter_getppid/id"

static void fail(const char *what)
{
	fprintf(stderr, "sampled: %s: %s\n", what, strerror(errno));
	exit(1);
}

static uint64_t now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

static unsigned int number(const char *path)
{
	FILE *file = fopen(path, "r");
	unsigned int n;

	if (!file || fscanf(file, "%u", &n) != 1)
		fail(path);
	fclose(file);
	return n;
}

/* Opens an event of this task, and its ring. */
static int event(struct perf_event_attr *attr, int leader, struct perf_event_mmap_page **page)
{
	int fd = (int)syscall(SYS_perf_event_open, attr, 0, -1, leader, 0);

	if (fd < 0)
		fail("perf_event_open");
	*page = mmap(NULL, RING_BYTES + (size_t)sysconf(_SC_PAGESIZE), PROT_READ | PROT_WRITE,
		     MAP_SHARED, fd, 0);
	if (*page == MAP_FAILED)
		fail("mmap");
	return fd;
}

/* An SPE event whose buffer is overwritten: it never gets full. */
static int session(void)
{
	struct perf_event_attr attr = {
		.type = number(PMU), .size = sizeof(attr), .sample_period = 1024,
		.exclude_kernel = 1,
	};
	struct perf_event_mmap_page *page;
	size_t ring = RING_BYTES + (size_t)sysconf(_SC_PAGESIZE);
	int fd = event(&attr, -1, &page);

	page->aux_offset = ring;
	page->aux_size = AUX_BYTES;
	if (mmap(NULL, AUX_BYTES, PROT_READ, MAP_SHARED, fd, (off_t)ring) == MAP_FAILED)
		fail("mmap of the AUX buffer");
	return fd;
}

/*
 * Makes perf schedule the group, and lets the unit fill the buffer.  Linux 6.12 does not
 * schedule a new member of a running group of another PMU (ctx_resched() as called by
 * __perf_install_in_context()), but it schedules the whole group when the task comes back to the
 * CPU.
 */
static void settle(void)
{
	usleep(1000);
	for (volatile int i = 0; i < 4 << 20; i++)
		;
}

static uint64_t rounds_take(long rounds)
{
	uint64_t start = now();

	for (long i = 0; i < rounds; i++)
		getppid();
	return (now() - start) / (uint64_t)rounds;
}

static int ascending(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

static void measure(int leader, long rounds, unsigned int size)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_TRACEPOINT, .size = sizeof(attr), .config = number(CALL),
		.sample_period = 1, .aux_sample_size = size,
		.sample_type = PERF_SAMPLE_TIME | (size ? PERF_SAMPLE_AUX : 0),
	};
	struct perf_event_mmap_page *page;
	uint64_t turn[TURNS];
	int fd = event(&attr, leader, &page);

	settle();
	for (int i = 0; i < TURNS; i++) {
		turn[i] = rounds_take(rounds);
		/* All of these samples found room. */
		if (page->data_head - page->data_tail < (uint64_t)rounds * (size + 16)) {
			fprintf(stderr, "sampled: samples of %u bytes were lost\n", size);
			exit(1);
		}
		page->data_tail = page->data_head;
	}
	qsort(turn, TURNS, sizeof(turn[0]), ascending);
	printf("%u %llu\n", size, (unsigned long long)turn[TURNS / 2]);
	close(fd);
	munmap(page, RING_BYTES + (size_t)sysconf(_SC_PAGESIZE));
}

int main(int argc, char **argv)
{
	int leader;

	if (argc < 3) {
		fprintf(stderr, "usage: sampled ROUNDS SIZE...\n");
		return 2;
	}
	leader = session();
	for (int i = 2; i < argc; i++)
		measure(leader, atol(argv[1]), (unsigned int)atoi(argv[i]));
	return 0;
}
