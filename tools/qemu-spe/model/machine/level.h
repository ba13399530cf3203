/*
 * What a change of the Exception level means for the SPU.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#ifndef TARGET_ARM_SPE_MACHINE_LEVEL_H
#define TARGET_ARM_SPE_MACHINE_LEVEL_H

#include "cpu.h"

/* Hooks, before and after the change */
void spe_pre_el_change(ARMCPU *cpu, void *opaque);
void spe_el_change(ARMCPU *cpu, void *opaque);

#endif
