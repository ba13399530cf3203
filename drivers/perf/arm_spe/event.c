// SPDX-License-Identifier: GPL-2.0-only
/*
 * The perf PMU: event_init checks attributes and permissions.
 */
#include <linux/cpumask.h>
#include <linux/device.h>
#include <linux/moduleparam.h>
#include <linux/slab.h>
#include <linux/sysfs.h>

#include "compat.h"
#include "spe.h"

/*
 * perf's core has a fault that an ordinary user can reach through this capability: if the
 * leader of a group is closed and its sibling with aux_action is enabled again,
 * perf_event_aux_pause() warns in hard interrupt context (patches/upstream/core).
 */
static bool spe_event_aux_pause;
module_param_named(aux_pause, spe_event_aux_pause, bool, 0444);
MODULE_PARM_DESC(aux_pause,
		 "let other events pause and resume sampling (aux-action=); a kernel without the fixes of patches/upstream/core then lets every user cause a kernel warning, a panic with panic_on_warn (default: no)");

/* A session without the host is one of guests. */
static struct spe_config spe_event_config(const struct perf_event_attr *attr)
{
	u64 guest = attr->exclude_host ? BIT_ULL(ARM_SPE_ATTR_LO(ARM_SPE_ATTR_GUEST)) : 0;

	return (struct spe_config) { {
		attr->config | guest, attr->config1, attr->config2,
		spe_compat_config3(attr), spe_compat_config4(attr),
	} };
}

/*
 * Sets the bits of PMSCR_EL1 that depend on the caller.  A caller without permission
 * to profile the kernel gets an error if it asks for physical addresses or the
 * physical counter.  Guests are not the caller's, so they need the capability, whatever
 * perf_event_paranoid is.  Context packets are no attribute: the driver adds them if the
 * caller has the permission.
 */
static int spe_event_permit(struct perf_event_attr *attr, struct spe_prog *prog)
{
	u64 *pmscr = &prog->reg[SPE_PROG_PMSCR];
	int denied = spe_compat_allow_kernel(attr);

	/* A sample of perf has a place for these only if its owner asks. */
	if (prog->reg[SPE_PROG_BATCH]) {
		*pmscr |= ARM_SPE_PMSCR_TS;
		if (attr->sample_type & PERF_SAMPLE_PHYS_ADDR)
			*pmscr |= ARM_SPE_PMSCR_PA;
	}
	if (prog->reg[SPE_PROG_PMSCR_EL12] && !perfmon_capable())
		return -EPERM;
	spe_attr_levels(prog, !attr->exclude_user, !attr->exclude_kernel, !attr->exclude_host);
	if (denied && *pmscr & (ARM_SPE_PMSCR_PA | ARM_SPE_PMSCR_PCT))
		return denied;
	/* CONTEXTIDR_EL1 holds the process id only with this option. */
	if (IS_ENABLED(CONFIG_PID_IN_CONTEXTIDR) && !denied)
		*pmscr |= ARM_SPE_PMSCR_CX;
	/* Neither host nor guests.  Some perf tools set exclude_guest unasked; "guest" wins. */
	return attr->exclude_host && attr->exclude_guest ? -EINVAL : 0;
}

static const struct spe_caps *spe_event_caps(struct pmu *pmu)
{
	const struct spe_pmu *spe = to_spe_pmu(pmu);

	return spe_is_sampler(pmu) ? &spe->sample_caps : &spe->caps;
}

static int spe_event_encode(struct perf_event *event, struct spe_prog *prog)
{
	struct spe_pmu *spe = to_spe_pmu(event->pmu);
	struct spe_config config = spe_event_config(&event->attr);
	int err = spe_attr_pack(&config, spe_event_caps(event->pmu), prog);

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

/*
 * A unit serves one event at a time.  perf refuses a second event of one PMU for a CPU with
 * EBUSY (PERF_PMU_CAP_EXCLUSIVE), and here the two PMUs of the unit refuse each other.  Events of
 * tasks meet only when they are scheduled in: spe_session_add() refuses and counts the second.
 */
static bool spe_event_claims(const struct perf_event *event)
{
	return !(event->attach_state & PERF_ATTACH_TASK);
}

static bool spe_event_claim(struct perf_event *event)
{
	atomic_t *claims = &per_cpu_ptr(to_spe_pmu(event->pmu)->cpus, event->cpu)->claims;

	return spe_is_sample_event(event) ? atomic_dec_unless_positive(claims) :
					    atomic_inc_unless_negative(claims);
}

static void spe_event_unclaim(struct perf_event *event)
{
	atomic_t *claims = &per_cpu_ptr(to_spe_pmu(event->pmu)->cpus, event->cpu)->claims;

	if (spe_is_sample_event(event))
		atomic_inc(claims);
	else
		atomic_dec(claims);
}

static void spe_event_destroy(struct perf_event *event)
{
	if (spe_is_sample_event(event))
		spe_sample_forget(event);
	if (spe_event_claims(event))
		spe_event_unclaim(event);
	kfree(event->pmu_private);
}

/* Attributes that mean nothing for this PMU. */
static int spe_event_refuse(struct perf_event *event)
{
	const struct perf_event_attr *attr = &event->attr;

	if (attr->exclude_idle)
		return -EOPNOTSUPP;
	/*
	 * For events that have samples of their own, and this PMU has none.  perf takes a
	 * reference on the group's leader for such an event.  It never drops the
	 * reference if it then refuses a second event of an exclusive PMU, as
	 * perf_event_open() does after event_init (kernel/events/core.c).
	 */
	if (attr->aux_output || attr->aux_sample_size || spe_compat_aux_switch(attr))
		return -EINVAL;
	return spe_is_sample_event(event) ? spe_sample_refuse(event) : 0;
}

/*
 * Returns 0, or
 * -ENOENT	the event is for another PMU, or for a CPU without this PMU
 * -EINVAL	a bit belongs to no attribute, the frequency is invalid, the event filters
 *		exclude each other, host and guests are both excluded, or the event asks for
 *		AUX data or for the control of another event
 * -EOPNOTSUPP	this PMU lacks the attribute, or the session would need PMBIRQ
 *		and delivery=exception forbids that
 * -EACCES	the caller has no permission for the attribute
 * -EPERM	the caller may not sample guests
 * -EBUSY	an event of the unit's other PMU is open for the CPU
 * -ENOMEM	out of memory
 */
static int spe_event_init(struct perf_event *event)
{
	struct spe_pmu *spe = to_spe_pmu(event->pmu);
	bool sample = spe_is_sample_event(event);
	struct spe_event_data *data;
	int err;

	if (event->attr.type != event->pmu->type)
		return -ENOENT;
	if (event->cpu >= 0 && !cpumask_test_cpu(event->cpu, &spe->supported))
		return -ENOENT;
	err = spe_event_refuse(event);
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
	if (!err && spe_event_claims(event) && !spe_event_claim(event))
		err = -EBUSY;
	if (err)
		goto free;
	if (sample)
		err = spe_sample_prepare(event);
	if (err)
		goto unclaim;
	data->set_attach_itrace = !sample && event->cpu < 0 && !event->parent &&
				  !event->attr.inherit;
	event->pmu_private = data;
	event->destroy = spe_event_destroy;
	/*
	 * With attr.freq set, perf would stop and start the unit at each tick to adjust the
	 * period by a count that does not grow evenly.  The driver computes the frequency.
	 */
	event->attr.freq = 0;
	if (data->frequency)
		event->hw.sample_period = data->rate.interval;
	event->hw.sample_period = spe_attr_period(event->hw.sample_period, &spe->caps);
	event->hw.last_period = event->hw.sample_period;
	/* PMSICR_EL1: zero lets the unit load the first interval (D17.3.3). */
	local64_set(&event->hw.period_left, 0);
	return 0;

unclaim:
	if (spe_event_claims(event))
		spe_event_unclaim(event);
free:
	kfree(data);
	return err;
}

/* AUX data has no count, and sample.c counts when it hands a sample to perf. */
static void spe_event_read(struct perf_event *event)
{
}

/* What both PMUs have */
static struct pmu spe_event_pmu(void)
{
	return (struct pmu) {
		.module = THIS_MODULE,
		.capabilities = PERF_PMU_CAP_EXCLUSIVE,
		.attr_groups = spe_sysfs_groups,
		/* In this context perf does not multiplex events with hardware counters. */
		.task_ctx_nr = perf_sw_context,
		.event_init = spe_event_init,
		.add = spe_session_add,
		.del = spe_session_del,
		.start = spe_session_start,
		.stop = spe_session_stop,
		.read = spe_event_read,
	};
}

/* Registers spe_sample_N, where perf lets a module deliver samples. */
static int spe_event_register_samples(struct spe_pmu *spe, const char *name)
{
	int err;

	spe->sample_caps = spe->caps;
	spe->sample_caps.features |= SPE_FEAT(SAMPLE);
	spe->sample_pmu = spe_event_pmu();
	spe_compat_set_parent(&spe->sample_pmu, &spe->pdev->dev);
	if (!name || !spe_compat_pmu_reserve(&spe->sample_late_counts))
		return -ENOMEM;
	err = perf_pmu_register(&spe->sample_pmu, name, -1);
	if (err)
		spe_compat_pmu_unreserve(spe->sample_late_counts);
	else
		spe->has_samples = true;
	return err;
}

/* The PMU of AUX data works without spe_sample_N, so only log why there is none. */
static void spe_event_try_samples(struct spe_pmu *spe, int number)
{
	struct device *dev = &spe->pdev->dev;
	int err;

	if (spe_sample_missing()) {
		dev_info(dev, "no PMU spe_sample_%d: %s\n", number, spe_sample_missing());
		return;
	}
	err = spe_event_register_samples(spe, devm_kasprintf(dev, GFP_KERNEL, "spe_sample_%d",
							     number));
	if (err)
		dev_warn(dev, "no PMU spe_sample_%d: cannot register it (error %d)\n", number, err);
}

/* Returns 0, -ENOMEM, or an error of perf_pmu_register(). */
int spe_event_register(struct spe_pmu *spe)
{
	static atomic_t last_number = ATOMIC_INIT(-1);
	int number = atomic_inc_return(&last_number);
	const char *name = devm_kasprintf(&spe->pdev->dev, GFP_KERNEL, "arm_spe_%d", number);
	int err;

	if (!name)
		return -ENOMEM;
	spe->pmu = spe_event_pmu();
	spe->pmu.capabilities |= PERF_PMU_CAP_ITRACE |
				 (spe_event_aux_pause ? SPE_COMPAT_CAP_AUX_PAUSE : 0) |
				 (spe->physical ? SPE_COMPAT_CAP_AUX_LARGE : 0);
	spe->pmu.setup_aux = spe_aux_setup;
	spe->pmu.free_aux = spe_aux_free;
	spe->pmu.snapshot_aux = spe_auxsample_possible() ? spe_auxsample_snapshot : NULL;
	spe_compat_set_parent(&spe->pmu, &spe->pdev->dev);
	if (!spe_compat_pmu_reserve(&spe->late_counts))
		return -ENOMEM;
	err = perf_pmu_register(&spe->pmu, name, -1);
	if (err) {
		spe_compat_pmu_unreserve(spe->late_counts);
		return err;
	}
	spe_event_try_samples(spe, number);
	return 0;
}

void spe_event_unregister(struct spe_pmu *spe)
{
	if (spe->has_samples)
		spe_compat_pmu_unregister(&spe->sample_pmu, spe->sample_late_counts);
	spe_compat_pmu_unregister(&spe->pmu, spe->late_counts);
}

/*
 * The PMU's attributes in sysfs: format/, caps/, cpumask, delivery and guests.  stats.c has
 * counters/.
 */

struct spe_format_attr {
	struct device_attribute attr;
	const struct spe_attr_row *row;
};

static struct spe_format_attr spe_formats[SPE_ATTR_NR_ROWS];
static struct attribute *spe_format_attrs[SPE_ATTR_NR_ROWS + 1];

static struct spe_pmu *spe_sysfs_pmu(struct device *dev)
{
	return to_spe_pmu(dev_get_drvdata(dev));
}

static ssize_t spe_format_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	unsigned int bits = container_of(attr, struct spe_format_attr, attr)->row->attr;
	int n = sysfs_emit(buf, "config");

	if (ARM_SPE_ATTR_WORD(bits))
		n += sysfs_emit_at(buf, n, "%u", ARM_SPE_ATTR_WORD(bits));
	n += sysfs_emit_at(buf, n, ":%u", ARM_SPE_ATTR_LO(bits));
	if (ARM_SPE_ATTR_HI(bits) != ARM_SPE_ATTR_LO(bits))
		n += sysfs_emit_at(buf, n, "-%u", ARM_SPE_ATTR_HI(bits));
	return n + sysfs_emit_at(buf, n, "\n");
}

/* Hide attributes that the PMU lacks, or whose word this kernel's perf_event_attr lacks. */
static umode_t spe_format_visible(struct kobject *kobj, struct attribute *attr, int index)
{
	const struct spe_attr_row *row = spe_formats[index].row;
	struct pmu *pmu = dev_get_drvdata(kobj_to_dev(kobj));

	if (ARM_SPE_ATTR_WORD(row->attr) >= SPE_COMPAT_ATTR_WORDS ||
	    !spe_attr_offered(row, spe_event_caps(pmu)))
		return 0;
	return attr->mode;
}

/* Makes one attribute for each row of the table.  Call this before a PMU is registered. */
void spe_sysfs_init(void)
{
	unsigned int i;

	for (i = 0; i < SPE_ATTR_NR_ROWS; i++) {
		spe_formats[i].row = &spe_attr_rows[i];
		spe_formats[i].attr.attr.name = spe_attr_rows[i].name;
		spe_formats[i].attr.attr.mode = 0444;
		spe_formats[i].attr.show = spe_format_show;
		spe_format_attrs[i] = &spe_formats[i].attr.attr;
	}
}

static const struct attribute_group spe_format_group = {
	.name = "format",
	.attrs = spe_format_attrs,
	.is_visible = spe_format_visible,
};

#define SPE_CAP(_name, format, expression)						\
static ssize_t _name##_show(struct device *dev, struct device_attribute *attr, char *buf) \
{											\
	const struct spe_caps *caps = &spe_sysfs_pmu(dev)->caps;			\
											\
	return sysfs_emit(buf, format "\n", expression);				\
}											\
static DEVICE_ATTR_RO(_name)

SPE_CAP(arch_inst, "%u", !!(caps->features & SPE_FEAT(ARCHINST)));
SPE_CAP(ernd, "%u", !!(caps->features & SPE_FEAT(ERND)));
SPE_CAP(count_size, "%u", caps->count_bits);
SPE_CAP(min_interval, "%u", caps->min_interval);
SPE_CAP(event_filter, "%#llx", caps->events);

static struct attribute *spe_cap_attrs[] = {
	&dev_attr_arch_inst.attr,
	&dev_attr_ernd.attr,
	&dev_attr_count_size.attr,
	&dev_attr_min_interval.attr,
	&dev_attr_event_filter.attr,
	NULL
};

static const struct attribute_group spe_cap_group = {
	.name = "caps",
	.attrs = spe_cap_attrs,
};

static ssize_t cpumask_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	return sysfs_emit(buf, "%*pbl\n", cpumask_pr_args(&spe_sysfs_pmu(dev)->supported));
}
static DEVICE_ATTR_RO(cpumask);

/* How the unit reports management events to sessions that start now, and the reason. */
static ssize_t delivery_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	const struct spe_pmu *spe = spe_sysfs_pmu(dev);

	return sysfs_emit(buf, "%s: %s\n", spe_exc_delivery_name(spe), spe_exc_reason(spe));
}
static DEVICE_ATTR_RO(delivery);

/* Whether events may sample guests of KVM, and if not, why. */
static ssize_t guests_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	return sysfs_emit(buf, "%s\n", spe_guests_missing() ?: "sampled on request");
}
static DEVICE_ATTR_RO(guests);

static struct attribute *spe_attrs[] = {
	&dev_attr_cpumask.attr,
	&dev_attr_delivery.attr,
	&dev_attr_guests.attr,
	NULL
};

static const struct attribute_group spe_group = {
	.attrs = spe_attrs,
};

const struct attribute_group *spe_sysfs_groups[] = {
	&spe_group,
	&spe_format_group,
	&spe_cap_group,
	&spe_stats_group,
	NULL
};
