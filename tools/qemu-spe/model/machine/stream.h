/*
 * Whether the state that a stream has loaded is one that the model can have
 * saved.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#ifndef TARGET_ARM_SPE_MACHINE_STREAM_H
#define TARGET_ARM_SPE_MACHINE_STREAM_H

#include "../state/state.h"

/* Returns false, and says which field is wrong, if the model cannot use it. */
bool spe_stream_is_sound(ARMSPEState *s);

#endif
