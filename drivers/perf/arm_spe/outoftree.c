// SPDX-License-Identifier: GPL-2.0-only
/*
 * What this module does and no driver of Linux's tree may do.  Each part says why, which
 * change of Linux would replace it, and what a module without it lacks.  "make modules
 * SPE_STRICT=1" builds the module without all parts.
 */
#define pr_fmt(fmt) "arm_spe_pmu: " fmt

#include <linux/kprobes.h>
#include <linux/list.h>
#include <linux/module.h>
#include <linux/moduleparam.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "compat.h"
#include "regs.h"
#include "spe.h"

/*
 * Functions of perf: a kprobe that finds them
 * ===========================================
 *
 * snapshot_aux() copies bytes to a sample by perf_output_copy(), and the PMU spe_sample_N
 * hands samples to perf_event_overflow().  perf exports neither, because all drivers in Linux
 * that call them are built in.  A disabled kprobe tells an address without any change to the
 * kernel's code.
 *
 * Upstream: EXPORT_SYMBOL_GPL() of both; Kbuild finds it then.
 * Without: the PMU arm_spe_N has no snapshot_aux(), and perf refuses aux-sample-size= with
 * EINVAL.  There is no PMU spe_sample_N.
 */
static void *spe_outoftree_find(const char *name)
{
	struct kprobe probe = {
		.symbol_name = name,
		.flags = KPROBE_FLAG_DISABLED,
	};
	void *function;

	/* Without CONFIG_KPROBES register_kprobe() fails. */
	if (!SPE_OUTOFTREE || register_kprobe(&probe))
		return NULL;
	function = probe.addr;
	unregister_kprobe(&probe);
	return function;
}

typeof(perf_output_copy) *spe_outoftree_output_copy(void)
{
	if (spe_compat_output_copy())
		return spe_compat_output_copy();
	return spe_outoftree_find("perf_output_copy");
}

typeof(perf_event_overflow) *spe_outoftree_overflow(void)
{
	if (spe_compat_overflow())
		return spe_compat_overflow();
	return spe_outoftree_find("perf_event_overflow");
}

/*
 * Disabling an event: fields of perf's core
 * =========================================
 *
 * perf_aux_output_end() disables an event after a truncated AUX record, but has two bugs.
 * From 6.1 to 6.16 it stores the CPU number where perf expects a flag, so it never disables
 * an event on CPU 0.  From 6.10 to 6.16 it queues an irq_work that does not read the flag.
 * On fixed kernels the second request has no effect.  In 5.10, perf does expect the CPU
 * number, and -1 stands for no request.
 *
 * perf_aux_output_begin() asks for the same if the buffer is full, with the same bugs.
 *
 * Call this on the event's CPU with interrupts disabled.
 *
 * Upstream: fixed in Linux 6.17.
 * Without: on the kernels with the bugs an event stays enabled after a truncated record.
 * It samples again when perf next schedules it in.
 */
void spe_outoftree_disable(struct perf_event *event)
{
	if (SPE_OUTOFTREE)
		spe_compat_request_disable(event);
}

/*
 * One PERF_RECORD_ITRACE_START: attach_state
 * ==========================================
 *
 * perf writes a PERF_RECORD_ITRACE_START before each start until the driver sets
 * PERF_ATTACH_ITRACE.  One such record is enough if the buffer holds records of one
 * task only.  That is so for an event without a CPU: perf lets no event of another
 * task share its buffer.  perf holds the context's lock here, which protects the
 * field.
 *
 * Upstream: export perf_event_itrace_started(), which does the same.
 * Without: perf writes the record each time the task is scheduled in.
 */
void spe_outoftree_attach_itrace(struct perf_event *event)
{
	if (SPE_OUTOFTREE)
		WRITE_ONCE(event->attach_state, event->attach_state | PERF_ATTACH_ITRACE);
}

/*
 * Stopping the events of another PMU
 * ==================================
 *
 * perf takes the leader of a group off the CPU before the other events, and warns if one of
 * them then has a sample that asks for records.  Only an NMI can come in between, from a
 * hardware event.  So stop such events first; perf takes them off the CPU next.
 *
 * Upstream: perf_prepare_sample_aux() should return 0 for a leader that is not active.
 * Without: perf can warn in an NMI; but a strict module offers no such samples unless perf
 * exports perf_output_copy().
 */
void spe_outoftree_stop_samplers(struct perf_event *event)
{
	struct perf_event *sibling;

	if (!SPE_OUTOFTREE)
		return;
	for_each_sibling_event(sibling, event) {
		if (sibling->attr.aux_sample_size && !is_software_event(sibling) &&
		    sibling->state == PERF_EVENT_STATE_ACTIVE)
			sibling->pmu->stop(sibling, PERF_EF_UPDATE);
	}
}

/*
 * The crash kernel: a kprobe on the way to it
 * ===========================================
 *
 * kdump starts the crash kernel without calling shutdown() of drivers.  A kernel at EL1 does
 * not reset the unit, which then writes through the tables of the crash kernel.  No notifier
 * runs on this way in every configuration, so a kprobe on machine_crash_shutdown() stops
 * the unit of the CPU that goes on to the crash kernel.  That function stops the other
 * CPUs, which power off by PSCI: the power-up resets PMBLIMITR_EL1.E to 0.
 *
 * Upstream: the crash kernel stops the unit itself when it starts (patches/linux).
 * Without: the unit may write to memory of the crash kernel, as with Linux's own driver.
 */
#if defined(CONFIG_KPROBES) && defined(CONFIG_KEXEC_CORE)
static bool spe_crash_armed;

static int spe_crash_stop_unit(struct kprobe *probe, struct pt_regs *regs)
{
	if (spe_read_dfr0() & ARM_SPE_DFR0_PMSVER && !(spe_read(PMBIDR) & ARM_SPE_PMBIDR_P))
		spe_regs_shut_down();
	return 0;
}
NOKPROBE_SYMBOL(spe_crash_stop_unit);

static struct kprobe spe_crash_probe = {
	.symbol_name = "machine_crash_shutdown",
	.pre_handler = spe_crash_stop_unit,
};

static void spe_crash_arm(void)
{
	spe_crash_armed = SPE_OUTOFTREE && !register_kprobe(&spe_crash_probe);
}

static void spe_crash_disarm(void)
{
	if (SPE_OUTOFTREE && spe_crash_armed)
		unregister_kprobe(&spe_crash_probe);
}
#else
static void spe_crash_arm(void)
{
}

static void spe_crash_disarm(void)
{
}
#endif

void __init spe_outoftree_init(void)
{
	if (!SPE_OUTOFTREE)
		pr_info("built with SPE_STRICT=1: no records in samples and no PMU spe_sample_N unless perf exports perf_output_copy() and perf_event_overflow(), no takeover=1, no stop of the unit before a crash kernel\n");
	spe_crash_arm();
}

void spe_outoftree_exit(void)
{
	spe_crash_disarm();
}

/*
 * Takeover: unbinding a driver that is built into the kernel
 * ==========================================================
 *
 * takeover=1 takes the devices from a built-in driver (CONFIG_ARM_SPE_PMU=y), and gives
 * them back when this module is unloaded.
 *
 * That driver has no "unbind" in sysfs, for a reason: a built-in PMU has no module
 * that its events could keep in memory, and until Linux 6.15 perf_pmu_unregister()
 * left events behind that still used the PMU.  Since then it ends these events.
 * So on older kernels this module takes nothing: there the only safe way is that
 * the driver never binds (initcall_blacklist= on the kernel's command line).
 *
 * Module init and exit call all functions here, so these never run concurrently.
 *
 * Upstream: no need for it: there is one driver.
 * Without: boot with initcall_blacklist=arm_spe_pmu_init.
 */
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

	if (!spe_is_device(dev))
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

	if (!spe_takeover_wanted || !SPE_COMPAT_PMU_ENDS_EVENTS || !SPE_OUTOFTREE)
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

	if (!SPE_OUTOFTREE)
		pr_warn("not bound: %s is bound to the driver %s, which is built in, and this module was built with SPE_STRICT=1; boot with initcall_blacklist=arm_spe_pmu_init on the kernel's command line\n",
			dev_name(dev), name);
	else if (!SPE_COMPAT_PMU_ENDS_EVENTS)
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
	if (!spe_is_device(dev))
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
