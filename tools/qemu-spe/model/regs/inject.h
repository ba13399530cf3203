/*
 * SPEINJ_EL1, with which a guest injects management events.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#ifndef TARGET_ARM_SPE_REGS_INJECT_H
#define TARGET_ARM_SPE_REGS_INJECT_H

#include "cpu.h"

void spe_inject_define_cpreg(ARMCPU *cpu);

#endif
