/*
 * Arm Statistical Profiling Extension: the owner of the Profiling Buffer, and
 * where profiling is enabled (D17.4, D17.7.5).
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "qemu/osdep.h"
#include "cpu.h"
#include "cpu-features.h"
#include "internals.h"
#include "control.h"

/*
 * EffectiveMDCR_EL3_NSPB(): the owning Security state. {NSPBE, NSPB[1]} has
 * the values of ARMSecuritySpace, except that {1, 0} is reserved: then no
 * state owns the buffer (Tables D17-1 and D17-4).
 */
static int effective_nspb(CPUARMState *env, bool *el_may_access)
{
    uint64_t mdcr = env->cp15.mdcr_el3;
    int nspb = FIELD_EX64(mdcr, SPE_MDCR_EL3, NSPB);

    if (!arm_feature(env, ARM_FEATURE_EL3)) {
        *el_may_access = true;
        return arm_security_space_below_el3(env);
    }
    *el_may_access = nspb & 1;
    if (cpu_isar_feature(aa64_rme, env_archcpu(env))) {
        return FIELD_EX64(mdcr, SPE_MDCR_EL3, NSPBE) << 1 | nspb >> 1;
    }
    return nspb >> 1;
}

static int owning_space(CPUARMState *env)
{
    bool unused;

    return effective_nspb(env, &unused);
}

/* The owning state is the state of the PE below EL3. */
static bool state_matches(CPUARMState *env)
{
    int owner = owning_space(env);

    return owner != ARMSS_Root && arm_security_space_below_el3(env) == owner;
}

/* CheckMDCR_EL3_NSPBTrap() */
bool spe_nspb_traps(CPUARMState *env)
{
    bool may_access;

    if (!arm_feature(env, ARM_FEATURE_EL3) || arm_current_el(env) == 3) {
        return false;
    }
    return effective_nspb(env, &may_access) !=
           arm_security_space_below_el3(env) || !may_access;
}

/* EL2 is implemented and enabled in the owning Security state. */
static bool owner_has_el2(CPUARMState *env)
{
    int owner = owning_space(env);

    return owner != ARMSS_Root && arm_is_el2_enabled_secstate(env, owner);
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
    return el != 3 && state_matches(env);
}

/* ProfilingBufferEnabled(); false while profiling is stopped */
bool spe_buffer_enabled(CPUARMState *env)
{
    return FIELD_EX64(env->spe->pmblimitr, PMBLIMITR, E) &&
           !spe_stopped(env) && state_matches(env) &&
           arm_el_is_aa64(env, spe_owning_el(env));
}

/* StatisticalProfilingEnabled(), Table D17-1 */
bool spe_profiling_enabled(CPUARMState *env, int el)
{
    ARMSPEState *s = env->spe;
    int owner = spe_owning_el(env);
    bool tge = spe_effective_tge(env);

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

/*
 * The owning translation regime, privileged and without PAN (RTDHBH, RKRVDC).
 * QEMU translates in the Security state below EL3.  That is right, because the
 * buffer is enabled only while this is the owning state.
 */
ARMMMUIdx spe_buffer_mmu_idx(CPUARMState *env)
{
    if (spe_owning_el(env) == 1) {
        return ARMMMUIdx_E10_1;
    }
    return arm_hcr_el2_eff(env) & HCR_E2H ? ARMMMUIdx_E20_2 : ARMMMUIdx_E2;
}

bool spe_effective_envm(CPUARMState *env)
{
    ARMSPEState *s = env->spe;

    return s->config.nvm &&
           (!owner_has_el2(env) || spe_owning_el(env) == 2 ||
            FIELD_EX64(s->pmscr_el2, PMSCR, ENVM));
}

/* D18.2.1: NS and NSE are in byte 7. */
uint64_t spe_packet_space(ARMSecuritySpace space)
{
    return (uint64_t)(space & 1) << 63 | (uint64_t)(space >> 1) << 60;
}
