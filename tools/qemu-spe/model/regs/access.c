/*
 * Arm Statistical Profiling Extension: access to the System registers of the
 * SPU (D24.7), and the count of writes.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "qemu/osdep.h"
#include "cpu.h"
#include "internals.h"
#include "cpregs.h"
#include "regs.h"
#include "../control/control.h"
#include "../trace.h"

void spe_count_write(CPUARMState *env, const ARMCPRegInfo *ri, uint64_t value)
{
    ARMSPECounts *n = &env->spe->n;

    n->register_writes++;
    n->stopped_writes += env->spe->stopped;
    trace_spe_register_write(env_cpu(env)->cpu_index, ri->name, value);
}

CPAccessResult spe_access_pms(CPUARMState *env, const ARMCPRegInfo *ri,
                              bool isread)
{
    if (arm_current_el(env) == 1 &&
        FIELD_EX64(arm_mdcr_el2_eff(env), SPE_MDCR_EL2, TPMS)) {
        return CP_ACCESS_TRAP_EL2;
    }
    return spe_nspb_traps(env) ? CP_ACCESS_TRAP_EL3 : CP_ACCESS_OK;
}

CPAccessResult spe_access_pmb(CPUARMState *env, const ARMCPRegInfo *ri,
                              bool isread)
{
    if (arm_current_el(env) == 1 && arm_is_el2_enabled(env) &&
        !(FIELD_EX64(env->cp15.mdcr_el2, SPE_MDCR_EL2, E2PB) & 1)) {
        return CP_ACCESS_TRAP_EL2;
    }
    return spe_nspb_traps(env) ? CP_ACCESS_TRAP_EL3 : CP_ACCESS_OK;
}

CPAccessResult spe_access_el12(CPUARMState *env, const ARMCPRegInfo *ri,
                               bool isread)
{
    if (arm_current_el(env) == 1) {
        return CP_ACCESS_OK;    /* FEAT_NV: it traps or accesses memory */
    }
    if (!(arm_hcr_el2_eff(env) & HCR_E2H)) {
        return CP_ACCESS_UNDEFINED;
    }
    return spe_nspb_traps(env) ? CP_ACCESS_TRAP_EL3 : CP_ACCESS_OK;
}
