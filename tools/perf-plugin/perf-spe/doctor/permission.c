// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>

#include "doctor/doctor.h"

static const struct remedy no_events = { "no-perf-events",
	"this kernel has no perf events",
	"proc/sys/kernel/perf_event_paranoid is missing",
	"install a kernel with CONFIG_PERF_EVENTS" };

static const struct remedy no_settings = { "no-settings",
	"doctor cannot tell who may use perf events",
	"the folder proc/sys/kernel is missing or unreadable",
	"mount /proc; for --root, copy this folder too" };

static const struct remedy forbidden = { "perf-event-paranoid",
	"only root may use perf",
	"perf_event_paranoid is {level}; above 2, the kernels of Debian and Ubuntu refuse perf events to all other users",
	"run sysctl kernel.perf_event_paranoid=2 as root (in a file of /etc/sysctl.d to keep it), or record as root" };

static void explain_no_file(struct machine *m)
{
	if (root_exists(m->root, "proc/sys/kernel"))
		machine_problem(m, &no_events);
	else
		machine_unknown(m, &no_settings);
}

void check_permission(struct machine *m)
{
	char *text = root_text(m->root, "proc/sys/kernel/perf_event_paranoid");
	long level = text ? strtol(text, NULL, 10) : 0;

	if (!text) {
		explain_no_file(m);
		return;
	}
	words_set(&m->words, "level", text);
	if (m->is_privileged)
		machine_ok(m, "permission", "you may record everything");
	else if (level > 2 && m->distribution->stricter)
		machine_problem(m, &forbidden);
	else if (level > 1)
		machine_ok(m, "permission",
			   "you may record your own programs; the kernel and physical addresses need CAP_PERFMON or sysctl kernel.perf_event_paranoid=1, all CPUs (-a) need 0 there");
	else
		machine_ok(m, "permission", "you may record programs and the kernel");
	free(text);
}
