/*
 * Arm Statistical Profiling Extension: samples that stay in flight (D17.3.7),
 * with the property spe-collision-window.
 *
 * A sampled operation ends before the next one starts, but its record can stay
 * unwritten for the operations of the window.  One sample is in flight at a
 * time (a choice of RQWTQB): an operation that is selected meanwhile collides
 * and is not sampled.  PSB CSYNC closes the window.  If the buffer is disabled
 * or profiling stops before that, the record is lost.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "qemu/osdep.h"
#include "cpu.h"
#include "internals.h"
#include "sample.h"
#include "../control/control.h"

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

/* PSB CSYNC also ends the samples of all operations before it (IMLGHW). */
void spe_synchronize(CPUARMState *env)
{
    if (env->spe->pending) {
        spe_sync_counters(env);
        spe_release(env);
        spe_sync_counters(env);
        arm_rebuild_hflags(env);
    }
}
