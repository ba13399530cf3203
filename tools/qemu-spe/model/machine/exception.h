/*
 * PSTATE.PM around changes of the Exception level.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#ifndef TARGET_ARM_SPE_MACHINE_EXCEPTION_H
#define TARGET_ARM_SPE_MACHINE_EXCEPTION_H

#include "cpu.h"

void spe_pm_entering(CPUARMState *env);
void spe_pm_entered(CPUARMState *env);
void spe_pm_returning(CPUARMState *env);

#endif
