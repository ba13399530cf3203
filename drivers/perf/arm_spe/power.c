// SPDX-License-Identifier: GPL-2.0-only
/*
 * A CPU that powers down: idle in a state that keeps no registers, or the
 * last one in a suspend of the whole machine.
 *
 * The session stays open, so that an idle CPU makes no AUX records: what was
 * sampled is written, the unit's registers are kept and put back.
 *
 * Everything here runs on the CPU concerned with interrupts disabled, from
 * the notice to the return: neither perf nor the interrupt comes between.  The
 * Profiling exception may, of whatever the registers hold: its handler sees that
 * the CPU was away.
 */
#include <linux/cpu_pm.h>

#include "filter.h"
#include "power.h"
#include "probe.h"
#include "regs.h"
#include "sampling.h"

/*
 * A management event that is pending, S set, is kept with its syndrome: its
 * interrupt is raised again when S is written back.
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

/* The unit has been reset; sampling is off until all else is in place. */
static void spe_power_restore(struct spe_cpu *c)
{
	struct spe_cpu_power *k = &c->power;

	k->valid = false;
	spe_filter_write(&k->filters);
	spe_write(k->filters.reg[SPE_PROG_PMSFCR], PMSFCR);
	spe_write(k->pmsirr, PMSIRR);
	spe_write(k->pmsicr, PMSICR);
	spe_write(k->pmbptr, PMBPTR);
	spe_write(k->pmblimitr, PMBLIMITR);
	spe_write(k->pmbsr, PMBSR);
	c->stats.powerdowns++;
	spe_sampling_start(c);
}

/*
 * The registers hold what they held, or anything (they reset to UNKNOWN
 * values, PMBLIMITR_EL1.E apart): so they are set as if all was lost.
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
