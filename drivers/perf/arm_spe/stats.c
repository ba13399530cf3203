// SPDX-License-Identifier: GPL-2.0-only
/*
 * Counters: each gap in the samples counts, also gaps that no AUX record could flag.
 *
 * debugfs has one file for each PMU, with a line for each CPU.  The folder counters/ of
 * the PMU in sysfs has one file for each counter, with the sum of all CPUs.
 */
#include <linux/debugfs.h>
#include <linux/device.h>
#include <linux/seq_file.h>
#include <linux/string.h>
#include <linux/sysfs.h>

#include "spe.h"

static struct dentry *spe_stats_root;

/*
 * In sysfs everybody may read how often the driver did or lost something, as in
 * /proc/interrupts.  Bytes, collisions and nanoseconds depend on what a profiled program
 * executes, finer than interrupts show.  Only root may read those.
 */
#define SPE_STAT(name)		{ #name, offsetof(struct spe_stats, name), 0444 }
#define SPE_STAT_ROOT(name)	{ #name, offsetof(struct spe_stats, name), 0400 }

static const struct spe_stats_row {
	const char *name;
	size_t offset;
	umode_t mode;		/* in sysfs */
} spe_stats_rows[] = {
	SPE_STAT(sessions),
	SPE_STAT(services),
	SPE_STAT(exceptions),
	SPE_STAT(resumed_first),
	SPE_STAT(published_first),
	SPE_STAT(repositioned),
	SPE_STAT(retried),
	SPE_STAT(halted),
	SPE_STAT_ROOT(stopped_ns),
	SPE_STAT_ROOT(halted_ns),
	SPE_STAT_ROOT(service_ns),
	SPE_STAT(throttles),
	SPE_STAT_ROOT(throttled_ns),
	SPE_STAT_ROOT(bytes),
	SPE_STAT_ROOT(padding),
	SPE_STAT_ROOT(collisions),
	SPE_STAT(partial),
	SPE_STAT(truncated),
	SPE_STAT(no_buffer),
	SPE_STAT_ROOT(discarded),
	SPE_STAT(bad_pointer),
	SPE_STAT(spurious),
	SPE_STAT(powerdowns),
	SPE_STAT(aux_samples),
	SPE_STAT(aux_empty),
	SPE_STAT_ROOT(samples),
	SPE_STAT(samples_lost),
	SPE_STAT_ROOT(chains_empty),
	SPE_STAT(busy_other),
	SPE_STAT(guests_changed),
};

#define SPE_STATS_ROWS	ARRAY_SIZE(spe_stats_rows)
#define SPE_STATS_FILES	(SPE_STATS_ROWS + SPE_EVENT_NR - 1)

struct spe_stats_attr {
	struct device_attribute attr;
	size_t offset;
	char name[24];
};

static struct spe_stats_attr spe_stats_attrs[SPE_STATS_FILES];
static struct attribute *spe_stats_list[SPE_STATS_FILES + 1];

const struct attribute_group spe_stats_group = {
	.name = "counters",
	.attrs = spe_stats_list,
};

static u64 spe_stats_read(const struct spe_stats *stats, size_t offset)
{
	return READ_ONCE(*(const u64 *)((const char *)stats + offset));
}

/* Adds up all possible CPUs, so that the sum never decreases. */
static ssize_t spe_stats_attr_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	size_t offset = container_of(attr, struct spe_stats_attr, attr)->offset;
	const struct spe_pmu *spe = to_spe_pmu(dev_get_drvdata(dev));
	u64 sum = 0;
	int cpu;

	for_each_possible_cpu(cpu)
		sum += spe_stats_read(&per_cpu_ptr(spe->cpus, cpu)->stats, offset);
	return sysfs_emit(buf, "%llu\n", sum);
}

static void spe_stats_add_file(size_t i, size_t offset, umode_t mode)
{
	struct spe_stats_attr *file = &spe_stats_attrs[i];

	sysfs_attr_init(&file->attr.attr);
	file->attr.attr.name = file->name;
	file->attr.attr.mode = mode;
	file->attr.show = spe_stats_attr_show;
	file->offset = offset;
	spe_stats_list[i] = &file->attr.attr;
}

/* Makes one file for each counter.  Call this before a PMU is registered. */
void spe_stats_init(void)
{
	size_t i;

	for (i = 0; i < SPE_STATS_ROWS; i++) {
		strscpy(spe_stats_attrs[i].name, spe_stats_rows[i].name,
			sizeof(spe_stats_attrs[i].name));
		spe_stats_add_file(i, spe_stats_rows[i].offset, spe_stats_rows[i].mode);
	}
	for (i = SPE_STATS_ROWS; i < SPE_STATS_FILES; i++) {
		unsigned int kind = i - SPE_STATS_ROWS + SPE_EVENT_NONE + 1;

		snprintf(spe_stats_attrs[i].name, sizeof(spe_stats_attrs[i].name), "event_%s",
			 spe_syndrome_kind_name(kind));
		spe_stats_add_file(i, offsetof(struct spe_stats, kinds) + kind * sizeof(u64), 0444);
	}
}

static void spe_stats_show_cpu(struct seq_file *m, int cpu, const struct spe_stats *stats)
{
	size_t i;

	seq_printf(m, "cpu%d", cpu);
	for (i = 0; i < SPE_STATS_ROWS; i++)
		seq_printf(m, " %s=%llu", spe_stats_rows[i].name,
			   spe_stats_read(stats, spe_stats_rows[i].offset));
	for (i = SPE_EVENT_NONE + 1; i < SPE_EVENT_NR; i++)
		seq_printf(m, " event_%s=%llu", spe_syndrome_kind_name(i),
			   READ_ONCE(stats->kinds[i]));
	seq_putc(m, '\n');
}

static int spe_stats_show(struct seq_file *m, void *unused)
{
	struct spe_pmu *spe = m->private;
	int cpu;

	for_each_cpu(cpu, &spe->supported)
		spe_stats_show_cpu(m, cpu, &per_cpu_ptr(spe->cpus, cpu)->stats);
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(spe_stats);

/* debugfs users ignore its errors: the driver works without counters. */
void spe_stats_create(struct spe_pmu *spe)
{
	if (!spe_stats_root)
		spe_stats_root = debugfs_create_dir(SPE_NAME, NULL);
	spe->debugfs = debugfs_create_file(spe->pmu.name, 0444, spe_stats_root, spe,
					   &spe_stats_fops);
}

void spe_stats_remove(struct spe_pmu *spe)
{
	debugfs_remove(spe->debugfs);
}

void spe_stats_exit(void)
{
	debugfs_remove(spe_stats_root);
}
