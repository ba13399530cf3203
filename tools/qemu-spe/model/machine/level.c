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
#include "machine.h"
#include "../control/control.h"
#include "../regs/regs.h"
#include "../sample/sample.h"

/* ISS.InD of a Granule Protection Check exception (D24.2) */
#define GPC_FETCH (1 << 20)

/* The exception to be taken comes from the sampled operation itself. */
static bool own_exception(CPUState *cs, CPUARMState *env)
{
    uint32_t ec = syn_get_ec(env->exception.syndrome);

    switch (cs->exception_index) {
    case EXCP_UDEF:
        /* A Software Step exception comes after the stepped operation. */
        return ec != EC_SOFTWARESTEP && ec != EC_SOFTWARESTEP_SAME_EL;
    case EXCP_SWI:
    case EXCP_HVC:
    case EXCP_SMC:
    case EXCP_BKPT:
    case EXCP_DATA_ABORT:
        return true;
    case EXCP_GPC:
        /* an access of this operation, or the fetch of the next one */
        return !(env->exception.syndrome & GPC_FETCH);
    default:
        /* Interrupts, and aborts on the fetch of the next operation */
        return false;
    }
}

void spe_pre_el_change(ARMCPU *cpu, void *opaque)
{
    CPUState *cs = CPU(cpu);
    CPUARMState *env = &cpu->env;

    env->spe->previous_valid = false;
    spe_context_synchronized(env->spe);
    /* For an exception return, the operation ends later, at the boundary. */
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
    /* No boundary follows a sampled return to AArch32 state. */
    if (env->spe->in_flight && !is_a64(env)) {
        spe_finish(env, false);
    }
    /* AArch32 state does not use arm_spe_mode(), which rechecks otherwise. */
    if (!is_a64(env)) {
        spe_recheck_irq(env);
    }
}
