/*
 * The previous branch target (FEAT_SPE_PBT).
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#ifndef TARGET_ARM_SPE_CAPTURE_BRANCH_H
#define TARGET_ARM_SPE_CAPTURE_BRANCH_H

#include <stdbool.h>

/* Some CPU has FEAT_SPE_PBT.  Set before anything is translated. */
extern bool arm_spe_tells_branches;

#endif
