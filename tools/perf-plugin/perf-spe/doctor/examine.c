// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>
#include <string.h>

#include "doctor/doctor.h"
#include "system/system.h"
#include "util/util.h"

static const struct remedy no_machine = { "no-machine",
	"doctor cannot tell what machine this is",
	"/proc/cpuinfo is missing, empty or unreadable",
	"mount /proc; for --root, copy this file too" };

static const struct remedy not_arm = { "not-arm",
	"this is not an Arm machine",
	"/proc/cpuinfo has no line 'CPU implementer'",
	"record on an Arm machine; report, dump and export work on this one too" };

static const struct remedy no_sysfs = { "no-sysfs",
	"doctor cannot tell whether this machine has an SPE PMU",
	"the folder /sys/bus/platform/devices is missing or unreadable",
	"mount /sys; for --root, copy the folder sys/bus too" };

static const struct remedy only_32_bits = { "no-spe",
	"this is a 32-bit kernel, and SPE needs AArch64",
	"/proc/cpuinfo has the line 'CPU architecture: 7'; a 64-bit kernel writes 8 there",
	"record on a machine with a 64-bit kernel whose CPUs have SPE; perf spe report and export read its recordings here too" };

static bool check_machine(struct machine *m)
{
	char *cpus = root_text(m->root, "proc/cpuinfo");
	bool is_arm = cpus && strstr(cpus, "CPU implementer");
	bool is_old = cpus && strstr(cpus, "CPU architecture: 7");

	if (!cpus || !*cpus)
		machine_unknown(m, &no_machine);
	else if (!is_arm)
		machine_problem(m, &not_arm);
	else if (is_old)
		machine_problem(m, &only_32_bits);
	free(cpus);
	return is_arm && !is_old;
}

static bool check_pmu(struct machine *m, const struct pmu *pmu)
{
	char *path = xformat("sys/bus/event_source/devices/%s/cpumask", pmu->name);
	char *cpus = root_text(m->root, path);
	bool online = !cpus || *cpus;

	words_set(&m->words, "pmu", pmu->name);
	words_set(&m->words, "cpus", cpus ? cpus : "");
	if (online)
		machine_ok(m, "pmu", cpus ? "SPE PMU found: {pmu}, on CPUs {cpus}" :
			   "SPE PMU found: {pmu}");
	free(cpus);
	free(path);
	return online;
}

/* A list as the kernel writes it, "0-3,8" */
static char *cpus_text(const bool *cpus, size_t count)
{
	char *text = xformat("%s", "");
	size_t first, last;

	for (first = 0; first < count; first = last + 1) {
		last = first;
		if (!cpus[first])
			continue;
		while (last + 1 < count && cpus[last + 1])
			last++;
		text = first == last ? xappend(text, "%s%zu", *text ? "," : "", first) :
		       xappend(text, "%s%zu-%zu", *text ? "," : "", first, last);
	}
	return text;
}

static const struct remedy left_out = { "cpus-left-out",
	"no SPE PMU has the CPUs {left-out}, so a program gets no samples while it runs there",
	"these CPUs are online; they have no SPE, or another one than the CPU from which the driver took its capabilities, or they came online without it",
	"compare them with the others: cat /sys/devices/system/cpu/cpu*/regs/identification/midr_el1; the kernel's log has lines of the driver" };

/* Online CPUs that are in no PMU.  Without the list of online CPUs, doctor says nothing. */
static void check_left_out(struct machine *m, const struct pmu *pmus, size_t count)
{
	char *online = root_text(m->root, "sys/devices/system/cpu/online"), *list;
	size_t nr = 0, nr_pmu, i, cpu;
	bool *cpus = online ? cpus_parse(online, &nr) : NULL, *of_pmu;

	for (i = 0; cpus && i < count; i++) {
		of_pmu = pmu_cpus(&pmus[i], &nr_pmu);
		for (cpu = 0; of_pmu && cpu < nr_pmu && cpu < nr; cpu++)
			cpus[cpu] &= !of_pmu[cpu];
		if (!of_pmu)
			nr = 0;
		free(of_pmu);
	}
	list = cpus_text(cpus, cpus ? nr : 0);
	words_set(&m->words, "left-out", list);
	if (*list)
		report_add(&m->report, LEVEL_OK, &left_out, &m->words);
	free(list);
	free(cpus);
	free(online);
}

/* True if there is a PMU, whether it can be used or not */
static bool check_pmus(struct machine *m)
{
	size_t count, i, online = 0;
	struct pmu *pmus = pmus_find(m->root, &count);

	for (i = 0; i < count; i++)
		online += check_pmu(m, &pmus[i]);
	if (count && !online)
		machine_problem(m, &reason_no_cpu_online);
	if (online) {
		check_left_out(m, pmus, count);
		check_whose_driver(m);
		check_pause(m);
		check_samplers(m);
		check_guests(m, &pmus[0]);
	}
	pmus_free(pmus, count);
	return count;
}

static const struct remedy core_without = { "no-spe",
	"this machine's CPUs ({cores}) have no SPE",
	"the core was made without it, so no kernel, driver or firmware can add it",
	"record on a machine whose CPUs have it, for example Neoverse N1, N2, V1 or V2; perf spe report and export read its recordings here too" };

/* No PMU: false if nothing that the user does on this machine can help. */
static bool explain_absence(struct machine *m)
{
	struct firmware firmware;
	bool hopeless;

	firmware_read(&firmware, m);
	hopeless = (m->is_virtual || m->cpu_spe == CPU_WITHOUT_SPE) && !firmware_has_spe(&firmware);
	if (hopeless)
		machine_problem(m, m->cpu_spe == CPU_WITHOUT_SPE ? &core_without :
				&m->platform->absent);
	else if (!check_firmware(m, &firmware) && check_driver(m))
		check_binding(m, &firmware);
	firmware_free(&firmware);
	return !hopeless;
}

void examine(struct machine *m)
{
	if (!check_machine(m))
		return;
	/* A platform that is known without /sys, such as gVisor, tells all. */
	if (!root_can_list(m->root, "sys/bus/platform/devices") && !m->is_virtual)
		machine_unknown(m, &no_sysfs);
	else if (!check_pmus(m) && !explain_absence(m))
		return;
	check_permission(m);
	check_perf(m);
	check_agent(m);
}
