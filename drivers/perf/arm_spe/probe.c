// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reads the capabilities of the CPUs and logs why a device is not bound.
 */
#define pr_fmt(fmt) "arm_spe_pmu: " fmt

#include <linux/moduleparam.h>
#include <linux/smp.h>
#include <linux/string.h>
#include <linux/sysfs.h>
#include <asm/mmu.h>

#include "regs.h"
#include "spe.h"

/* The module parameter, for all PMUs; see spe_caps_addressing(). */
static enum spe_addressing spe_probe_addressing;
/* At least one PMU uses physical addresses. */
static bool spe_probe_physical;

static const char * const spe_probe_addressing_names[] = {
	[SPE_ADDRESSING_AUTO] = "auto",
	[SPE_ADDRESSING_VIRTUAL] = "virtual",
	[SPE_ADDRESSING_PHYSICAL] = "physical",
};

static int spe_probe_set_addressing(const char *text, const struct kernel_param *param)
{
	int index = sysfs_match_string(spe_probe_addressing_names, text);

	if (index < 0)
		return index;
	spe_probe_addressing = index;
	return 0;
}

static int spe_probe_get_addressing(char *text, const struct kernel_param *param)
{
	return sysfs_emit(text, "%s\n", spe_probe_addressing_names[spe_probe_addressing]);
}

static const struct kernel_param_ops spe_probe_addressing_ops = {
	.set = spe_probe_set_addressing,
	.get = spe_probe_get_addressing,
};
module_param_cb(addressing, &spe_probe_addressing_ops, NULL, 0444);
MODULE_PARM_DESC(addressing,
		 "addresses that the unit writes to: auto (default: physical only if page-table isolation requires it), virtual, or physical (needs FEAT_SPE_nVM)");

struct spe_probe {
	enum spe_bind bind;
	struct spe_caps caps;
};

/*
 * Sets the memory attributes of physical buffers to those of the kernel's own
 * mapping, so that no location has mismatched attributes (IFRCPH).  Access to
 * PMBMAR_EL1 traps unless firmware sets MDCR_EL3.EnPMS4, so write the register only
 * if a PMU has physical buffers.
 */
static void spe_probe_set_memory_attributes(void)
{
	if (spe_probe_physical &&
	    spe_get(ARM_SPE_PMBIDR_ADDRMODE, spe_read(PMBIDR)) & ARM_SPE_ADDRMODE_PHYSICAL)
		spe_write(spe_put(ARM_SPE_PMBMAR_ATTR, ARM_SPE_PMBMAR_ATTR_WB) |
			  spe_put(ARM_SPE_PMBMAR_SH, ARM_SPE_PMBMAR_SH_INNER), PMBMAR);
}

/*
 * Disables sampling and clears pending management events.  The registers reset to
 * UNKNOWN values, and a kernel before kexec may have left the unit enabled.
 */
void spe_probe_reset_this_cpu(void)
{
	spe_regs_stop();
	spe_regs_set_guests(0);
	spe_probe_set_memory_attributes();
	spe_regs_disable_buffer();
	spe_exc_clear();
	spe_write(0, PMSICR);
	spe_write(0, PMSFCR);
	spe_regs_sync();
}

/* Bits of unimplemented events are RAZ/WI (D24.7, PMSEVFR_EL1). */
static void spe_probe_events(struct spe_idregs *regs)
{
	if (regs->pmsidr & ARM_SPE_PMSIDR_FE) {
		spe_write(~0ULL, PMSEVFR);
		spe_regs_sync();
		regs->pmsevfr = spe_read(PMSEVFR);
		spe_write(0, PMSEVFR);
	}
	if (regs->pmsidr & ARM_SPE_PMSIDR_FNE) {
		spe_write(~0ULL, PMSNEVFR);
		spe_regs_sync();
		regs->pmsnevfr = spe_read(PMSNEVFR);
		spe_write(0, PMSNEVFR);
	}
}

/* Call with preemption disabled and no session on this CPU. */
enum spe_bind spe_probe_this_cpu(struct spe_caps *caps)
{
	struct spe_idregs regs = { .dfr0 = spe_read_dfr0() };
	enum spe_bind bind;

	/* Without SPE the other registers are UNDEFINED.  If P is set they may trap. */
	if (regs.dfr0 & ARM_SPE_DFR0_PMSVER)
		regs.pmbidr = spe_read(PMBIDR);
	if (regs.dfr0 & ARM_SPE_DFR0_PMSVER && !(regs.pmbidr & ARM_SPE_PMBIDR_P)) {
		regs.pmsidr = spe_read(PMSIDR);
		spe_probe_reset_this_cpu();
		spe_probe_events(&regs);
	}
	bind = spe_caps_decode(&regs, caps);
	if (bind == SPE_BIND_OK && !spe_guests_missing())
		caps->features |= SPE_FEAT(GUEST);
	return bind;
}

static void spe_probe_call(void *data)
{
	struct spe_probe *probe = data;

	probe->bind = spe_probe_this_cpu(&probe->caps);
}

static void spe_probe_deassert_irq(void *data)
{
	const struct cpumask *in_use = data;

	if (cpumask_test_cpu(smp_processor_id(), in_use) ||
	    !(spe_read_dfr0() & ARM_SPE_DFR0_PMSVER) ||
	    spe_read(PMBIDR) & ARM_SPE_PMBIDR_P ||
	    spe_read(PMBLIMITR) & ARM_SPE_PMBLIMITR_E)
		return;
	spe_write(0, PMBSR);
	spe_regs_sync();
}

/*
 * spe_probe_deassert_irqs() - deassert PMBIRQ on CPUs whose unit is not in use
 * @in_use: CPUs whose unit this driver uses already
 *
 * PMBSR_EL1.S resets to an UNKNOWN value, and the unit asserts PMBIRQ while S is 1.
 * On a machine with two PMUs, the kernel enables the interrupt on the CPU that
 * maps it (irq_set_chained_handler_and_data(), called by
 * drivers/irqchip/irq-partition-percpu.c).  If that CPU belongs to the other PMU,
 * it has no handler yet and takes the interrupt forever.  So call this function
 * before the driver maps the interrupt.
 */
void spe_probe_deassert_irqs(const struct cpumask *in_use)
{
	on_each_cpu(spe_probe_deassert_irq, (void *)in_use, 1);
}

/* Call this after the CPUs are set up: their set-up tests the Profiling exception. */
void spe_probe_announce(const struct spe_pmu *spe)
{
	const struct spe_caps *c = &spe->caps;

	dev_info(&spe->pdev->dev,
		 "SPE%s on CPUs %*pbl: records of at most %u bytes, recommended interval %u, %u-bit counters, filters%s%s%s%s%s%s%s%s; management events by %s (%s); guests of KVM: %s\n",
		 spe_caps_version(c), cpumask_pr_args(&spe->supported), c->record_size,
		 c->min_interval, c->count_bits,
		 c->features & SPE_FEAT(FE) ? " event" : "",
		 c->features & SPE_FEAT(FNE) ? " inverted-event" : "",
		 c->features & SPE_FEAT(FT) ? " type" : "",
		 c->features & SPE_FEAT(EFT) ? " type-mask" : "",
		 c->features & SPE_FEAT(FL) ? " latency" : "",
		 c->features & SPE_FEAT(FDS) ? " data-source" : "",
		 c->features & SPE_FEAT(DISCARD) ? ", discard" : "",
		 spe->physical ? ", physical buffers" : "",
		 spe_exc_delivery_name(spe), spe_exc_reason(spe),
		 spe_guests_missing() ?: "sampled on request");
}

/*
 * Probes CPUs until one has a usable SPE.  If firmware names no CPUs, "supported"
 * holds all possible CPUs and only some may have SPE.  If none is usable, the
 * reason is that of the last CPU.  Returns false if no CPU is online.
 */
static bool spe_probe_first_cpu(struct spe_pmu *spe, struct spe_probe *probe)
{
	bool answered = false;
	int cpu;

	for_each_cpu(cpu, &spe->supported) {
		if (smp_call_function_single(cpu, spe_probe_call, probe, 1))
			continue;
		answered = true;
		if (probe->bind == SPE_BIND_OK)
			break;
	}
	return answered;
}

/*
 * spe_probe_pmu() - read the capabilities of the PMU from its first usable CPU
 *
 * spe_cpu_online() compares the other CPUs with it.
 *
 * Returns 0, or -ENODEV after it has logged the reason.  The driver core logs
 * nothing for -ENODEV.
 */
int spe_probe_pmu(struct spe_pmu *spe)
{
	struct device *dev = &spe->pdev->dev;
	struct spe_probe probe = { };

	if (!spe_probe_first_cpu(spe, &probe)) {
		dev_warn(dev, "not bound: none of its CPUs %*pbl is online; bring one online and load the module again\n",
			 cpumask_pr_args(&spe->supported));
		return -ENODEV;
	}
	/*
	 * Virtual buffers are in the kernel's half of the address space.  If KPTI
	 * unmaps that half at EL0, every record written there would fault.
	 */
	if (probe.bind == SPE_BIND_OK)
		probe.bind = spe_caps_addressing(&probe.caps, arm64_kernel_unmapped_at_el0(),
						 spe_probe_addressing, &spe->physical);
	if (probe.bind != SPE_BIND_OK) {
		dev_warn(dev, "not bound: %s\n", spe_caps_reason(probe.bind));
		return -ENODEV;
	}
	spe->caps = probe.caps;
	spe_probe_physical |= spe->physical;
	return 0;
}

/*
 * spe_probe_split() - leave in the PMU the CPUs of one kind
 * @rest: gets the CPUs whose capabilities differ from the PMU's
 *
 * For firmware that does not tell kinds of CPU apart.  A CPU that is offline or has no
 * usable SPE stays in the PMU: spe_cpu_online() decides about it.
 */
void spe_probe_split(struct spe_pmu *spe, struct cpumask *rest)
{
	struct spe_probe probe = { };
	int cpu;

	cpumask_clear(rest);
	for_each_cpu(cpu, &spe->supported)
		if (!smp_call_function_single(cpu, spe_probe_call, &probe, 1) &&
		    probe.bind == SPE_BIND_OK && !spe_caps_same(&probe.caps, &spe->caps))
			cpumask_set_cpu(cpu, rest);
	cpumask_andnot(&spe->supported, &spe->supported, rest);
}

static int spe_probe_match_device(struct device *dev, void *unused)
{
	return spe_is_device(dev);
}

bool spe_probe_device_exists(void)
{
	return bus_for_each_dev(&platform_bus_type, NULL, NULL, spe_probe_match_device);
}

static void spe_probe_version_call(void *data)
{
	atomic_t *with_spe = data;

	if (spe_read_dfr0() & ARM_SPE_DFR0_PMSVER)
		atomic_inc(with_spe);
}

/*
 * Logs in one line why the loaded module has no PMU, if there is no device.  For a
 * device, the probe or outoftree.c has logged the reason already.
 */
void spe_probe_explain_absence(void)
{
	atomic_t with_spe = ATOMIC_INIT(0);

	if (spe_probe_device_exists())
		return;
	on_each_cpu(spe_probe_version_call, &with_spe, 1);
	if (!atomic_read(&with_spe))
		pr_warn("not bound: no CPU has SPE (ID_AA64DFR0_EL1.PMSVer is 0); if the hardware has it, enable it in firmware or the hypervisor\n");
	else
		pr_warn("not bound: %d CPUs have SPE, but firmware describes no interrupt for it (MADT, GICC entries); update the firmware, or add a device tree node arm,statistical-profiling-extension-v1\n",
			atomic_read(&with_spe));
}
