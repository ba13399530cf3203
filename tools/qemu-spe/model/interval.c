/*
 * Arm Statistical Profiling Extension: the sample interval (D17.3).
 *
 * Between two operations at which something happens to the counters other
 * than a decrement, PMSICR_EL1 is not touched: env->spe_budget counts down in
 * its stead from s->loaded, and spe_sync_counters() settles the difference.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "qemu/osdep.h"
#include "qemu/bitops.h"
#include "cpu.h"
#include "internals.h"
#include "exec/helper-proto.h"
#include "spe.h"
#include "state.h"
#include "trace.h"

/* What a stopped interval is counted in portions of. */
#define STOPPED_BUDGET 0x40000000

/* xorshift64*: IMPLEMENTATION DEFINED (D17.3.2), uniform, repeatable */
uint8_t spe_random_byte(uint64_t *state)
{
    *state ^= *state >> 12;
    *state ^= *state << 25;
    *state ^= *state >> 27;
    return (*state * 0x2545f4914f6cdd1dULL) >> 56;
}

/* Whether ECOUNT is in use; else it holds its value and decides nothing. */
static bool extended_random(ARMSPEState *s)
{
    return FIELD_EX64(s->pmsirr, PMSIRR, RND) &&
           FIELD_EX64(s->pmsidr, PMSIDR, ERND);
}

/*
 * What COUNT starts anew from (D24.7.13).  INTERVAL 0 means an UNKNOWN
 * interval (D24.7.15): here another one each time, of 256 to 65536.
 */
static uint32_t reload_value(ARMSPEState *s)
{
    uint32_t count = FIELD_EX64(s->pmsirr, PMSIRR, INTERVAL) << 8;

    if (count == 0) {
        count = (spe_random_byte(&s->random) + 1) << 8;
    }
    if (FIELD_EX64(s->pmsirr, PMSIRR, RND) && !extended_random(s)) {
        count |= spe_random_byte(&s->random);
    }
    return count;
}

/*
 * One member of the sample population for which more happens than that the
 * counters are decremented.  Returns whether it is selected.
 *
 * D17.3.4 as SPEToCollectSample() (J1.1.1) settles it: the operation that
 * takes COUNT to zero is selected, or with ERnd the one that takes ECOUNT to
 * zero; the operation after it loads COUNT and is not counted down for.
 * Zero thus lasts for one operation, whence INTERVAL x 256 + 1, and nothing
 * is lost where profiling is disabled just then.
 */
static bool count_event(ARMSPEState *s)
{
    uint32_t count = FIELD_EX64(s->pmsicr, PMSICR, COUNT);
    uint8_t ecount = FIELD_EX64(s->pmsicr, PMSICR, ECOUNT);
    bool extended = extended_random(s);
    bool selected = false;

    if (count != 1) {
        count = count ? count - 1 : reload_value(s);
        if (extended && ecount) {
            selected = --ecount == 0;
        }
    } else {
        count = 0;
        if (extended) {
            /* What an earlier offset has left is forgotten. */
            ecount = spe_random_byte(&s->random);
        }
        selected = !extended || ecount == 0;
    }
    s->pmsicr = FIELD_DP64(s->pmsicr, PMSICR, COUNT, count);
    s->pmsicr = FIELD_DP64(s->pmsicr, PMSICR, ECOUNT, ecount);
    return selected;
}

/* How many operations only decrement before the next count_event(). */
static int32_t plain_operations(ARMSPEState *s)
{
    uint32_t count = FIELD_EX64(s->pmsicr, PMSICR, COUNT);
    uint8_t ecount = FIELD_EX64(s->pmsicr, PMSICR, ECOUNT);

    if (count == 0) {
        return 0;
    }
    if (extended_random(s) && ecount) {
        count = MIN(count, ecount);
    }
    if (s->pending) {
        /* At the end of its window the sample is written. */
        return MIN(count - 1, s->pending_left);
    }
    return MIN(count - 1, INT32_MAX);
}

static void load_budget(CPUARMState *env, int32_t budget)
{
    env->spe->loaded = budget;
    env->spe_budget = budget;
    env->spe->stepping = false;
}

/* Settles what has run since the budget was loaded, and loads it anew. */
void spe_sync_counters(CPUARMState *env)
{
    ARMSPEState *s = env->spe;
    /* negative by one after arm_spe_abandon(), until it starts anew */
    int32_t ran = s->loaded - env->spe_budget;
    uint32_t count = FIELD_EX64(s->pmsicr, PMSICR, COUNT);
    uint8_t ecount = FIELD_EX64(s->pmsicr, PMSICR, ECOUNT);

    switch (s->activity) {
    case SPE_PROFILING:
        s->n.operations += ran;
        s->pmsicr = FIELD_DP64(s->pmsicr, PMSICR, COUNT, count - ran);
        if (extended_random(s) && ecount) {
            s->pmsicr = FIELD_DP64(s->pmsicr, PMSICR, ECOUNT, ecount - ran);
        }
        s->pending_left -= s->pending ? ran : 0;
        load_budget(env, plain_operations(s));
        break;
    case SPE_STOPPED:
        s->stopped_ops += ran;
        load_budget(env, STOPPED_BUDGET);
        break;
    case SPE_IDLE:
        load_budget(env, 0);
        break;
    }
}

void spe_set_pmsicr(CPUARMState *env, uint64_t value)
{
    ARMSPEState *s = env->spe;

    spe_sync_counters(env);
    s->pmsicr = value;
    if (s->activity == SPE_PROFILING) {
        load_budget(env, plain_operations(s));
    }
}

/* RND decides whether ECOUNT is part of what the budget stands for. */
void spe_set_pmsirr(CPUARMState *env, uint64_t value)
{
    ARMSPEState *s = env->spe;

    spe_sync_counters(env);
    s->pmsirr = value;
    if (s->activity == SPE_PROFILING) {
        load_budget(env, plain_operations(s));
    }
}

static void resume(ARMSPEState *s)
{
    ARMSPECounts *n = &s->n;

    if (n->stopped_intervals < SPE_STOPPED_LIST) {
        n->stopped_list[n->stopped_intervals] = s->stopped_ops;
    }
    n->stopped_intervals++;
    n->stopped_operations += s->stopped_ops;
    n->stopped_max = MAX(n->stopped_max, s->stopped_ops);
    s->stopped = false;
    s->stopped_ops = 0;
}

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
        spe_sync_counters(env);
        s->activity = activity;
        if (activity != SPE_PROFILING) {
            s->previous_valid = false;      /* D17.6.3.1 */
        }
        if (activity == SPE_PROFILING && s->stopped) {
            resume(s);
        }
        load_budget(env, 0);
        spe_sync_counters(env);
        trace_spe_profiling(CPU(s->cpu)->cpu_index, el, names[activity]);
    }
    return mode_now(env);
}

void spe_reset_activity(CPUARMState *env)
{
    ARMSPEState *s = env->spe;

    spe_sync_counters(env);
    s->activity = SPE_IDLE;
    s->previous_valid = false;
    s->n.discarded += s->in_flight;
    s->in_flight = false;
    spe_drop_held(env);
    load_budget(env, 0);
}

/* A TB with more operations than the budget holds is about to be entered. */
void HELPER(spe_step)(CPUARMState *env)
{
    env->spe->stepping = true;
    DP_TBFLAG_A64(env->hflags, SPE, ARM_SPE_STEP);
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
    /* Nothing was charged since the budget was loaded: it was an event. */
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
    load_budget(env, plain_operations(s));
    arm_rebuild_hflags(env);
}

/*
 * Of the cached flags only the mode can have changed, and unless a record was
 * written not even what it depends on outside of this file: much cheaper than
 * arm_rebuild_hflags(), which would count several times a sample.
 */
static void put_mode(CPUARMState *env, int mode)
{
    DP_TBFLAG_A64(env->hflags, SPE, mode);
}

/*
 * The end of the sampled operation.  Returns whether the next one must wait:
 * for an interrupt that this raised, or since profiling has stopped.
 */
static bool finish_before_next(CPUARMState *env)
{
    spe_finish(env, false);
    put_mode(env, arm_spe_mode(env, arm_current_el(env)));
    return env->spe->activity != SPE_PROFILING ||
           env_cpu(env)->interrupt_request;
}

/*
 * Called before the operation at env->pc in ARM_SPE_STEP.  Returns whether
 * the TB must be left without executing it, since the flags have changed.
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
        /* COUNT exceeded what a budget can hold. */
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
    if (count_event(s)) {
        s->collided = s->pending;
        if (s->collided) {
            spe_collide(env);
        } else {
            spe_capture(env, insn);
            s->in_flight = true;
            s->n.sampled++;
        }
    }
    load_budget(env, plain_operations(s));
    put_mode(env, mode_now(env));
    return 0;
}
