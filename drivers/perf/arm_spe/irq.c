// SPDX-License-Identifier: GPL-2.0-only
/*
 * PMBIRQ: a private interrupt (PPI) of each CPU.  The line is high while
 * PMBSR_EL1.S is 1 and the Profiling exception is disabled (IGRLRX, RTSJRP).
 */
#define pr_fmt(fmt) "arm_spe_pmu: " fmt

#include <linux/acpi.h>
#include <linux/err.h>
#include <linux/ioport.h>
#include <linux/platform_device.h>

#include "compat.h"
#include "spe.h"

/*
 * spe_irq_find() - get the device's interrupt and the CPUs that have it
 *
 * Returns 0, -ENODEV if the interrupt is not a PPI, or the error of the platform
 * bus, for example -EPROBE_DEFER.  The function logs the reason for an error.
 */
int spe_irq_find(struct spe_device *device)
{
	struct device *dev = &device->pdev->dev;
	int irq = spe_compat_irq_get(device->pdev, &device->cpus);

	if (irq < 0)
		return dev_err_probe(dev, irq,
				     "not bound: firmware describes no interrupt for SPE; update the firmware or the device tree\n");
	if (!irq_is_percpu(irq)) {
		dev_warn(dev, "not bound: interrupt %d is not private to each CPU (a PPI); correct the device tree or update the firmware\n",
			 irq);
		return -ENODEV;
	}
	device->irq = irq;
	return 0;
}

int spe_irq_request(struct spe_device *device)
{
	int err = spe_compat_irq_request(device->irq, spe_irq_handle, SPE_NAME,
					 &device->cpus, device->handled);

	if (err)
		dev_warn(&device->pdev->dev, "not bound: cannot request interrupt %d (error %d); is another driver using it?\n",
			 device->irq, err);
	return err;
}

void spe_irq_free(struct spe_device *device)
{
	free_percpu_irq(device->irq, device->handled);
}

/*
 * ACPI's MADT has the unit's interrupt in the GICC entry of each CPU.  A kernel
 * configured with its own SPE driver makes a platform device from these entries.
 * Other kernels make none, so this file makes it.
 */

#ifdef CONFIG_ACPI
static struct platform_device *spe_firmware_device;

/* ACPI 6.3 added the field, so a shorter entry has none.  0 means no interrupt. */
static u32 spe_firmware_gicc_gsi(int cpu)
{
	struct acpi_madt_generic_interrupt gicc;

	if (!spe_compat_madt_gicc(cpu, &gicc) || gicc.header.length <
	    offsetof(struct acpi_madt_generic_interrupt, spe_interrupt) +
	    sizeof(gicc.spe_interrupt))
		return 0;
	return gicc.spe_interrupt;
}

/*
 * A PPI must have the same number on all CPUs.  CPUs without SPE have 0; the
 * driver leaves them out when they come online.
 *
 * Returns the number, or 0 if the MADT has none.  If CPUs have different numbers,
 * logs that and returns 0.
 */
static u32 spe_firmware_find_gsi(void)
{
	u32 gsi = 0, this;
	int cpu;

	for_each_possible_cpu(cpu) {
		this = spe_firmware_gicc_gsi(cpu);
		if (!this || this == gsi)
			continue;
		if (gsi) {
			pr_warn("not bound: the MADT has interrupt %u for some CPUs and %u for others; update the firmware\n",
				gsi, this);
			return 0;
		}
		gsi = this;
	}
	return gsi;
}

/*
 * The GSI stays registered after the module is unloaded: kernels leak part of what
 * they allocate for a PPI when it is unregistered.  The next load of the module
 * finds the same interrupt.
 */
static int spe_firmware_add_device(u32 gsi)
{
	/* On a GIC the line is level-sensitive and active-high (IGRLRX). */
	int irq = acpi_register_gsi(NULL, gsi, ACPI_LEVEL_SENSITIVE, ACPI_ACTIVE_HIGH);
	struct resource resource = DEFINE_RES_IRQ(irq);
	struct platform_device *device;

	if (irq < 0)
		return irq;
	device = platform_device_register_simple(SPE_ACPI_NAME, PLATFORM_DEVID_NONE,
						 &resource, 1);
	if (IS_ERR(device))
		return PTR_ERR(device);
	spe_firmware_device = device;
	return 0;
}

/*
 * spe_firmware_init() - make a platform device if the kernel made none
 *
 * The function logs the reason for a failure.
 */
void spe_firmware_init(void)
{
	u32 gsi;
	int err;

	if (acpi_disabled || spe_probe_device_exists())
		return;
	gsi = spe_firmware_find_gsi();
	if (!gsi)
		return;
	err = spe_firmware_add_device(gsi);
	if (err)
		pr_warn("not bound: cannot make a device for interrupt %u of the MADT (error %d); is the number that of a PPI?\n",
			gsi, err);
	else
		pr_info("found interrupt %u in the MADT\n", gsi);
}

void spe_firmware_exit(void)
{
	if (!spe_firmware_device)
		return;
	platform_device_unregister(spe_firmware_device);
	spe_firmware_device = NULL;
}
#else
void spe_firmware_init(void)
{
}

void spe_firmware_exit(void)
{
}
#endif
