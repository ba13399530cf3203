// SPDX-License-Identifier: GPL-2.0-only
/*
 * perf spe doctor: find out why a machine cannot record.  It reads only files, so
 * that it can also examine a copy of another machine's files.
 */
#include <dirent.h>
#include <getopt.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "util/memory.h"
#include "util/message.h"
#include "verbs/verbs.h"

/* Larger than modules.dep, the longest file that is read */
#define FILE_MAX_BYTES	((size_t)8 << 20)

struct doctor {
	const char *root;		/* "" for this machine */
	char *release;
	unsigned int problems;
};

static void usage(FILE *to)
{
	fputs("usage: perf spe doctor [--root DIR]\n"
	      "\n"
	      "Checks whether this machine can record SPE samples. For each problem it prints\n"
	      "the cause and what to do. The exit status is 0 if the machine can record, else 1.\n"
	      "\n"
	      "      --root DIR   examine the machine whose proc, sys and lib are below DIR\n"
	      "  -h, --help       this text\n", to);
}

static void good(const char *what, const char *more)
{
	fputs("ok       ", stdout);
	put_name(what, stdout);
	put_name(more, stdout);
	putchar('\n');
}

static void bad(struct doctor *d, const char *what, const char *todo)
{
	d->problems++;
	fputs("problem  ", stdout);
	put_name(what, stdout);
	fputs("\n   do    ", stdout);
	put_name(todo, stdout);
	putchar('\n');
}

/* The content of a file below the root, NULL if it cannot be read */
static char *file_text(const struct doctor *d, const char *path)
{
	char *full = xformat("%s/%s", d->root, path), *text = NULL;
	FILE *f = fopen(full, "re");
	size_t len;

	if (f) {
		text = xcalloc(1, FILE_MAX_BYTES);
		len = fread(text, 1, FILE_MAX_BYTES - 1, f);
		while (len && text[len - 1] == '\n')
			text[--len] = '\0';
		fclose(f);
	}
	free(full);
	return text;
}

/* Whether the file exists and contains @word */
static bool file_has(const struct doctor *d, const char *path,
		     const char *word)
{
	char *text = file_text(d, path);
	bool has = text && strstr(text, word);

	free(text);
	return has;
}

/* The first entry of a folder whose name begins with @prefix, or NULL */
static char *entry_find(const struct doctor *d, const char *folder,
			const char *prefix)
{
	char *full = xformat("%s/%s", d->root, folder), *found = NULL;
	DIR *dir = opendir(full);
	struct dirent *entry;

	while (dir && !found && (entry = readdir(dir)))
		if (!strncmp(entry->d_name, prefix, strlen(prefix)))
			found = xstrndup(entry->d_name, strlen(entry->d_name));
	if (dir)
		closedir(dir);
	free(full);
	return found;
}

static bool module_has(const struct doctor *d, const char *list)
{
	char *path = xformat("lib/modules/%s/%s", d->release, list);
	bool has = file_has(d, path, "arm_spe_pmu.ko");

	free(path);
	return has;
}

static bool check_machine(struct doctor *d)
{
	if (file_has(d, "proc/cpuinfo", "CPU implementer"))
		return true;
	bad(d, "this is not an Arm machine, or /proc is not mounted",
	    "record on an Arm machine; report, dump and export work on this one too");
	return false;
}

static bool check_module(struct doctor *d)
{
	if (file_has(d, "proc/modules", "arm_spe_pmu ") ||
	    module_has(d, "modules.builtin")) {
		good("the driver is loaded", "");
		return true;
	}
	if (module_has(d, "modules.dep"))
		bad(d, "the driver is not loaded", "modprobe arm_spe_pmu");
	else
		bad(d, "this kernel has no SPE driver",
		    "install a kernel with CONFIG_ARM_SPE_PMU, or build and load the module");
	return false;
}

/* The driver is loaded but has no PMU: find out why it did not bind. */
static void check_device(struct doctor *d)
{
	char *device = entry_find(d, "sys/bus/platform/devices", "arm,spe-v1");

	if (!device)
		device = entry_find(d, "sys/bus/platform/devices", "spe-pmu");
	if (!device && (file_has(d, "proc/device-tree/hypervisor/compatible",
				 "") ||
			file_has(d, "sys/class/dmi/id/product_name", "KVM") ||
			file_has(d, "sys/class/dmi/id/sys_vendor", "QEMU")))
		bad(d, "this is a guest, and its hypervisor does not provide SPE",
		    "record on the host; KVM provides SPE to no guest");
	else if (!device)
		bad(d, "the firmware describes no SPE interrupt",
		    "update the firmware; with a device tree, add a node 'arm,statistical-profiling-extension-v1'; with ACPI, the MADT's GICC entries need the SPE interrupt");
	else if (file_has(d, "sys/devices/system/cpu/vulnerabilities/meltdown",
			  "PTI"))
		bad(d, "kernel page-table isolation is on, so SPE could not write the buffer at EL0",
		    "boot with kpti=off if you do not need this protection");
	else
		bad(d, "the driver is loaded but did not bind to the SPE device",
		    "read the reason in the kernel's log: dmesg | grep -i spe");
	free(device);
}

static void check_paranoid(struct doctor *d)
{
	char *text = file_text(d, "proc/sys/kernel/perf_event_paranoid");
	long level = text ? strtol(text, NULL, 10) : 0;

	if (!text)
		bad(d, "this kernel has no perf events",
		    "install a kernel with CONFIG_PERF_EVENTS");
	else if (!*d->root && !geteuid())
		good("root may record everything", "");
	else if (level > 2)
		bad(d, "only root may use perf (perf_event_paranoid above 2)",
		    "run sysctl kernel.perf_event_paranoid=2 as root, or record as root");
	else if (level > 1)
		good("you may record your own programs",
		     "; the kernel, physical addresses and contexts need CAP_PERFMON, or sysctl kernel.perf_event_paranoid=1");
	else
		good("you may record programs and the kernel", "");
	free(text);
}

static void check_pmu(struct doctor *d, const char *pmu)
{
	char *path = xformat("sys/bus/event_source/devices/%s/cpumask", pmu);
	char *cpus = file_text(d, path);
	char *more = xformat("%s, on CPUs %s", pmu, cpus && *cpus ? cpus :
			     "that are offline");

	good("SPE PMU found: ", more);
	if (cpus && !*cpus)
		bad(d, "no CPU with SPE is online",
		    "write 1 to /sys/devices/system/cpu/cpuN/online of such a CPU");
	free(more);
	free(cpus);
	free(path);
}

static int examine(struct doctor *d)
{
	char *pmu;

	if (check_machine(d)) {
		pmu = entry_find(d, "sys/bus/event_source/devices",
				 "arm_spe_");
		if (pmu)
			check_pmu(d, pmu);
		else if (check_module(d))
			check_device(d);
		check_paranoid(d);
		free(pmu);
	}
	if (!d->problems)
		puts("\nNext: perf record -e arm_spe// -- PROGRAM, then perf spe report");
	return d->problems ? EXIT_INPUT : EXIT_OK;
}

int verb_doctor(int argc, char **argv)
{
	static const struct option options[] = {
		{ "root", required_argument, NULL, 'r' },
		{ "help", no_argument, NULL, 'h' },
		{ 0 },
	};
	struct doctor d = { .root = "" };
	struct utsname here;
	int option, rc;

	while ((option = getopt_long(argc, argv, "h", options, NULL)) != -1) {
		if (option == 'r') {
			d.root = optarg;
			continue;
		}
		usage(option == 'h' ? stdout : stderr);
		return option == 'h' ? EXIT_OK : EXIT_USAGE;
	}
	if (optind < argc) {
		say("doctor: unexpected argument '%s': run 'perf spe doctor --help' for the options",
		    argv[optind]);
		return EXIT_USAGE;
	}
	uname(&here);
	d.release = *d.root ? file_text(&d, "proc/sys/kernel/osrelease") :
			      xformat("%s", here.release);
	if (!d.release)
		d.release = xformat("%s", here.release);
	rc = examine(&d);
	free(d.release);
	return rc;
}
