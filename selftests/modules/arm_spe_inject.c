// SPDX-License-Identifier: GPL-2.0-only
/*
 * Events of the Profiling Buffer on demand, for tests in a guest of the model
 * (spe-inject-reg=on): debugfs file arm_spe_inject.
 *
 *	write "CPU VALUE"	VALUE to SPEINJ_EL1 on that CPU
 *	read			for each online CPU: cpuN waiting=W given=G
 *
 * Elsewhere the register is UNDEFINED; nobody else should load this.
 */
#include <linux/cpu.h>
#include <linux/debugfs.h>
#include <linux/module.h>
#include <linux/seq_file.h>
#include <linux/smp.h>
#include <linux/uaccess.h>
#include <asm/sysreg.h>

#define SPEINJ_EL1		sys_reg(3, 0, 15, 9, 0)
#define SPEINJ_RECORD		GENMASK_ULL(11, 0)
#define SPEINJ_REFUSED		BIT_ULL(31)
#define SPEINJ_GIVEN_SHIFT	32

struct spe_inject {
	u64 value;
	bool write;
};

/* On the CPU concerned, interrupts disabled. */
static void spe_inject_call(void *data)
{
	struct spe_inject *inject = data;

	if (inject->write) {
		write_sysreg_s(inject->value, SPEINJ_EL1);
		isb();
	}
	inject->value = read_sysreg_s(SPEINJ_EL1);
}

/* Returns the count, or -ENXIO where the CPU is offline, -EINVAL what is refused. */
static ssize_t spe_inject_write(struct file *file, const char __user *from, size_t count,
				loff_t *at)
{
	struct spe_inject inject = { .write = true };
	unsigned int cpu;
	char text[64];

	if (count >= sizeof(text))
		return -EINVAL;
	if (copy_from_user(text, from, count))
		return -EFAULT;
	text[count] = '\0';
	if (sscanf(text, "%u %llx", &cpu, &inject.value) != 2 || cpu >= nr_cpu_ids)
		return -EINVAL;
	if (smp_call_function_single(cpu, spe_inject_call, &inject, true))
		return -ENXIO;
	return inject.value & SPEINJ_REFUSED ? -EINVAL : count;
}

static int spe_inject_show(struct seq_file *m, void *unused)
{
	struct spe_inject inject;
	int cpu;

	cpus_read_lock();
	for_each_online_cpu(cpu) {
		inject = (struct spe_inject){ };
		smp_call_function_single(cpu, spe_inject_call, &inject, true);
		seq_printf(m, "cpu%d waiting=%llu given=%llu\n", cpu,
			   inject.value & SPEINJ_RECORD, inject.value >> SPEINJ_GIVEN_SHIFT);
	}
	cpus_read_unlock();
	return 0;
}

static int spe_inject_open(struct inode *inode, struct file *file)
{
	return single_open(file, spe_inject_show, NULL);
}

static const struct file_operations spe_inject_fops = {
	.owner = THIS_MODULE,
	.open = spe_inject_open,
	.read = seq_read,
	.write = spe_inject_write,
	.llseek = seq_lseek,
	.release = single_release,
};

static struct dentry *spe_inject_file;

static int __init spe_inject_init(void)
{
	spe_inject_file = debugfs_create_file("arm_spe_inject", 0600, NULL, NULL,
					      &spe_inject_fops);
	return PTR_ERR_OR_ZERO(spe_inject_file);
}

static void __exit spe_inject_exit(void)
{
	debugfs_remove(spe_inject_file);
}

module_init(spe_inject_init);
module_exit(spe_inject_exit);

MODULE_DESCRIPTION("Injects events of the Profiling Buffer into the SPE model");
MODULE_LICENSE("GPL");
