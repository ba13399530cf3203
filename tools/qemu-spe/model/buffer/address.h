/*
 * Whether PMBPTR_EL1 is a virtual or a physical address, and its translation.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#ifndef TARGET_ARM_SPE_BUFFER_ADDRESS_H
#define TARGET_ARM_SPE_BUFFER_ADDRESS_H

#include "../state/state.h"

/* Returns false with @fi set if the translation of @at faults. */
bool spe_translate(CPUARMState *env, uint64_t at, GetPhysAddrResult *res,
                   ARMMMUFaultInfo *fi);

#endif
