/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * PMBIRQ, the interrupt for management events.
 */
#ifndef SPE_IRQ_H
#define SPE_IRQ_H

#include "spe.h"

int spe_irq_find(struct spe_device *device);
int spe_irq_request(struct spe_device *device);
void spe_irq_free(struct spe_device *device);

#endif /* SPE_IRQ_H */
