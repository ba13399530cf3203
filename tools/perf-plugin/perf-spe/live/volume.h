/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * How much data sampling writes, and a period that a machine with many CPUs survives.
 *
 * A CPU takes one sample in PERIOD operations.  How many operations it executes is not
 * known before it does, so these are assumptions, which messages state: CPUs run at
 * their highest frequency, and execute VOLUME_IPC operations a cycle.
 */
#ifndef PERF_SPE_VOLUME_H
#define PERF_SPE_VOLUME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "live/pmu.h"

/* Operations a cycle: a busy server core seldom sustains more. */
#define VOLUME_IPC		2
/* Hz, where sysfs has no cpufreq, as in virtual machines */
#define VOLUME_HZ		UINT64_C(3000000000)
/*
 * Bytes of a sample.  With the packets that a load usually has these are PC 9, operation 2,
 * events 3, three counters 9, data address 9, source 2, timestamp 9 (D18.2), in all 43;
 * with a context packet and a physical address 57.  CPUs pad records to 64 bytes.
 */
#define VOLUME_RECORD		64
/* Bytes a second of all CPUs that are expected to be busy: little for any disk */
#define VOLUME_WANTED		UINT64_C(64000000)
/*
 * If all CPUs are busy.  perf record is one thread that copies all data to a file; a SATA
 * disk takes about as much.
 */
#define VOLUME_MOST		UINT64_C(512000000)

struct volume {
	size_t cpus;		/* that may be sampled, at least 1 */
	uint64_t hz;		/* the highest of their frequencies */
	uint64_t least;		/* the largest caps/min_interval of the PMUs */
};

/* @cpus is the list of -C, or NULL for all CPUs. */
struct volume volume_read(const char *root, const struct pmu *pmus, size_t count,
			  const char *cpus);
/*
 * A power of two: with @all busy CPUs write at most VOLUME_WANTED, or else one CPU, and
 * all together at most VOLUME_MOST.
 */
uint64_t volume_period(const struct volume *v, bool all);
/* Bytes a second from @cpus busy CPUs */
double volume_rate(const struct volume *v, uint64_t period, size_t cpus);

#endif
