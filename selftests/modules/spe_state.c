// SPDX-License-Identifier: GPL-2.0-only
/*
 * For the crash kernel of the job "kdump": prints what the unit's registers hold on this CPU, when
 * it is loaded and when it is unloaded.  It changes nothing.
 */
#include <linux/module.h>
#include <linux/preempt.h>
#include <asm/sysreg.h>
#include <asm/virt.h>

#include <arm_spe/regs.h>

static void print_state(const char *when)
{
	preempt_disable();
	pr_emerg("spe_state %s: pmscr=%llx guests=%llx pmblimitr=%llx pmbptr=%llx pmbsr=%llx\n",
		 when, read_sysreg_s(SYS_PMSCR_EL1),
		 is_kernel_in_hyp_mode() ? read_sysreg_s(ARM_SPE_PMSCR_EL12) : 0,
		 read_sysreg_s(SYS_PMBLIMITR_EL1),
		 read_sysreg_s(SYS_PMBPTR_EL1), read_sysreg_s(SYS_PMBSR_EL1));
	preempt_enable();
}

static int __init state_init(void)
{
	print_state("first");
	return 0;
}

static void __exit state_exit(void)
{
	print_state("last");
}

module_init(state_init);
module_exit(state_exit);

MODULE_DESCRIPTION("Prints the registers of the Statistical Profiling Unit, for tests of arm_spe_pmu");
MODULE_LICENSE("GPL");
