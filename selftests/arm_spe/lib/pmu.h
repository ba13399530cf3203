/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The PMU in sysfs: its name, its capabilities, and which bits of perf_event_attr each
 * attribute occupies.
 */
#ifndef ARM_SPE_TEST_PMU_H
#define ARM_SPE_TEST_PMU_H

#include <linux/perf_event.h>
#include <sched.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SPE_PMU_PREFIX		"arm_spe_"
#define SPE_PMU_ROOT		"/sys/bus/event_source/devices"

struct spe_pmu {
	char name[32];
	uint32_t type;
};

/*
 * A perf_event_attr with room for words that the C library's kernel header may lack (config3
 * came with Linux 6.3).
 */
union spe_attr {
	struct perf_event_attr perf;
	uint64_t word[24];
};

/* The words of perf_event_attr that a format file may name, as indices. */
enum spe_word {
	SPE_CONFIG = 1,
	SPE_CONFIG1 = 7,
	SPE_CONFIG2 = 8,
	SPE_CONFIG3 = 16,
	SPE_CONFIG4 = 17,
};

/* Bits LOW to HIGH, inclusive, of one word of the attribute. */
struct spe_field {
	enum spe_word word;
	unsigned int low, high;
};

/*
 * Finds the SPE PMU.  Returns 0, -ENOENT if there is none, or -EINVAL if there are several or
 * sysfs lacks its type.
 */
int spe_pmu_find(struct spe_pmu *pmu);

/*
 * Reads a file of the PMU's folder into TEXT, without a final newline.  Returns the length or a
 * negative error number.
 */
int spe_pmu_read(const struct spe_pmu *pmu, const char *file, char *text,
		 size_t size);

/* The number in a file of caps/, or a negative error number. */
long spe_pmu_cap(const struct spe_pmu *pmu, const char *name);

/*
 * Returns 0, -ENOENT if the attribute does not exist, or -EINVAL if its format file cannot be
 * parsed.
 */
int spe_pmu_field(const struct spe_pmu *pmu, const char *name,
		  struct spe_field *field);

/* Reads the PMU's cpumask; returns 0 or a negative error number. */
int spe_pmu_cpus(const struct spe_pmu *pmu, cpu_set_t *cpus);

/*
 * Initializes the attribute that every test begins with: this PMU, disabled, user code only, no
 * timestamps, the shortest recommended period, no jitter.
 */
void spe_attr_init(union spe_attr *attr, const struct spe_pmu *pmu);

/* Sets an attribute by its sysfs name; returns 0 or an error like spe_pmu_field(). */
int spe_attr_set(union spe_attr *attr, const struct spe_pmu *pmu,
		 const char *name, uint64_t value);

/* Calls perf_event_open(); returns a file descriptor or a negative error number. */
int spe_attr_open(union spe_attr *attr, int pid, int cpu);
int spe_attr_open_flags(union spe_attr *attr, int pid, int cpu, unsigned long flags);

/* Writes TEXT to a file; returns 0 or a negative error number. */
int spe_write_file(const char *path, const char *text);

/* The number in a file, or a negative error number. */
long spe_read_number(const char *path);

#endif
