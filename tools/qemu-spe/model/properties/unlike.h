/*
 * The property spe-unlike: single PEs that differ from the others.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#ifndef TARGET_ARM_SPE_PROPERTIES_UNLIKE_H
#define TARGET_ARM_SPE_PROPERTIES_UNLIKE_H

#include "../state/state.h"

/* Sets what spe-unlike gives this PE; cpu->has_spe may be off afterwards. */
bool spe_config_unlike(ARMSPEState *s, Error **errp);

#endif
