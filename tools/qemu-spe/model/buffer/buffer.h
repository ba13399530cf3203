/*
 * The Profiling Buffer (D17.7, D17.8).
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#ifndef TARGET_ARM_SPE_BUFFER_BUFFER_H
#define TARGET_ARM_SPE_BUFFER_BUFFER_H

#include "../state/state.h"

void spe_write_record(CPUARMState *env, const SPERecord *rec);

/* Whether PMBPTR_EL1 is a position at which a record can be written (RHXSYK) */
bool spe_pointer_is_legal(ARMSPEState *s);

/* In a record at @start, the write at @at fails as @in says. */
void spe_raise_injected(CPUARMState *env, const SPEInjection *in,
                        uint64_t start, uint64_t at);

#endif
