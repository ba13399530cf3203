// SPDX-License-Identifier: GPL-2.0-only
/*
 * perf spe stat --driver: what the driver has done and lost since it was loaded.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "system/system.h"
#include "util/util.h"
#include "verbs/verbs.h"

/* The module is called arm_spe where Linux's own driver is built into the kernel. */
static const char *const modules[] = { "arm_spe", "arm_spe_pmu" };

/* Read the first line of a file of a module; "" if there is none. */
static void first_line(const char *root, const char *module, const char *file, char *line, int size)
{
	char *path = xformat("%s/sys/module/%s/%s", root, module, file);
	FILE *f = fopen(path, "re");

	free(path);
	if (!f || !fgets(line, size, f))
		*line = '\0';
	if (f)
		fclose(f);
}

/* The name of this project's module, or NULL.  Linux's own driver has no version. */
static const char *loaded_module(const char *root)
{
	char version[32];
	size_t i;

	for (i = 0; i < sizeof(modules) / sizeof(modules[0]); i++) {
		first_line(root, modules[i], "version", version, sizeof(version));
		if (*version)
			return modules[i];
	}
	return NULL;
}

static void print_limit(const char *root)
{
	const char *module = loaded_module(root);
	char line[32];
	int percent;

	if (!module)
		return;
	first_line(root, module, "parameters/cpu_time_max_percent", line, sizeof(line));
	percent = atoi(line);
	if (!*line)
		return;
	if (percent > 0 && percent < 100)
		printf("# the driver's interrupts may take %d%% of a CPU's time\n", percent);
	else
		puts("# no limit of the driver's interrupts (cpu_time_max_percent)");
}

static void print_counters(const struct pmu *pmu, const struct counter *counters, size_t count)
{
	bool hidden = false;
	size_t i;

	printf("\n# ");
	put_name(pmu->name, stdout);
	printf(", all CPUs since the module was loaded\n# %18s  counter\n", "count");
	for (i = 0; i < count; i++) {
		const struct counter *c = &counters[i];

		if (c->readable)
			printf("%20" PRIu64 "  ", c->value);
		else
			printf("%20s  ", "-");
		hidden |= !c->readable;
		put_name(c->name, stdout);
		if (*c->text)
			printf(": %s", c->text);
		putchar('\n');
	}
	if (hidden)
		puts("# -: only root may read this counter");
}

/*
 * One object.  Documentation/perf-spe/reference/stat.md lists the keys: keep their meaning.  A
 * counter that this user may not read is null.
 */
static void json_begin(const char *root)
{
	const char *module = loaded_module(root);
	char version[32] = "", percent[32] = "";

	if (module) {
		first_line(root, module, "version", version, sizeof(version));
		first_line(root, module, "parameters/cpu_time_max_percent", percent, sizeof(percent));
		version[strcspn(version, "\n")] = '\0';
	}
	fputs("{\n \"format\": 1,\n \"module\": ", stdout);
	json_text(module ? module : "", stdout);
	fputs(",\n \"version\": ", stdout);
	json_text(version, stdout);
	if (*percent)
		printf(",\n \"cpu_time_max_percent\": %d", atoi(percent));
	fputs(",\n \"pmus\": {", stdout);
}

static void json_counters(const struct pmu *pmu, const struct counter *counters, size_t count,
			  bool first)
{
	size_t i;

	fputs(first ? "\n  " : ",\n  ", stdout);
	json_text(pmu->name, stdout);
	fputs(": {", stdout);
	for (i = 0; i < count; i++) {
		fputs(i ? ",\n   " : "\n   ", stdout);
		json_text(counters[i].name, stdout);
		if (counters[i].readable)
			printf(": %" PRIu64, counters[i].value);
		else
			fputs(": null", stdout);
	}
	fputs("\n  }", stdout);
}

/* The driver has no folder of counters. */
static void explain(const struct pmu *pmu)
{
	const char *module = loaded_module(pmu->root);

	if (module)
		say("stat: %s has no counters: the loaded %s is older than this feature; load the current module",
		    pmu->name, module);
	else
		say("stat: %s has no counters: the driver of Linux's own tree is loaded, which counts nothing; load the module of this project instead",
		    pmu->name);
}

int stat_driver(const char *root, bool json)
{
	size_t nr_pmus, i, count, shown = 0;
	struct pmu *pmus = pmus_find(root, &nr_pmus);

	if (!nr_pmus)
		say("stat: no SPE driver is loaded: run 'perf spe doctor' for the cause");
	for (i = 0; i < nr_pmus; i++) {
		struct counter *counters = counters_read(&pmus[i], &count);

		if (!counters) {
			explain(&pmus[i]);
			continue;
		}
		if (!shown && json)
			json_begin(root);
		else if (!shown)
			print_limit(root);
		if (json)
			json_counters(&pmus[i], counters, count, !shown);
		else
			print_counters(&pmus[i], counters, count);
		shown++;
		counters_free(counters, count);
	}
	if (shown && json)
		puts("\n }\n}");
	pmus_free(pmus, nr_pmus);
	return shown ? EXIT_OK : EXIT_INPUT;
}
