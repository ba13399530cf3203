/* SPDX-License-Identifier: GPL-2.0-only */
/* An event of the PMU spe_sample_N: each record is an ordinary sample in the data ring. */
#ifndef ARM_SPE_TEST_SAMPLING_H
#define ARM_SPE_TEST_SAMPLING_H

#include <linux/perf_event.h>

#include "pmu.h"
#include "record.h"

/* All that spe_sampling_drain() reads. */
#define SPE_SAMPLING_FIELDS	(PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME |		\
				 PERF_SAMPLE_ADDR | PERF_SAMPLE_CPU | PERF_SAMPLE_PERIOD |	\
				 PERF_SAMPLE_CALLCHAIN | PERF_SAMPLE_RAW |			\
				 PERF_SAMPLE_WEIGHT_STRUCT | PERF_SAMPLE_DATA_SRC |		\
				 PERF_SAMPLE_PHYS_ADDR)

#define SPE_FRAMES	8

struct spe_sampled {
	uint64_t ip, time, addr, period, physical;
	uint32_t pid, tid, cpu;
	union perf_sample_weight weight;
	union perf_mem_data_src source;
	uint64_t frames;		/* entries of the call chain, markers included */
	uint64_t frame[SPE_FRAMES];	/* the first ones */
	size_t raw;			/* bytes of PERF_SAMPLE_RAW, with perf's padding */
	size_t size;			/* bytes of the record there; 0: there is none */
	struct spe_record record;
};

struct spe_sampling {
	int fd;			/* -1: none */
	uint64_t type;		/* sample_type */
	struct perf_event_mmap_page *page;
	size_t ring_size;

	/* What was read so far. */
	struct spe_sampled *sample;
	size_t count, room;
	uint64_t lost;		/* records that did not fit in the ring */
	unsigned int throttled, unthrottled;
};

/* The PMU of the same unit; returns 0, or -ENOENT if the driver has none. */
int spe_sampling_find(struct spe_pmu *pmu, const struct spe_pmu *unit);

/*
 * Initializes an attribute like spe_attr_init(): all fields above but for the physical address,
 * call chains of user code only, and BATCH records for each interrupt.
 */
void spe_sampling_attr(union spe_attr *attr, const struct spe_pmu *pmu, unsigned int batch);

/* Makes spe_sampling_close() safe. */
void spe_sampling_begin(struct spe_sampling *sampling);

/* Opens the event, disabled, with a ring of BYTES.  Returns 0 or a negative error number. */
int spe_sampling_open(struct spe_sampling *sampling, union spe_attr *attr, int pid, int cpu,
		      size_t bytes);
void spe_sampling_close(struct spe_sampling *sampling);

/* Reads the ring, frees it and decodes the records.  Returns 0, or -EINVAL if it is malformed. */
int spe_sampling_drain(struct spe_sampling *sampling);

/* Forgets what was read so far. */
void spe_sampling_forget(struct spe_sampling *sampling);

/* How many samples perf counts as lost (PERF_FORMAT_LOST), or a negative error number. */
long spe_sampling_lost(const struct spe_sampling *sampling);

/* How many samples have the address in [START, END), and the thread TID or, if that is 0, any. */
size_t spe_sampling_count(const struct spe_sampling *sampling, const void *start, const void *end,
			  uint32_t tid);

/* A timestamp of a record on perf's clock in ns, or 0 if the kernel does not tell how to convert. */
uint64_t spe_sampling_time(const struct spe_sampling *sampling, uint64_t timestamp);

#endif
