/* SPDX-License-Identifier: GPL-2.0-only */
/* How management events came, as the driver and the kernel count them. */
#ifndef ARM_SPE_TEST_COUNTERS_H
#define ARM_SPE_TEST_COUNTERS_H

#include "loader.h"
#include "pmu.h"

#define SPE_DELIVERY	spe_module_file("parameters/delivery")

/* The driver's file of counters. */
struct spe_counters {
	char path[128];
};

/* Of all CPUs. */
struct spe_counts {
	long services, exceptions, interrupts, retried;
};

/* 0, or a negative error number where there is no such file. */
int spe_counters_find(struct spe_counters *counters, const struct spe_pmu *pmu);

/* What came between the two: counts at the first, their growth at the second. */
void spe_counters_begin(const struct spe_counters *counters, struct spe_counts *counts);
void spe_counters_end(const struct spe_counters *counters, struct spe_counts *counts);

#endif
