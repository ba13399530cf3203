// SPDX-License-Identifier: GPL-2.0-only
#include "inject.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <unistd.h>

#include "pmu.h"

#define FILES	"/sys/kernel/debug/arm_spe_inject"

int spe_inject_all(int cpu, const uint64_t *values, size_t count)
{
	char text[1024];
	size_t used = (size_t)snprintf(text, sizeof(text), "%d", cpu);

	for (size_t i = 0; i < count && used < sizeof(text); i++)
		used += (size_t)snprintf(text + used, sizeof(text) - used, " %" PRIx64,
					 values[i]);
	return used < sizeof(text) ? spe_write_file(FILES, text) : -E2BIG;
}

int spe_inject_syndrome(int cpu, uint64_t pmbsr)
{
	char text[64];

	snprintf(text, sizeof(text), "%d %" PRIx64, cpu, pmbsr);
	return spe_write_file(FILES "_syndrome", text);
}

int spe_inject_at(const char *function, uint64_t value)
{
	char text[128];

	snprintf(text, sizeof(text), "%s %" PRIx64, function, value);
	return spe_write_file(FILES "_at", text);
}

int spe_inject_burden(const char *function, uint64_t rounds)
{
	char text[128];

	snprintf(text, sizeof(text), "%s %" PRIx64, function, rounds);
	return spe_write_file(FILES "_burden", text);
}

bool spe_inject_can_at(void)
{
	return !access("/sys/kernel/debug/kprobes/enabled", F_OK);
}

bool spe_inject_waits(void)
{
	return spe_read_number(FILES "_at") == 1;
}

int spe_inject_queued(int cpu)
{
	FILE *file = fopen(FILES, "r");
	int number, waiting, found = -ENOENT;

	if (!file)
		return -errno;
	while (fscanf(file, "cpu%d waiting=%d given=%*d\n", &number, &waiting) == 2)
		if (number == cpu)
			found = waiting;
	fclose(file);
	return found;
}
