/*
 * The SPU of a machine that is saved and loaded.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#ifndef TARGET_ARM_SPE_MACHINE_MIGRATE_H
#define TARGET_ARM_SPE_MACHINE_MIGRATE_H

#include "../state/state.h"

void spe_vmstate_register(ARMSPEState *s);

#endif
