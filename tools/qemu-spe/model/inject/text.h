/*
 * Injected management events as the text of the property spe-inject.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#ifndef TARGET_ARM_SPE_INJECT_TEXT_H
#define TARGET_ARM_SPE_INJECT_TEXT_H

#include "../state/state.h"

bool spe_inject_text(CPUARMState *env, const char *text, Error **errp);
char *spe_inject_list(ARMSPEState *s);

#endif
