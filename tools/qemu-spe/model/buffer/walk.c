/*
 * Arm Statistical Profiling Extension: address translation for an SPU without
 * hardware updates of the Access flag and dirty state (PMBIDR_EL1.F, D17.8.3).
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "qemu/osdep.h"
#include "cpu.h"
#include "internals.h"
#include "buffer.h"

/* HA and HD, which are adjacent, in TCR_EL1 and in TCR_EL2 */
#define HA_HD_EL1 (3ULL << 39)
#define HA_HD_EL2 (3ULL << 21)

/*
 * Translates as if hardware updates were disabled at all stages.  A
 * translation that is in the TLB gives the same result, because its flags have
 * been set.
 */
bool spe_walk_without_updates(CPUARMState *env, uint64_t va, ARMMMUIdx idx,
                              GetPhysAddrResult *res, ARMMMUFaultInfo *fi)
{
    uint64_t tcr_el1 = env->cp15.tcr_el[1];
    uint64_t tcr_el2 = env->cp15.tcr_el[2];
    uint64_t vtcr_el2 = env->cp15.vtcr_el2;
    bool failed;

    env->cp15.tcr_el[1] &= ~HA_HD_EL1;
    env->cp15.tcr_el[2] &= env->cp15.hcr_el2 & HCR_E2H ? ~HA_HD_EL1
                                                       : ~HA_HD_EL2;
    env->cp15.vtcr_el2 &= ~HA_HD_EL2;
    failed = get_phys_addr(env, va, MMU_DATA_STORE, 0, idx, res, fi);
    env->cp15.tcr_el[1] = tcr_el1;
    env->cp15.tcr_el[2] = tcr_el2;
    env->cp15.vtcr_el2 = vtcr_el2;
    return !failed;
}
