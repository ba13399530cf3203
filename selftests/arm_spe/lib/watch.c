// SPDX-License-Identifier: GPL-2.0-only
#include "watch.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define COUNTERS	"/sys/kernel/debug/arm_spe_pmu/"
#define TRACING		"/sys/kernel/tracing/"

static long value_in(const char *line, const char *key)
{
	const char *at = strstr(line, key);

	return at ? strtol(at + strlen(key), NULL, 10) : -1;
}

long spe_counter(const struct spe_pmu *pmu, const char *name, int cpu)
{
	char path[128], key[64], start[16];
	char *line = NULL;
	size_t room = 0;
	long sum = -1, value;
	FILE *file;

	snprintf(path, sizeof(path), COUNTERS "%s", pmu->name);
	snprintf(key, sizeof(key), " %s=", name);
	snprintf(start, sizeof(start), "cpu%d ", cpu);
	file = fopen(path, "r");
	if (!file)
		return -1;
	while (getline(&line, &room, file) > 0) {
		if (cpu >= 0 && strncmp(line, start, strlen(start)))
			continue;
		value = value_in(line, key);
		if (value >= 0)
			sum = (sum < 0 ? 0 : sum) + value;
	}
	free(line);
	fclose(file);
	return sum;
}

int spe_trace_begin(void)
{
	int fd = open(TRACING "trace", O_WRONLY | O_TRUNC | O_CLOEXEC);

	if (fd < 0)
		return -errno;
	close(fd);
	return spe_write_file(TRACING "events/arm_spe_pmu/enable", "1");
}

int spe_trace_count(const char *event, const char *text)
{
	FILE *file = fopen(TRACING "trace", "r");
	char *line = NULL, name[64];
	size_t room = 0;
	int count = 0;

	if (!file)
		return -errno;
	snprintf(name, sizeof(name), " %s: ", event);
	while (getline(&line, &room, file) > 0)
		count += strstr(line, name) && strstr(line, text);
	free(line);
	fclose(file);
	return count;
}

int spe_log_open(void)
{
	int fd = open("/dev/kmsg", O_RDONLY | O_NONBLOCK);

	if (fd < 0)
		return -errno;
	if (lseek(fd, 0, SEEK_END) < 0) {
		close(fd);
		return -errno;
	}
	return fd;
}

bool spe_log_has(int log, const char *text)
{
	bool found = false;
	char line[8192];
	ssize_t n;

	for (;;) {
		n = read(log, line, sizeof(line) - 1);
		/* EPIPE: lines were overwritten before this read; continue after them. */
		if (n < 0 && errno == EPIPE)
			continue;
		if (n <= 0)
			return found;
		line[n] = 0;
		found |= !!strstr(line, text);
	}
}
