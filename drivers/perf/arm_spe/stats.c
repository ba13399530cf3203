// SPDX-License-Identifier: GPL-2.0-only
/*
 * Counters in debugfs: one file for each PMU, one line for each CPU.  They count
 * every gap in the samples, also gaps that no AUX record could flag.
 */
#include <linux/debugfs.h>
#include <linux/seq_file.h>

#include "stats.h"

static struct dentry *spe_stats_root;

#define SPE_STAT(name)	{ #name, offsetof(struct spe_stats, name) }

static const struct {
	const char *name;
	size_t offset;
} spe_stats_rows[] = {
	SPE_STAT(sessions),
	SPE_STAT(services),
	SPE_STAT(exceptions),
	SPE_STAT(resumed_first),
	SPE_STAT(published_first),
	SPE_STAT(repositioned),
	SPE_STAT(retried),
	SPE_STAT(halted),
	SPE_STAT(livelocks),
	SPE_STAT(stopped_ns),
	SPE_STAT(halted_ns),
	SPE_STAT(service_ns),
	SPE_STAT(throttles),
	SPE_STAT(throttled_ns),
	SPE_STAT(bytes),
	SPE_STAT(padding),
	SPE_STAT(collisions),
	SPE_STAT(partial),
	SPE_STAT(truncated),
	SPE_STAT(no_buffer),
	SPE_STAT(discarded),
	SPE_STAT(bad_pointer),
	SPE_STAT(spurious),
	SPE_STAT(powerdowns),
};

static void spe_stats_show_cpu(struct seq_file *m, int cpu, const struct spe_stats *stats)
{
	size_t i;

	seq_printf(m, "cpu%d", cpu);
	for (i = 0; i < ARRAY_SIZE(spe_stats_rows); i++)
		seq_printf(m, " %s=%llu", spe_stats_rows[i].name,
			   READ_ONCE(*(u64 *)((char *)stats + spe_stats_rows[i].offset)));
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
