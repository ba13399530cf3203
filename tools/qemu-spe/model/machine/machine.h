/*
 * What the folder machine offers to others, by source.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#ifndef TARGET_ARM_SPE_MACHINE_MACHINE_H
#define TARGET_ARM_SPE_MACHINE_MACHINE_H

#include "cpu.h"
#include "../state/state.h"

/* exception.c: PSTATE.PM around changes of the Exception level. */

void spe_pm_entering(CPUARMState *env);
void spe_pm_entered(CPUARMState *env);
void spe_pm_returning(CPUARMState *env);

/* level.c: What a change of the Exception level means for the SPU. */

/* Hooks, before and after the change */
void spe_pre_el_change(ARMCPU *cpu, void *opaque);
void spe_el_change(ARMCPU *cpu, void *opaque);

/* migrate.c: The SPU of a machine that is saved and loaded. */

void spe_vmstate_register(ARMSPEState *s);

/*
 * pmu.c: The counters of the PMU stay as they are when the SPU is loaded.
 */

void spe_pmu_pre_load(ARMSPEState *s);
void spe_pmu_post_load(ARMSPEState *s);

/*
 * stream.c: Whether the state that a stream has loaded is one that the model can have
 * saved.
 */

/* Returns false, and says which field is wrong, if the model cannot use it. */
bool spe_stream_is_sound(ARMSPEState *s);

#endif
