// SPDX-License-Identifier: GPL-2.0-only
#include "sampling.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "armspe.h"

#define PREFIX		"spe_sample_"

/* PERF_FORMAT_LOST, which came with Linux 6.0 */
#define FORMAT_LOST	(1u << 4)

int spe_sampling_find(struct spe_pmu *pmu, const struct spe_pmu *unit)
{
	char path[128];
	long type;

	snprintf(pmu->name, sizeof(pmu->name), PREFIX "%.16s", unit->name + strlen(SPE_PMU_PREFIX));
	snprintf(path, sizeof(path), SPE_PMU_ROOT "/%s/type", pmu->name);
	type = spe_read_number(path);
	if (type < 0)
		return (int)type;
	pmu->type = (uint32_t)type;
	return 0;
}

void spe_sampling_attr(union spe_attr *attr, const struct spe_pmu *pmu, unsigned int batch)
{
	spe_attr_init(attr, pmu);
	attr->perf.sample_type = SPE_SAMPLING_FIELDS & ~(uint64_t)PERF_SAMPLE_PHYS_ADDR;
	attr->perf.read_format = FORMAT_LOST;
	/* Otherwise perf takes such an event for one that sees the kernel. */
	attr->perf.exclude_callchain_kernel = 1;
	spe_attr_set(attr, pmu, "batch", batch);
}

void spe_sampling_begin(struct spe_sampling *sampling)
{
	memset(sampling, 0, sizeof(*sampling));
	sampling->fd = -1;
}

int spe_sampling_open(struct spe_sampling *sampling, union spe_attr *attr, int pid, int cpu,
		      size_t bytes)
{
	void *at;
	int err;

	spe_sampling_begin(sampling);
	sampling->type = attr->perf.sample_type;
	sampling->fd = spe_attr_open(attr, pid, cpu);
	if (sampling->fd < 0) {
		err = sampling->fd;
		sampling->fd = -1;
		return err;
	}
	sampling->ring_size = bytes + (size_t)sysconf(_SC_PAGESIZE);
	at = mmap(NULL, sampling->ring_size, PROT_READ | PROT_WRITE, MAP_SHARED, sampling->fd, 0);
	if (at == MAP_FAILED) {
		err = -errno;
		spe_sampling_close(sampling);
		return err;
	}
	sampling->page = at;
	return 0;
}

void spe_sampling_close(struct spe_sampling *sampling)
{
	if (sampling->page)
		munmap(sampling->page, sampling->ring_size);
	if (sampling->fd >= 0)
		close(sampling->fd);
	free(sampling->sample);
	spe_sampling_begin(sampling);
}

static struct spe_sampled *add_one(struct spe_sampling *sampling)
{
	if (sampling->count == sampling->room) {
		sampling->room = sampling->room ? 2 * sampling->room : 1024;
		sampling->sample = realloc(sampling->sample,
					   sampling->room * sizeof(*sampling->sample));
		if (!sampling->sample)
			_exit(2);
	}
	return memset(&sampling->sample[sampling->count++], 0, sizeof(*sampling->sample));
}

struct bytes {
	const uint8_t *at, *end;
};

/* A field of a sample, in the order of include/uapi/linux/perf_event.h. */
static bool take(struct bytes *b, void *field, size_t size)
{
	if ((size_t)(b->end - b->at) < size)
		return false;
	memcpy(field, b->at, size);
	b->at += size;
	return true;
}

static bool take_chain(struct bytes *b, struct spe_sampled *s)
{
	uint64_t frame;

	if (!take(b, &s->frames, 8))
		return false;
	for (uint64_t i = 0; i < s->frames; i++) {
		if (!take(b, &frame, 8))
			return false;
		if (i < SPE_FRAMES)
			s->frame[i] = frame;
	}
	return true;
}

/* The record's bytes, up to its End or Timestamp packet; behind them is perf's padding. */
static size_t record_size(const uint8_t *bytes, size_t size)
{
	struct armspe_packet packet;
	size_t at = 0;

	while (armspe_packet_decode(bytes + at, size - at, &packet) == ARMSPE_OK) {
		at += armspe_packet_bytes(&packet);
		if (packet.type == ARMSPE_TIMESTAMP || packet.type == ARMSPE_END_OF_RECORD)
			return at;
	}
	return 0;
}

static bool take_raw(struct bytes *b, struct spe_sampled *s)
{
	struct spe_records records = { .count = 0 };
	uint32_t size;

	if (!take(b, &size, 4) || size > (size_t)(b->end - b->at))
		return false;
	s->raw = size;
	s->size = record_size(b->at, size);
	spe_records_add(&records, b->at, s->size);
	if (records.count != 1 || records.damaged)
		s->size = 0;
	else
		s->record = records.record[0];
	spe_records_free(&records);
	b->at += size;
	return true;
}

static int take_sample(struct spe_sampling *sampling, struct bytes b)
{
	struct spe_sampled *s = add_one(sampling);
	uint64_t type = sampling->type;
	uint32_t unused;

	if ((type & PERF_SAMPLE_IP && !take(&b, &s->ip, 8)) ||
	    (type & PERF_SAMPLE_TID && (!take(&b, &s->pid, 4) || !take(&b, &s->tid, 4))) ||
	    (type & PERF_SAMPLE_TIME && !take(&b, &s->time, 8)) ||
	    (type & PERF_SAMPLE_ADDR && !take(&b, &s->addr, 8)) ||
	    (type & PERF_SAMPLE_CPU && (!take(&b, &s->cpu, 4) || !take(&b, &unused, 4))) ||
	    (type & PERF_SAMPLE_PERIOD && !take(&b, &s->period, 8)) ||
	    (type & PERF_SAMPLE_CALLCHAIN && !take_chain(&b, s)) ||
	    (type & PERF_SAMPLE_RAW && !take_raw(&b, s)) ||
	    (type & PERF_SAMPLE_WEIGHT_TYPE && !take(&b, &s->weight, 8)) ||
	    (type & PERF_SAMPLE_DATA_SRC && !take(&b, &s->source, 8)) ||
	    (type & PERF_SAMPLE_PHYS_ADDR && !take(&b, &s->physical, 8)))
		return -EINVAL;
	return b.at == b.end ? 0 : -EINVAL;
}

static int take_event(struct spe_sampling *sampling, uint32_t type, struct bytes b)
{
	struct { uint64_t id, lost; } lost;

	switch (type) {
	case PERF_RECORD_SAMPLE:
		return take_sample(sampling, b);
	case PERF_RECORD_LOST:
		if (!take(&b, &lost, sizeof(lost)))
			return -EINVAL;
		sampling->lost += lost.lost;
		break;
	case PERF_RECORD_THROTTLE:
		sampling->throttled++;
		break;
	case PERF_RECORD_UNTHROTTLE:
		sampling->unthrottled++;
		break;
	}
	return 0;
}

int spe_sampling_drain(struct spe_sampling *sampling)
{
	const uint8_t *ring = (uint8_t *)sampling->page + sampling->page->data_offset;
	uint64_t size = sampling->page->data_size, tail = sampling->page->data_tail;
	uint64_t head = __atomic_load_n(&sampling->page->data_head, __ATOMIC_ACQUIRE);
	static uint8_t event[UINT16_MAX + 1];

	while (tail != head) {
		struct perf_event_header header;

		memcpy(&header, ring + tail % size, sizeof(header));
		if (header.size < sizeof(header) || header.size > head - tail)
			return -EINVAL;
		for (size_t i = 0; i < header.size; i++)
			event[i] = ring[(tail + i) % size];
		if (take_event(sampling, header.type,
			       (struct bytes){ event + sizeof(header), event + header.size }))
			return -EINVAL;
		tail += header.size;
	}
	__atomic_store_n(&sampling->page->data_tail, tail, __ATOMIC_RELEASE);
	return 0;
}

void spe_sampling_forget(struct spe_sampling *sampling)
{
	sampling->count = 0;
	sampling->lost = 0;
	sampling->throttled = 0;
	sampling->unthrottled = 0;
}

long spe_sampling_lost(const struct spe_sampling *sampling)
{
	struct { uint64_t count, lost; } value;

	if (read(sampling->fd, &value, sizeof(value)) != sizeof(value))
		return -EINVAL;
	return (long)value.lost;
}

size_t spe_sampling_count(const struct spe_sampling *sampling, const void *start, const void *end,
			  uint32_t tid)
{
	size_t count = 0;

	for (size_t i = 0; i < sampling->count; i++) {
		const struct spe_sampled *s = &sampling->sample[i];

		count += s->ip >= (uintptr_t)start && s->ip < (uintptr_t)end &&
			 (!tid || s->tid == tid);
	}
	return count;
}

/* The conversion is that of time_zero in include/uapi/linux/perf_event.h. */
uint64_t spe_sampling_time(const struct spe_sampling *sampling, uint64_t timestamp)
{
	const struct perf_event_mmap_page *page = sampling->page;
	uint64_t whole = timestamp >> page->time_shift;
	uint64_t rest = timestamp & ((UINT64_C(1) << page->time_shift) - 1);

	if (!page->cap_user_time_zero)
		return 0;
	return page->time_zero + whole * page->time_mult +
	       ((rest * page->time_mult) >> page->time_shift);
}
