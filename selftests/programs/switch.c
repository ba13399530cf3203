// SPDX-License-Identifier: GPL-2.0-only
/*
 * Measures the cost of scheduling a profiled task in and out.  Two tasks on one CPU pass a byte
 * back and forth through pipes, alternately without a session and with a session of the first
 * task.  If time is the number of instructions (run-guest --icount), the difference is the
 * session's instructions.
 *
 * usage: switch ROUNDS [PERIOD [WORK [CONFIG]]]
 *
 * With WORK "machine" one task enters and leaves a virtual machine instead, on a host at EL2.  CONFIG
 * are the event's attributes, by default ts_enable alone.
 *
 * Prints ns per round without and with a session, the median of nine turns each, and the bytes
 * recorded per round.
 */
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

#include "machine.h"

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

static struct spe_machine machine;

static uint64_t rounds_take(int from, int to, long rounds)
{
	uint64_t start = now();
	char byte;

	for (long i = 0; i < rounds; i++) {
		if (machine.vm >= 0) {
			if (spe_machine_run(&machine, 1))
				fail("the virtual machine");
			continue;
		}
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

static uint32_t pmu_type(void)
{
	FILE *file = fopen("/sys/bus/event_source/devices/arm_spe_0/type", "r");
	uint32_t type;

	if (!file || fscanf(file, "%u", &type) != 1)
		fail("arm_spe_0/type");
	fclose(file);
	return type;
}

/* The buffers hold all that a turn records, because nothing is read during a turn. */
struct session {
	int fd;
	struct perf_event_mmap_page *page;
	void *aux;
};

static size_t ring_bytes(void)
{
	return RING_BYTES + (size_t)sysconf(_SC_PAGESIZE);
}

static void session_map(struct session *s)
{
	size_t ring = ring_bytes();

	s->page = mmap(NULL, ring, PROT_READ | PROT_WRITE, MAP_SHARED, s->fd, 0);
	if (s->page == MAP_FAILED)
		fail("the ring's mmap");
	s->page->aux_offset = ring;
	s->page->aux_size = AUX_BYTES;
	s->aux = mmap(NULL, AUX_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, s->fd, (off_t)ring);
	if (s->aux == MAP_FAILED)
		fail("the AUX buffer's mmap");
}

/* The attribute of "perf record -c PERIOD -e arm_spe//", if CONFIG is 1. */
static void session_open(struct session *s, uint64_t period, uint64_t config)
{
	struct perf_event_attr attr = {
		.size = PERF_ATTR_SIZE_VER5,
		.type = pmu_type(),
		.config = config,
		.sample_period = period,
		.sample_type = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID |
			       PERF_SAMPLE_TIME | PERF_SAMPLE_CPU,
		.sample_id_all = 1,
	};

	s->fd = (int)syscall(SYS_perf_event_open, &attr, 0, -1, -1, 0);
	if (s->fd < 0)
		fail("perf_event_open");
	session_map(s);
}

/*
 * Returns the bytes recorded.  Fails if a buffer was nearly full, because then the measurement
 * is wrong.
 */
static uint64_t session_close(struct session *s)
{
	uint64_t bytes;

	if (ioctl(s->fd, PERF_EVENT_IOC_DISABLE, 0))
		fail("to disable the event");
	bytes = s->page->aux_head;
	if (s->page->data_head > RING_BYTES * 3 / 4 || bytes > AUX_BYTES / 2) {
		fprintf(stderr, "switch: buffer nearly full (events %llu, records %llu bytes): use fewer ROUNDS\n",
			(unsigned long long)s->page->data_head, (unsigned long long)bytes);
		exit(1);
	}
	munmap(s->aux, AUX_BYTES);
	munmap(s->page, ring_bytes());
	close(s->fd);
	return bytes;
}

static void echo(int from, int to)
{
	char byte;

	while (read(from, &byte, 1) == 1)
		pass(from, to, byte);
	_exit(0);
}

/* Timer ticks hit some turns more than others, so use the median. */
static uint64_t median(uint64_t turn[TURNS])
{
	qsort(turn, TURNS, sizeof(turn[0]), compare);
	return turn[TURNS / 2];
}

int main(int argc, char **argv)
{
	long rounds = argc > 1 ? atol(argv[1]) : 0;
	uint64_t period = argc > 2 ? strtoull(argv[2], NULL, 0) : 4096;
	uint64_t config = argc > 4 ? strtoull(argv[4], NULL, 0) : 1;	/* ts_enable */
	uint64_t without[TURNS], with[TURNS], bytes = 0;
	struct session session;
	int there[2], back[2];
	cpu_set_t cpus;

	machine = SPE_NO_MACHINE;
	if (rounds < 1 || (argc > 3 && strcmp(argv[3], "pipe") && strcmp(argv[3], "machine"))) {
		fprintf(stderr, "usage: switch ROUNDS [PERIOD [pipe|machine [CONFIG]]]\n");
		return 2;
	}
	if (argc > 3 && !strcmp(argv[3], "machine") && spe_machine_open(&machine))
		fail("/dev/kvm");
	CPU_ZERO(&cpus);
	CPU_SET(0, &cpus);
	if (sched_setaffinity(0, sizeof(cpus), &cpus) || pipe(there) || pipe(back))
		fail("set-up");
	if (!fork()) {
		close(there[1]);
		echo(there[0], back[1]);
	}
	rounds_take(back[0], there[1], rounds);
	for (int i = 0; i < TURNS; i++) {
		/* The kernel frees the last session's buffers later, which would count here. */
		if (machine.vm >= 0)
			rounds_take(back[0], there[1], rounds);
		without[i] = rounds_take(back[0], there[1], rounds);
		session_open(&session, period, config);
		with[i] = rounds_take(back[0], there[1], rounds);
		bytes += session_close(&session);
	}
	close(there[1]);
	wait(NULL);
	printf("%llu %llu %llu\n", (unsigned long long)median(without),
	       (unsigned long long)median(with),
	       (unsigned long long)(bytes / TURNS / (uint64_t)rounds));
	return 0;
}
