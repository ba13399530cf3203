/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * PMBIRQ, the interrupt for management events.
 */
#ifndef SPE_IRQ_H
#define SPE_IRQ_H

#include "spe.h"

int spe_irq_find(struct spe_pmu *spe);
int spe_irq_request(struct spe_pmu *spe);
void spe_irq_free(struct spe_pmu *spe);

#endif /* SPE_IRQ_H */
