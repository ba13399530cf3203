// SPDX-License-Identifier: GPL-2.0-only
/*
 * Takes the devices from a driver that is built into the kernel
 * (CONFIG_ARM_SPE_PMU=y), and gives them back when this module is unloaded.
 *
 * That driver has no "unbind" in sysfs, for a reason: a built-in PMU has no module
 * that its events could keep in memory, and until Linux 6.15 perf_pmu_unregister()
 * left events behind that still used the PMU.  Since then it ends these events.
 * So on older kernels this module takes nothing: there the only safe way is that
 * the driver never binds (initcall_blacklist= on the kernel's command line).
 *
 * Module init and exit call all functions here, so these never run concurrently.
 */
#define pr_fmt(fmt) "arm_spe_pmu: " fmt

#include <linux/list.h>
#include <linux/module.h>
#include <linux/moduleparam.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "compat.h"
#include "probe.h"
#include "takeover.h"

static bool spe_takeover_wanted;
module_param_named(takeover, spe_takeover_wanted, bool, 0444);
MODULE_PARM_DESC(takeover,
		 "take SPE from a driver that is built into the kernel, until this module is unloaded (default: no)");

/* A device that was, or will be, taken.  It holds a reference on the device. */
struct spe_takeover {
	struct list_head list;
	struct device *dev;
};

static LIST_HEAD(spe_takeover_list);
/* Why the devices were not taken: -EBUSY if an event uses one, or another error. */
static int spe_takeover_error;

static void spe_takeover_forget(struct spe_takeover *t)
{
	list_del(&t->list);
	put_device(t->dev);
	kfree(t);
}

/* Call with the device locked, so that it keeps its driver. */
static bool spe_takeover_is_builtin(const struct device *dev)
{
	return dev->driver && !dev->driver->owner;
}

static bool spe_takeover_is_bound(struct device *dev)
{
	bool bound;

	device_lock(dev);
	bound = dev->driver;
	device_unlock(dev);
	return bound;
}

static int spe_takeover_pmu_busy(struct device *child, void *data)
{
	if (!child->bus || strcmp(child->bus->name, "event_source"))
		return 0;
	return spe_compat_pmu_busy(dev_get_drvdata(child));
}

/*
 * Returns true if an event uses the PMU of the device's driver.  Call with the device
 * locked: the driver then stays bound, and its PMU stays registered.
 */
static bool spe_takeover_is_busy(struct device *dev)
{
	return device_for_each_child(dev, NULL, spe_takeover_pmu_busy);
}

static int spe_takeover_collect(struct device *dev, void *data)
{
	struct spe_takeover *t;
	int err = 0;

	if (!spe_probe_is_device(dev))
		return 0;
	device_lock(dev);
	if (!spe_takeover_is_builtin(dev))
		goto unlock;
	err = spe_takeover_is_busy(dev) ? -EBUSY : 0;
	if (err)
		goto unlock;
	t = kzalloc(sizeof(*t), GFP_KERNEL);
	if (!t) {
		err = -ENOMEM;
		goto unlock;
	}
	t->dev = get_device(dev);
	list_add_tail(&t->list, &spe_takeover_list);
unlock:
	device_unlock(dev);
	return err;
}

/*
 * spe_takeover_begin() - unbind the built-in driver, if the user wants that
 *
 * Unbinds from all devices, or from none if an event uses one of them: the PMUs of two
 * drivers would otherwise compete for the same names.  If a user opens an event between
 * the check and the unbinding, perf ends that event, and its reader gets an end of
 * file.
 *
 * Call this before the driver is registered; spe_takeover_settle() logs failures.
 */
void spe_takeover_begin(void)
{
	struct spe_takeover *t, *next;

	if (!spe_takeover_wanted || !SPE_COMPAT_PMU_ENDS_EVENTS)
		return;
	spe_takeover_error = bus_for_each_dev(&platform_bus_type, NULL, NULL,
					      spe_takeover_collect);
	if (spe_takeover_error) {
		list_for_each_entry_safe(t, next, &spe_takeover_list, list)
			spe_takeover_forget(t);
		return;
	}
	list_for_each_entry(t, &spe_takeover_list, list)
		device_release_driver(t->dev);
}

/*
 * The bus offers the device to its drivers in the order of their registration, so first
 * to those that are built in.
 */
static void spe_takeover_give_back(struct spe_takeover *t)
{
	int ret = device_attach(t->dev);

	if (ret == 1)
		pr_info("gave %s back to the driver that is built into the kernel\n",
			dev_name(t->dev));
	else
		pr_warn("cannot give %s back to its driver (error %d); restart the machine to use that driver\n",
			dev_name(t->dev), ret);
	spe_takeover_forget(t);
}

/* A device that was taken and given back needs no line: the probe has logged the reason. */
static void spe_takeover_explain_builtin(struct device *dev)
{
	const char *name = dev->driver->name;

	if (!SPE_COMPAT_PMU_ENDS_EVENTS)
		pr_warn("not bound: %s is bound to the driver %s, which is built in and which this kernel cannot remove safely; boot with initcall_blacklist=arm_spe_pmu_init on the kernel's command line\n",
			dev_name(dev), name);
	else if (!spe_takeover_wanted)
		pr_warn("not bound: %s is bound to the driver %s, which is built into the kernel; load this module with takeover=1\n",
			dev_name(dev), name);
	else if (spe_takeover_error == -EBUSY)
		pr_warn("not bound: %s is bound to the driver %s, which is built in, and events use its PMU; end the perf sessions, unload this module and load it again\n",
			dev_name(dev), name);
	else if (spe_takeover_error)
		pr_warn("not bound: cannot take %s from the driver %s (error %d); boot with initcall_blacklist=arm_spe_pmu_init on the kernel's command line\n",
			dev_name(dev), name, spe_takeover_error);
}

static int spe_takeover_explain(struct device *dev, void *data)
{
	if (!spe_probe_is_device(dev))
		return 0;
	device_lock(dev);
	if (spe_takeover_is_builtin(dev))
		spe_takeover_explain_builtin(dev);
	else if (dev->driver && dev->driver->owner != THIS_MODULE)
		pr_warn("not bound: %s is bound to the driver %s; unload that driver first\n",
			dev_name(dev), dev->driver->name);
	device_unlock(dev);
	return 0;
}

/*
 * spe_takeover_settle() - give back what this driver has refused, and log which devices
 * other drivers have
 *
 * Call this after the driver is registered.  Its probe is synchronous, so a device
 * without a driver has been refused.
 */
void spe_takeover_settle(void)
{
	struct spe_takeover *t, *next;

	list_for_each_entry_safe(t, next, &spe_takeover_list, list) {
		if (spe_takeover_is_bound(t->dev))
			pr_info("took %s from the driver that is built into the kernel; unloading this module gives it back\n",
				dev_name(t->dev));
		else
			spe_takeover_give_back(t);
	}
	bus_for_each_dev(&platform_bus_type, NULL, NULL, spe_takeover_explain);
}

/* Gives all devices back.  Call this after the driver is unregistered. */
void spe_takeover_end(void)
{
	struct spe_takeover *t, *next;

	list_for_each_entry_safe(t, next, &spe_takeover_list, list)
		spe_takeover_give_back(t);
}
