/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Whether a recording can be trusted: what biases its samples, by how much, and what to
 * record instead.
 */
#ifndef PERF_SPE_TRUST_H
#define PERF_SPE_TRUST_H

#include <stddef.h>
#include <stdint.h>

#include "analysis/stats/estimate.h"
#include "input/aux_decoder.h"

/* A loss or bias of more than this share makes a recording misleading. */
#define TRUST_MUCH	0.05
/* One of less than this share changes no conclusion. */
#define TRUST_LITTLE	0.01
/*
 * The samples with which a share of a half is off by at most 5 points:
 * 0.5 * 0.5 * (1.96 / 0.05)^2 = 384.2.
 */
#define TRUST_SAMPLES	385
/* A share that is off by more than this says nothing: 20 samples or fewer. */
#define TRUST_VAGUE	0.2
/*
 * Below this period a study on an Ampere machine saw many samples dropped: Miksits et al.,
 * Multi-level Memory-Centric Profiling on ARM Processors with ARM SPE, arXiv 2410.01514.
 */
#define TRUST_PERIOD	2000

enum trust_level {
	TRUST_YES,		/* a note: good to know */
	TRUST_CARE,		/* some numbers are off, as the text says */
	TRUST_NO,		/* the samples do not represent the program */
};

struct trust_finding {
	enum trust_level level;
	const char *bias;	/* "collisions", "truncation" ... */
	char *text;
};

struct trust {
	enum trust_level level;		/* of the worst finding */
	struct trust_finding *found;	/* in the order of trust_judge() */
	size_t nr, room;
	/* What to record instead */
	uint64_t period;		/* 0: the same */
	uint64_t longer;		/* times as long; 0: the same */
	bool buffer;			/* a larger AUX buffer */
	bool jitter;
	bool perf_data;			/* a perf.data file instead of bytes */
	bool again;			/* any of these, or just once more */
};

/* What a walk over the rows found */
struct trust_of {
	const struct estimate *estimate;
	const struct hist *latency;	/* total latency */
	const struct sample_totals *totals;
	uint64_t kept, seen;		/* samples */
};

void trust_judge(struct trust *t, const struct trust_of *of);
/* "perf spe record --period 4096 -- COMMAND", or NULL if there is nothing to change */
char *trust_command(const struct trust *t);
void trust_free(struct trust *t);

#endif
