/*
 * Arm Statistical Profiling Extension: its PMU events (D14.2).
 *
 * QEMU's PMU asks for the number of occurrences so far wherever a counter is
 * started, stopped or read, thus also at each change of Exception level; the
 * filters of PMEVTYPER<n>_EL0 need nothing here.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "qemu/osdep.h"
#include "cpu.h"
#include "pmu.h"
#include "../spe-pmu.h"

/* Simplification: in every version, though some events came with later ones */
bool arm_spe_pm_supported(CPUARMState *env)
{
    return env_archcpu(env)->has_spe;
}

static uint64_t population(ARMSPEState *s)
{
    uint64_t running = 0;

    if (s->activity == SPE_PROFILING) {
        running = s->loaded - s->cpu->env.spe_budget;
    }
    return s->n.operations + running;
}

static uint64_t occurrences(ARMSPEState *s, int event)
{
    if (event == SPE_PM_POP) {
        return population(s) - s->population_offset;
    }
    return s->pmu[event];
}

#define X(NUMBER, NAME) \
uint64_t arm_spe_pm_##NAME(CPUARMState *env) \
{ \
    return occurrences(env->spe, SPE_PM_##NAME); \
}
ARM_SPE_PM_EVENTS(X)
#undef X

/*
 * The counters of the PMU are kept as differences to these numbers, which
 * therefore stay where they are when the SPU is loaded before or after it.
 */
void spe_pmu_pre_load(ARMSPEState *s)
{
    s->population_offset = occurrences(s, SPE_PM_POP);
}

void spe_pmu_post_load(ARMSPEState *s)
{
    s->population_offset = s->n.operations - s->population_offset;
}
