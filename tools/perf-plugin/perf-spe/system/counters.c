// SPDX-License-Identifier: GPL-2.0-only
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "system/system.h"
#include "util/util.h"

#define EVENT "event_"

static const struct {
	const char *name, *text;
} known[] = {
	{ "sessions", "times that sampling started" },
	{ "services", "interrupts and exceptions with an event of the buffer" },
	{ "exceptions", "... that were exceptions" },
	{ "resumed_first", "... that resumed sampling, then published" },
	{ "published_first", "... that published, then resumed sampling" },
	{ "repositioned", "... that gave the unit another write pointer" },
	{ "retried", "... that retried after a fault" },
	{ "halted", "... that ended the session" },
	{ "throttles", "... that paused sampling, because of the budget of CPU time" },
	{ "service_ns", "ns that interrupts and exceptions took" },
	{ "stopped_ns", "ns without sampling in services" },
	{ "halted_ns", "ns without sampling after a session's early end" },
	{ "throttled_ns", "ns without sampling because of the budget" },
	{ "bytes", "bytes that the unit wrote" },
	{ "padding", "bytes of padding that the driver wrote" },
	{ "collisions", "times that the unit reported a collision" },
	{ "partial", "times that records were incomplete or missing" },
	{ "truncated", "times that sampling stopped early" },
	{ "no_buffer", "starts without a buffer, or with a full one" },
	{ "discarded", "bytes written after perf removed the buffer" },
	{ "bad_pointer", "write pointers outside the buffer" },
	{ "spurious", "interrupts and exceptions without an event" },
	{ "powerdowns", "power-downs of a CPU during a session" },
	{ "aux_samples", "samples of other events that asked for records" },
	{ "aux_empty", "... and got none" },
	{ "samples", "records that became samples of spe_sample_N" },
	{ "samples_lost", "... and that did not: cut, damaged, or after the end" },
	{ "chains_empty", "samples whose call chain is unknown, and so empty" },
	{ "busy_other", "events that waited, as the other PMU's had the unit" },
	{ "guests_changed", "ends of sessions with guests whose PMSCR_EL12 had been changed" },
};

#define KNOWN (sizeof(known) / sizeof(known[0]))

/* Its place in the table; KNOWN if it is not there */
static size_t known_index(const char *name)
{
	size_t i;

	for (i = 0; i < KNOWN && strcmp(known[i].name, name); i++)
		;
	return i;
}

static const char *counter_text(const char *name)
{
	size_t i = known_index(name);

	if (i < KNOWN)
		return known[i].text;
	return strncmp(name, EVENT, strlen(EVENT)) ? "" : "events of the buffer of this kind";
}

static int counter_order(const void *a, const void *b)
{
	const struct counter *x = a, *y = b;
	size_t i = known_index(x->name), j = known_index(y->name);

	if (i != j)
		return i < j ? -1 : 1;
	return strcmp(x->name, y->name);
}

struct counter *counters_read(const struct pmu *pmu, size_t *count)
{
	char *folder = pmu_path(pmu, "counters");
	struct counter *counters = NULL;
	DIR *dir = opendir(folder);
	struct dirent *entry;
	size_t room = 0;

	*count = 0;
	while (dir && (entry = readdir(dir))) {
		struct counter *c;
		char *file;

		if (*entry->d_name == '.')
			continue;
		counters = array_grow(counters, *count, &room, sizeof(*counters));
		c = &counters[(*count)++];
		c->name = xformat("%s", entry->d_name);
		c->text = counter_text(c->name);
		c->value = 0;
		file = xformat("counters/%s", c->name);
		c->readable = pmu_number(pmu, file, &c->value);
		free(file);
	}
	if (dir)
		closedir(dir);
	free(folder);
	if (*count)
		qsort(counters, *count, sizeof(*counters), counter_order);
	return counters;
}

void counters_free(struct counter *counters, size_t count)
{
	while (count)
		free(counters[--count].name);
	free(counters);
}
