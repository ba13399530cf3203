/*
 * Arm Statistical Profiling Extension: what happens between two operations.
 *
 * Here a sampled operation ends.  Then the next one is counted, and captured
 * if it is selected.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "qemu/osdep.h"
#include "cpu.h"
#include "internals.h"
#include "exec/helper-proto.h"
#include "sample.h"
#include "../capture/capture.h"
#include "../control/control.h"
#include "../spe.h"
#include "../trace.h"

static int mode_now(CPUARMState *env)
{
    ARMSPEState *s = env->spe;

    if (s->in_flight || s->stepping ||
        (s->activity == SPE_PROFILING && env->spe_budget == 0)) {
        return ARM_SPE_STEP;
    }
    return s->activity == SPE_IDLE ? ARM_SPE_OFF : ARM_SPE_COUNT;
}

int arm_spe_mode(CPUARMState *env, int el)
{
    static const char * const names[] = { "idle", "profiling", "stopped" };
    ARMSPEState *s = env->spe;
    enum ARMSPEActivity activity = SPE_IDLE;

    spe_recheck_irq(env);
    if (s->pending && !spe_buffer_enabled(env)) {
        spe_drop_held(env);
    }
    if (spe_profiling_enabled(env, el)) {
        activity = SPE_PROFILING;
    } else if (s->stopped) {
        activity = SPE_STOPPED;
    }
    if (activity != s->activity) {
        if (activity != SPE_PROFILING) {
            s->previous_valid = false;      /* D17.6.3.1 */
        }
        spe_set_activity(env, activity);
        trace_spe_profiling(CPU(s->cpu)->cpu_index, el, names[activity]);
    }
    return mode_now(env);
}

void spe_reset_activity(CPUARMState *env)
{
    ARMSPEState *s = env->spe;

    spe_set_activity(env, SPE_IDLE);
    s->previous_valid = false;
    s->n.discarded += s->in_flight;
    s->in_flight = false;
    spe_drop_held(env);
}

/*
 * Only the mode of the cached flags can have changed.  This is much cheaper
 * than arm_rebuild_hflags(), which would take a noticeable time for each
 * sample.
 */
static void put_mode(CPUARMState *env, int mode)
{
    DP_TBFLAG_A64(env->hflags, SPE, mode);
}

/* The next TB has more operations than the budget, so at most 31 are left. */
void HELPER(spe_step)(CPUARMState *env)
{
    env->spe->stepping = true;
    put_mode(env, env->spe_budget ? ARM_SPE_SHORT + env->spe_budget
                                  : ARM_SPE_STEP);
}

void arm_spe_abandon(CPUARMState *env)
{
    ARMSPEState *s = env->spe;

    if (s->activity == SPE_IDLE) {
        return;
    }
    if (s->activity == SPE_STOPPED || env->spe_budget != s->loaded) {
        env->spe_budget++;
        return;
    }
    /*
     * Nothing was charged since the budget was loaded, so
     * spe_count_operation() counted the operation.
     */
    s->n.operations--;
    s->pmsicr = s->pmsicr_before;
    s->random = s->random_before;
    if (s->in_flight) {
        s->in_flight = false;
        s->n.sampled--;
    }
    s->n.collisions -= s->collided;
    s->pmu[SPE_PM_COLLISION] -= s->collided;
    s->pending_left = s->pending_before;
    spe_load_interval(env);
    arm_rebuild_hflags(env);
}

/*
 * Ends the sampled operation.  Returns true if the next one must wait, because
 * the end raised an interrupt or stopped profiling.
 */
static bool finish_before_next(CPUARMState *env)
{
    ARMSPEState *s = env->spe;

    spe_finish(env, false);
    /* spe_finish() can disable profiling only by an event, which sets this. */
    put_mode(env, s->stopped ? arm_spe_mode(env, arm_current_el(env))
                             : mode_now(env));
    return s->activity != SPE_PROFILING || env_cpu(env)->interrupt_request;
}

/*
 * Called before the operation at env->pc in ARM_SPE_STEP.  Returns true if the
 * flags have changed, so that the TB must be left without executing it.
 */
uint32_t HELPER(spe_boundary)(CPUARMState *env, uint32_t insn)
{
    ARMSPEState *s = env->spe;

    if (s->in_flight && finish_before_next(env)) {
        return 1;
    }
    if (s->activity != SPE_PROFILING) {
        spe_sync_counters(env);
        put_mode(env, mode_now(env));
        return 1;
    }
    if (env->spe_budget > 0) {
        env->spe_budget--;
        return 0;
    }
    spe_sync_counters(env);
    if (env->spe_budget > 0) {
        /* COUNT was larger than a budget can be. */
        put_mode(env, mode_now(env));
        return 1;
    }
    if (s->pending && s->pending_left == 0) {
        spe_release(env);
        spe_sync_counters(env);
        arm_rebuild_hflags(env);
        return 1;
    }
    s->n.operations++;
    s->pmsicr_before = s->pmsicr;
    s->random_before = s->random;
    s->pending_before = s->pending_left;
    s->pending_left -= s->pending;
    s->collided = false;
    if (spe_count_operation(s)) {
        s->collided = s->pending;
        if (s->collided) {
            spe_report_collision(env);
        } else {
            spe_capture(env, insn);
            s->in_flight = true;
            s->n.sampled++;
        }
    }
    spe_load_interval(env);
    put_mode(env, mode_now(env));
    return 0;
}
