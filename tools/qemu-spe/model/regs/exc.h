/*
 * The System registers of FEAT_SPE_EXC and FEAT_EBEP.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#ifndef TARGET_ARM_SPE_REGS_EXC_H
#define TARGET_ARM_SPE_REGS_EXC_H

#include "cpu.h"

void spe_define_exc_cpregs(ARMCPU *cpu);

#endif
