// SPDX-License-Identifier: GPL-2.0-only
/*
 * Measures what a sample costs: a record in an AUX buffer with its decoding, a sample of
 * spe_sample_0 for several batches, and one of cpu-clock with the same fields.  Each way has the same
 * work, and a reader in this program.  If time is the number of instructions (run-guest --icount),
 * the difference to the work alone is the instructions of its samples.
 *
 * usage: costs OPERATIONS PERIOD
 *
 * Prints a line for each way: its name, how many samples there were, and ns for all of them, the median
 * of five turns.  With the name "undecoded" the records stay in the AUX buffer, and with "unwritten"
 * perf has no ring to write the samples to.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <inttypes.h>
#include <linux/perf_event.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "armspe.h"

enum { RING_BYTES = 8 << 20, AUX_BYTES = 4 << 20, TURNS = 5 };

#define DEVICES	"/sys/bus/event_source/devices/"
/* As perf record -d -W asks for */
#define FIELDS	(PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_ADDR |	\
		 PERF_SAMPLE_CPU | PERF_SAMPLE_PERIOD | PERF_SAMPLE_WEIGHT_STRUCT |		\
		 PERF_SAMPLE_DATA_SRC)
/* ns: long enough that a sample, which takes time itself, does not cause the next one */
#define CLOCK_PERIOD	200000

struct way {
	const char *name;
	const char *device;	/* NULL: cpu-clock */
	uint64_t batch;
	bool aux, decodes, ringless, idle;
};

struct session {
	int fd;
	struct perf_event_mmap_page *page;
	uint8_t *aux;
};

static void fail(const char *what)
{
	fprintf(stderr, "costs: %s: %s\n", what, strerror(errno));
	exit(1);
}

static uint64_t now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

static uint32_t type_of(const char *device)
{
	char path[128];
	unsigned int type;
	FILE *file;

	snprintf(path, sizeof(path), DEVICES "%s/type", device);
	file = fopen(path, "r");
	if (!file || fscanf(file, "%u", &type) != 1)
		fail(path);
	fclose(file);
	return type;
}

static size_t ring_size(void)
{
	return RING_BYTES + (size_t)sysconf(_SC_PAGESIZE);
}

static struct session open_way(const struct way *way, uint64_t period)
{
	struct perf_event_attr attr = {
		.type = way->device ? type_of(way->device) : PERF_TYPE_SOFTWARE,
		.config = way->device ? way->batch << 56 | 1 : PERF_COUNT_SW_CPU_CLOCK,
		.size = sizeof(attr), .sample_period = way->device ? period : CLOCK_PERIOD,
		.sample_type = way->aux ? PERF_SAMPLE_TID | PERF_SAMPLE_TIME : FIELDS,
		.disabled = 1, .exclude_kernel = 1, .exclude_hv = 1,
	};
	struct session s = { .fd = (int)syscall(SYS_perf_event_open, &attr, 0, -1, -1, 0) };

	if (s.fd < 0)
		fail(way->name);
	if (way->ringless)
		return s;
	s.page = mmap(NULL, ring_size(), PROT_READ | PROT_WRITE, MAP_SHARED, s.fd, 0);
	if (s.page == MAP_FAILED)
		fail("mmap");
	if (!way->aux)
		return s;
	s.page->aux_offset = ring_size();
	s.page->aux_size = AUX_BYTES;
	s.aux = mmap(NULL, AUX_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, s.fd, (off_t)ring_size());
	if (s.aux == MAP_FAILED)
		fail("mmap of the AUX buffer");
	return s;
}

static void close_way(struct session *s)
{
	if (s->aux)
		munmap(s->aux, AUX_BYTES);
	if (s->page)
		munmap(s->page, ring_size());
	close(s->fd);
}

/* The work: one operation in four is a load or store. */
static void work(uint64_t operations)
{
	static uint64_t memory[64];

	for (uint64_t rounds = operations / 8; rounds; rounds--)
		asm volatile("ldr x9, [%0]\n"
			     "add x9, x9, #1\n"
			     "eor x10, x9, x9, lsr #7\n"
			     "str x10, [%0, #64]\n"
			     "add x11, x10, x9\n"
			     "sub x11, x11, #3\n"
			     : : "r"(memory) : "x9", "x10", "x11", "memory");
}

/* Copies each sample, as a tool does.  Returns how many there were. */
static uint64_t read_samples(struct session *s)
{
	const uint8_t *ring = (const uint8_t *)s->page + sysconf(_SC_PAGESIZE);
	uint64_t head = __atomic_load_n(&s->page->data_head, __ATOMIC_ACQUIRE), count = 0;
	static uint8_t copy[65536];

	while (s->page->data_tail != head) {
		size_t at = s->page->data_tail % RING_BYTES;
		struct perf_event_header header;

		memcpy(&header, ring + at, sizeof(header));
		if (at + header.size <= RING_BYTES)
			memcpy(copy, ring + at, header.size);
		count += header.type == PERF_RECORD_SAMPLE;
		if (header.type == PERF_RECORD_LOST || header.type == PERF_RECORD_THROTTLE) {
			fprintf(stderr, "costs: samples were lost\n");
			exit(1);
		}
		s->page->data_tail += header.size;
	}
	return count;
}

static uint64_t read_aux(struct session *s, bool decodes)
{
	static struct armspe_decoder *decoder;
	uint64_t head = __atomic_load_n(&s->page->aux_head, __ATOMIC_ACQUIRE), count = 0;
	uint64_t size = head - s->page->aux_tail;
	size_t at = s->page->aux_tail % AUX_BYTES;
	struct armspe_record record;
	enum armspe_status status;

	if (!decoder)
		decoder = armspe_decoder_init(aligned_alloc(ARMSPE_DECODER_ALIGN,
							    armspe_decoder_size()),
					      armspe_decoder_size());
	if (!decoder || at + size > AUX_BYTES) {
		fprintf(stderr, "costs: the AUX buffer is too small\n");
		exit(1);
	}
	if (decodes) {
		armspe_decoder_feed(decoder, s->aux + at, size, 0);
		while ((status = armspe_record_next(decoder, &record)) == ARMSPE_OK)
			count++;
	} else {
		count = size / 64;
	}
	/* The next turn begins at the start of the buffer, so that it does not wrap. */
	s->page->aux_tail = head;
	s->page->data_tail = s->page->data_head;
	return count;
}

/* The event counts the operations that its samples stand for. */
static uint64_t count_samples(const struct session *s, uint64_t period)
{
	uint64_t operations;

	if (read(s->fd, &operations, sizeof(operations)) != sizeof(operations))
		fail("read");
	return operations / period;
}

static int ascending(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

static uint64_t turn(const struct way *way, struct session *s, uint64_t operations, uint64_t period,
		     uint64_t *count)
{
	uint64_t start = now();

	if (!way->idle)
		ioctl(s->fd, PERF_EVENT_IOC_ENABLE, 0);
	work(operations);
	if (way->idle)
		return now() - start;
	ioctl(s->fd, PERF_EVENT_IOC_DISABLE, 0);
	*count = way->ringless ? count_samples(s, period) :
		 way->aux ? read_aux(s, way->decodes) : read_samples(s);
	return now() - start;
}

int main(int argc, char **argv)
{
	static const struct way ways[] = {
		{ .name = "work", .device = "spe_sample_0", .batch = 1, .idle = true },
		{ .name = "undecoded", .device = "arm_spe_0", .aux = true },
		{ .name = "aux", .device = "arm_spe_0", .aux = true, .decodes = true },
		{ .name = "unwritten", .device = "spe_sample_0", .batch = 64, .ringless = true },
		{ .name = "batch1", .device = "spe_sample_0", .batch = 1 },
		{ .name = "batch8", .device = "spe_sample_0", .batch = 8 },
		{ .name = "batch64", .device = "spe_sample_0", .batch = 64 },
		{ .name = "clock" },
	};
	uint64_t operations = argc == 3 ? strtoull(argv[1], NULL, 10) : 0;
	uint64_t period = argc == 3 ? strtoull(argv[2], NULL, 10) : 0;

	if (!operations || !period) {
		fprintf(stderr, "usage: costs OPERATIONS PERIOD\n");
		return 2;
	}
	for (size_t i = 0; i < sizeof(ways) / sizeof(ways[0]); i++) {
		uint64_t ns[TURNS], count = 0;

		for (int k = 0; k < TURNS; k++) {
			struct session s = open_way(&ways[i], period);

			ns[k] = turn(&ways[i], &s, operations, period, &count);
			close_way(&s);
		}
		qsort(ns, TURNS, sizeof(ns[0]), ascending);
		printf("%s %" PRIu64 " %" PRIu64 "\n", ways[i].name, count, ns[TURNS / 2]);
	}
	return 0;
}
