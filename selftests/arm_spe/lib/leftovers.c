// SPDX-License-Identifier: GPL-2.0-only
#include "leftovers.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "pmu.h"

#define CACHES		"/sys/kernel/slab/"
#define KMEMLEAK	"/sys/kernel/debug/kmemleak"

static const char *const names[LEFTOVERS] = {
	[LEFT_REFERENCES] = "references on the module",
	[LEFT_EVENTS] = "perf events",
	[LEFT_AUX] = "AUX buffers",
	[LEFT_SLAB] = "kB of slab memory",
	[LEFT_PERCPU] = "kB of per-CPU memory",
	[LEFT_PAGES] = "kB of pages",
};

/* The sum of references of both modules' names, or -1. */
static long count_references(void)
{
	FILE *file = fopen("/proc/modules", "r");
	char line[512], name[64];
	long sum = -1, n;

	if (!file)
		return -1;
	while (fgets(line, sizeof(line), file)) {
		if (sscanf(line, "%63s %*s %ld", name, &n) != 2)
			continue;
		if (!strcmp(name, "arm_spe") || !strcmp(name, "arm_spe_pmu"))
			sum = (sum < 0 ? 0 : sum) + n;
	}
	fclose(file);
	return sum;
}

/*
 * Asks the allocator to give back what no object uses, on every CPU.  Otherwise the numbers of
 * objects include those that are only kept for later.
 */
static void shrink_caches(void)
{
	DIR *dir = opendir(CACHES);
	struct dirent *entry;
	char path[512];

	if (!dir)
		return;
	while ((entry = readdir(dir))) {
		if (strcmp(entry->d_name, "perf_event") && strncmp(entry->d_name, "kmalloc-", 8))
			continue;
		snprintf(path, sizeof(path), CACHES "%s/shrink", entry->d_name);
		spe_write_file(path, "1");
	}
	closedir(dir);
}

/* Objects in use of struct perf_event, or -1 where it has no cache of its own. */
static long count_events(void)
{
	FILE *file = fopen("/proc/slabinfo", "r");
	char line[512];
	long n = -1;

	if (!file)
		return -1;
	while (fgets(line, sizeof(line), file))
		if (sscanf(line, "perf_event %ld", &n) == 1)
			break;
	fclose(file);
	return n;
}

/* The driver maps the pages of a buffer into one range (spe_aux_setup()). */
static long count_aux(void)
{
	FILE *file = fopen("/proc/vmallocinfo", "r");
	char line[512];
	long n = 0;

	if (!file)
		return 0;
	while (fgets(line, sizeof(line), file))
		n += strstr(line, "[arm_spe") && strstr(line, " vmap");
	fclose(file);
	return n;
}

static void count_memory(struct leftovers *left)
{
	/* These lines add up to the memory, but for pages that a driver or perf has taken. */
	static const char *const known[] = {
		"MemFree:", "Buffers:", "Cached:", "SwapCached:", "AnonPages:", "Slab:",
		"KernelStack:", "PageTables:", "SecPageTables:", "Percpu:", "VmallocUsed:",
	};
	FILE *file;
	char line[256], name[64];
	long kb, total = 0, explained = 0;

	/* Adds up what each CPU has counted for itself. */
	spe_write_file("/proc/sys/vm/stat_refresh", "1");
	file = fopen("/proc/meminfo", "r");
	if (!file)
		return;
	while (fgets(line, sizeof(line), file)) {
		if (sscanf(line, "%63s %ld", name, &kb) != 2)
			continue;
		if (!strcmp(name, "MemTotal:"))
			total = kb;
		if (!strcmp(name, "SUnreclaim:"))
			left->amount[LEFT_SLAB] = kb;
		if (!strcmp(name, "Percpu:"))
			left->amount[LEFT_PERCPU] = kb;
		for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
			if (!strcmp(name, known[i]))
				explained += kb;
	}
	fclose(file);
	left->amount[LEFT_PAGES] = total - explained;
}

void leftovers_count(struct leftovers *left)
{
	memset(left, 0, sizeof(*left));
	shrink_caches();
	left->amount[LEFT_REFERENCES] = count_references();
	left->amount[LEFT_EVENTS] = count_events();
	left->amount[LEFT_AUX] = count_aux();
	count_memory(left);
}

/* KASAN keeps up to 1/32 of the memory for a while after it was freed; kmemleak judges there. */
static long quarantine(void)
{
	return access(KMEMLEAK, F_OK) ? 0 : sysconf(_SC_PHYS_PAGES) / 32 *
		(sysconf(_SC_PAGESIZE) / 1024);
}

static bool grown(const struct leftovers *before, const struct leftovers *now, int i, long slack)
{
	long more = now->amount[i] - before->amount[i];

	switch (i) {
	case LEFT_REFERENCES:
		/* A module that the test has unloaded or loaded had and has none. */
		return now->amount[i] > 0 && more > 0;
	case LEFT_EVENTS:
	case LEFT_AUX:
		return more > 0;
	case LEFT_PAGES:
		/* Each CPU keeps free pages in lists of its own, which nothing counts. */
		return more > 4 * slack;
	default:
		return more > slack;
	}
}

static time_t monotonic(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec;
}

bool leftovers_check(const struct leftovers *before, long slack, unsigned int seconds, FILE *out)
{
	time_t until = monotonic() + (time_t)seconds;
	struct leftovers now;
	bool any;

	slack += quarantine();
	for (;;) {
		any = false;
		leftovers_count(&now);
		for (int i = 0; i < LEFTOVERS; i++)
			any |= grown(before, &now, i, slack);
		if (!any || monotonic() >= until)
			break;
		usleep(200000);
	}
	for (int i = 0; i < LEFTOVERS; i++)
		fprintf(out, "%ld %s, before %ld%s\n", now.amount[i], names[i], before->amount[i],
			grown(before, &now, i, slack) ? ": left behind" : "");
	return !any;
}
