/*
 * Translation for an SPU without hardware updates of flags.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#ifndef TARGET_ARM_SPE_BUFFER_WALK_H
#define TARGET_ARM_SPE_BUFFER_WALK_H

#include "cpu.h"
#include "internals.h"

/*
 * A walk for a write where PMBIDR_EL1.F is 0.  Returns false with @fi set if
 * it faults.
 */
bool spe_walk_without_updates(CPUARMState *env, uint64_t va, ARMMMUIdx idx,
                              GetPhysAddrResult *res, ARMMMUFaultInfo *fi);

#endif
