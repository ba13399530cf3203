/*
 * Arm Statistical Profiling Extension: the bits of a value that a System
 * register keeps (D24.7).
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "qemu/osdep.h"
#include "cpu.h"
#include "regs.h"
#include "../state/state.h"

uint64_t spe_pmsfcr_value(CPUARMState *env, uint64_t value)
{
    const SPEConfig *c = &env->spe->config;

    value &= R_PMSFCR_FE_MASK | R_PMSFCR_FT_MASK | R_PMSFCR_FL_MASK |
             R_PMSFCR_FNE_MASK | R_PMSFCR_FDS_MASK | R_PMSFCR_TYPE_MASK |
             R_PMSFCR_TYPEM_MASK;
    if (!c->eft) {
        value &= ~(R_PMSFCR_FP_MASK | R_PMSFCR_SIMD_MASK |
                   R_PMSFCR_TYPEM_MASK);
    }
    value &= c->fne ? ~0ULL : ~R_PMSFCR_FNE_MASK;
    value &= c->fds ? ~0ULL : ~R_PMSFCR_FDS_MASK;
    return value;
}

/* Without Discard mode FM has only one value, so treat it as RES0. */
uint64_t spe_pmblimitr_value(CPUARMState *env, uint64_t value)
{
    value &= R_PMBLIMITR_E_MASK | R_PMBLIMITR_FM_MASK |
             R_PMBLIMITR_PMFZ_MASK | R_PMBLIMITR_NVM_MASK |
             R_PMBLIMITR_LIMIT_MASK;
    if (!env->spe->config.discard) {
        value &= ~(R_PMBLIMITR_FM_MASK | R_PMBLIMITR_PMFZ_MASK);
    }
    if (!env->spe->config.nvm) {
        value &= ~R_PMBLIMITR_NVM_MASK;
    }
    return value;
}

uint64_t spe_pmscr_value(CPUARMState *env, uint64_t value)
{
    uint64_t bits = R_PMSCR_E0SPE_MASK | R_PMSCR_E1SPE_MASK | R_PMSCR_CX_MASK |
                    R_PMSCR_PA_MASK | R_PMSCR_TS_MASK | R_PMSCR_PCT_MASK;

    if (env->spe->config.exc) {
        bits |= R_PMSCR_EE_MASK | R_PMSCR_KE_MASK;
    }
    if (env->spe->config.nvm) {
        bits |= R_PMSCR_ENVM_MASK;
    }
    value &= bits;
    if (!cpu_isar_feature(aa64_ecv, env_archcpu(env))) {
        value &= ~(2ULL << R_PMSCR_PCT_SHIFT);
    }
    return value;
}

uint64_t spe_pmscr_el1_value(CPUARMState *env, uint64_t value)
{
    value = spe_pmscr_value(env, value);
    if (!arm_feature(env, ARM_FEATURE_EL2)) {
        /* PCT is RO, with the value 01 */
        value = FIELD_DP64(value, PMSCR, PCT, 1);
    }
    return value;
}

uint64_t spe_pmsicr_value(CPUARMState *env, uint64_t value)
{
    uint64_t mask = R_PMSICR_COUNT_MASK;

    if (FIELD_EX64(env->spe->pmsidr, PMSIDR, ERND)) {
        mask |= R_PMSICR_ECOUNT_MASK;
    }
    return value & mask;
}
