/*
 * PMBMAR_EL1 of FEAT_SPE_nVM.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#ifndef TARGET_ARM_SPE_REGS_NVM_H
#define TARGET_ARM_SPE_REGS_NVM_H

#include "cpu.h"

/* The bits of @value that PMBMAR_EL1 keeps */
uint64_t spe_pmbmar_value(uint64_t value);
void spe_nvm_define_cpreg(ARMCPU *cpu);

#endif
