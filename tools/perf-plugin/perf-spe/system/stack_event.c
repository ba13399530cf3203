// SPDX-License-Identifier: GPL-2.0-only
#include <dirent.h>
#include <inttypes.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "system/system.h"
#include "util/util.h"

bool stacks_parse(const char *verb, const char *text, enum stack_method *stacks)
{
	if (!text || !strcmp(text, "fp")) {
		*stacks = STACKS_FP;
		return true;
	}
	if (!strcmp(text, "dwarf")) {
		*stacks = STACKS_DWARF;
		return true;
	}
	say("%s: --stacks: unknown method '%s'; choose fp (frame pointers) or dwarf", verb, text);
	return false;
}

bool aux_sample_parse(const char *verb, const char *text, uint64_t *bytes)
{
	*bytes = AUX_SAMPLE_DEFAULT;
	if (!text)
		return true;
	if (!parse_count(verb, "aux-sample", text, bytes))
		return false;
	if (*bytes >= AUX_SAMPLE_LEAST && *bytes <= AUX_SAMPLE_MOST)
		return true;
	say("%s: --aux-sample %s is out of range: give %d to %d bytes", verb, text,
	    AUX_SAMPLE_LEAST, AUX_SAMPLE_MOST);
	return false;
}

/* Whether a PMU of the CPUs counts cycles: the name of the event is that of Arm's manual. */
static bool has_cycles(const char *root)
{
	char *folder = xformat("%s/sys/bus/event_source/devices", root), *path;
	DIR *dir = opendir(folder);
	struct dirent *entry;
	bool found = false;

	while (dir && !found && (entry = readdir(dir))) {
		path = xformat("%s/%s/events/cpu_cycles", folder, entry->d_name);
		found = !access(path, F_OK);
		free(path);
	}
	if (dir)
		closedir(dir);
	free(folder);
	return found;
}

/* The kernel refuses more samples than this file says. */
static uint64_t most_samples(const char *root)
{
	char line[64], *path = xformat("%s/proc/sys/kernel/perf_event_max_sample_rate", root);
	uint64_t most = sysfs_line(path, line, sizeof(line)) ? strtoull(line, NULL, 10) : 0;

	free(path);
	return most ? most : UINT64_MAX;
}

struct stack_attr stack_attr(const char *root, enum stack_method stacks)
{
	uint64_t freq = stacks == STACKS_FP ? STACKS_FP_FREQ : STACKS_DWARF_FREQ;
	uint64_t most = most_samples(root);
	struct stack_attr attr = { "cpu-clock", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK,
				   freq < most ? freq : most };

	/* Each kind of core has a PMU: on a CPU the kernel takes the generic event for its own. */
	if (has_cycles(root)) {
		attr.name = "cycles";
		attr.type = PERF_TYPE_HARDWARE;
		attr.config = PERF_COUNT_HW_CPU_CYCLES;
	}
	return attr;
}

char *stack_event(const char *root, enum stack_method stacks, uint64_t aux_sample,
		  const struct pmu_request *req)
{
	struct stack_attr attr = stack_attr(root, stacks);
	char *records = aux_sample ? xformat(",aux-sample-size=%" PRIu64, aux_sample) :
				     xformat("%s", "");
	char *event = xformat("%s/call-graph=%s,freq=%" PRIu64 "%s/%s%s", attr.name,
			      stacks == STACKS_FP ? "fp" : "dwarf", attr.freq, records,
			      req->user ? "u" : "", req->kernel ? "k" : "");

	free(records);
	return event;
}
