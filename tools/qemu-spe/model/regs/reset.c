/*
 * Arm Statistical Profiling Extension: Warm reset (D24.7), and what firmware
 * at EL3 sets.
 *
 * Nearly all fields reset to an UNKNOWN value.  By default that value is 0.
 * With the property spe-unknown-seed it is random, and different at each
 * reset.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "qemu/osdep.h"
#include "cpu.h"
#include "cpu-features.h"
#include "internals.h"
#include "hw/irq.h"
#include "regs.h"
#include "../sample/sample.h"
#include "../spe.h"
#include "../state/state.h"

static uint64_t unknown(ARMSPEState *s)
{
    uint64_t value = 0;

    for (int i = 0; s->config.unknown_seed && i < 8; i++) {
        value = value << 8 | spe_random_byte(&s->noise);
    }
    return value;
}

static bool highest_el(CPUARMState *env, int el)
{
    return !arm_feature(env, ARM_FEATURE_EL3) &&
           arm_feature(env, ARM_FEATURE_EL2) == (el == 2);
}

/* D24.7.8, D24.7.9: EE is 00 at the highest implemented Exception level. */
static void reset_pmscr(CPUARMState *env)
{
    ARMSPEState *s = env->spe;
    uint64_t el1 = unknown(s), el2 = unknown(s);

    if (highest_el(env, 1)) {
        el1 = FIELD_DP64(el1, PMSCR, EE, 0);
    }
    if (highest_el(env, 2)) {
        el2 = FIELD_DP64(el2, PMSCR, EE, 0);
    }
    s->pmscr_el1 = spe_pmscr_el1_value(env, el1);
    s->pmscr_el2 = arm_feature(env, ARM_FEATURE_EL2)
                   ? spe_pmscr_value(env, el2) : 0;
}

static void reset_filters(CPUARMState *env)
{
    ARMSPEState *s = env->spe;
    const SPEConfig *c = &s->config;

    s->pmsfcr = spe_pmsfcr_value(env, unknown(s));
    s->pmsevfr = unknown(s) & s->event_mask;
    s->pmsnevfr = c->fne ? unknown(s) & s->event_mask : 0;
    s->pmslatfr = unknown(s) & s->format.counter_max;
    s->pmsdsfr = c->fds ? unknown(s) : 0;
}

static void reset_buffer(CPUARMState *env)
{
    ARMSPEState *s = env->spe;
    bool exc = s->config.exc;

    s->pmblimitr = spe_pmblimitr_value(env, unknown(s)) & ~R_PMBLIMITR_E_MASK;
    s->pmbptr = unknown(s);
    s->pmbmar = s->config.nvm ? spe_pmbmar_value(unknown(s)) : 0;
    s->pmbsr = unknown(s) & SPE_PMBSR_BITS;
    s->pmbsr_el2 = s->pmbsr_el3 = 0;
    if (exc && arm_feature(env, ARM_FEATURE_EL2)) {
        s->pmbsr_el2 = unknown(s) & SPE_PMBSR_BITS;
    }
    if (exc && arm_feature(env, ARM_FEATURE_EL3)) {
        s->pmbsr_el3 = unknown(s) & SPE_PMBSR_BITS;
    }
}

/*
 * The fields for the SPU in registers of QEMU, which has reset them to 0.
 * MDCR_EL3.PMSEE resets to 00 (D24.3).  HDFGRTR2_EL2 and HDFGWTR2_EL2 reset to
 * 0 if EL2 is the highest Exception level (D24.2).
 */
static void reset_controls(CPUARMState *env)
{
    ARMSPEState *s = env->spe;
    ARMCPU *cpu = env_archcpu(env);
    uint64_t el3 = R_SPE_MDCR_EL3_NSPB_MASK;

    if (arm_feature(env, ARM_FEATURE_EL2)) {
        env->cp15.mdcr_el2 |= unknown(s) & (R_SPE_MDCR_EL2_E2PB_MASK |
                                            R_SPE_MDCR_EL2_TPMS_MASK);
    }
    if (arm_feature(env, ARM_FEATURE_EL3)) {
        el3 |= cpu_isar_feature(aa64_rme, cpu) ? R_SPE_MDCR_EL3_NSPBE_MASK : 0;
        el3 |= s->config.fne ? R_SPE_MDCR_EL3_ENPMSN_MASK : 0;
        el3 |= s->config.fds ? R_SPE_MDCR_EL3_ENPMS3_MASK : 0;
        el3 |= s->config.nvm ? R_SPE_MDCR_EL3_ENPMS4_MASK : 0;
        env->cp15.mdcr_el3 |= unknown(s) & el3;
    }
    s->hdfgrtr2 = s->hdfgwtr2 = 0;
    if (s->fgt2 && arm_feature(env, ARM_FEATURE_EL3)) {
        s->hdfgrtr2 = spe_fgt2_value(env, unknown(s));
        s->hdfgwtr2 = spe_fgt2_value(env, unknown(s));
    }
}

/*
 * A reset of the whole machine may reset the interrupt controller after the
 * PE.  The controller then loses the level that the PE has set.
 */
static void assert_again(CPUState *cs, run_on_cpu_data unused)
{
    ARMSPEState *s = cpu_env(cs)->spe;

    qemu_set_irq(s->cpu->spe_interrupt, s->irq_level);
}

/* PMBIRQ is updated at the end of the reset, with the cached flags. */
void arm_spe_reset(CPUARMState *env)
{
    ARMSPEState *s = env->spe;

    if (!s) {
        return;
    }
    spe_reset_activity(env);
    s->stopped = false;
    spe_context_synchronized(s);
    reset_pmscr(env);
    reset_filters(env);
    reset_buffer(env);
    reset_controls(env);
    s->pmsicr = spe_pmsicr_value(env, unknown(s));
    s->pmsirr = unknown(s) & (R_PMSIRR_RND_MASK | R_PMSIRR_INTERVAL_MASK);
    s->pm = s->config.exc && (unknown(s) & 1);
    if (s->config.unknown_seed) {
        async_run_on_cpu(env_cpu(env), assert_again, RUN_ON_CPU_NULL);
    }
}

void arm_spe_firmware_reset(CPUARMState *env)
{
    uint64_t *mdcr = &env->cp15.mdcr_el3;

    if (!env->spe) {
        return;
    }
    *mdcr = FIELD_DP64(*mdcr, SPE_MDCR_EL3, NSPBE, 0);
    *mdcr = FIELD_DP64(*mdcr, SPE_MDCR_EL3, NSPB, 3);
    *mdcr = FIELD_DP64(*mdcr, SPE_MDCR_EL3, ENPMSN, 1);
    *mdcr = FIELD_DP64(*mdcr, SPE_MDCR_EL3, ENPMS3, 1);
    *mdcr = FIELD_DP64(*mdcr, SPE_MDCR_EL3, ENPMS4, 1);
    *mdcr = FIELD_DP64(*mdcr, SPE_MDCR_EL3, PMSEE, SPE_EE_DELEGATED);
    if (env->spe->config.exc) {
        env->spe->pm = true;    /* masked, as DAIF is (boot protocol) */
    }
    if (env->spe->fgt2) {
        env->cp15.scr_el3 |= SCR_FGTEN2;
    }
}
