/* SPDX-License-Identifier: GPL-2.0-only */
/* The driver's counters, from the folder counters/ of a PMU in sysfs. */
#ifndef PERF_SPE_COUNTERS_H
#define PERF_SPE_COUNTERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "live/pmu.h"

struct counter {
	char *name;
	const char *text;	/* what it counts, "" if this version does not know it */
	bool readable;		/* false: this user may not read it */
	uint64_t value;
};

/*
 * All counters of a PMU: those that this version knows in its own order, then the
 * others by name.  NULL if the driver has no such folder.
 */
struct counter *counters_read(const struct pmu *pmu, size_t *count);
void counters_free(struct counter *counters, size_t count);

#endif
