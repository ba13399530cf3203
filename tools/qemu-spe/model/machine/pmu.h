/*
 * The counters of the PMU stay as they are when the SPU is loaded.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#ifndef TARGET_ARM_SPE_MACHINE_PMU_H
#define TARGET_ARM_SPE_MACHINE_PMU_H

#include "../state/state.h"

void spe_pmu_pre_load(ARMSPEState *s);
void spe_pmu_post_load(ARMSPEState *s);

#endif
