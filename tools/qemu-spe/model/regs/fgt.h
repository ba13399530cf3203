/*
 * What the SPU needs of FEAT_FGT2.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#ifndef TARGET_ARM_SPE_REGS_FGT_H
#define TARGET_ARM_SPE_REGS_FGT_H

#include "../state/state.h"

/* Controls of HDFGRTR2_EL2 and HDFGWTR2_EL2 */
#define SPE_FGT2_NPMSDSFR (1ULL << 19)
#define SPE_FGT2_NPMBMAR (1ULL << 24)

/* The control @bit of HDFGRTR2_EL2 or HDFGWTR2_EL2 traps an access to EL2. */
bool spe_fgt2_traps(CPUARMState *env, uint64_t bit, bool isread);

/* The bits of @value that HDFGRTR2_EL2 and HDFGWTR2_EL2 keep */
uint64_t spe_fgt2_value(CPUARMState *env, uint64_t value);

void spe_fgt2_realize(ARMSPEState *s);
void spe_fgt2_define_cpregs(ARMCPU *cpu);

#endif
