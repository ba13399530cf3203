/*
 * Vector lengths and predicates of an SVE or SME operation (D17.6.6).
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#ifndef TARGET_ARM_SPE_CAPTURE_SVE_H
#define TARGET_ARM_SPE_CAPTURE_SVE_H

#include "../state/state.h"

int spe_vector_bytes(CPUARMState *env, const SPEInsn *insn);
bool spe_element_active(CPUARMState *env, const SPEInsn *insn, int pg,
                        int element);

/* E[17] and E[18] of the governing predicates */
uint64_t spe_predicate_events(CPUARMState *env, const SPEInsn *insn);

/* Adds these events to the record of @p, and EVL or ETS to its subclass. */
void spe_capture_sve(CPUARMState *env, ARMSPESample *p);

#endif
