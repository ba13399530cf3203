/*
 * What the SPU does between two operations.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#ifndef TARGET_ARM_SPE_SAMPLE_BOUNDARY_H
#define TARGET_ARM_SPE_SAMPLE_BOUNDARY_H

#include "../state/state.h"

/* A reset ends profiling and discards the sample in flight. */
void spe_reset_activity(CPUARMState *env);

#endif
