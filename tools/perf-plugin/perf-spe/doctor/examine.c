// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>
#include <string.h>

#include "doctor/doctor.h"
#include "system/system.h"
#include "util/util.h"

static const struct remedy no_machine = { "no-machine",
	"doctor cannot tell what machine this is",
	"proc/cpuinfo is missing, empty or unreadable",
	"mount /proc; for --root, copy this file too" };

static const struct remedy not_arm = { "not-arm",
	"this is not an Arm machine",
	"proc/cpuinfo has no line 'CPU implementer'",
	"record on an Arm machine; report, dump and export work on this one too" };

static const struct remedy no_sysfs = { "no-sysfs",
	"doctor cannot tell whether this machine has an SPE PMU",
	"the folder sys/bus/platform/devices is missing or unreadable",
	"mount /sys; for --root, copy the folder sys/bus too" };

static bool check_machine(struct machine *m)
{
	char *cpus = root_text(m->root, "proc/cpuinfo");
	bool is_arm = cpus && strstr(cpus, "CPU implementer");

	if (!cpus || !*cpus)
		machine_unknown(m, &no_machine);
	else if (!is_arm)
		machine_problem(m, &not_arm);
	free(cpus);
	return is_arm;
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

/* True if there is a PMU, whether it can be used or not */
static bool check_pmus(struct machine *m)
{
	size_t count, i, online = 0;
	struct pmu *pmus = pmus_find(m->root, &count);

	for (i = 0; i < count; i++)
		online += check_pmu(m, &pmus[i]);
	if (count && !online)
		machine_problem(m, &reason_no_cpu_online);
	if (online)
		check_pause(m);
	pmus_free(pmus, count);
	return count;
}

/* No PMU: false if nothing that the user does on this machine can help. */
static bool explain_absence(struct machine *m)
{
	struct firmware firmware;
	bool hopeless;

	firmware_read(&firmware, m);
	hopeless = m->is_virtual && !firmware_has_spe(&firmware);
	if (hopeless)
		machine_problem(m, &m->platform->absent);
	else if (!check_firmware(m, &firmware) && check_driver(m))
		check_binding(m, &firmware);
	firmware_free(&firmware);
	return !hopeless;
}

void examine(struct machine *m)
{
	if (!check_machine(m))
		return;
	if (!root_can_list(m->root, "sys/bus/platform/devices"))
		machine_unknown(m, &no_sysfs);
	else if (!check_pmus(m) && !explain_absence(m))
		return;
	check_permission(m);
	check_perf(m);
}
