// SPDX-License-Identifier: GPL-2.0-only
/*
 * The perf PMU: event_init checks attributes and permissions.
 */
#include <linux/moduleparam.h>
#include <linux/slab.h>

#include "aux.h"
#include "auxsample.h"
#include "compat.h"
#include "event.h"
#include "exc.h"
#include "session.h"
#include "sysfs.h"

/*
 * perf's core has a fault that an ordinary user can reach through this capability: if the
 * leader of a group is closed and its sibling with aux_action is enabled again,
 * perf_event_aux_pause() warns in hard interrupt context (patches/upstream/core).
 */
static bool spe_event_aux_pause;
module_param_named(aux_pause, spe_event_aux_pause, bool, 0444);
MODULE_PARM_DESC(aux_pause,
		 "let other events pause and resume sampling (aux-action=); a kernel without the fixes of patches/upstream/core then lets every user cause a kernel warning, a panic with panic_on_warn (default: no)");

static struct spe_config spe_event_config(const struct perf_event_attr *attr)
{
	return (struct spe_config) { {
		attr->config, attr->config1, attr->config2,
		spe_compat_config3(attr), spe_compat_config4(attr),
	} };
}

/*
 * Sets the bits of PMSCR_EL1 that depend on the caller.  A caller without permission
 * to profile the kernel gets an error if it asks for physical addresses or the
 * physical counter.  Context packets are no attribute: the driver adds them if the
 * caller has the permission.
 */
static int spe_event_permit(const struct perf_event_attr *attr, struct spe_prog *prog)
{
	u64 *pmscr = &prog->reg[SPE_PROG_PMSCR];
	int denied = spe_compat_allow_kernel();

	if (denied && *pmscr & (ARM_SPE_PMSCR_PA | ARM_SPE_PMSCR_PCT))
		return denied;
	/* CONTEXTIDR_EL1 holds the process id only with this option. */
	if (IS_ENABLED(CONFIG_PID_IN_CONTEXTIDR) && !denied)
		*pmscr |= ARM_SPE_PMSCR_CX;
	if (!attr->exclude_user)
		*pmscr |= ARM_SPE_PMSCR_E0SPE;
	if (!attr->exclude_kernel)
		*pmscr |= ARM_SPE_PMSCR_E1SPE;
	return 0;
}

static int spe_event_encode(struct perf_event *event, struct spe_prog *prog)
{
	struct spe_pmu *spe = to_spe_pmu(event->pmu);
	struct spe_config config = spe_event_config(&event->attr);
	int err = spe_attr_pack(&config, &spe->caps, prog);

	return err ?: spe_event_permit(&event->attr, prog) ?:
	       spe_exc_permit(spe, event->attr.exclude_kernel);
}

/* Discard mode has no frequency: the driver counts records, and there are none. */
static int spe_event_rate(struct perf_event *event, struct spe_event_data *data)
{
	const struct spe_caps *caps = &to_spe_pmu(event->pmu)->caps;

	if (!event->attr.freq)
		return 0;
	if (!event->attr.sample_freq || data->prog.reg[SPE_PROG_PMBLIMITR])
		return -EINVAL;
	data->frequency = event->attr.sample_freq;
	spe_rate_init(&data->rate, data->frequency, caps->min_interval, 0);
	return 0;
}

/* The parent may sample on another CPU now, so copy only its interval. */
static void spe_event_inherit(struct perf_event *event, struct spe_event_data *data)
{
	const struct spe_event_data *parent = event->parent->pmu_private;

	data->prog = parent->prog;
	if (!parent->frequency)
		return;
	data->frequency = event->attr.sample_freq;
	spe_rate_init(&data->rate, data->frequency, parent->rate.shortest,
		      READ_ONCE(parent->rate.interval));
}

static void spe_event_destroy(struct perf_event *event)
{
	kfree(event->pmu_private);
}

/* Attributes that mean nothing for this PMU. */
static int spe_event_refuse(const struct perf_event_attr *attr)
{
	/* The unit never samples guests, so without the host it would sample nothing. */
	if (attr->exclude_idle || attr->exclude_host)
		return -EOPNOTSUPP;
	/*
	 * For events that have samples of their own, and this PMU has none.  perf takes a
	 * reference on the group's leader for such an event.  It never drops the
	 * reference if it then refuses a second event of an exclusive PMU, as
	 * perf_event_open() does after event_init (kernel/events/core.c).
	 */
	if (attr->aux_output || attr->aux_sample_size || spe_compat_aux_switch(attr))
		return -EINVAL;
	return 0;
}

/*
 * Returns 0, or
 * -ENOENT	the event is for another PMU, or for a CPU without this PMU
 * -EINVAL	a bit belongs to no attribute, the frequency is invalid, the event filters
 *		exclude each other, or the event asks for AUX data or for the control of
 *		another event
 * -EOPNOTSUPP	this PMU lacks the attribute, or the session would need PMBIRQ
 *		and delivery=exception forbids that
 * -EACCES	the caller has no permission for the attribute
 * -ENOMEM	out of memory
 */
static int spe_event_init(struct perf_event *event)
{
	struct spe_pmu *spe = to_spe_pmu(event->pmu);
	struct spe_event_data *data;
	int err;

	if (event->attr.type != event->pmu->type)
		return -ENOENT;
	if (event->cpu >= 0 && !cpumask_test_cpu(event->cpu, &spe->supported))
		return -ENOENT;
	err = spe_event_refuse(&event->attr);
	if (err)
		return err;
	data = kzalloc(sizeof(*data), GFP_KERNEL);
	if (!data)
		return -ENOMEM;
	/* A child has the permissions that its parent's owner had at event_init. */
	if (event->parent)
		spe_event_inherit(event, data);
	else
		err = spe_event_encode(event, &data->prog) ?: spe_event_rate(event, data);
	if (err) {
		kfree(data);
		return err;
	}
	data->set_attach_itrace = event->cpu < 0 && !event->parent && !event->attr.inherit;
	event->pmu_private = data;
	event->destroy = spe_event_destroy;
	/*
	 * With attr.freq set, perf would stop and start the unit at each tick to
	 * adjust the period by a count that this PMU does not have.
	 */
	event->attr.freq = 0;
	if (data->frequency)
		event->hw.sample_period = data->rate.interval;
	event->hw.sample_period = spe_attr_period(event->hw.sample_period, &spe->caps);
	event->hw.last_period = event->hw.sample_period;
	/* PMSICR_EL1: zero lets the unit load the first interval (D17.3.3). */
	local64_set(&event->hw.period_left, 0);
	return 0;
}

/* The PMU counts nothing: the samples are in the AUX buffer. */
static void spe_event_read(struct perf_event *event)
{
}

/* Returns 0, -ENOMEM, or an error of perf_pmu_register(). */
int spe_event_register(struct spe_pmu *spe)
{
	static atomic_t number = ATOMIC_INIT(-1);
	const char *name = devm_kasprintf(&spe->pdev->dev, GFP_KERNEL, "arm_spe_%d",
					  atomic_inc_return(&number));
	int err;

	if (!name)
		return -ENOMEM;
	spe->pmu = (struct pmu) {
		.module = THIS_MODULE,
		.capabilities = PERF_PMU_CAP_EXCLUSIVE | PERF_PMU_CAP_ITRACE |
				(spe_event_aux_pause ? SPE_COMPAT_CAP_AUX_PAUSE : 0) |
				(spe->physical ? SPE_COMPAT_CAP_AUX_LARGE : 0),
		.attr_groups = spe_sysfs_groups,
		/* In this context perf does not multiplex events with hardware counters. */
		.task_ctx_nr = perf_sw_context,
		.event_init = spe_event_init,
		.add = spe_session_add,
		.del = spe_session_del,
		.start = spe_session_start,
		.stop = spe_session_stop,
		.read = spe_event_read,
		.setup_aux = spe_aux_setup,
		.free_aux = spe_aux_free,
		.snapshot_aux = spe_auxsample_possible() ? spe_auxsample_snapshot : NULL,
	};
	spe_compat_set_parent(&spe->pmu, &spe->pdev->dev);
	if (!spe_compat_pmu_reserve(&spe->late_counts))
		return -ENOMEM;
	err = perf_pmu_register(&spe->pmu, name, -1);
	if (err)
		spe_compat_pmu_unreserve(spe->late_counts);
	return err;
}
