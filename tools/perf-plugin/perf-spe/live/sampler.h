/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * perf events that sample tasks on the CPUs of SPE PMUs, and their rings.
 */
#ifndef PERF_SPE_SAMPLER_H
#define PERF_SPE_SAMPLER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "live/ring.h"

struct pmu;
struct pmu_request;
struct stack_attr;

struct sampler {
	const char *verb;		/* for messages */
	const struct pmu_request *request;
	const struct stack_attr *stacks;	/* event with call chains; NULL: none */
	const int32_t *tids;		/* NO_ID: all tasks */
	size_t nr_tids;
	uint64_t page;
	uint64_t aux_bytes;		/* of each AUX area */
	bool aux_fixed;			/* fail if that cannot be locked */
	bool user_only;			/* the kernel may not be sampled */
	int *spe, *others;		/* events: SPE; switches and mappings */
	int *chains;			/* of s->stacks */
	size_t nr_spe, room_spe, nr_others, room_others, nr_chains, room_chains;
	struct ring *rings;
	size_t nr_rings, room_rings;
};

/* Operations per sample */
uint64_t sampler_period(const struct pmu_request *request);

/*
 * @pages is the size of each AUX area, 0 for as much as may be locked.  The caller
 * sets s->tids and s->stacks afterwards.
 */
void sampler_init(struct sampler *s, const char *verb,
		  const struct pmu_request *request, uint64_t pages);
/*
 * Open the events of one PMU, disabled, on its CPUs that are in @chosen (NULL:
 * all).  Returns 0, or -1 after a message; call sampler_close() in both cases.
 */
int sampler_open(struct sampler *s, const struct pmu *pmu, const bool *chosen,
		 size_t nr_chosen);
/* Enable the events with call chains and the SPE events, also those that the kernel disabled on a full buffer. */
void sampler_enable(const struct sampler *s);
/*
 * Disable the SPE events, upon which the driver publishes its data.  Those with call chains go
 * on: the last SPE records need samples that come after them.
 */
void sampler_disable(const struct sampler *s);
void sampler_close(struct sampler *s);

#endif
