// SPDX-License-Identifier: GPL-2.0-only
/*
 * Arm Statistical Profiling Extension (SPE): a perf PMU.
 *
 * The platform driver, CPU hotplug, and the order of set-up and removal.
 * Documentation/admin-guide/perf/arm_spe.rst tells users how to use the PMU.
 */
#include <linux/cpuhotplug.h>
#include <linux/mod_devicetable.h>
#include <linux/module.h>
#include <linux/rcupdate.h>

#include "compat.h"
#include "regs.h"
#include "spe.h"

/* The storage of regs.h, whose functions are all inline */
DEFINE_PER_CPU(struct spe_regs_pmscr, spe_regs_pmscr);

static enum cpuhp_state spe_hotplug_state;
/* CPUs whose unit a PMU of this driver uses.  Each CPU changes only its own bit. */
static struct cpumask spe_cpus_in_use;

static void spe_cpu_leave_out(struct spe_pmu *spe, unsigned int cpu, enum spe_bind bind)
{
	struct device *dev = &spe->pdev->dev;

	if (bind != SPE_BIND_OK)
		dev_warn(dev, "CPU %u left out: %s\n", cpu, spe_caps_reason(bind));
	else
		dev_warn(dev, "CPU %u left out: its SPE differs from that of the other CPUs; %s\n",
			 cpu, dev->of_node ? "give it a device tree node of its own" :
			 "load the module again while this CPU is online");
	cpumask_clear_cpu(cpu, &spe->supported);
}

/*
 * Runs on the CPU that comes online.  The CPU must have the capabilities of its
 * PMU: a task's session moves between CPUs, and a CPU without a filter would
 * record operations that the filter must leave out.  The driver removes a CPU
 * that differs from the PMU's cpumask.
 */
static int spe_cpu_online(unsigned int cpu, struct hlist_node *node)
{
	struct spe_pmu *spe = hlist_entry_safe(node, struct spe_pmu, node);
	struct spe_cpu *c = per_cpu_ptr(spe->cpus, cpu);
	struct spe_caps caps;
	unsigned long flags;
	enum spe_bind bind;

	if (!cpumask_test_cpu(cpu, &spe->supported))
		return 0;
	bind = spe_probe_this_cpu(&caps);
	if (bind != SPE_BIND_OK || !spe_caps_same(&caps, &spe->caps)) {
		spe_cpu_leave_out(spe, cpu, bind);
		return 0;
	}
	c->pmu = spe;
	cpumask_set_cpu(cpu, &spe_cpus_in_use);
	spe_freq_setup(c);
	spe_throttle_setup(c);
	*this_cpu_ptr(spe->device->handled) = c;
	enable_percpu_irq(spe->device->irq, IRQ_TYPE_NONE);
	spe_exc_online(c);
	/* If the kernel rolled back an offline, perf's event is still on the CPU. */
	local_irq_save(flags);
	spe_session_online(c, true);
	local_irq_restore(flags);
	return 0;
}

/*
 * Runs on the CPU that goes offline, before perf removes the CPU's events.  The
 * driver publishes the records of the session and starts no other session here.
 */
static int spe_cpu_offline(unsigned int cpu, struct hlist_node *node)
{
	struct spe_pmu *spe = hlist_entry_safe(node, struct spe_pmu, node);
	struct spe_cpu *c = per_cpu_ptr(spe->cpus, cpu);
	unsigned long flags;

	if (!c->session.online)
		return 0;
	/* This excludes perf's callbacks and the interrupt; see struct spe_cpu. */
	local_irq_save(flags);
	spe_session_online(c, false);
	spe_exc_offline(c);
	spe_freq_cleanup(c);
	spe_throttle_cleanup(c);
	spe_probe_reset_this_cpu();
	cpumask_clear_cpu(cpu, &spe_cpus_in_use);
	local_irq_restore(flags);
	disable_percpu_irq(spe->device->irq);
	return 0;
}

static int spe_pmu_start(struct spe_pmu *spe)
{
	int cpu, err;

	spe_sample_setup(spe);
	for_each_possible_cpu(cpu)
		spe_session_setup(per_cpu_ptr(spe->cpus, cpu));
	err = cpuhp_state_add_instance(spe_hotplug_state, &spe->node);
	if (err)
		return err;
	err = spe_power_register(spe);
	if (err)
		goto remove_cpus;
	spe_probe_announce(spe);
	err = spe_event_register(spe);
	if (err)
		goto forget_power;
	spe_stats_create(spe);
	return 0;

forget_power:
	spe_power_unregister(spe);
remove_cpus:
	cpuhp_state_remove_instance(spe_hotplug_state, &spe->node);
	return err;
}

/* No event exists: each event holds a reference on the module, and sysfs cannot unbind. */
static void spe_pmu_stop(struct spe_pmu *spe)
{
	spe_stats_remove(spe);
	spe_event_unregister(spe);
	spe_power_unregister(spe);
	cpuhp_state_remove_instance(spe_hotplug_state, &spe->node);
	spe_session_cleanup(spe);
	spe_sample_free(spe);
}

/*
 * Makes a PMU for the first kind of CPU in device->rest, and leaves the other kinds there.
 * A device tree has a node for each kind.  ACPI's MADT has one interrupt for all CPUs, so
 * their capabilities tell the kinds apart.
 */
static int spe_pmu_add(struct spe_device *device, struct spe_pmu *spe)
{
	struct device *dev = &device->pdev->dev;
	int err;

	spe->pdev = device->pdev;
	spe->device = device;
	spe->cpus = devm_alloc_percpu(dev, struct spe_cpu);
	if (!spe->cpus)
		return -ENOMEM;
	cpumask_copy(&spe->supported, &device->rest);
	err = spe_probe_pmu(spe);
	if (err)
		return err;
	if (dev->of_node)
		cpumask_clear(&device->rest);
	else
		spe_probe_split(spe, &device->rest);
	err = spe_pmu_start(spe);
	if (err)
		cpumask_or(&device->rest, &device->rest, &spe->supported);
	else
		list_add_tail(&spe->list, &device->pmus);
	return err;
}

static int spe_device_add_pmu(struct spe_device *device)
{
	struct spe_pmu *spe = spe_compat_pmu_alloc(&device->pdev->dev, sizeof(*spe));
	int err;

	if (!spe)
		return -ENOMEM;
	err = spe_pmu_add(device, spe);
	if (err)
		spe_compat_pmu_free(spe);
	return err;
}

/* Returns 0 if there is at least one PMU, or the error of the first. */
static int spe_device_add_pmus(struct spe_device *device)
{
	int err = 0;

	cpumask_copy(&device->rest, &device->cpus);
	while (!err && !cpumask_empty(&device->rest))
		err = spe_device_add_pmu(device);
	if (!err || list_empty(&device->pmus))
		return err;
	dev_warn(&device->pdev->dev, "CPUs %*pbl left out: cannot make a PMU for them (error %d)\n",
		 cpumask_pr_args(&device->rest), err);
	return 0;
}

static int spe_device_probe(struct platform_device *pdev)
{
	struct device *dev = &pdev->dev;
	struct spe_device *device = devm_kzalloc(dev, sizeof(*device), GFP_KERNEL);
	int err;

	if (!device)
		return -ENOMEM;
	device->pdev = pdev;
	INIT_LIST_HEAD(&device->pmus);
	device->handled = devm_alloc_percpu(dev, struct spe_cpu *);
	if (!device->handled)
		return -ENOMEM;
	platform_set_drvdata(pdev, device);
	spe_probe_deassert_irqs(&spe_cpus_in_use);
	err = spe_irq_find(device) ?: spe_irq_request(device);
	if (err)
		return err;
	err = spe_device_add_pmus(device);
	if (err)
		spe_irq_free(device);
	return err;
}

static spe_compat_remove_ret spe_device_remove(struct platform_device *pdev)
{
	struct spe_device *device = platform_get_drvdata(pdev);
	struct spe_pmu *spe;

	list_for_each_entry(spe, &device->pmus, list)
		spe_pmu_stop(spe);
	spe_irq_free(device);
	return SPE_COMPAT_REMOVED;
}

/*
 * The machine restarts, powers off or starts another kernel (kexec).  perf has
 * removed the events of CPUs (perf_reboot()), but sessions of tasks may still run.
 * A unit with physical buffers would then write to pages of the next kernel.  So
 * every CPU runs spe_cpu_offline(), which stops its unit for good.
 */
static void spe_device_shutdown(struct platform_device *pdev)
{
	struct spe_device *device = platform_get_drvdata(pdev);
	struct spe_pmu *spe;

	list_for_each_entry(spe, &device->pmus, list)
		cpuhp_state_remove_instance(spe_hotplug_state, &spe->node);
}

static const struct of_device_id spe_of_match[] = {
	{ .compatible = "arm,statistical-profiling-extension-v1" },
	{ }
};
MODULE_DEVICE_TABLE(of, spe_of_match);

/* The kernel or firmware.c makes this device from the MADT's GICC entries. */
static const struct platform_device_id spe_acpi_match[] = {
	{ SPE_ACPI_NAME, 0 },
	{ }
};
MODULE_DEVICE_TABLE(platform, spe_acpi_match);

static struct platform_driver spe_driver = {
	.probe = spe_device_probe,
	.remove = spe_device_remove,
	.shutdown = spe_device_shutdown,
	.id_table = spe_acpi_match,
	.driver = {
		/* Not the in-tree driver's name: this driver must register beside it. */
		.name = "arm_spe",
		.of_match_table = spe_of_match,
		.suppress_bind_attrs = true,
		/* spe_takeover_settle() needs the outcome. */
		.probe_type = PROBE_FORCE_SYNCHRONOUS,
	},
};

static int __init spe_module_init(void)
{
	int state, err;

	spe_sysfs_init();
	spe_stats_init();
	spe_exc_init();
	spe_auxsample_init();
	spe_sample_init();
	spe_outoftree_init();
	state = cpuhp_setup_state_multi(CPUHP_AP_ONLINE_DYN, "perf/arm_spe:online",
					spe_cpu_online, spe_cpu_offline);
	if (state < 0) {
		err = state;
		goto exit_outoftree;
	}
	spe_hotplug_state = state;
	spe_firmware_init();
	spe_takeover_begin();
	err = platform_driver_register(&spe_driver);
	if (err)
		goto end_takeover;
	spe_takeover_settle();
	spe_probe_explain_absence();
	return 0;

end_takeover:
	spe_takeover_end();
	spe_firmware_exit();
	cpuhp_remove_multi_state(spe_hotplug_state);
exit_outoftree:
	spe_outoftree_exit();
	spe_exc_exit();
	return err;
}

static void __exit spe_module_exit(void)
{
	platform_driver_unregister(&spe_driver);
	spe_takeover_end();
	spe_firmware_exit();
	cpuhp_remove_multi_state(spe_hotplug_state);
	spe_outoftree_exit();
	spe_exc_exit();
	spe_stats_exit();
	/*
	 * A task may have dropped the last reference in spe_aux_free() and been
	 * preempted before it returned.  Wait until every such task has left the
	 * module's code.
	 */
	synchronize_rcu_tasks();
}

module_init(spe_module_init);
module_exit(spe_module_exit);

MODULE_DESCRIPTION("Arm Statistical Profiling Extension (SPE) performance monitor");
MODULE_LICENSE("GPL");
/* Without a version, DKMS would treat this module and the kernel's own as equal. */
MODULE_VERSION(SPE_VERSION);
