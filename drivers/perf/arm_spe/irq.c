// SPDX-License-Identifier: GPL-2.0-only
/*
 * PMBIRQ: a private interrupt (PPI) of each CPU.  The line is high while
 * PMBSR_EL1.S is 1 and the Profiling exception is disabled (IGRLRX, RTSJRP).
 */
#include <linux/irq_work.h>

#include "compat.h"
#include "exc.h"
#include "irq.h"
#include "regs.h"
#include "sampling.h"
#include "service.h"
#include "throttle.h"

static irqreturn_t spe_irq_serve(struct spe_cpu *c)
{
	u64 pmbsr;

	/* The interrupt's exception entry was a Context synchronization event. */
	spe_regs_drain();
	pmbsr = spe_read(PMBSR);
	if (!(pmbsr & ARM_SPE_PMBSR_S)) {
		/* The session ended between the interrupt's assertion and its handler. */
		c->stats.spurious++;
		return IRQ_NONE;
	}
	spe_service_event(c, pmbsr);
	return IRQ_HANDLED;
}

static irqreturn_t spe_irq_handle(int irq, void *data)
{
	struct spe_cpu *c = *(struct spe_cpu **)data;
	struct spe_event_data *payer;
	irqreturn_t ret;

	if (spe_exc_test_irq())
		return IRQ_HANDLED;
	spe_sampling_enter_driver(c);
	payer = spe_throttle_enter(c);
	ret = spe_irq_serve(c);
	spe_throttle_charge(c, payer);
	spe_sampling_leave_driver(c);
	if (ret == IRQ_NONE)
		return ret;
	/*
	 * A truncated record queues an irq_work that disables the event.  Run that
	 * work before the interrupted program continues.
	 */
	irq_work_run();
	spe_throttle_leave(c);
	return ret;
}

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
