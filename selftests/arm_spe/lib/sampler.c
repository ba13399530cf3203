// SPDX-License-Identifier: GPL-2.0-only
#include "sampler.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#define EVENTS		"/sys/kernel/tracing/events/"
#define SERVICE		EVENTS "arm_spe_pmu/arm_spe_service/id"
#define CALL		EVENTS "syscalls/sys_enter_getppid/id"

/* aux_sample_size is the lower half of this word, which came with Linux 5.5. */
#define AUX_SAMPLE_SIZE	14

#define RING_BYTES	(1024 * 1024)

void spe_sampler_begin(struct spe_sampler *sampler)
{
	memset(sampler, 0, sizeof(*sampler));
	sampler->fd = -1;
}

/* Chooses the event; returns 0 or a negative error number. */
static int choose(struct perf_event_attr *attr, enum spe_sampler_kind kind)
{
	long id;

	switch (kind) {
	case SPE_SAMPLER_CLOCK:
		attr->type = PERF_TYPE_SOFTWARE;
		attr->config = PERF_COUNT_SW_CPU_CLOCK;
		return 0;
	case SPE_SAMPLER_CYCLES:
		attr->type = PERF_TYPE_HARDWARE;
		attr->config = PERF_COUNT_HW_CPU_CYCLES;
		return 0;
	default:
		attr->type = PERF_TYPE_TRACEPOINT;
		id = spe_read_number(kind == SPE_SAMPLER_SERVICE ? SERVICE : CALL);
		if (id < 0)
			return (int)id;
		attr->config = (uint64_t)id;
		return 0;
	}
}

int spe_sampler_open(struct spe_sampler *sampler, enum spe_sampler_kind kind, int leader,
		     int pid, int cpu, uint64_t period, uint32_t aux_size, bool inherit)
{
	union spe_attr attr = { .perf = {
		.size = 8 * (AUX_SAMPLE_SIZE + 1), .sample_period = period, .inherit = inherit,
		.sample_type = PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_CPU |
			       PERF_SAMPLE_CALLCHAIN | PERF_SAMPLE_AUX,
	} };
	void *at;
	int err;

	spe_sampler_begin(sampler);
	attr.word[AUX_SAMPLE_SIZE] = aux_size;
	err = choose(&attr.perf, kind);
	if (err)
		return err;
	sampler->fd = (int)syscall(SYS_perf_event_open, &attr, pid, cpu, leader,
				   PERF_FLAG_FD_CLOEXEC);
	if (sampler->fd < 0)
		return -errno;
	sampler->ring_size = RING_BYTES + (size_t)sysconf(_SC_PAGESIZE);
	at = mmap(NULL, sampler->ring_size, PROT_READ | PROT_WRITE, MAP_SHARED, sampler->fd, 0);
	if (at == MAP_FAILED) {
		err = -errno;
		spe_sampler_close(sampler);
		return err;
	}
	sampler->page = at;
	return 0;
}

void spe_sampler_close(struct spe_sampler *sampler)
{
	if (sampler->page)
		munmap(sampler->page, sampler->ring_size);
	if (sampler->fd >= 0)
		close(sampler->fd);
	free(sampler->data);
	free(sampler->sample);
	spe_sampler_begin(sampler);
}

static void *more(void *array, size_t size)
{
	static const char text[] = "# out of memory\n";

	array = realloc(array, size);
	if (!array) {
		if (write(STDERR_FILENO, text, sizeof(text) - 1) < 0)
			_exit(2);
		_exit(2);
	}
	return array;
}

/* A field of a sample, in the order of include/uapi/linux/perf_event.h. */
static bool take(const uint8_t **at, const uint8_t *end, void *field, size_t size)
{
	if ((size_t)(end - *at) < size)
		return false;
	memcpy(field, *at, size);
	*at += size;
	return true;
}

static int take_sample(struct spe_sampler *sampler, const uint8_t *body, size_t size)
{
	const uint8_t *at = body, *end = body + size;
	struct spe_sample s = { .at = sampler->data_size };
	uint32_t unused;
	uint64_t bytes;

	if (!take(&at, end, &s.pid, 4) || !take(&at, end, &s.tid, 4) ||
	    !take(&at, end, &s.time, 8) || !take(&at, end, &s.cpu, 4) ||
	    !take(&at, end, &unused, 4) || !take(&at, end, &s.frames, 8) ||
	    s.frames > (uint64_t)(end - at) / 8)
		return -EINVAL;
	at += 8 * s.frames;
	/* The bytes for records must end the sample. */
	if (!take(&at, end, &bytes, 8) || bytes != (uint64_t)(end - at))
		return -EINVAL;
	s.size = bytes;
	sampler->data = more(sampler->data, sampler->data_size + bytes + 1);
	memcpy(sampler->data + sampler->data_size, at, bytes);
	sampler->data_size += bytes;
	sampler->sample = more(sampler->sample, (sampler->count + 1) * sizeof(s));
	sampler->sample[sampler->count++] = s;
	return 0;
}

int spe_sampler_drain(struct spe_sampler *sampler)
{
	const uint8_t *ring = (uint8_t *)sampler->page + sampler->page->data_offset;
	uint64_t size = sampler->page->data_size, tail = sampler->page->data_tail;
	uint64_t head = __atomic_load_n(&sampler->page->data_head, __ATOMIC_ACQUIRE);
	static uint8_t event[UINT16_MAX + 1];

	while (tail != head) {
		struct perf_event_header header;

		memcpy(&header, ring + tail % size, sizeof(header));
		if (header.size < sizeof(header) || header.size > head - tail)
			return -EINVAL;
		for (size_t i = 0; i < header.size; i++)
			event[i] = ring[(tail + i) % size];
		if (header.type == PERF_RECORD_LOST)
			sampler->lost++;
		if (header.type == PERF_RECORD_SAMPLE &&
		    take_sample(sampler, event + sizeof(header), header.size - sizeof(header)))
			return -EINVAL;
		tail += header.size;
	}
	__atomic_store_n(&sampler->page->data_tail, tail, __ATOMIC_RELEASE);
	return 0;
}

void spe_sampler_forget(struct spe_sampler *sampler)
{
	sampler->data_size = 0;
	sampler->count = 0;
	sampler->lost = 0;
}

void spe_sampler_records(const struct spe_sampler *sampler, const struct spe_sample *sample,
			 struct spe_records *records)
{
	memset(records, 0, sizeof(*records));
	spe_records_add(records, sampler->data + sample->at, sample->size);
}

/* The conversion is that of time_zero in include/uapi/linux/perf_event.h. */
uint64_t spe_sampler_time(const struct spe_sampler *sampler, uint64_t timestamp)
{
	const struct perf_event_mmap_page *page = sampler->page;
	uint64_t cycles = timestamp, whole, rest;

	if (!page->cap_user_time_zero)
		return 0;
	whole = cycles >> page->time_shift;
	rest = cycles & ((UINT64_C(1) << page->time_shift) - 1);
	return page->time_zero + whole * page->time_mult +
	       ((rest * page->time_mult) >> page->time_shift);
}
