/*
 * Completes and checks the properties of an SPU.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#ifndef TARGET_ARM_SPE_PROPERTIES_CONFIG_H
#define TARGET_ARM_SPE_PROPERTIES_CONFIG_H

#include "../state/state.h"

/*
 * Derives the properties that were not given, checks that all of them fit
 * together, and sets what follows from them: ID registers, masks, the record
 * format, random numbers.  @pe: the number of this PE.
 */
bool spe_config_realize(ARMSPEState *s, int pe, Error **errp);

#endif
