/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Power-down of a CPU during a session.
 */
#ifndef SPE_POWER_H
#define SPE_POWER_H

#include "spe.h"

int spe_power_register(struct spe_pmu *spe);
void spe_power_unregister(struct spe_pmu *spe);

#endif /* SPE_POWER_H */
