// SPDX-License-Identifier: GPL-2.0-only
/*
 * For guests whose kernel takes the SPE Profiling exception: tests the exception without the
 * driver.  The module registers its own handler, so arm_spe_pmu must not be loaded.  Everything
 * but "raise_on" works on the calling CPU.
 *
 * /sys/module/spe_exception/parameters, numbers in decimal:
 *   drive	write "SR EE2 EE1 KE PM KERNEL": sets up a cell of Table D17-8 (SR 1) or
 *		D17-9 (SR 2) with these controls.  With interrupts masked the kernel
 *		sets PMBSR_EL<SR>.S, which stays set until the exception is taken.
 *		With KERNEL 0 PSTATE.PM masks the exception in the kernel, so the
 *		cell is about EL0.  A kernel at EL1 ignores EE2
 *   result	read: "irq=I pending=P kernel=K user=U user32=V": the level of PMBIRQ
 *		and S just after drive, and the exceptions since then from the
 *		kernel, from 64-bit and from 32-bit tasks
 *   quiet	write anything: clears S and restores the controls
 *   raise_on	write CPU: sets S there, in an interrupt, with EE 0b11 and KE 0
 *   storm	write 1: the handler raises the next exception each time
 *   pmscr	read: PMSCR_EL1
 *   user	read: exceptions from EL0, all CPUs
 *   user32	read: exceptions from 32-bit tasks, all CPUs
 *   kernel	read: exceptions from the kernel and from guests that it runs
 *   handler	write 0 or 1: unregisters or registers the handler
 *   wrong	read: wrong calls of the handler: while it was not registered, not as
 *		an NMI, or with registers of a context that the exception did not
 *		interrupt
 */
#include <linux/interrupt.h>
#include <linux/irq.h>
#include <linux/irq_work.h>
#include <linux/module.h>
#include <linux/of_irq.h>
#include <linux/sched/task_stack.h>
#include <linux/smp.h>
#include <asm/barrier.h>
#include <asm/irq_regs.h>
#include <asm/profiling.h>
#include <asm/ptrace.h>
#include <asm/sysreg.h>
#include <asm/virt.h>

#include <arm_spe/regs.h>

#include "pmbsr.h"

#define PMBSR_EL12	sys_reg(3, 5, 9, 10, 3)
#define PMBSR_EL2	sys_reg(3, 4, 9, 10, 3)
#define EE_SHIFT	8

struct cell {
	unsigned int sr, ee2, ee1, ke, pm, kernel;
};

struct seen {
	int irq;
	bool pending;
	unsigned int kernel, user, user32;
};

static DEFINE_PER_CPU(struct seen, seen);
static u64 kept;
static int pmbirq;
static bool registered;
static bool storm;
static atomic_t wrong = ATOMIC_INIT(0);

/* At EL2 the names of EL1's registers follow EE; the names used here do not. */
static void clear_all(void)
{
	isb();
	if (is_kernel_in_hyp_mode()) {
		write_sysreg_s(0, PMBSR_EL12);
		write_sysreg_s(0, PMBSR_EL2);
	} else {
		write_sysreg_s(0, ARM_SPE_PMBSR_EL1);
	}
	isb();
}

static void raise_in(unsigned int sr)
{
	u64 limit = pmbsr_begin();

	if (!is_kernel_in_hyp_mode())
		write_sysreg_s(ARM_SPE_PMBSR_S, ARM_SPE_PMBSR_EL1);
	else if (sr == 1)
		write_sysreg_s(ARM_SPE_PMBSR_S, PMBSR_EL12);
	else
		write_sysreg_s(ARM_SPE_PMBSR_S, PMBSR_EL2);
	pmbsr_end(limit);
}

static bool is_pending(unsigned int sr)
{
	u64 pmbsr;

	if (!is_kernel_in_hyp_mode())
		pmbsr = read_sysreg_s(ARM_SPE_PMBSR_EL1);
	else if (sr == 1)
		pmbsr = read_sysreg_s(PMBSR_EL12);
	else
		pmbsr = read_sysreg_s(PMBSR_EL2);
	return pmbsr & ARM_SPE_PMBSR_S;
}

static void control(const struct cell *cell)
{
	u64 ke = cell->ke ? ARM_SPE_PMSCR_KE : 0;

	if (is_kernel_in_hyp_mode()) {
		write_sysreg_s((u64)cell->ee2 << EE_SHIFT | ke, ARM_SPE_PMSCR_EL1);
		write_sysreg_s((u64)cell->ee1 << EE_SHIFT | ke, ARM_SPE_PMSCR_EL12);
	} else {
		write_sysreg_s((u64)cell->ee1 << EE_SHIFT | ke, ARM_SPE_PMSCR_EL1);
	}
	isb();
}

/*
 * ELR is as the exception left it.  But if the exception ended a guest's run, it interrupted no
 * code of the host, and KVM passes the registers of its own caller, which runs on the task's
 * stack.
 */
static bool is_interrupted(const struct pt_regs *regs)
{
	unsigned long stack = (unsigned long)task_stack_page(current);

	if (regs->pc == read_sysreg(elr_el1))
		return true;
	return !user_mode(regs) && regs->sp >= stack && regs->sp < stack + THREAD_SIZE;
}

static bool handle(struct pt_regs *regs)
{
	struct seen *s = this_cpu_ptr(&seen);

	if (!in_nmi() || !READ_ONCE(registered) || !is_interrupted(regs))
		atomic_inc(&wrong);
	clear_all();
	if (!user_mode(regs))
		s->kernel++;
	else if (compat_user_mode(regs))
		s->user32++;
	else
		s->user++;
	/* KE is 0, so the next exception comes on the return to EL0. */
	if (READ_ONCE(storm)) {
		write_sysreg_s(ARM_SPE_PMBSR_S, ARM_SPE_PMBSR_EL1);
		isb();
	}
	return true;
}

static const struct profiling_handler handler = { .handle = handle };

/*
 * Sets PSTATE.PM of the interrupted code, also without FEAT_EBEP, by changing the saved PSTATE
 * in an interrupt.
 */
struct mask {
	struct irq_work work;
	bool on, done;
};

static void mask_in_interrupt(struct irq_work *work)
{
	struct mask *mask = container_of(work, struct mask, work);
	struct pt_regs *regs = get_irq_regs();

	if (mask->on)
		regs->pstate |= ARM_SPE_PSTATE_PM;
	else
		regs->pstate &= ~ARM_SPE_PSTATE_PM;
	WRITE_ONCE(mask->done, true);
}

static void set_pm(bool on)
{
	struct mask mask = { .work = IRQ_WORK_INIT_HARD(mask_in_interrupt), .on = on };

	/* The interrupt runs the work on this CPU: after "done" the stack frame may go. */
	irq_work_queue(&mask.work);
	while (!READ_ONCE(mask.done))
		cpu_relax();
}

static void return_with_pm(bool on)
{
	struct pt_regs *regs = task_pt_regs(current);

	if (on)
		regs->pstate |= ARM_SPE_PSTATE_PM;
	else
		regs->pstate &= ~ARM_SPE_PSTATE_PM;
}

/* Call with preemption disabled.  S stays set on return, and after the system call. */
static void drive_cell(const struct cell *cell)
{
	struct seen *s = this_cpu_ptr(&seen);
	bool level = false;
	unsigned long flags;

	clear_all();
	*s = (struct seen){ };
	control(cell);
	set_pm(cell->kernel ? cell->pm : true);
	return_with_pm(cell->pm);
	local_irq_save(flags);
	raise_in(cell->sr);
	s->pending = is_pending(cell->sr);
	irq_get_irqchip_state(pmbirq, IRQCHIP_STATE_PENDING, &level);
	s->irq = level;
	local_irq_restore(flags);
}

static int drive(const char *text, const struct kernel_param *unused)
{
	struct cell cell;

	if (sscanf(text, "%u %u %u %u %u %u", &cell.sr, &cell.ee2, &cell.ee1, &cell.ke,
		   &cell.pm, &cell.kernel) != 6 ||
	    cell.sr < 1 || cell.sr > 2 || (cell.sr == 2 && !is_kernel_in_hyp_mode()))
		return -EINVAL;
	preempt_disable();
	drive_cell(&cell);
	preempt_enable();
	return 0;
}

static int result(char *text, const struct kernel_param *unused)
{
	const struct seen *s = raw_cpu_ptr(&seen);

	return sysfs_emit(text, "irq=%d pending=%d kernel=%u user=%u user32=%u\n", s->irq,
			  s->pending, s->kernel, s->user, s->user32);
}

static void quiet_here(void *unused)
{
	clear_all();
	write_sysreg_s(kept, ARM_SPE_PMSCR_EL1);
	if (is_kernel_in_hyp_mode())
		write_sysreg_s(0, ARM_SPE_PMSCR_EL12);
	clear_all();
}

static int quiet(const char *text, const struct kernel_param *unused)
{
	on_each_cpu(quiet_here, NULL, 1);
	return 0;
}

/* Raises the exception for the kernel's own level: the name PMBSR_EL1 follows EE. */
static void raise_here(void *unused)
{
	write_sysreg_s(ARM_SPE_PMSCR_EE, ARM_SPE_PMSCR_EL1);
	isb();
	write_sysreg_s(ARM_SPE_PMBSR_S, ARM_SPE_PMBSR_EL1);
	isb();
}

static int raise_on(const char *text, const struct kernel_param *unused)
{
	unsigned int cpu;
	int err = kstrtouint(text, 0, &cpu);

	return err ?: smp_call_function_single(cpu, raise_here, NULL, 1);
}

static int set_handler(const char *text, const struct kernel_param *unused)
{
	bool on;
	int err = kstrtobool(text, &on);

	if (err || on == registered)
		return err;
	if (!on) {
		profiling_unregister_handler(PROFILING_SPE, &handler);
		WRITE_ONCE(registered, false);
		return 0;
	}
	WRITE_ONCE(registered, true);
	err = profiling_register_handler(PROFILING_SPE, &handler);
	if (err)
		WRITE_ONCE(registered, false);
	return err;
}

static int show_wrong(char *text, const struct kernel_param *unused)
{
	return sysfs_emit(text, "%d\n", atomic_read(&wrong));
}

static int show_user(char *text, const struct kernel_param *unused)
{
	unsigned int sum = 0;
	int cpu;

	for_each_possible_cpu(cpu)
		sum += READ_ONCE(per_cpu(seen, cpu).user);
	return sysfs_emit(text, "%u\n", sum);
}

static int show_kernel(char *text, const struct kernel_param *unused)
{
	unsigned int sum = 0;
	int cpu;

	for_each_possible_cpu(cpu)
		sum += READ_ONCE(per_cpu(seen, cpu).kernel);
	return sysfs_emit(text, "%u\n", sum);
}

static int show_user32(char *text, const struct kernel_param *unused)
{
	unsigned int sum = 0;
	int cpu;

	for_each_possible_cpu(cpu)
		sum += READ_ONCE(per_cpu(seen, cpu).user32);
	return sysfs_emit(text, "%u\n", sum);
}

static int show_pmscr(char *text, const struct kernel_param *unused)
{
	return sysfs_emit(text, "%llu\n", read_sysreg_s(ARM_SPE_PMSCR_EL1));
}

static const struct kernel_param_ops drive_ops = { .set = drive };
static const struct kernel_param_ops result_ops = { .get = result };
static const struct kernel_param_ops quiet_ops = { .set = quiet };
static const struct kernel_param_ops raise_on_ops = { .set = raise_on };
static const struct kernel_param_ops handler_ops = { .set = set_handler };
static const struct kernel_param_ops wrong_ops = { .get = show_wrong };
static const struct kernel_param_ops user_ops = { .get = show_user };
static const struct kernel_param_ops user32_ops = { .get = show_user32 };
static const struct kernel_param_ops kernel_ops = { .get = show_kernel };
static const struct kernel_param_ops pmscr_ops = { .get = show_pmscr };
module_param_cb(drive, &drive_ops, NULL, 0200);
module_param_cb(result, &result_ops, NULL, 0400);
module_param_cb(quiet, &quiet_ops, NULL, 0200);
module_param_cb(raise_on, &raise_on_ops, NULL, 0200);
module_param_cb(handler, &handler_ops, NULL, 0200);
module_param_cb(wrong, &wrong_ops, NULL, 0400);
module_param_cb(user, &user_ops, NULL, 0400);
module_param_cb(user32, &user32_ops, NULL, 0400);
module_param_cb(kernel, &kernel_ops, NULL, 0400);
module_param(storm, bool, 0600);
module_param_cb(pmscr, &pmscr_ops, NULL, 0400);

static int __init exception_init(void)
{
	struct device_node *node =
		of_find_compatible_node(NULL, NULL, "arm,statistical-profiling-extension-v1");

	pmbirq = node ? irq_of_parse_and_map(node, 0) : 0;
	of_node_put(node);
	if (pmbirq <= 0)
		return -ENODEV;
	kept = read_sysreg_s(ARM_SPE_PMSCR_EL1);
	return set_handler("1", NULL);
}

static void __exit exception_exit(void)
{
	/* Unregister first: exceptions may come until the kernel disables them. */
	set_handler("0", NULL);
	quiet(NULL, NULL);
}

module_init(exception_init);
module_exit(exception_exit);

MODULE_DESCRIPTION("The SPE Profiling exception without a driver, for tests");
MODULE_LICENSE("GPL");
