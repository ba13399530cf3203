/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * An event of a session's group whose samples carry records of the session (PERF_SAMPLE_AUX).
 */
#ifndef ARM_SPE_TEST_SAMPLER_H
#define ARM_SPE_TEST_SAMPLER_H

#include <linux/perf_event.h>

#include "pmu.h"
#include "record.h"

struct spe_sample {
	uint32_t pid, tid, cpu;
	uint64_t time;		/* ns of perf's clock */
	uint64_t frames;	/* entries of the call chain, markers included */
	size_t size;		/* bytes that the sample has for records */
	size_t at;		/* where they are in spe_sampler.data */
};

struct spe_sampler {
	int fd;			/* -1: none */
	struct perf_event_mmap_page *page;
	size_t ring_size;

	/* What was read so far. */
	uint8_t *data;
	size_t data_size;
	struct spe_sample *sample;
	size_t count;
	unsigned int lost;
};

enum spe_sampler_kind {
	SPE_SAMPLER_CLOCK,	/* cpu-clock: a timer's hard interrupt */
	SPE_SAMPLER_CYCLES,	/* the counters' interrupt, an NMI where the kernel uses NMIs */
	SPE_SAMPLER_SERVICE,	/* the driver's tracepoint arm_spe_service: inside the driver */
	SPE_SAMPLER_CALL,	/* the system call getppid() */
};

/* Makes spe_sampler_close() safe. */
void spe_sampler_begin(struct spe_sampler *sampler);

/*
 * Opens the event in the group of LEADER, with a ring of its own.  PERIOD is in ns, cycles or
 * events; AUX_SIZE is perf_event_attr.aux_sample_size.  Returns 0 or a negative error number:
 * Linux 6.1 cannot group a hardware event with a leader like SPE.
 */
int spe_sampler_open(struct spe_sampler *sampler, enum spe_sampler_kind kind, int leader,
		     int pid, int cpu, uint64_t period, uint32_t aux_size, bool inherit);
void spe_sampler_close(struct spe_sampler *sampler);

/* Reads the ring and frees it.  Returns 0, or -EINVAL if the ring is malformed. */
int spe_sampler_drain(struct spe_sampler *sampler);

/* Forgets the samples read so far. */
void spe_sampler_forget(struct spe_sampler *sampler);

/* Decodes what a sample carries.  The caller frees RECORDS. */
void spe_sampler_records(const struct spe_sampler *sampler, const struct spe_sample *sample,
			 struct spe_records *records);

/* A timestamp of a record on perf's clock in ns, or 0 if the kernel does not tell how to convert. */
uint64_t spe_sampler_time(const struct spe_sampler *sampler, uint64_t timestamp);

#endif
