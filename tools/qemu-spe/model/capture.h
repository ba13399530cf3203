/*
 * Arm Statistical Profiling Extension: capturing a sample, which capture.c
 * puts together from what the files named below find out.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#ifndef TARGET_ARM_SPE_CAPTURE_H
#define TARGET_ARM_SPE_CAPTURE_H

#include "state.h"

/* An X register, or XZR. */
static inline uint64_t spe_read_x(CPUARMState *env, int reg)
{
    return reg == 31 ? 0 : env->xregs[reg];
}

/* capture-data.c */
/* D17.6.4.3: which side of a Memory Copy is recorded. */
void spe_choose_copy_side(ARMSPEState *s, SPEInsn *insn);

/* capture-mops.c: a Memory Copy or Set; false if it accesses nothing */
bool spe_mops_address(CPUARMState *env, ARMSPESample *p, uint64_t *va);

/* capture-sve.c: vector lengths and predicates (D17.6.6) */
int spe_vector_bytes(CPUARMState *env, const SPEInsn *insn);
bool spe_element_active(CPUARMState *env, const SPEInsn *insn, int pg,
                        int element);
/* E[17] and E[18] of the governing predicates */
uint64_t spe_predicate_events(CPUARMState *env, const SPEInsn *insn);
/* The same with EVL or ETS */
void spe_capture_sve(CPUARMState *env, ARMSPESample *p);

/* collect.c: what System registers permit (D17.6.9) */
void spe_collect_timestamp(CPUARMState *env, SPERecord *rec);
void spe_collect_contexts(CPUARMState *env, SPERecord *rec, int el);
bool spe_collects_physical_address(CPUARMState *env);

#endif
