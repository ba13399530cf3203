/*
 * Captures the sampled operation, which is about to execute (D17.6).
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#ifndef TARGET_ARM_SPE_CAPTURE_CAPTURE_H
#define TARGET_ARM_SPE_CAPTURE_CAPTURE_H

#include "../state/state.h"

void spe_capture(CPUARMState *env, uint32_t insn);

#endif
