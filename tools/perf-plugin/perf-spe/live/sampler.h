/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The kernel's events that sample tasks on the CPUs of SPE PMUs, and the rings
 * that these events write to.
 */
#ifndef PERF_SPE_SAMPLER_H
#define PERF_SPE_SAMPLER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "live/ring.h"

struct pmu;
struct pmu_request;

struct sampler {
	const char *verb;		/* for messages */
	const struct pmu_request *request;
	const int32_t *tids;		/* NO_ID: whatever runs */
	size_t nr_tids;
	uint64_t page;
	uint64_t aux_bytes;		/* of each AUX area */
	bool aux_fixed;			/* not less where that cannot be locked */
	bool user_only;			/* the kernel may not be sampled */
	int *spe, *others;		/* events: samples, and what goes on */
	size_t nr_spe, room_spe, nr_others, room_others;
	struct ring *rings;
	size_t nr_rings, room_rings;
};

/* One sample in so many operations */
uint64_t sampler_period(const struct pmu_request *request);

/* @pages of each AUX area; 0: what may be locked.  Later come the tasks. */
void sampler_init(struct sampler *s, const char *verb,
		  const struct pmu_request *request, uint64_t pages);
/*
 * Open one PMU's events, not yet counting, on those of its CPUs that are in
 * @chosen (NULL: all).  0, or -1 after a message; sampler_close() is needed then
 * too.
 */
int sampler_open(struct sampler *s, const struct pmu *pmu, const bool *chosen,
		 size_t nr_chosen);
/* An event that found no room for samples is enabled by it, too. */
void sampler_enable(const struct sampler *s);
/* The driver publishes what it has when an event stops. */
void sampler_disable(const struct sampler *s);
void sampler_close(struct sampler *s);

#endif
