/*
 * The registers of an operation that is about to execute.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#ifndef TARGET_ARM_SPE_CAPTURE_OPERAND_H
#define TARGET_ARM_SPE_CAPTURE_OPERAND_H

#include "cpu.h"

/* An X register, or XZR */
static inline uint64_t spe_read_x(CPUARMState *env, int reg)
{
    return reg == 31 ? 0 : env->xregs[reg];
}

#endif
