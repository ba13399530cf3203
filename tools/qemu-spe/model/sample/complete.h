/*
 * Filters a complete sample, and writes its record.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#ifndef TARGET_ARM_SPE_SAMPLE_COMPLETE_H
#define TARGET_ARM_SPE_SAMPLE_COMPLETE_H

#include "../state/state.h"

/* Filters the record of the sample that has ended, and writes it. */
void spe_complete(CPUARMState *env);

/* Filters and counts it, but does not write it. */
void spe_discard(CPUARMState *env);

#endif
