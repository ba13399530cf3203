/*
 * Arm Statistical Profiling Extension: takes the SPE Profiling exception
 * (FEAT_SPE_EXC, D17.8), and keeps PSTATE.PM, which masks it.
 *
 * QEMU keeps PSTATE in 32 bits, but PM is bit 32 of SPSR_ELx.  So the SPU
 * keeps PM, and copies it to and from the SPSR around each change of Exception
 * level.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "qemu/osdep.h"
#include "cpu.h"
#include "internals.h"
#include "cpregs.h"
#include "syndrome.h"
#include "accel/tcg/getpc.h"
#include "exec/helper-proto.h"
#include "machine.h"
#include "../control/control.h"
#include "../sample/sample.h"
#include "../spe.h"
#include "../trace.h"

/* ID_AA64DFR0_EL1.PMSVer of FEAT_SPEv1p5 */
#define PMSVER_V1P5 6

#define SPSR_PM (1ULL << 32)

/* ESR_ELx of a Profiling exception, D24.2 */
enum {
    EC_PROFILING = 0x3d,
    ISS_FSC_SPE = 1 << 1,       /* SYNC (bit 0) is clear */
    EC_PSB_CSYNC = 0x0a,        /* also of other trapped instructions */
    ISS_PSB_CSYNC = 3,
};

/* RYMRRB: QEMU calls it between two operations, as for an interrupt. */
bool arm_spe_take_exception(CPUARMState *env, uint32_t *target_el)
{
    int el = spe_exception_el(env);

    if (el == 0) {
        return false;
    }
    trace_spe_exception(env_cpu(env)->cpu_index, arm_current_el(env), el);
    *target_el = el;
    env->exception.syndrome = (uint32_t)EC_PROFILING << ARM_EL_EC_SHIFT |
                              ARM_EL_IL | ISS_FSC_SPE;
    return true;
}

/*
 * Called before an exception is taken: sets PM.  Its old value goes to the
 * SPSR after QEMU has written that.  An exception from AArch32 state saves no
 * PM (GetPSRFromPSTATE()), and one to AArch32 state leaves PM unchanged.
 */
void spe_pm_entering(CPUARMState *env)
{
    ARMSPEState *s = env->spe;

    s->pm_to_save = false;
    if (s->config.exc && arm_el_is_aa64(env, env->exception.target_el)) {
        s->pm_to_save = s->pm && is_a64(env);
        s->pm = true;
    }
}

void spe_pm_entered(CPUARMState *env)
{
    ARMSPEState *s = env->spe;

    if (s->pm_to_save) {
        int el = arm_current_el(env);

        env->banked_spsr[aarch64_banked_spsr_index(el)] |= SPSR_PM;
        s->pm_to_save = false;
    }
}

/* Only a return to AArch64 state restores PM (SetPSTATEFromPSR()). */
void spe_pm_returning(CPUARMState *env)
{
    int el = arm_current_el(env);

    if (env->spe->config.exc && is_a64(env) && el > 0) {
        uint64_t spsr = env->banked_spsr[aarch64_banked_spsr_index(el)];

        if (!(spsr & PSTATE_nRW)) {
            env->spe->pm = spsr & SPSR_PM;
        }
    }
}

/* An illegal return restores PM, whatever state the SPSR asks for. */
void arm_spe_illegal_return(CPUARMState *env)
{
    int el = arm_current_el(env);

    if (env->spe && env->spe->config.exc) {
        env->spe->pm = env->banked_spsr[aarch64_banked_spsr_index(el)] &
                       SPSR_PM;
    }
}

void HELPER(spe_set_pm)(CPUARMState *env, uint32_t value)
{
    env->spe->pm = value;
    spe_recheck_irq(env);
}

/* FEAT_SPEv1p5: EL2 can trap PSB CSYNC at EL1 and EL0 (C6.2, PSB). */
static bool psb_csync_traps(CPUARMState *env)
{
    return FIELD_EX64(env_archcpu(env)->isar.id_aa64dfr0, ID_AA64DFR0,
                      PMSVER) >= PMSVER_V1P5 &&
           arm_fgt_active(env, arm_current_el(env)) &&
           FIELD_EX64(env->cp15.fgt_exec[FGTREG_HFGITR], SPE_HFGITR_EL2,
                      PSBCSYNC);
}

void HELPER(spe_psb_csync)(CPUARMState *env)
{
    if (psb_csync_traps(env)) {
        raise_exception_ra(env, EXCP_UDEF,
                           (uint32_t)EC_PSB_CSYNC << ARM_EL_EC_SHIFT |
                           ARM_EL_IL | ISS_PSB_CSYNC, 2, GETPC());
    }
    spe_synchronize(env);
}
