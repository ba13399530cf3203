/*
 * Arm Statistical Profiling Extension: filters a complete sample (D17.5), and
 * writes its record.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "qemu/osdep.h"
#include "cpu.h"
#include "sample.h"
#include "../buffer/buffer.h"
#include "../report/report.h"
#include "../trace.h"

/* SPECompleteSample() without the write; false if a filter rejects it */
static bool passes(ARMSPEState *s)
{
    ARMSPESample *p = &s->sample;
    const char *rejected;

    spe_count_feed(s, p);
    rejected = spe_filter(s, p);
    if (rejected) {
        trace_spe_reject(CPU(s->cpu)->cpu_index, p->pc, rejected);
        spe_log_rejected(s, &p->rec);
        return false;
    }
    s->pmu[SPE_PM_FILTRATE]++;
    return true;
}

void spe_complete(CPUARMState *env)
{
    ARMSPEState *s = env->spe;

    if (passes(s)) {
        spe_write_record(env, &s->sample.rec);
    }
}

/*
 * D17.4: an unwritten sample is discarded if the buffer is disabled or
 * profiling stops.  D14.3 counts it as any other sample.
 */
void spe_discard(CPUARMState *env)
{
    ARMSPEState *s = env->spe;

    if (passes(s)) {
        s->n.discarded++;
    }
}
