/*
 * Who may access a System register of the SPU, and the count of writes.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#ifndef TARGET_ARM_SPE_REGS_ACCESS_H
#define TARGET_ARM_SPE_REGS_ACCESS_H

#include "cpu.h"
#include "cpregs.h"

/* Software writes a System register of the SPU: counts and traces it. */
void spe_count_write(CPUARMState *env, const ARMCPRegInfo *ri, uint64_t value);

/* Accesses to PMS*_EL1, PMB*_EL1 and PM*_EL12 */
CPAccessResult spe_access_pms(CPUARMState *env, const ARMCPRegInfo *ri,
                              bool isread);
CPAccessResult spe_access_pmb(CPUARMState *env, const ARMCPRegInfo *ri,
                              bool isread);
CPAccessResult spe_access_el12(CPUARMState *env, const ARMCPRegInfo *ri,
                               bool isread);

#endif
