// SPDX-License-Identifier: GPL-2.0-only
/*
 * PMBIRQ: one private interrupt line a CPU, high while PMBSR_EL1.S is 1 and
 * the Profiling exception is disabled (IGRLRX, RTSJRP).
 */
#include <linux/irq_work.h>
#include <asm/irq_regs.h>

#include "compat.h"
#include "exc.h"
#include "irq.h"
#include "regs.h"
#include "sampling.h"
#include "service.h"

static irqreturn_t spe_irq_handle(int irq, void *data)
{
	struct spe_cpu *c = data;
	u64 pmbsr;

	if (spe_exc_test_irq())
		return IRQ_HANDLED;
	/* Exception entry is the Context synchronization event before this. */
	spe_regs_drain();
	pmbsr = spe_read(PMBSR);
	if (!(pmbsr & ARM_SPE_PMBSR_S)) {
		/* The session that it told of ended before it was taken. */
		c->stats.spurious++;
		return IRQ_NONE;
	}
	spe_sampling_enter_driver(c);
	spe_service_event(c, pmbsr, get_irq_regs());
	spe_sampling_leave_driver(c);
	/*
	 * A truncated record disables its event by irq_work: let that happen
	 * here rather than after the return to the interrupted program.
	 */
	irq_work_run();
	return IRQ_HANDLED;
}

/*
 * spe_irq_find() - the device's interrupt, and the CPUs that it belongs to
 *
 * Returns 0, -ENODEV where the line is not private to a CPU, -EPROBE_DEFER or
 * another error of the platform's; each refusal has said why.
 */
int spe_irq_find(struct spe_pmu *spe)
{
	struct device *dev = &spe->pdev->dev;
	int irq = spe_compat_irq_get(spe->pdev, &spe->supported);

	if (irq < 0)
		return dev_err_probe(dev, irq, "not bound: firmware gives no interrupt for SPE\n");
	if (!irq_is_percpu(irq)) {
		dev_warn(dev, "not bound: interrupt %d is not private to a CPU (a PPI)\n", irq);
		return -ENODEV;
	}
	spe->irq = irq;
	return 0;
}

int spe_irq_request(struct spe_pmu *spe)
{
	int err = spe_compat_irq_request(spe->irq, spe_irq_handle, SPE_NAME,
					 &spe->supported, spe->cpus);

	if (err)
		dev_warn(&spe->pdev->dev, "not bound: interrupt %d is not to be had: %d\n",
			 spe->irq, err);
	return err;
}

void spe_irq_free(struct spe_pmu *spe)
{
	free_percpu_irq(spe->irq, spe->cpus);
}
