/*
 * Arm Statistical Profiling Extension: the Effective values of the controls
 * that Tables D17-2 and D17-5 to D17-10 use.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "qemu/osdep.h"
#include "cpu.h"
#include "internals.h"
#include "control.h"

/* Disabled without FEAT_SPE_EXC, delegated without EL3 */
int spe_effective_pmsee(CPUARMState *env)
{
    if (!env->spe->config.exc) {
        return SPE_EE_DISABLED;
    }
    if (!arm_feature(env, ARM_FEATURE_EL3)) {
        return SPE_EE_DELEGATED;
    }
    return FIELD_EX64(env->cp15.mdcr_el3, SPE_MDCR_EL3, PMSEE);
}

/* EffectivePMSCR_EL2_EE() */
int spe_effective_ee_el2(CPUARMState *env)
{
    if (spe_effective_pmsee(env) == SPE_EE_DISABLED) {
        return SPE_EE_DISABLED;
    }
    if (!arm_is_el2_enabled(env)) {
        return SPE_EE_DELEGATED;
    }
    return FIELD_EX64(env->spe->pmscr_el2, PMSCR, EE);
}

/*
 * EffectivePMSCR_EL1_EE().  The values 01 and 10 are for software under nested
 * virtualization; they act as 00 and 11 with or without FEAT_NV.
 */
static int effective_ee_el1(CPUARMState *env)
{
    if (spe_effective_ee_el2(env) == SPE_EE_DISABLED) {
        return SPE_EE_DISABLED;
    }
    return FIELD_EX64(env->spe->pmscr_el1, PMSCR, EE) & 2 ? SPE_EE_ALL
                                                          : SPE_EE_DISABLED;
}

bool spe_effective_tge(CPUARMState *env)
{
    return arm_is_el2_enabled(env) && (env->cp15.hcr_el2 & HCR_TGE);
}

bool spe_el3_reports(CPUARMState *env)
{
    return arm_feature(env, ARM_FEATURE_EL3) && (spe_effective_pmsee(env) & 2);
}

bool spe_el2_reports(CPUARMState *env)
{
    return spe_effective_ee_el2(env) & 2;
}

bool spe_el1_reports(CPUARMState *env)
{
    return effective_ee_el1(env) == SPE_EE_ALL;
}

uint64_t *spe_pmbsr(ARMSPEState *s, int el)
{
    return el == 3 ? &s->pmbsr_el3 : el == 2 ? &s->pmbsr_el2 : &s->pmbsr;
}

bool spe_service(ARMSPEState *s, int el)
{
    return FIELD_EX64(*spe_pmbsr(s, el), PMBSR, S);
}

/* RTWFRY, SPEProfilingStopped(); see Table D17-2 in qemu-model.rst */
bool spe_stopped(CPUARMState *env)
{
    ARMSPEState *s = env->spe;

    return spe_service(s, 1) ||
           (spe_service(s, 2) && spe_el2_reports(env)) ||
           (spe_service(s, 3) && spe_el3_reports(env));
}

bool spe_pmbsr_el1_in_memory(CPUARMState *env)
{
    uint64_t hcr = arm_hcr_el2_eff(env);

    return arm_current_el(env) == 1 && (hcr & HCR_NV) && (hcr & HCR_NV2) &&
           ((hcr & HCR_NV1) ||
            spe_effective_ee_el2(env) == SPE_EE_DISABLED ||
            FIELD_EX64(env->spe->pmscr_el1, PMSCR, EE) == 0);
}
