/*
 * Samples that stay in flight (D17.3.7).
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#ifndef TARGET_ARM_SPE_SAMPLE_COLLISION_H
#define TARGET_ARM_SPE_SAMPLE_COLLISION_H

#include "../state/state.h"

/* The sample is complete; its record is written after the window. */
void spe_hold(CPUARMState *env);

/* The window ends: writes the record. */
void spe_release(CPUARMState *env);

/* Discards the record that is held, if any. */
void spe_drop_held(CPUARMState *env);

/* PSB CSYNC: writes the record that is held, if any. */
void spe_synchronize(CPUARMState *env);

#endif
