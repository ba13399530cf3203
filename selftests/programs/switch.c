// SPDX-License-Identifier: GPL-2.0-only
/*
 * What scheduling a profiled task in and out costs: two tasks hand a byte to
 * and fro through pipes on one CPU, first without a session and then with one
 * of the first task's own.  Where time is instructions (run-guest --icount),
 * the difference is the session's instructions, to the last one.
 *
 * usage: switch ROUNDS [PERIOD]   prints ns a round without and with a session,
 * of each the median of nine times ROUNDS
 */
#define _GNU_SOURCE
#include <errno.h>
#include <linux/perf_event.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* Room for all that a run records: nothing is read while time is taken. */
enum { RING_BYTES = 1 << 20, AUX_BYTES = 4 << 20, TURNS = 9 };

static void fail(const char *what)
{
	fprintf(stderr, "switch: %s: %s\n", what, strerror(errno));
	exit(1);
}

static uint64_t now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

static void pass(int from, int to, char first)
{
	char byte = first;

	if (!first && read(from, &byte, 1) != 1)
		fail("read");
	if (write(to, &byte, 1) != 1)
		fail("write");
}

static uint64_t rounds_take(int from, int to, long rounds)
{
	uint64_t start = now();
	char byte;

	for (long i = 0; i < rounds; i++) {
		pass(from, to, 1);
		if (read(from, &byte, 1) != 1)
			fail("read");
	}
	return (now() - start) / (uint64_t)rounds;
}

static int compare(const void *a, const void *b)
{
	uint64_t left = *(const uint64_t *)a, right = *(const uint64_t *)b;

	return (left > right) - (left < right);
}

/* Timer ticks and the like come to some turns more than to others. */
static uint64_t median_take(int from, int to, long rounds)
{
	uint64_t turn[TURNS];

	rounds_take(from, to, rounds);
	for (int i = 0; i < TURNS; i++)
		turn[i] = rounds_take(from, to, rounds);
	qsort(turn, TURNS, sizeof(turn[0]), compare);
	return turn[TURNS / 2];
}

static uint32_t pmu_type(void)
{
	FILE *file = fopen("/sys/bus/event_source/devices/arm_spe_0/type", "r");
	uint32_t type;

	if (!file || fscanf(file, "%u", &type) != 1)
		fail("arm_spe_0/type");
	fclose(file);
	return type;
}

static struct perf_event_mmap_page *map(int fd)
{
	size_t ring = RING_BYTES + (size_t)sysconf(_SC_PAGESIZE);
	struct perf_event_mmap_page *page;

	page = mmap(NULL, ring, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (page == MAP_FAILED)
		fail("the ring's mmap");
	page->aux_offset = ring;
	page->aux_size = AUX_BYTES;
	if (mmap(NULL, AUX_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, fd, (off_t)ring) == MAP_FAILED)
		fail("the AUX buffer's mmap");
	return page;
}

/* As "perf record -c PERIOD -e arm_spe//" asks for it. */
static struct perf_event_mmap_page *session(uint64_t period)
{
	struct perf_event_attr attr = {
		.size = PERF_ATTR_SIZE_VER5,
		.type = pmu_type(),
		.config = 1,		/* ts_enable */
		.sample_period = period,
		.sample_type = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID |
			       PERF_SAMPLE_TIME | PERF_SAMPLE_CPU,
		.sample_id_all = 1,
	};
	int fd = (int)syscall(SYS_perf_event_open, &attr, 0, -1, -1, 0);

	if (fd < 0)
		fail("perf_event_open");
	return map(fd);
}

static void echo(int from, int to)
{
	char byte;

	while (read(from, &byte, 1) == 1)
		pass(from, to, byte);
	_exit(0);
}

int main(int argc, char **argv)
{
	long rounds = argc > 1 ? atol(argv[1]) : 0;
	uint64_t period = argc > 2 ? strtoull(argv[2], NULL, 0) : 4096, without, with;
	struct perf_event_mmap_page *page;
	int there[2], back[2];
	cpu_set_t cpus;

	if (rounds < 1) {
		fprintf(stderr, "usage: switch ROUNDS [PERIOD]\n");
		return 2;
	}
	CPU_ZERO(&cpus);
	CPU_SET(0, &cpus);
	if (sched_setaffinity(0, sizeof(cpus), &cpus) || pipe(there) || pipe(back))
		fail("set-up");
	if (!fork()) {
		close(there[1]);
		echo(there[0], back[1]);
	}
	without = median_take(back[0], there[1], rounds);
	page = session(period);
	with = median_take(back[0], there[1], rounds);
	close(there[1]);
	wait(NULL);
	/* Where a buffer had become full, less was measured than is said. */
	if (page->data_head > RING_BYTES * 3 / 4 || page->aux_head > AUX_BYTES / 2) {
		fprintf(stderr, "switch: %llu bytes of events, %llu of records: ask for other ROUNDS\n",
			(unsigned long long)page->data_head, (unsigned long long)page->aux_head);
		return 1;
	}
	printf("%llu %llu\n", (unsigned long long)without, (unsigned long long)with);
	return 0;
}
