/*
 * The condition of an operation that is about to execute.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#ifndef TARGET_ARM_SPE_CAPTURE_CONDITION_H
#define TARGET_ARM_SPE_CAPTURE_CONDITION_H

#include "../insn/operation.h"
#include "cpu.h"

/* True if the condition of @insn holds, or if it has none. */
bool spe_condition_passes(CPUARMState *env, const SPEInsn *insn);

#endif
