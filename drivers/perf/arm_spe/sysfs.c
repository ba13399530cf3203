// SPDX-License-Identifier: GPL-2.0-only
/*
 * The PMU's attributes in sysfs: format/, caps/, cpumask and delivery.  stats.c has counters/.
 */
#include <linux/cpumask.h>
#include <linux/device.h>
#include <linux/sysfs.h>

#include "compat.h"
#include "exc.h"
#include "spe.h"
#include "stats.h"
#include "sysfs.h"

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
	struct spe_pmu *spe = spe_sysfs_pmu(kobj_to_dev(kobj));

	if (ARM_SPE_ATTR_WORD(row->attr) >= SPE_COMPAT_ATTR_WORDS ||
	    !spe_attr_offered(row, &spe->caps))
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

static struct attribute *spe_attrs[] = {
	&dev_attr_cpumask.attr,
	&dev_attr_delivery.attr,
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
