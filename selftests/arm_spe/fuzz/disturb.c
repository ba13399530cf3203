// SPDX-License-Identifier: GPL-2.0-only
/* Root's task: CPU hotplug, module parameters and sysctls, while the other tasks call perf. */
#include "fuzz.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "loader.h"

#define KERNEL	"/proc/sys/kernel/"

/* A file, and what is written to it at random. */
struct knob {
	const char *path;
	const char *values[8];
	char before[64];	/* empty: the file cannot be read */
};

static struct knob knobs[] = {
	{ .path = KERNEL "perf_event_paranoid",
	  .values = { "2", "2", "2", "2", "1", "0", "-1", "3" } },
	{ .path = KERNEL "perf_event_max_sample_rate",
	  .values = { "100000", "1000000", "4000", "100", "1" } },
	/*
	 * Not 0 or 100: perf itself warns that the machine can hang without this limit, and root's
	 * tasks do sample the kernel with each period.
	 */
	{ .path = KERNEL "perf_cpu_time_max_percent", .values = { "25", "1", "10", "2" } },
	{ .path = KERNEL "perf_event_mlock_kb", .values = { "516", "0", "4096" } },
	/*
	 * Of the module; its name is added.  Not above 50: sessions of kernel code may stop a CPU
	 * then, as documented, since the entries to interrupts cost about as much again.
	 */
	{ .path = "parameters/cpu_time_max_percent",
	  .values = { "25", "50", "1", "2", "10", "-1" } },
	{ .path = "parameters/delivery",
	  .values = { "auto", "interrupt", "exception", "none" } },
};

#define KNOBS	(sizeof(knobs) / sizeof(knobs[0]))

static const char *path_of(const struct knob *knob)
{
	return knob->path[0] == '/' ? knob->path : spe_module_file(knob->path);
}

static void remember(struct knob *knob)
{
	FILE *file = fopen(path_of(knob), "r");

	if (!file)
		return;
	if (fscanf(file, "%63s", knob->before) != 1)
		knob->before[0] = 0;
	fclose(file);
}

static void turn(struct dice *dice, bool verbose)
{
	struct knob *knob = &knobs[draw(dice, KNOBS)];
	unsigned int count = 0;
	const char *value;

	while (count < 8 && knob->values[count])
		count++;
	value = knob->values[draw(dice, count)];
	if (verbose)
		printf("disturb: %s to %s\n", value, knob->path);
	spe_write_file(path_of(knob), value);
}

static int set_cpu(unsigned int cpu, bool online)
{
	char path[64];

	snprintf(path, sizeof(path), "/sys/devices/system/cpu/cpu%u/online", cpu);
	return spe_write_file(path, online ? "1" : "0");
}

/* A CPU goes offline and comes back; CPU 0 stays. */
static void plug(struct dice *dice, const struct machine *machine, struct shared *shared)
{
	unsigned int cpu = machine->cpus > 1 ? 1 + draw(dice, machine->cpus - 1) : 0;

	if (!cpu || set_cpu(cpu, false))
		return;
	atomic_fetch_add(&shared->offline, 1);
	usleep(draw(dice, 20000));
	set_cpu(cpu, true);
}

void disturb(uint64_t seed, const struct machine *machine, struct shared *shared, bool verbose)
{
	for (size_t i = 0; i < KNOBS; i++)
		remember(&knobs[i]);
	for (unsigned int step = 0; !atomic_load(&shared->stop); step++) {
		struct dice dice = dice_of(seed, FUZZ_TASKS, 0, step, 0);

		if (once_in(&dice, 4))
			plug(&dice, machine, shared);
		else
			turn(&dice, verbose);
		atomic_fetch_add(&shared->disturbances, 1);
		usleep(draw(&dice, 50000));
	}
	for (size_t i = 0; i < KNOBS; i++)
		if (knobs[i].before[0])
			spe_write_file(path_of(&knobs[i]), knobs[i].before);
	for (unsigned int cpu = 1; cpu < machine->cpus; cpu++)
		set_cpu(cpu, true);
}
