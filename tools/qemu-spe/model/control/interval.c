/*
 * Arm Statistical Profiling Extension: the sample interval (D17.3).
 *
 * Translated code does not decrement PMSICR_EL1.  It decrements
 * env->spe_budget, which starts at s->loaded: the number of operations for
 * which the counters do nothing but decrement.  spe_sync_counters() subtracts
 * the difference from PMSICR_EL1.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "qemu/osdep.h"
#include "qemu/bitops.h"
#include "cpu.h"
#include "internals.h"
#include "control.h"
#include "../state/state.h"

/* The budget while profiling is stopped */
#define STOPPED_BUDGET 0x40000000

/* ECOUNT is in use; if not, it keeps its value and has no effect. */
static bool extended_random(ARMSPEState *s)
{
    return FIELD_EX64(s->pmsirr, PMSIRR, RND) &&
           FIELD_EX64(s->pmsidr, PMSIDR, ERND);
}

/*
 * The value that COUNT is reloaded with (D24.7.13).  INTERVAL 0 means an
 * UNKNOWN interval (D24.7.15); the model draws one from 256 to 65536 each
 * time.
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
 * D17.3.4, as SPEToCollectSample() (J1.1.1) defines it.  The operation that
 * takes COUNT to zero is selected, or with ERnd the one that takes ECOUNT to
 * zero.  The next operation reloads COUNT and does not decrement it, so an
 * interval has INTERVAL x 256 + 1 operations.  COUNT keeps its zero if
 * profiling is disabled between the two.
 */
bool spe_count_operation(ARMSPEState *s)
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
            /* This discards the rest of an earlier offset. */
            ecount = spe_random_byte(&s->random);
        }
        selected = !extended || ecount == 0;
    }
    s->pmsicr = FIELD_DP64(s->pmsicr, PMSICR, COUNT, count);
    s->pmsicr = FIELD_DP64(s->pmsicr, PMSICR, ECOUNT, ecount);
    return selected;
}

/* The operations before the next one that needs spe_count_operation() */
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
        /* At the end of the window the record is written. */
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

void spe_load_interval(CPUARMState *env)
{
    load_budget(env, plain_operations(env->spe));
}

void spe_sync_counters(CPUARMState *env)
{
    ARMSPEState *s = env->spe;
    /* -1 between arm_spe_abandon() and the restart of the operation */
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
        spe_load_interval(env);
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
        spe_load_interval(env);
    }
}

/* The budget depends on RND, which decides whether ECOUNT is in use. */
void spe_set_pmsirr(CPUARMState *env, uint64_t value)
{
    ARMSPEState *s = env->spe;

    spe_sync_counters(env);
    s->pmsirr = value;
    if (s->activity == SPE_PROFILING) {
        spe_load_interval(env);
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

void spe_set_activity(CPUARMState *env, enum ARMSPEActivity activity)
{
    ARMSPEState *s = env->spe;

    spe_sync_counters(env);
    s->activity = activity;
    if (activity == SPE_PROFILING && s->stopped) {
        resume(s);
    }
    load_budget(env, 0);
    spe_sync_counters(env);
}
