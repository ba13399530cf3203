// SPDX-License-Identifier: GPL-2.0-only
/*
 * Power-down of a CPU: a deep idle state that loses the unit's registers, or
 * suspend of the machine.
 *
 * The session stays open, so that an idle CPU makes no AUX records.  The driver
 * drains the unit, saves its registers, and restores them at power-up.
 *
 * The notifier runs on that CPU.  Interrupts are disabled from CPU_PM_ENTER to
 * CPU_PM_EXIT, so neither perf's callbacks nor the interrupt come in between.  The
 * Profiling exception may come, because registers reset to UNKNOWN values.  Its
 * handler checks powered_down.
 */
#include <linux/cpu_pm.h>

#include "filter.h"
#include "regs.h"
#include "sampling.h"
#include "spe.h"

/*
 * If a management event is pending (PMBSR_EL1.S is 1), the saved PMBSR_EL1 keeps it.
 * When spe_power_restore() writes S back, the unit raises the interrupt again.
 */
static void spe_power_save(struct spe_cpu *c)
{
	struct spe_cpu_power *k = &c->power;

	spe_sampling_stop(c);
	k->pmbsr = spe_read(PMBSR);
	k->pmbptr = spe_read(PMBPTR);
	k->pmblimitr = spe_read(PMBLIMITR);
	k->pmsicr = spe_read(PMSICR);
	k->pmsirr = spe_read(PMSIRR);
	spe_filter_read(&k->filters);
	k->valid = true;
}

/* Call this after spe_probe_reset_this_cpu().  Sampling starts last. */
static void spe_power_restore(struct spe_cpu *c)
{
	struct spe_cpu_power *k = &c->power;

	k->valid = false;
	spe_filter_write(&k->filters);
	spe_write(k->filters.reg[SPE_PROG_PMSFCR], PMSFCR);
	spe_write(k->pmsirr, PMSIRR);
	spe_write(k->pmsicr, PMSICR);
	/* While the buffer is enabled and S is clear, a write of PMBSR_EL1 may be ignored. */
	spe_write(k->pmbsr, PMBSR);
	spe_regs_enable_buffer(k->pmbptr, k->pmblimitr);
	c->stats.powerdowns++;
	spe_sampling_start(c);
}

/*
 * The CPU may have kept its registers or lost them (all but PMBLIMITR_EL1.E reset
 * to UNKNOWN values).  The driver cannot tell, so it writes all of them.
 */
static void spe_power_exit(struct spe_cpu *c)
{
	if (c->session.event && !c->power.valid)
		return;
	spe_probe_reset_this_cpu();
	WRITE_ONCE(c->power.powered_down, false);
	if (c->session.event)
		spe_power_restore(c);
}

static void spe_power_enter(struct spe_cpu *c)
{
	if (c->session.event)
		spe_power_save(c);
	WRITE_ONCE(c->power.powered_down, true);
}

static int spe_power_notice(struct notifier_block *notifier, unsigned long what, void *unused)
{
	struct spe_pmu *spe = container_of(notifier, struct spe_pmu, power);
	struct spe_cpu *c = this_cpu_ptr(spe->cpus);

	if (!c->session.online)
		return NOTIFY_DONE;
	spe_sampling_enter_driver(c);
	switch (what) {
	case CPU_PM_ENTER:
		spe_power_enter(c);
		break;
	case CPU_PM_ENTER_FAILED:
	case CPU_PM_EXIT:
		spe_power_exit(c);
		break;
	}
	spe_sampling_leave_driver(c);
	return NOTIFY_OK;
}

int spe_power_register(struct spe_pmu *spe)
{
	spe->power.notifier_call = spe_power_notice;
	return cpu_pm_register_notifier(&spe->power);
}

void spe_power_unregister(struct spe_pmu *spe)
{
	cpu_pm_unregister_notifier(&spe->power);
}
