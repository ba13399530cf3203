/*
 * Arm Statistical Profiling Extension: the PMU events of the SPU (D14.2).
 *
 * QEMU's PMU reads the number of occurrences whenever a counter starts, stops
 * or is read, so also at each change of Exception level.  The filters of
 * PMEVTYPER<n>_EL0 therefore work without code here.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "qemu/osdep.h"
#include "cpu.h"
#include "machine.h"
#include "../spe-pmu.h"

/* Simplification: all versions have all events. */
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
 * The PMU keeps its counters as differences to these numbers.  So a load of
 * the SPU, before or after that of the PMU, must not change them.
 */
void spe_pmu_pre_load(ARMSPEState *s)
{
    s->population_offset = occurrences(s, SPE_PM_POP);
}

void spe_pmu_post_load(ARMSPEState *s)
{
    s->population_offset = s->n.operations - s->population_offset;
}
