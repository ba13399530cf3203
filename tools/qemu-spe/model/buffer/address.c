/*
 * Arm Statistical Profiling Extension: whether PMBPTR_EL1 is a virtual or a
 * physical address, and its translation (D17.7.1 to D17.7.3, D17.8.3.1).
 *
 * With FEAT_SPE_nVM and PMBLIMITR_EL1.nVM the buffer is at physical or
 * intermediate physical addresses.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "qemu/osdep.h"
#include "cpu.h"
#include "internals.h"
#include "exec/exec-all.h"
#include "buffer.h"
#include "../control/control.h"

/* TBI in TCR_EL1, and in TCR_EL2 without E2H */
#define TBI_EL1 (3ULL << 37)
#define TBI_EL2 (1ULL << 20)

/* D17.7: the Effective value of PMBLIMITR_EL1.nVM */
static bool physical(CPUARMState *env)
{
    return FIELD_EX64(env->spe->pmblimitr, PMBLIMITR, NVM) &&
           spe_effective_envm(env);
}

static bool walk(CPUARMState *env, uint64_t at, ARMMMUIdx idx,
                 GetPhysAddrResult *res, ARMMMUFaultInfo *fi)
{
    if (!FIELD_EX64(env->spe->pmbidr, PMBIDR, F)) {
        return spe_walk_without_updates(env, at, idx, res, fi);
    }
    return !get_phys_addr(env, at, MMU_DATA_STORE, 0, idx, res, fi);
}

/* Translates as if stage 1 were disabled and TBI were 0 (RRPSLW, RQJNFT). */
static bool walk_physical(CPUARMState *env, uint64_t at, ARMMMUIdx idx,
                          GetPhysAddrResult *res, ARMMMUFaultInfo *fi)
{
    int el = spe_owning_el(env);
    uint64_t sctlr = env->cp15.sctlr_el[el], tcr = env->cp15.tcr_el[el];
    bool done;

    env->cp15.sctlr_el[el] &= ~SCTLR_M;
    env->cp15.tcr_el[el] &= idx == ARMMMUIdx_E2 ? ~TBI_EL2 : ~TBI_EL1;
    done = walk(env, at, idx, res, fi);
    env->cp15.sctlr_el[el] = sctlr;
    env->cp15.tcr_el[el] = tcr;
    return done;
}

/*
 * A virtual address goes through QEMU's TLB, which has the entries of the
 * translation regime.
 */
bool spe_translate(CPUARMState *env, uint64_t at, int len,
                   GetPhysAddrResult *res, void **host, ARMMMUFaultInfo *fi)
{
    ARMMMUIdx idx = spe_buffer_mmu_idx(env);
    CPUTLBEntryFull *full;
    int flags;

    *host = NULL;
    if (physical(env)) {
        return walk_physical(env, at, idx, res, fi);
    }
    if (!FIELD_EX64(env->spe->pmbidr, PMBIDR, F)) {
        return walk(env, at, idx, res, fi);
    }
    flags = probe_access_full(env, at, len, MMU_DATA_STORE,
                              arm_to_core_mmu_idx(idx), true, host, &full, 0);
    if (flags) {
        *host = NULL;
    }
    if (flags & TLB_INVALID_MASK) {
        return walk(env, at, idx, res, fi);
    }
    res->f.phys_addr = full->phys_addr | (at & ~TARGET_PAGE_MASK);
    res->f.attrs = full->attrs;
    return true;
}
