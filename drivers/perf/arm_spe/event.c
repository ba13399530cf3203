// SPDX-License-Identifier: GPL-2.0-only
/*
 * perf events: who may sample what, and the unit's life on a CPU.
 */
#include <linux/slab.h>

#include "compat.h"
#include "regs.h"
#include "spe.h"

static struct spe_config spe_event_config(const struct perf_event_attr *attr)
{
	return (struct spe_config) { {
		attr->config, attr->config1, attr->config2,
		spe_compat_config3(attr), spe_compat_config4(attr),
	} };
}

/*
 * Exception levels, and what only the privileged may see.  A physical
 * address or the physical counter is asked for, so its refusal is an error;
 * context is added for whoever may have it.
 */
static int spe_event_permit(const struct perf_event_attr *attr, struct spe_prog *prog)
{
	u64 *pmscr = &prog->reg[SPE_PROG_PMSCR];
	int denied = spe_compat_allow_kernel();

	if (denied && *pmscr & (ARM_SPE_PMSCR_PA | ARM_SPE_PMSCR_PCT))
		return denied;
	/* Without process ids CONTEXTIDR holds nothing of use. */
	if (IS_ENABLED(CONFIG_PID_IN_CONTEXTIDR) && !denied)
		*pmscr |= ARM_SPE_PMSCR_CX;
	if (!attr->exclude_user)
		*pmscr |= ARM_SPE_PMSCR_E0SPE;
	if (!attr->exclude_kernel)
		*pmscr |= ARM_SPE_PMSCR_E1SPE;
	return 0;
}

static int spe_event_compose(struct perf_event *event, struct spe_prog *prog)
{
	struct spe_pmu *spe = to_spe_pmu(event->pmu);
	struct spe_config config = spe_event_config(&event->attr);
	int err = spe_attr_pack(&config, &spe->caps, prog);

	return err ?: spe_event_permit(&event->attr, prog);
}

static void spe_event_destroy(struct perf_event *event)
{
	kfree(event->pmu_private);
}

/*
 * Returns 0, or
 * -ENOENT	another PMU's event, or a CPU that is not this PMU's
 * -EINVAL	a bit that means nothing, a frequency
 * -EOPNOTSUPP	an attribute that this PMU lacks
 * -EACCES	an attribute that the caller may not use
 */
static int spe_event_init(struct perf_event *event)
{
	struct spe_pmu *spe = to_spe_pmu(event->pmu);
	struct spe_session *session;
	int err = 0;

	if (event->attr.type != event->pmu->type)
		return -ENOENT;
	if (event->cpu >= 0 && !cpumask_test_cpu(event->cpu, &spe->supported))
		return -ENOENT;
	if (event->attr.exclude_idle)
		return -EOPNOTSUPP;
	/* A period is kept by the unit: nothing counts samples to steer it. */
	if (event->attr.freq)
		return -EINVAL;

	session = kzalloc(sizeof(*session), GFP_KERNEL);
	if (!session)
		return -ENOMEM;
	/* A child inherits what its parent's owner was allowed at the time. */
	if (event->parent)
		*session = *(struct spe_session *)event->parent->pmu_private;
	else
		err = spe_event_compose(event, &session->prog);
	if (err) {
		kfree(session);
		return err;
	}
	event->pmu_private = session;
	event->destroy = spe_event_destroy;
	event->hw.sample_period = spe_attr_period(event->hw.sample_period, &spe->caps);
	event->hw.last_period = event->hw.sample_period;
	/* PMSICR_EL1: zero lets the unit load the first interval (D17.3.3). */
	local64_set(&event->hw.period_left, 0);
	return 0;
}

/* A filter that is not enabled is not read: its register keeps what it has. */
static void spe_event_program(const struct perf_event *event, const struct spe_caps *caps)
{
	const struct spe_session *session = event->pmu_private;
	const u64 *reg = session->prog.reg;
	u64 pmsfcr = reg[SPE_PROG_PMSFCR];
	u64 period = spe_attr_period(event->hw.sample_period, caps);

	spe_write(pmsfcr, PMSFCR);
	if (pmsfcr & ARM_SPE_PMSFCR_FE)
		spe_write(reg[SPE_PROG_PMSEVFR], PMSEVFR);
	if (pmsfcr & ARM_SPE_PMSFCR_FNE)
		spe_write(reg[SPE_PROG_PMSNEVFR], PMSNEVFR);
	if (pmsfcr & ARM_SPE_PMSFCR_FL)
		spe_write(reg[SPE_PROG_PMSLATFR], PMSLATFR);
	if (pmsfcr & ARM_SPE_PMSFCR_FDS)
		spe_write(reg[SPE_PROG_PMSDSFR], PMSDSFR);
	spe_write(reg[SPE_PROG_PMSIRR] | period, PMSIRR);
	/* Where the last session was interrupted, the count goes on. */
	spe_write((u64)local64_read(&event->hw.period_left), PMSICR);
}

/* Context: the event's CPU, interrupts disabled, as all that follow. */
static void spe_event_start(struct perf_event *event, int flags)
{
	struct spe_pmu *spe = to_spe_pmu(event->pmu);
	struct spe_cpu *c = this_cpu_ptr(spe->cpus);
	const struct spe_session *session = event->pmu_private;

	event->hw.state = PERF_HES_STOPPED;
	/* A CPU that goes down keeps its events longer than its interrupt. */
	if (!cpumask_test_cpu(smp_processor_id(), &spe->active))
		return;
	if (!spe_service_open(c, event))
		return;
	event->hw.state = 0;
	spe_event_program(event, &spe->caps);
	spe_regs_start(session->prog.reg[SPE_PROG_PMSCR]);
}

void spe_event_stop(struct perf_event *event, int flags)
{
	struct spe_cpu *c = this_cpu_ptr(to_spe_pmu(event->pmu)->cpus);

	if (event->hw.state & PERF_HES_STOPPED)
		return;
	spe_regs_stop();
	local64_set(&event->hw.period_left, spe_read(PMSICR));
	event->hw.state |= PERF_HES_STOPPED | PERF_HES_UPTODATE;
	spe_service_close(c);
}

static int spe_event_add(struct perf_event *event, int flags)
{
	struct spe_pmu *spe = to_spe_pmu(event->pmu);

	/* A task's event comes to CPUs of other kinds, and to dying ones. */
	if (!cpumask_test_cpu(smp_processor_id(), &spe->active))
		return -ENOENT;
	/* One unit a CPU: perf's exclusive PMUs have one event at a time. */
	if (this_cpu_ptr(spe->cpus)->event)
		return -EAGAIN;
	event->hw.state = PERF_HES_STOPPED | PERF_HES_UPTODATE;
	if (!(flags & PERF_EF_START))
		return 0;
	spe_event_start(event, PERF_EF_RELOAD);
	return event->hw.state & PERF_HES_STOPPED ? -EINVAL : 0;
}

static void spe_event_del(struct perf_event *event, int flags)
{
	spe_event_stop(event, PERF_EF_UPDATE);
}

/* Nothing is counted: samples are in the buffer. */
static void spe_event_read(struct perf_event *event)
{
}

/* perf_pmu_register()'s errors. */
int spe_event_register(struct spe_pmu *spe)
{
	static atomic_t number = ATOMIC_INIT(-1);
	const char *name = devm_kasprintf(&spe->pdev->dev, GFP_KERNEL, "arm_spe_%d",
					  atomic_inc_return(&number));

	if (!name)
		return -ENOMEM;
	spe->pmu = (struct pmu) {
		.module = THIS_MODULE,
		.capabilities = PERF_PMU_CAP_EXCLUSIVE | PERF_PMU_CAP_ITRACE,
		.attr_groups = spe_sysfs_groups,
		/* Beside any hardware counters, never multiplexed with them. */
		.task_ctx_nr = perf_sw_context,
		.event_init = spe_event_init,
		.add = spe_event_add,
		.del = spe_event_del,
		.start = spe_event_start,
		.stop = spe_event_stop,
		.read = spe_event_read,
		.setup_aux = spe_aux_setup,
		.free_aux = spe_aux_free,
	};
	return perf_pmu_register(&spe->pmu, name, -1);
}
