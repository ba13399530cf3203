/*
 * Arm Statistical Profiling Extension: what a change of the Exception level
 * means for the SPU.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "qemu/osdep.h"
#include "cpu.h"
#include "internals.h"
#include "syndrome.h"
#include "exception.h"
#include "level.h"
#include "../control/event.h"
#include "../sample/finish.h"

/* ISS.InD of a Granule Protection Check exception (D24.2) */
#define GPC_FETCH (1 << 20)

/* Whether the exception about to be taken is the sampled operation's own. */
static bool own_exception(CPUState *cs, CPUARMState *env)
{
    uint32_t ec = syn_get_ec(env->exception.syndrome);

    switch (cs->exception_index) {
    case EXCP_UDEF:
        /* Software Step comes after the operation that was stepped. */
        return ec != EC_SOFTWARESTEP && ec != EC_SOFTWARESTEP_SAME_EL;
    case EXCP_SWI:
    case EXCP_HVC:
    case EXCP_SMC:
    case EXCP_BKPT:
    case EXCP_DATA_ABORT:
        return true;
    case EXCP_GPC:
        /* on an access, or on fetching the operation after it */
        return !(env->exception.syndrome & GPC_FETCH);
    default:
        /* Interrupts, and aborts on fetching the operation after it. */
        return false;
    }
}

void spe_pre_el_change(ARMCPU *cpu, void *opaque)
{
    CPUState *cs = CPU(cpu);
    CPUARMState *env = &cpu->env;

    env->spe->previous_valid = false;
    /* An exception return comes here too: that is no end of the operation. */
    if (env->spe->in_flight && cs->exception_index >= 0) {
        spe_finish(env, own_exception(cs, env));
    }
    if (cs->exception_index >= 0) {
        spe_pm_entering(env);
    } else {
        spe_pm_returning(env);
    }
}

void spe_el_change(ARMCPU *cpu, void *opaque)
{
    CPUARMState *env = &cpu->env;

    spe_pm_entered(env);
    /* A sampled return to AArch32, where no boundary follows. */
    if (env->spe->in_flight && !is_a64(env)) {
        spe_finish(env, false);
    }
    /* Nor do the flags of AArch32 code come from arm_spe_mode(). */
    if (!is_a64(env)) {
        spe_recheck_irq(env);
    }
}
