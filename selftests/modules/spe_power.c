// SPDX-License-Identifier: GPL-2.0-only
/*
 * For guests: makes CPUs lose their SPE registers when they power down.  QEMU's PSCI implements
 * CPU_SUSPEND as a wait that keeps all registers.  So this module fills the registers with
 * noise at every power-down, whatever causes it.  That is what a Warm reset may leave: UNKNOWN
 * values except PMBLIMITR_EL1.E, which is 0.  The noise may include a pending event that the
 * CPU takes as an exception before the driver learns that the CPU is back.  Loading this
 * module also sets PMSCR_EL1 so that a host at EL2 samples its guests unless the host's kernel
 * clears that register.
 *
 * /sys/module/spe_power/parameters:
 *   cycle	write N: CPU N goes through a power-down
 *   full	write N: the same, just after the unit has reported a full buffer
 *   cycles	read: the number of power-downs so far
 *   guests	of a host at EL2: read: the bits of PMSCR_EL12 that are set on any CPU, as a
 *		decimal number; write N: set the register to N on each CPU
 *   guests_here	write N: the same on the CPU of the writer, which must not migrate
 */
#include <linux/atomic.h>
#include <linux/cpu_pm.h>
#include <linux/cpumask.h>
#include <linux/module.h>
#include <linux/smp.h>
#include <linux/workqueue.h>
#include <asm/barrier.h>
#include <asm/sysreg.h>
#include <asm/virt.h>

#include <arm_spe/regs.h>

#include "pmbsr.h"

#define PMBSR_EL12	sys_reg(3, 5, 9, 10, 3)
#define NOISE	0xa5a5a5a5a5a5a5a5ULL
/*
 * A pending event with the syndrome of a fault: if the driver handled it, its counters would
 * show that.
 */
#define FAULT	(ARM_SPE_PMBSR_S | (ARM_SPE_EC_STAGE1 << 26) | 5)

/* A kernel without patches/linux does not survive the Profiling exception. */
#ifdef PROFILING
#define EXCEPTION	(ARM_SPE_PMSCR_EE | ARM_SPE_PMSCR_KE)
#else
#define EXCEPTION	0
#endif

static atomic_t cycles = ATOMIC_INIT(0);

/*
 * At EL2 there is a second set of registers, for EL1.  The noise makes them sample guests and,
 * with EXC, leaves an event pending there with the Profiling exception enabled.
 */
static void scramble_el1(bool exc)
{
	if (!is_kernel_in_hyp_mode())
		return;
	write_sysreg_s(ARM_SPE_PMSCR_E0SPE | ARM_SPE_PMSCR_E1SPE | (exc ? ARM_SPE_PMSCR_EE : 0),
		       ARM_SPE_PMSCR_EL12);
	if (exc)
		write_sysreg_s(ARM_SPE_PMBSR_S, PMBSR_EL12);
	isb();
}

static void scramble(void)
{
	bool exc = read_sysreg_s(ARM_SPE_ID_AA64DFR2_EL1) & ARM_SPE_DFR2_SPE_EXC;
	u64 pmsidr = read_sysreg_s(ARM_SPE_PMSIDR_EL1);

	/* The reset clears E.  While it is set, a PE might ignore a write of PMBSR_ELx (R24557). */
	write_sysreg_s(NOISE & ~ARM_SPE_PMBLIMITR_E, ARM_SPE_PMBLIMITR_EL1);
	isb();
	scramble_el1(exc);
	write_sysreg_s(NOISE, ARM_SPE_PMBPTR_EL1);
	write_sysreg_s(FAULT, ARM_SPE_PMBSR_EL1);
	write_sysreg_s(~0U, ARM_SPE_PMSICR_EL1);
	write_sysreg_s(0xff00, ARM_SPE_PMSIRR_EL1);
	write_sysreg_s(ARM_SPE_PMSFCR_FT | ARM_SPE_PMSFCR_B, ARM_SPE_PMSFCR_EL1);
	if (pmsidr & ARM_SPE_PMSIDR_FE)
		write_sysreg_s(NOISE, ARM_SPE_PMSEVFR_EL1);
	if (pmsidr & ARM_SPE_PMSIDR_FNE)
		write_sysreg_s(NOISE, ARM_SPE_PMSNEVFR_EL1);
	if (pmsidr & ARM_SPE_PMSIDR_FL)
		write_sysreg_s(NOISE, ARM_SPE_PMSLATFR_EL1);
	if (pmsidr & ARM_SPE_PMSIDR_FDS)
		write_sysreg_s(NOISE, ARM_SPE_PMSDSFR_EL1);
	isb();
	write_sysreg_s(ARM_SPE_PMSCR_E0SPE | ARM_SPE_PMSCR_E1SPE | ARM_SPE_PMSCR_PA |
		       (exc ? EXCEPTION : 0), ARM_SPE_PMSCR_EL1);
	isb();
	if (!exc || !EXCEPTION)
		return;
	/* With EE set the name PMBSR_EL1 may reach another register, so write it again. */
	write_sysreg_s(FAULT, ARM_SPE_PMBSR_EL1);
	isb();
}

static int notice(struct notifier_block *notifier, unsigned long what, void *unused)
{
	if (what == CPU_PM_ENTER) {
		scramble();
		atomic_inc(&cycles);
	}
	return NOTIFY_OK;
}

/* Runs after all other notifiers, which may still use the registers. */
static struct notifier_block notifier = {
	.notifier_call = notice,
	.priority = INT_MIN,
};

/* Context: the CPU concerned, interrupts disabled. */
static void power_cycle(void *err)
{
	*(int *)err = cpu_pm_enter();
	if (!*(int *)err)
		*(int *)err = cpu_pm_exit();
}

/*
 * Reports a full buffer just before the power-down, so that no driver handles it: a write
 * of S stops the unit and raises the interrupt, as the unit itself does (IGRLRX).
 */
static void power_cycle_full(void *err)
{
	write_pmbsr(ARM_SPE_PMBSR_S | ARM_SPE_BSC_FULL);
	power_cycle(err);
}

struct task {
	void (*what)(void *err);
	int err;
};

static long run_here(void *data)
{
	struct task *task = data;
	unsigned long flags;

	local_irq_save(flags);
	task->what(&task->err);
	local_irq_restore(flags);
	return 0;
}

/*
 * Runs WHAT in a task on the CPU.  No CPU powers down inside an interrupt, and the driver of
 * the interrupt controller, which forgets the active interrupt, relies on that.  If the CPU is
 * this one, runs WHAT directly: switching to another task would end this task's session.
 */
static int run(const char *text, void (*what)(void *))
{
	struct task task = { .what = what };
	unsigned int cpu;
	int err;

	err = kstrtouint(text, 0, &cpu);
	if (err)
		return err;
	if (cpu >= nr_cpu_ids || !cpu_online(cpu))
		return -ENXIO;
	if (cpu == get_cpu()) {
		run_here(&task);
		put_cpu();
		return task.err;
	}
	put_cpu();
	return work_on_cpu(cpu, run_here, &task) ?: task.err;
}

static int set_cycle(const char *text, const struct kernel_param *unused)
{
	return run(text, power_cycle);
}

static int set_full(const char *text, const struct kernel_param *unused)
{
	return run(text, power_cycle_full);
}

static int show_cycles(char *text, const struct kernel_param *unused)
{
	return sysfs_emit(text, "%d\n", atomic_read(&cycles));
}

static void read_guests(void *bits)
{
	atomic64_or(read_sysreg_s(ARM_SPE_PMSCR_EL12), bits);
}

static void write_guests(void *value)
{
	write_sysreg_s(*(u64 *)value, ARM_SPE_PMSCR_EL12);
	isb();
}

static int show_guests(char *text, const struct kernel_param *unused)
{
	atomic64_t bits = ATOMIC64_INIT(0);

	if (!is_kernel_in_hyp_mode())
		return -EOPNOTSUPP;
	on_each_cpu(read_guests, &bits, 1);
	return sysfs_emit(text, "%lld\n", atomic64_read(&bits));
}

static int set_guests(const char *text, const struct kernel_param *unused)
{
	u64 value;
	int err = kstrtou64(text, 0, &value);

	if (!err && !is_kernel_in_hyp_mode())
		err = -EOPNOTSUPP;
	if (!err)
		on_each_cpu(write_guests, &value, 1);
	return err;
}

static int set_guests_here(const char *text, const struct kernel_param *unused)
{
	u64 value;
	int err = kstrtou64(text, 0, &value);

	if (!err && !is_kernel_in_hyp_mode())
		err = -EOPNOTSUPP;
	if (err)
		return err;
	get_cpu();
	write_guests(&value);
	put_cpu();
	return 0;
}

static const struct kernel_param_ops cycle_ops = { .set = set_cycle };
static const struct kernel_param_ops full_ops = { .set = set_full };
static const struct kernel_param_ops cycles_ops = { .get = show_cycles };
static const struct kernel_param_ops guests_ops = { .get = show_guests, .set = set_guests };
static const struct kernel_param_ops guests_here_ops = { .set = set_guests_here };
module_param_cb(cycle, &cycle_ops, NULL, 0200);
module_param_cb(full, &full_ops, NULL, 0200);
module_param_cb(cycles, &cycles_ops, NULL, 0444);
module_param_cb(guests, &guests_ops, NULL, 0600);
module_param_cb(guests_here, &guests_here_ops, NULL, 0200);

static void scramble_guests(void *unused)
{
	scramble_el1(false);
}

static int __init power_init(void)
{
	on_each_cpu(scramble_guests, NULL, 1);
	return cpu_pm_register_notifier(&notifier);
}

static void __exit power_exit(void)
{
	cpu_pm_unregister_notifier(&notifier);
}

module_init(power_init);
module_exit(power_exit);

MODULE_DESCRIPTION("Power-down of CPUs, for tests of arm_spe_pmu");
MODULE_LICENSE("GPL");
