/* SPDX-License-Identifier: GPL-2.0-only */
/* CPUs that went offline during a recording of CPUs. */
#ifndef PERF_SPE_GAPS_H
#define PERF_SPE_GAPS_H

#include <stddef.h>
#include <stdint.h>

struct session;

/* CPU @cpu went offline at @from: the recording has no samples of it after that. */
struct gap {
	uint32_t cpu;
	uint64_t from;		/* ns of perf's clock */
	uint64_t to;		/* the last event of any CPU */
};

/*
 * All gaps, in the order of CPUs; the caller frees them.  NULL if there are none, or
 * if the session does not tell: it has no context switches of CPUs, or is live.
 */
struct gap *session_gaps(const struct session *s, size_t *count);

#endif
