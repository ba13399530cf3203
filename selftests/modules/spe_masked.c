// SPDX-License-Identifier: GPL-2.0-only
/*
 * For guests: known code that runs with interrupts masked for as long as a test needs.
 *
 * /sys/module/spe_masked/parameters:
 *   spin	write N: runs N rounds of four operations with interrupts masked, on the
 *		caller's CPU
 *   code	read: the address of that code, "START END", in hexadecimal
 */
#include <linux/irqflags.h>
#include <linux/module.h>

static unsigned long code_start, code_end;

static void spin_masked(u64 rounds)
{
	unsigned long start, end, flags;

	local_irq_save(flags);
	asm volatile("	adr	%1, 1f\n"
		     "	adr	%2, 2f\n"
		     "1:	subs	%0, %0, #1\n"
		     "	nop\n"
		     "	nop\n"
		     "	b.ne	1b\n"
		     "2:"
		     : "+r" (rounds), "=&r" (start), "=&r" (end) : : "cc");
	local_irq_restore(flags);
	code_start = start;
	code_end = end;
}

static int set_spin(const char *text, const struct kernel_param *unused)
{
	u64 rounds;
	int err = kstrtou64(text, 0, &rounds);

	if (err || !rounds)
		return err ?: -EINVAL;
	spin_masked(rounds);
	return 0;
}

static int get_code(char *text, const struct kernel_param *unused)
{
	return sysfs_emit(text, "%lx %lx\n", code_start, code_end);
}

static const struct kernel_param_ops spin_ops = { .set = set_spin };
static const struct kernel_param_ops code_ops = { .get = get_code };
module_param_cb(spin, &spin_ops, NULL, 0200);
module_param_cb(code, &code_ops, NULL, 0400);

static int __init masked_init(void)
{
	return 0;
}

static void __exit masked_exit(void)
{
}

module_init(masked_init);
module_exit(masked_exit);

MODULE_DESCRIPTION("Code with interrupts masked, for tests of arm_spe_pmu");
MODULE_LICENSE("GPL");
