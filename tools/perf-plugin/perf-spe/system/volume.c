// SPDX-License-Identifier: GPL-2.0-only
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "system/system.h"
#include "util/util.h"

/* The largest power of two that an interval can have */
#define PERIOD_MAX	(UINT64_C(1) << 31)

/* The CPUs of a list such as "0-3" in the file @path; NULL without it */
static bool *read_list(const char *root, const char *path, size_t *count)
{
	char line[4096], *whole = xformat("%s/%s", root, path);
	bool *cpus = sysfs_line(whole, line, sizeof(line)) ? cpus_parse(line, count) :
							     NULL;

	free(whole);
	return cpus;
}

/* The highest frequency of a CPU in Hz, 0 if sysfs does not have it */
static uint64_t read_hz(const char *root, size_t cpu)
{
	char line[64], *path;
	uint64_t hz;

	path = xformat("%s/sys/devices/system/cpu/cpu%zu/cpufreq/cpuinfo_max_freq",
		       root, cpu);
	hz = sysfs_line(path, line, sizeof(line)) ? strtoull(line, NULL, 10) * 1000 : 0;
	free(path);
	return hz;
}

/* perf throttles an event that has more samples a second. */
static uint64_t read_most(const char *root)
{
	char line[64], *path = xformat("%s/proc/sys/kernel/perf_event_max_sample_rate", root);
	uint64_t most = sysfs_line(path, line, sizeof(line)) ? strtoull(line, NULL, 10) : 0;

	free(path);
	return most;
}

/* A list, or NULL, which has all CPUs */
struct cpu_set {
	bool *has;
	size_t count;
};

static bool set_has(const struct cpu_set *set, size_t cpu)
{
	return !set->has || (cpu < set->count && set->has[cpu]);
}

/* Add the PMU's CPUs that are online and @wanted. */
static void add_pmu(struct volume *v, const struct pmu *pmu,
		    const struct cpu_set *online, const struct cpu_set *wanted)
{
	uint64_t least, hz;
	size_t count, cpu;
	bool *cpus = pmu_cpus(pmu, &count);

	if (pmu_number(pmu, "caps/min_interval", &least) && least > v->least)
		v->least = least;
	for (cpu = 0; cpus && cpu < count; cpu++) {
		if (!cpus[cpu] || !set_has(online, cpu) || !set_has(wanted, cpu))
			continue;
		v->cpus++;
		hz = read_hz(pmu->root, cpu);
		if (hz > v->hz)
			v->hz = hz;
	}
	free(cpus);
}

struct volume volume_read(const char *root, const struct pmu *pmus, size_t count,
			  const char *cpus, bool samples)
{
	struct cpu_set online = { NULL, 0 }, wanted = { NULL, 0 };
	struct volume v = { 0 };
	size_t i;

	online.has = read_list(root, "sys/devices/system/cpu/online", &online.count);
	if (cpus)
		wanted.has = cpus_parse(cpus, &wanted.count);
	for (i = 0; i < count; i++)
		add_pmu(&v, &pmus[i], &online, &wanted);
	free(online.has);
	free(wanted.has);
	if (!v.hz)
		v.hz = VOLUME_HZ;
	v.cpus += !v.cpus;
	v.bytes = samples ? VOLUME_SAMPLE : VOLUME_RECORD;
	v.most = samples ? read_most(root) : 0;
	return v;
}

double volume_rate(const struct volume *v, uint64_t period, size_t cpus)
{
	return (double)v->hz * VOLUME_IPC / (double)period * v->bytes *
	       (double)cpus;
}

uint64_t volume_period(const struct volume *v, bool all)
{
	uint64_t period = 256;

	while (period < PERIOD_MAX &&
	       (period < v->least ||
		(v->most && (double)v->hz * VOLUME_IPC / (double)period > (double)v->most) ||
		volume_rate(v, period, all ? v->cpus : 1) > (double)VOLUME_WANTED ||
		volume_rate(v, period, v->cpus) > (double)VOLUME_MOST))
		period *= 2;
	return period;
}

/* The period without the limit of samples, or without that of the driver */
static uint64_t period_without(const struct volume *v, bool all, bool samples)
{
	struct volume rest = *v;

	*(samples ? &rest.most : &rest.least) = 0;
	return volume_period(&rest, all);
}

char *volume_reason(const struct volume *v, bool all)
{
	uint64_t period = volume_period(v, all);

	if (period_without(v, all, true) < period)
		return xformat("perf takes at most %" PRIu64 " samples a second from a CPU (kernel.perf_event_max_sample_rate)",
			       v->most);
	if (period_without(v, all, false) < period)
		return xformat("the CPU's shortest one is %" PRIu64 " (caps/min_interval)", v->least);
	return NULL;
}

char *volume_text(double bytes)
{
	return bytes < 1e6 ? xformat("%.0f KB/s", ceil(bytes / 1e3)) : xformat("%.0f MB/s", bytes / 1e6);
}
