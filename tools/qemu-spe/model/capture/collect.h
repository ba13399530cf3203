/*
 * Which data System registers let a sample collect (D17.6.9).
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#ifndef TARGET_ARM_SPE_CAPTURE_COLLECT_H
#define TARGET_ARM_SPE_CAPTURE_COLLECT_H

#include "../state/state.h"

void spe_collect_timestamp(CPUARMState *env, SPERecord *rec);
void spe_collect_contexts(CPUARMState *env, SPERecord *rec, int el);
bool spe_collects_physical_address(CPUARMState *env);

#endif
