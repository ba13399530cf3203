/*
 * The data address of a Memory Copy or Memory Set (D17.6.4.3).
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#ifndef TARGET_ARM_SPE_CAPTURE_MOPS_H
#define TARGET_ARM_SPE_CAPTURE_MOPS_H

#include "../state/state.h"

/* Returns false if the instruction accesses nothing. */
bool spe_mops_address(CPUARMState *env, ARMSPESample *p, uint64_t *va);

#endif
