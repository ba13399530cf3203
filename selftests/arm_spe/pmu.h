/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The PMU as sysfs shows it: where it is, what it can do, and which bits of
 * a perf_event_attr each of its attributes occupies.
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
 * A perf_event_attr that also holds the words which the C library's own
 * kernel header may not know yet (config3 came with Linux 6.3).
 */
union spe_attr {
	struct perf_event_attr perf;
	uint64_t word[24];
};

/* The words of perf_event_attr that a format file may name. */
enum spe_word {
	SPE_CONFIG = 1,
	SPE_CONFIG1 = 7,
	SPE_CONFIG2 = 8,
	SPE_CONFIG3 = 16,
	SPE_CONFIG4 = 17,
};

/* Bits LOW to HIGH, both included, of one word of the attribute. */
struct spe_field {
	enum spe_word word;
	unsigned int low, high;
};

/*
 * Finds the one SPE PMU.  Returns 0, -ENOENT where there is none, or -EINVAL
 * where there are several or one that sysfs does not describe.
 */
int spe_pmu_find(struct spe_pmu *pmu);

/*
 * Reads a file of the PMU's folder into TEXT, without its last newline.
 * Returns its length or a negative error number.
 */
int spe_pmu_read(const struct spe_pmu *pmu, const char *file, char *text,
		 size_t size);

/* The number in a file of caps/, or a negative error number. */
long spe_pmu_cap(const struct spe_pmu *pmu, const char *name);

/* Returns 0, -ENOENT for no such attribute, -EINVAL for an odd format file. */
int spe_pmu_field(const struct spe_pmu *pmu, const char *name,
		  struct spe_field *field);

/* The CPUs in the PMU's cpumask; 0 or a negative error number. */
int spe_pmu_cpus(const struct spe_pmu *pmu, cpu_set_t *cpus);

/*
 * A session's attribute as every test begins with it: this PMU, disabled,
 * user code only, no timestamps, the shortest recommended period, no jitter.
 */
void spe_attr_init(union spe_attr *attr, const struct spe_pmu *pmu);

/* Sets an attribute by its sysfs name; 0 or as spe_pmu_field(). */
int spe_attr_set(union spe_attr *attr, const struct spe_pmu *pmu,
		 const char *name, uint64_t value);

/* What the kernel's perf_event_open says: a file descriptor or -errno. */
int spe_attr_open(union spe_attr *attr, int pid, int cpu);
int spe_attr_open_flags(union spe_attr *attr, int pid, int cpu, unsigned long flags);

/* Writes TEXT to a file below /proc or /sys; 0 or a negative error number. */
int spe_write_file(const char *path, const char *text);

/* The number that a file holds, or a negative error number. */
long spe_read_number(const char *path);

#endif
