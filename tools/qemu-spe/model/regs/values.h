/*
 * The bits of a value that a System register keeps.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#ifndef TARGET_ARM_SPE_REGS_VALUES_H
#define TARGET_ARM_SPE_REGS_VALUES_H

#include "cpu.h"

uint64_t spe_pmscr_value(CPUARMState *env, uint64_t value);     /* _EL2 */
uint64_t spe_pmscr_el1_value(CPUARMState *env, uint64_t value);
uint64_t spe_pmsicr_value(CPUARMState *env, uint64_t value);
uint64_t spe_pmsfcr_value(CPUARMState *env, uint64_t value);
uint64_t spe_pmblimitr_value(CPUARMState *env, uint64_t value);

#endif
