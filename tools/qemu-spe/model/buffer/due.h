/*
 * The injected event that a record write raises.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#ifndef TARGET_ARM_SPE_BUFFER_DUE_H
#define TARGET_ARM_SPE_BUFFER_DUE_H

#include "../state/state.h"

/*
 * Called once for each record write.  Returns true and sets @due if an
 * injected event is due; it is then no longer queued.
 */
bool spe_injection_due(ARMSPEState *s, SPEInjection *due);

#endif
