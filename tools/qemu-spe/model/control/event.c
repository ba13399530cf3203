/*
 * Arm Statistical Profiling Extension: where a Profiling Buffer management
 * event is recorded, and the interrupt or exception that reports it (D17.8).
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "qemu/osdep.h"
#include "qemu/main-loop.h"
#include "cpu.h"
#include "internals.h"
#include "hw/irq.h"
#include "system/cpu-timers.h"
#include "control.h"
#include "../spe.h"
#include "../trace.h"

static bool taken_to_el3(CPUARMState *env, enum SPECause cause)
{
    uint64_t scr = env->cp15.scr_el3;

    switch (cause) {
    case SPE_CAUSE_GPC:
        return true;
    case SPE_CAUSE_STAGE1_GPF:
    case SPE_CAUSE_STAGE2_GPF:
        return scr & SCR_GPF;
    case SPE_CAUSE_STAGE1_EXTERNAL:
    case SPE_CAUSE_STAGE2_EXTERNAL:
        return scr & SCR_EA;
    default:
        return false;
    }
}

static bool taken_to_el2(CPUARMState *env, enum SPECause cause)
{
    uint64_t hcr = arm_hcr_el2_eff(env);
    bool owns = spe_owning_el(env) == 2;

    switch (cause) {
    case SPE_CAUSE_GPC:
    case SPE_CAUSE_STAGE2:
    case SPE_CAUSE_STAGE2_GPF:
    case SPE_CAUSE_STAGE2_EXTERNAL:
        return true;
    case SPE_CAUSE_STAGE1:
        return owns;
    case SPE_CAUSE_STAGE1_GPF:
        return owns || (hcr & HCR_GPF);
    case SPE_CAUSE_STAGE1_EXTERNAL:
        return owns || (hcr & HCR_TEA);
    default:
        return false;
    }
}

/*
 * 1, 2 or 3: the ELx of the PMBSR_ELx that records such an event now (RHJXHT,
 * ReportSPEEvent(), Tables D17-5 to D17-7)
 */
static int event_el(CPUARMState *env, enum SPECause cause)
{
    if (spe_el3_reports(env) && (spe_effective_pmsee(env) == SPE_EE_ALL ||
                             taken_to_el3(env, cause))) {
        return 3;
    }
    if (spe_el2_reports(env) && (spe_effective_ee_el2(env) == SPE_EE_ALL ||
                             taken_to_el2(env, cause))) {
        return 2;
    }
    return 1;
}

/*
 * RYZJQX, CheckForSPEException(), Tables D17-8 to D17-10.  If several levels
 * could take the exception, the highest one does (IMPLEMENTATION DEFINED).  A
 * level that uses AArch32 state takes none, because AArch32 state has no such
 * exception.
 */
int spe_exception_el(CPUARMState *env)
{
    ARMSPEState *s = env->spe;
    int el = arm_current_el(env);
    uint64_t pmscr = el == 2 ? s->pmscr_el2 : s->pmscr_el1;
    bool kernel = FIELD_EX64(pmscr, PMSCR, KE) && !s->pm;
    int target;

    if (el == 3) {
        return 0;
    }
    if (spe_el3_reports(env) && spe_service(s, 3)) {
        return 3;
    }
    if (!spe_in_owning_security_state(env, el)) {
        return 0;
    }
    if (spe_el2_reports(env) && spe_service(s, 2) && arm_el_is_aa64(env, 2) &&
        (el < 2 || (kernel && spe_effective_ee_el2(env) == SPE_EE_ALL))) {
        return 2;
    }
    if (spe_el1_reports(env) && spe_service(s, 1) &&
        (el == 0 || (el == 1 && kernel))) {
        target = spe_effective_tge(env) ? 2 : 1;
        return arm_el_is_aa64(env, target) ? target : 0;
    }
    return 0;
}

/* RTSJRP, SPEInterruptEnabled() */
static bool interrupt_level(CPUARMState *env)
{
    return spe_service(env->spe, 1) && !spe_el1_reports(env);
}

static void drive(CPUARMState *env)
{
    ARMSPEState *s = env->spe;
    CPUState *cs = env_cpu(env);
    bool unmasked = spe_exception_el(env) != 0;
    bool level = interrupt_level(env);

    if (s->irq_level != level) {
        s->irq_level = level;
        qemu_set_irq(s->cpu->spe_interrupt, level);
    }
    if (unmasked != !!(cs->interrupt_request & CPU_INTERRUPT_SPE)) {
        if (unmasked) {
            cpu_interrupt(cs, CPU_INTERRUPT_SPE);
        } else {
            cpu_reset_interrupt(cs, CPU_INTERRUPT_SPE);
        }
    }
}

static void drive_later(CPUState *cs, run_on_cpu_data unused)
{
    drive(cpu_env(cs));
}

/*
 * RNXPMV: QEMU looks at CPU_INTERRUPT_SPE before the next TB, and each direct
 * access, PSB CSYNC and ISB ends its TB.
 *
 * Under icount QEMU allows code to raise an interrupt only if it is known to be
 * the last of its TB.  A register write is not known to be, so defer it.
 */
void spe_update_irq(CPUARMState *env)
{
    CPUState *cs = env_cpu(env);
    bool locked = bql_locked();

    if (icount_enabled() && !cs->neg.can_do_io) {
        async_run_on_cpu(cs, drive_later, RUN_ON_CPU_NULL);
        return;
    }
    if (!locked) {
        bql_lock();
    }
    drive(env);
    if (!locked) {
        bql_unlock();
    }
}

/* Cheap when no event is recorded, which is nearly always the case. */
void spe_recheck_irq(CPUARMState *env)
{
    ARMSPEState *s = env->spe;
    CPUState *cs = env_cpu(env);
    bool requested = cs->interrupt_request & CPU_INTERRUPT_SPE;

    if (!FIELD_EX64(s->pmbsr | s->pmbsr_el2 | s->pmbsr_el3, PMBSR, S) &&
        !s->irq_level && !requested) {
        return;
    }
    if (interrupt_level(env) != s->irq_level ||
        (spe_exception_el(env) != 0) != requested) {
        spe_update_irq(env);
    }
}

/*
 * Records a management event (RFJDLW, RNXZXG).  It is recorded in the operation
 * that causes it, before the next operation is sampled: synchronously (RWVKFM).
 *
 * An event that comes while S is set leaves the fields unchanged, except that
 * an External abort reported to the SPU sets EA and DL (RBPFPN).
 */
void spe_report_event(CPUARMState *env, enum SPECause cause,
                      const SPESyndrome *syn)
{
    ARMSPEState *s = env->spe;
    int el = event_el(env, cause);
    uint64_t *pmbsr = spe_pmbsr(s, el);
    bool first = !FIELD_EX64(*pmbsr, PMBSR, S);

    if (first) {
        *pmbsr = FIELD_DP64(*pmbsr, PMBSR, S, 1);
        *pmbsr = FIELD_DP64(*pmbsr, PMBSR, EC, syn->ec);
        *pmbsr = FIELD_DP64(*pmbsr, PMBSR, MSS, syn->mss);
        *pmbsr = FIELD_DP64(*pmbsr, PMBSR, MSS2, syn->mss2);
    }
    if (syn->ea) {
        *pmbsr = FIELD_DP64(*pmbsr, PMBSR, EA, 1);
    }
    if (syn->dl && (first || syn->ea)) {
        *pmbsr = FIELD_DP64(*pmbsr, PMBSR, DL, 1);
    }
    if (!s->stopped) {
        s->stopped = true;
        s->stopped_ops = 0;
    }
    trace_spe_management_event(CPU(s->cpu)->cpu_index, el, *pmbsr, s->pmbptr);
    spe_update_irq(env);
}

/*
 * D17.3.7: COLL is in the register of the last column of Table D17-7.  A read
 * finds it at once, so also after a Context synchronization event (RLTMKQ).
 */
void spe_report_collision(CPUARMState *env)
{
    ARMSPEState *s = env->spe;
    uint64_t *pmbsr = spe_pmbsr(s, event_el(env, SPE_CAUSE_OTHER));

    s->n.collisions++;
    s->pmu[SPE_PM_COLLISION]++;
    *pmbsr = FIELD_DP64(*pmbsr, PMBSR, COLL, 1);
    trace_spe_collision(CPU(s->cpu)->cpu_index, env->pc);
}
