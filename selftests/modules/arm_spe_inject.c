// SPDX-License-Identifier: GPL-2.0-only
/*
 * Buffer management events on demand, for tests in a guest of the model (spe-inject-reg=on).
 * Files in debugfs; numbers are hexadecimal except CPU numbers:
 *
 *	arm_spe_inject
 *		write "CPU VALUE...": writes the values to SPEINJ_EL1 on that CPU,
 *		with interrupts and, with FEAT_EBEP, the Profiling exception
 *		masked, so an event that one value raises at once is still pending
 *		when the next value is written
 *		read: a line for each online CPU: cpuN waiting=W given=G
 *	arm_spe_inject_syndrome
 *		write "CPU VALUE": writes PMBSR_EL1 directly, for syndromes that
 *		the model does not raise; setting S asserts the interrupt (IGRLRX)
 *	arm_spe_inject_at
 *		write "FUNCTION VALUE": writes the value to SPEINJ_EL1 on the CPU
 *		that next enters this function of the kernel
 *		read: 1 until that has happened, then 0
 *	arm_spe_inject_burden
 *		write "FUNCTION ROUNDS": each entry of this function of the kernel
 *		first spins for that many rounds; "none 0" ends that
 *
 * On other machines the register is UNDEFINED: do not load this module there.
 */
#include <linux/cpu.h>
#include <linux/debugfs.h>
#include <linux/kprobes.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/smp.h>
#include <linux/string.h>
#include <linux/uaccess.h>
#include <asm/daifflags.h>
#include <asm/sysreg.h>

#include "pmbsr.h"

#define SPEINJ_EL1		sys_reg(3, 0, 15, 9, 0)
#define SPEINJ_RECORD		GENMASK_ULL(11, 0)
#define SPEINJ_REFUSED		BIT_ULL(31)
#define SPEINJ_GIVEN_SHIFT	32

#define SPE_INJECT_TEXT		1024
#define SPE_INJECT_MOST		32

struct spe_inject {
	u64 value[SPE_INJECT_MOST];
	unsigned int count;
	u64 read;
};

/* Context for both functions: the CPU concerned, interrupts disabled. */
static void spe_inject_call(void *data)
{
	struct spe_inject *inject = data;
	unsigned long flags = local_daif_save();
	unsigned int i;

	for (i = 0; i < inject->count; i++) {
		write_sysreg_s(inject->value[i], SPEINJ_EL1);
		isb();
		inject->read |= read_sysreg_s(SPEINJ_EL1) & SPEINJ_REFUSED;
	}
	if (!inject->count)
		inject->read = read_sysreg_s(SPEINJ_EL1);
	local_daif_restore(flags);
}

static void spe_inject_call_syndrome(void *data)
{
	struct spe_inject *inject = data;

	write_pmbsr(inject->value[0]);
}

/* Parses "CPU VALUE...".  Returns the number of values, or 0 if the text is malformed. */
static unsigned int spe_inject_parse(char *text, unsigned int *cpu, struct spe_inject *inject)
{
	char *word = strsep(&text, " ");

	if (kstrtouint(word, 0, cpu) || *cpu >= nr_cpu_ids)
		return 0;
	while ((word = strsep(&text, "\n "))) {
		if (!*word)
			continue;
		if (inject->count == SPE_INJECT_MOST ||
		    kstrtou64(word, 16, &inject->value[inject->count++]))
			return 0;
	}
	return inject->count;
}

/* Returns COUNT, -ENXIO if the CPU is offline, or -EINVAL if the model rejects a value. */
static ssize_t spe_inject_on_cpu(const char __user *from, size_t count, smp_call_func_t function)
{
	struct spe_inject inject = { };
	unsigned int cpu, values;
	char *text;

	if (count >= SPE_INJECT_TEXT)
		return -EINVAL;
	text = memdup_user_nul(from, count);
	if (IS_ERR(text))
		return PTR_ERR(text);
	values = spe_inject_parse(text, &cpu, &inject);
	kfree(text);
	if (!values)
		return -EINVAL;
	if (smp_call_function_single(cpu, function, &inject, true))
		return -ENXIO;
	return inject.read & SPEINJ_REFUSED ? -EINVAL : count;
}

static ssize_t spe_inject_write(struct file *file, const char __user *from, size_t count,
				loff_t *at)
{
	return spe_inject_on_cpu(from, count, spe_inject_call);
}

static ssize_t spe_inject_write_syndrome(struct file *file, const char __user *from, size_t count,
					 loff_t *at)
{
	return spe_inject_on_cpu(from, count, spe_inject_call_syndrome);
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
			   inject.read & SPEINJ_RECORD, inject.read >> SPEINJ_GIVEN_SHIFT);
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

static const struct file_operations spe_inject_syndrome_fops = {
	.owner = THIS_MODULE,
	.write = spe_inject_write_syndrome,
};

/* A function of the kernel with extra work at its entry; spe_inject_lock protects it. */
struct spe_inject_place {
	char symbol[128];
	u64 value;
	struct kprobe probe;
	bool probed;
};

static DEFINE_MUTEX(spe_inject_lock);
static atomic_t spe_inject_armed = ATOMIC_INIT(0);
static struct spe_inject_place spe_inject_once, spe_inject_slow;

static void spe_inject_leave(struct spe_inject_place *place)
{
	if (place->probed)
		unregister_kprobe(&place->probe);
	place->probed = false;
}

/* Parses "FUNCTION VALUE" and sets the probe.  With ZERO_ENDS a zero sets no probe. */
static int spe_inject_enter(struct spe_inject_place *place, char *text,
			    kprobe_pre_handler_t handler, bool zero_ends)
{
	char *symbol = strsep(&text, " ");
	int err;

	if (!text || strscpy(place->symbol, symbol, sizeof(place->symbol)) < 0)
		return -EINVAL;
	err = kstrtou64(strim(text), 16, &place->value);
	if (err || (zero_ends && !place->value))
		return err;
	place->probe = (struct kprobe) {
		.symbol_name = place->symbol,
		.pre_handler = handler,
	};
	err = register_kprobe(&place->probe);
	place->probed = !err;
	return err;
}

static int spe_inject_entered(struct kprobe *probe, struct pt_regs *regs)
{
	if (atomic_cmpxchg(&spe_inject_armed, 1, 0) == 1) {
		write_sysreg_s(spe_inject_once.value, SPEINJ_EL1);
		isb();
	}
	return 0;
}

static void spe_inject_forget(void)
{
	atomic_set(&spe_inject_armed, 0);
	spe_inject_leave(&spe_inject_once);
}

static int spe_inject_arm(char *text)
{
	int err;

	spe_inject_forget();
	err = spe_inject_enter(&spe_inject_once, text, spe_inject_entered, false);
	if (!err)
		atomic_set(&spe_inject_armed, 1);
	return err;
}

static int spe_inject_dawdle(struct kprobe *probe, struct pt_regs *regs)
{
	u64 i;

	for (i = 0; i < spe_inject_slow.value; i++)
		barrier();
	return 0;
}

static int spe_inject_burden(char *text)
{
	spe_inject_leave(&spe_inject_slow);
	return spe_inject_enter(&spe_inject_slow, text, spe_inject_dawdle, true);
}

static ssize_t spe_inject_probe_text(const char __user *from, size_t count, int (*arm)(char *text))
{
	char *text;
	int err;

	if (count >= SPE_INJECT_TEXT)
		return -EINVAL;
	text = memdup_user_nul(from, count);
	if (IS_ERR(text))
		return PTR_ERR(text);
	mutex_lock(&spe_inject_lock);
	err = arm(text);
	mutex_unlock(&spe_inject_lock);
	kfree(text);
	return err ?: count;
}

static ssize_t spe_inject_write_at(struct file *file, const char __user *from, size_t count,
				   loff_t *at)
{
	return spe_inject_probe_text(from, count, spe_inject_arm);
}

static ssize_t spe_inject_write_burden(struct file *file, const char __user *from, size_t count,
				       loff_t *at)
{
	return spe_inject_probe_text(from, count, spe_inject_burden);
}

static ssize_t spe_inject_read_at(struct file *file, char __user *to, size_t count, loff_t *at)
{
	const char *text = atomic_read(&spe_inject_armed) ? "1\n" : "0\n";

	return simple_read_from_buffer(to, count, at, text, 2);
}

static const struct file_operations spe_inject_at_fops = {
	.owner = THIS_MODULE,
	.read = spe_inject_read_at,
	.write = spe_inject_write_at,
};

static const struct file_operations spe_inject_burden_fops = {
	.owner = THIS_MODULE,
	.write = spe_inject_write_burden,
};

static struct dentry *spe_inject_files[4];

/* debugfs asks callers to ignore errors.  If a file is missing, the test fails. */
static int __init spe_inject_init(void)
{
	spe_inject_files[0] = debugfs_create_file("arm_spe_inject", 0600, NULL, NULL,
						  &spe_inject_fops);
	spe_inject_files[1] = debugfs_create_file("arm_spe_inject_syndrome", 0200, NULL, NULL,
						  &spe_inject_syndrome_fops);
	spe_inject_files[2] = debugfs_create_file("arm_spe_inject_at", 0600, NULL, NULL,
						  &spe_inject_at_fops);
	spe_inject_files[3] = debugfs_create_file("arm_spe_inject_burden", 0200, NULL, NULL,
						  &spe_inject_burden_fops);
	return 0;
}

static void __exit spe_inject_exit(void)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(spe_inject_files); i++)
		debugfs_remove(spe_inject_files[i]);
	spe_inject_forget();
	spe_inject_leave(&spe_inject_slow);
}

module_init(spe_inject_init);
module_exit(spe_inject_exit);

MODULE_DESCRIPTION("Injects events of the Profiling Buffer into the SPE model");
MODULE_LICENSE("GPL");
