// SPDX-License-Identifier: GPL-2.0-only
#include "pmu.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

_Static_assert(offsetof(struct perf_event_attr, config) == 8 * SPE_CONFIG,
	       "config moved");
_Static_assert(offsetof(struct perf_event_attr, config1) == 8 * SPE_CONFIG1,
	       "config1 moved");
_Static_assert(offsetof(struct perf_event_attr, config2) == 8 * SPE_CONFIG2,
	       "config2 moved");
_Static_assert(sizeof(struct perf_event_attr) <= sizeof(union spe_attr),
	       "perf_event_attr outgrew union spe_attr");

static int read_file(const char *path, char *text, size_t size)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t length;

	if (fd < 0)
		return -errno;
	length = read(fd, text, size - 1);
	if (length < 0)
		length = -errno;
	close(fd);
	if (length < 0)
		return (int)length;
	if (length && text[length - 1] == '\n')
		length--;
	text[length] = '\0';
	return (int)length;
}

int spe_write_file(const char *path, const char *text)
{
	size_t length = strlen(text);
	int fd = open(path, O_WRONLY | O_CLOEXEC);
	int ret = 0;

	if (fd < 0)
		return -errno;
	if (write(fd, text, length) != (ssize_t)length)
		ret = errno ? -errno : -EIO;
	close(fd);
	return ret;
}

static int parse_number(const char *text, long *value)
{
	char *end;

	errno = 0;
	*value = strtol(text, &end, 0);
	return errno || end == text || *end || *value < 0 ? -EINVAL : 0;
}

long spe_read_number(const char *path)
{
	char text[64];
	long value;
	int ret = read_file(path, text, sizeof(text));

	if (ret < 0)
		return ret;
	return parse_number(text, &value) ? -EINVAL : value;
}

int spe_pmu_read(const struct spe_pmu *pmu, const char *file, char *text,
		 size_t size)
{
	char path[256];

	snprintf(path, sizeof(path), SPE_PMU_ROOT "/%s/%s", pmu->name, file);
	return read_file(path, text, size);
}

int spe_pmu_find(struct spe_pmu *pmu)
{
	size_t prefix = strlen(SPE_PMU_PREFIX);
	DIR *folder = opendir(SPE_PMU_ROOT);
	struct dirent *entry;
	char text[32];
	long type;
	int found = 0;

	if (!folder)
		return -errno;
	while ((entry = readdir(folder))) {
		size_t length = strlen(entry->d_name);

		if (strncmp(entry->d_name, SPE_PMU_PREFIX, prefix))
			continue;
		found++;
		if (length < sizeof(pmu->name))
			memcpy(pmu->name, entry->d_name, length + 1);
	}
	closedir(folder);
	if (!found)
		return -ENOENT;
	if (found > 1 || spe_pmu_read(pmu, "type", text, sizeof(text)) < 0 ||
	    parse_number(text, &type))
		return -EINVAL;
	pmu->type = (uint32_t)type;
	return 0;
}

long spe_pmu_cap(const struct spe_pmu *pmu, const char *name)
{
	char file[64], text[64];
	long value;
	int ret;

	snprintf(file, sizeof(file), "caps/%s", name);
	ret = spe_pmu_read(pmu, file, text, sizeof(text));
	if (ret < 0)
		return ret;
	return parse_number(text, &value) ? -EINVAL : value;
}

static int parse_field(const char *text, struct spe_field *field)
{
	static const struct {
		const char *name;
		enum spe_word word;
	} words[] = {
		{ "config", SPE_CONFIG },
		{ "config1", SPE_CONFIG1 },
		{ "config2", SPE_CONFIG2 },
		{ "config3", SPE_CONFIG3 },
		{ "config4", SPE_CONFIG4 },
	};
	const char *bits = strchr(text, ':');
	unsigned int low, high;
	int length = 0;

	if (!bits)
		return -EINVAL;
	if (sscanf(bits, ":%u-%u%n", &low, &high, &length) < 2) {
		if (sscanf(bits, ":%u%n", &low, &length) < 1)
			return -EINVAL;
		high = low;
	}
	if (bits[length] || low > high || high > 63)
		return -EINVAL;
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		size_t size = strlen(words[i].name);

		if (size != (size_t)(bits - text) ||
		    strncmp(text, words[i].name, size))
			continue;
		*field = (struct spe_field){ words[i].word, low, high };
		return 0;
	}
	return -EINVAL;
}

int spe_pmu_field(const struct spe_pmu *pmu, const char *name,
		  struct spe_field *field)
{
	char file[64], text[64];
	int ret;

	snprintf(file, sizeof(file), "format/%s", name);
	ret = spe_pmu_read(pmu, file, text, sizeof(text));
	return ret < 0 ? ret : parse_field(text, field);
}

int spe_pmu_cpus(const struct spe_pmu *pmu, cpu_set_t *cpus)
{
	char text[256], *at = text, *end;
	int ret = spe_pmu_read(pmu, "cpumask", text, sizeof(text));

	if (ret < 0)
		return ret;
	CPU_ZERO(cpus);
	while (*at) {
		unsigned long first = strtoul(at, &end, 10), last = first;

		if (end == at)
			return -EINVAL;
		at = end;
		if (*at == '-') {
			last = strtoul(at + 1, &end, 10);
			at = end;
		}
		for (; first <= last; first++)
			CPU_SET(first, cpus);
		if (*at == ',')
			at++;
		else if (*at)
			return -EINVAL;
	}
	return 0;
}

void spe_attr_init(union spe_attr *attr, const struct spe_pmu *pmu)
{
	long period = spe_pmu_cap(pmu, "min_interval");

	memset(attr, 0, sizeof(*attr));
	attr->perf.size = PERF_ATTR_SIZE_VER7;
	attr->perf.type = pmu->type;
	attr->perf.disabled = 1;
	attr->perf.exclude_kernel = 1;
	attr->perf.exclude_hv = 1;
	attr->perf.sample_period = period > 0 ? (uint64_t)period : 4096;
	attr->perf.sample_type = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_TID |
				 PERF_SAMPLE_TIME | PERF_SAMPLE_CPU;
	attr->perf.sample_id_all = 1;
}

int spe_attr_set(union spe_attr *attr, const struct spe_pmu *pmu,
		 const char *name, uint64_t value)
{
	struct spe_field field;
	uint64_t mask;
	int ret = spe_pmu_field(pmu, name, &field);

	if (ret)
		return ret;
	mask = UINT64_MAX >> (63 - (field.high - field.low));
	if (value & ~mask)
		return -ERANGE;
	attr->word[field.word] &= ~(mask << field.low);
	attr->word[field.word] |= value << field.low;
	return 0;
}

int spe_attr_open(union spe_attr *attr, int pid, int cpu)
{
	return spe_attr_open_flags(attr, pid, cpu, 0);
}

int spe_attr_open_flags(union spe_attr *attr, int pid, int cpu, unsigned long flags)
{
	int fd;

	/*
	 * A kernel that lacks the last words accepts a longer attribute only if they are zero.
	 */
	for (uint32_t word = SPE_CONFIG3; word <= SPE_CONFIG4; word++) {
		if (attr->word[word] && attr->perf.size < 8 * (word + 1))
			attr->perf.size = 8 * (word + 1);
	}
	fd = (int)syscall(SYS_perf_event_open, attr, pid, cpu, -1,
			  flags | PERF_FLAG_FD_CLOEXEC);
	return fd < 0 ? -errno : fd;
}
