/*
 * Arm Statistical Profiling Extension: samples that stay in flight
 * (D17.3.7), with the property spe-collision-window.
 *
 * A sampled operation has ended before the next one starts, but its record
 * may stay unwritten while the window's number of operations run.  One sample
 * is in flight at a time, which is the choice of RQWTQB: an operation that is
 * chosen meanwhile collides and is not sampled.  PSB CSYNC closes the window;
 * where the buffer is disabled or profiling stops first the record is lost.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "qemu/osdep.h"
#include "cpu.h"
#include "internals.h"
#include "collision.h"
#include "complete.h"
#include "../control/interval.h"
#include "../control/owner.h"

/* The record in s->sample is complete. */
void spe_hold(CPUARMState *env)
{
    ARMSPEState *s = env->spe;

    spe_sync_counters(env);
    s->pending = true;
    s->pending_left = s->config.window;
    spe_sync_counters(env);
}

void spe_release(CPUARMState *env)
{
    ARMSPEState *s = env->spe;

    s->pending = false;
    if (spe_buffer_enabled(env)) {
        spe_complete(env);
    } else {
        spe_discard(env);
    }
}

void spe_drop_held(CPUARMState *env)
{
    ARMSPEState *s = env->spe;

    if (s->pending) {
        s->pending = false;
        spe_discard(env);
    }
}

/* Operations before PSB CSYNC have ended (IMLGHW). */
void spe_synchronize(CPUARMState *env)
{
    if (env->spe->pending) {
        spe_sync_counters(env);
        spe_release(env);
        spe_sync_counters(env);
        arm_rebuild_hflags(env);
    }
}
