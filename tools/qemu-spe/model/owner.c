/*
 * Arm Statistical Profiling Extension: who owns the Profiling Buffer and
 * where profiling is enabled (D17.4, D17.7.5).
 *
 * Simplification: of the Security states only Secure and Non-secure are
 * known; Realm and Root are never the owning ones.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "qemu/osdep.h"
#include "cpu.h"
#include "internals.h"
#include "state.h"

static bool owner_is_secure(CPUARMState *env)
{
    if (!arm_feature(env, ARM_FEATURE_EL3)) {
        return arm_is_secure_below_el3(env);
    }
    return !(FIELD_EX64(env->cp15.mdcr_el3, SPE_MDCR_EL3, NSPB) & 2);
}

/* EL2 is implemented and enabled in the owning Security state. */
static bool owner_has_el2(CPUARMState *env)
{
    if (!arm_feature(env, ARM_FEATURE_EL2)) {
        return false;
    }
    return !owner_is_secure(env) || (env->cp15.scr_el3 & SCR_EEL2);
}

/* RKFMHR */
int spe_owning_el(CPUARMState *env)
{
    if (!owner_has_el2(env)) {
        return 1;
    }
    return FIELD_EX64(env->cp15.mdcr_el2, SPE_MDCR_EL2, E2PB) == 0 ? 2 : 1;
}

bool spe_in_owning_security_state(CPUARMState *env, int el)
{
    return el != 3 && arm_is_secure_below_el3(env) == owner_is_secure(env);
}

/* ProfilingBufferEnabled(), which includes that profiling is not stopped */
bool spe_buffer_enabled(CPUARMState *env)
{
    ARMSPEState *s = env->spe;

    return FIELD_EX64(s->pmblimitr, PMBLIMITR, E) &&
           !FIELD_EX64(s->pmbsr, PMBSR, S) &&
           arm_is_secure_below_el3(env) == owner_is_secure(env) &&
           arm_el_is_aa64(env, spe_owning_el(env));
}

/* StatisticalProfilingEnabled(), Table D17-1 */
bool spe_profiling_enabled(CPUARMState *env, int el)
{
    ARMSPEState *s = env->spe;
    int owner = spe_owning_el(env);
    bool tge = arm_is_el2_enabled(env) && (env->cp15.hcr_el2 & HCR_TGE);

    if (!spe_buffer_enabled(env) || !is_a64(env) || el > owner ||
        !spe_in_owning_security_state(env, el) || (tge && owner == 1)) {
        return false;
    }
    switch (el) {
    case 2:
        return FIELD_EX64(s->pmscr_el2, PMSCR, E1SPE);
    case 1:
        return FIELD_EX64(s->pmscr_el1, PMSCR, E1SPE);
    default:
        return tge ? FIELD_EX64(s->pmscr_el2, PMSCR, E0SPE)
                   : FIELD_EX64(s->pmscr_el1, PMSCR, E0SPE);
    }
}
