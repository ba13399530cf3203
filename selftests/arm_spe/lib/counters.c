// SPDX-License-Identifier: GPL-2.0-only
#include "counters.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int spe_counters_find(struct spe_counters *counters, const struct spe_pmu *pmu)
{
	snprintf(counters->path, sizeof(counters->path),
		 "/sys/kernel/debug/arm_spe_pmu/%s", pmu->name);
	return access(counters->path, R_OK) ? -errno : 0;
}

/* Adds up a counter of all CPUs, "NAME=N". */
static long counter(const char *path, const char *name)
{
	char line[2048], key[64];
	FILE *file = fopen(path, "r");
	long sum = 0;

	if (!file)
		return -1;
	snprintf(key, sizeof(key), " %s=", name);
	while (fgets(line, sizeof(line), file)) {
		const char *at = strstr(line, key);

		if (at)
			sum += strtol(at + strlen(key), NULL, 10);
	}
	fclose(file);
	return sum;
}

/* Of the driver's line in /proc/interrupts, all CPUs. */
static long interrupts(void)
{
	FILE *file = fopen("/proc/interrupts", "r");
	char line[2048], *at;
	long sum = -1;

	if (!file)
		return -1;
	while (sum < 0 && fgets(line, sizeof(line), file)) {
		if (!strstr(line, "arm_spe_pmu"))
			continue;
		at = strchr(line, ':') + 1;
		for (sum = 0; at[strspn(at, " ")] >= '0' && at[strspn(at, " ")] <= '9';)
			sum += strtol(at, &at, 10);
	}
	fclose(file);
	return sum;
}

void spe_counters_begin(const struct spe_counters *counters, struct spe_counts *counts)
{
	*counts = (struct spe_counts) {
		.services = counter(counters->path, "services"),
		.exceptions = counter(counters->path, "exceptions"),
		.interrupts = interrupts(),
		.retried = counter(counters->path, "retried"),
	};
}

void spe_counters_end(const struct spe_counters *counters, struct spe_counts *counts)
{
	struct spe_counts now;

	spe_counters_begin(counters, &now);
	counts->services = now.services - counts->services;
	counts->exceptions = now.exceptions - counts->exceptions;
	counts->interrupts = now.interrupts - counts->interrupts;
	counts->retried = now.retried - counts->retried;
}
