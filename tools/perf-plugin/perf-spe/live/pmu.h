/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A machine's SPE PMUs as sysfs describes them, and perf events for them.
 */
#ifndef PERF_SPE_PMU_H
#define PERF_SPE_PMU_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct pmu {
	const char *root;	/* "" for this machine */
	char *name;
};

/* config, config1 ...: words of struct perf_event_attr */
#define PMU_CONFIGS 5

/* What the user wants to sample.  The attributes are those of the driver. */
struct pmu_request {
	const char *verb;			/* for messages */
	bool load, store, branch, simd, fp;	/* keep these, any of them */
	bool physical;
	bool user, kernel;			/* one of them: only that */
	uint64_t events, not_events;		/* by bit, all and none of them */
	uint64_t min_latency;
	uint64_t period, freq;			/* one of them, or neither */
	const char *sources;			/* names or codes, with commas */
};

/* Read the first line of a file without its line feed; false if there is none. */
bool sysfs_line(const char *path, char *line, size_t size);

/* All SPE PMUs, sorted by name; *count may be 0. */
struct pmu *pmus_find(const char *root, size_t *count);
void pmus_free(struct pmu *pmus, size_t count);

/* The path of a file or folder of the PMU; the caller frees it. */
char *pmu_path(const struct pmu *pmu, const char *file);

/* The number in the file @path of the PMU's folder; false without one. */
bool pmu_number(const struct pmu *pmu, const char *path, uint64_t *value);

/*
 * The event for perf, "arm_spe_0/load_filter=1,.../u".  NULL after a message
 * for each thing that the PMU lacks.
 */
char *pmu_event(const struct pmu *pmu, const struct pmu_request *req);

/* The same as config words of the event; false after the same messages. */
bool pmu_config(const struct pmu *pmu, const struct pmu_request *req,
		uint64_t config[PMU_CONFIGS]);

/*
 * Parse a list such as "0-3,8".  Element n of the *count elements says whether
 * CPU n is in the list.  The caller frees the array; NULL if the list is empty or
 * malformed.
 */
#define CPUS_MAX 65536
bool *cpus_parse(const char *list, size_t *count);

/* The CPUs of a PMU in this form; NULL if sysfs does not have them */
bool *pmu_cpus(const struct pmu *pmu, size_t *count);

/* MIDR_EL1 of a CPU; false if sysfs does not have it */
bool pmu_cpu_midr(const char *root, size_t cpu, uint64_t *midr);

#endif
