// SPDX-License-Identifier: GPL-2.0-only
/*
 * Guests of KVM: whether events may sample them, and the end of that.
 *
 * The unit writes a guest's records to the host's buffer, and its interrupt ends the run of the
 * guest as any other does.  KVM has no part in it.
 */
#define pr_fmt(fmt) "arm_spe_pmu: " fmt

#include <linux/moduleparam.h>
#include <linux/printk.h>
#include <asm/virt.h>

#include "regs.h"
#include "sampling.h"
#include "spe.h"

/* What a guest executes is private to its owner, so the host's administrator may forbid samples. */
static bool spe_guests_allowed = true;
module_param_named(guests, spe_guests_allowed, bool, 0444);
MODULE_PARM_DESC(guests,
		 "let users with CAP_PERFMON sample guests of KVM, if the kernel runs at EL2 (default: yes)");

/* A kernel at EL1 shares PMSCR_EL1 with its guests, and KVM clears it while a guest runs. */
static const char spe_guests_at_el1[] =
	"never sampled, because this kernel runs at EL1 (no EL2, or kvm-arm.mode=nvhe, protected)";
static const char spe_guests_forbidden[] =
	"never sampled, because the module parameter is guests=0";

const char *spe_guests_missing(void)
{
	if (!is_kernel_in_hyp_mode())
		return spe_guests_at_el1;
	return spe_guests_allowed ? NULL : spe_guests_forbidden;
}

/*
 * Only this driver sets PMSCR_EL12.  Linux 6.17 and later clear it when they enable KVM on a CPU:
 * at boot, after a suspend of the machine, and with kvm.enable_virt_at_load=0 when the first
 * virtual machine starts.  If an NMI stopped the event while it resumed, the register is set and
 * session.guests is 0.  The driver did that itself, so it does not count as a change.
 */
void spe_guests_leave(struct spe_cpu *c)
{
	u64 found = spe_regs_guests(), expected = READ_ONCE(c->session.guests);

	if (expected && found != expected) {
		pr_warn_once("CPU %d: PMSCR_EL12 was changed during a session (%#llx, expected %#llx), perhaps by KVM; samples of guests are missing, record again\n",
			     smp_processor_id(), found, expected);
		c->stats.guests_changed++;
		if (c->buffer.aux)
			perf_aux_output_flag(&c->buffer.handle, PERF_AUX_FLAG_PARTIAL);
	}
	spe_sampling_set_guests(c, 0);
}
