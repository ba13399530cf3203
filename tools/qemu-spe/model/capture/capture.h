/*
 * Captures the sampled operation, which is about to execute (D17.6).
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#ifndef TARGET_ARM_SPE_CAPTURE_CAPTURE_H
#define TARGET_ARM_SPE_CAPTURE_CAPTURE_H

#include <stdbool.h>
#include "cpu.h"
#include "../insn/insn.h"
#include "../state/state.h"

/* address.c: The data address of an operation (D17.6.4). */

/*
 * Finds what p->insn, the decoded @insn at p->pc and about to execute, will
 * access: p->vaddr, p->mmu_idx, p->size, and @va with its tag.  Returns false
 * if it accesses nothing or the address is not known.
 */
bool spe_find_access(CPUARMState *env, ARMSPESample *p, uint32_t insn,
                     uint64_t *va);

/* After execution: @p is a Store-Exclusive that failed. */
bool spe_store_failed(CPUARMState *env, const ARMSPESample *p);

/* D17.6.4.3: which side of a Memory Copy is recorded */
void spe_choose_copy_side(ARMSPEState *s, SPEInsn *insn);

/*
 * For operations with an address for each element: the address of element
 * number @element.  Returns false if the element is inactive.
 */
bool spe_element_address(CPUARMState *env, const SPEInsn *insn, int element,
                         uint64_t *va);
int spe_elements(CPUARMState *env, const SPEInsn *insn);

/* The translation regime of the access */
int spe_data_mmu_idx(CPUARMState *env, const SPEInsn *insn);

/* An address as it is translated */
uint64_t spe_without_tag(CPUARMState *env, uint64_t va);

/* branch.c: The previous branch target (FEAT_SPE_PBT). */

/* Some CPU has FEAT_SPE_PBT.  Set before anything is translated. */
extern bool arm_spe_tells_branches;

/* capture.c */

void spe_capture(CPUARMState *env, uint32_t insn);

/*
 * collect.c: Which data System registers let a sample collect (D17.6.9).
 */

void spe_collect_timestamp(CPUARMState *env, SPERecord *rec);
void spe_collect_contexts(CPUARMState *env, SPERecord *rec, int el);
bool spe_collects_physical_address(CPUARMState *env);

/* condition.c: The condition of an operation that is about to execute. */

/* True if the condition of @insn holds, or if it has none. */
bool spe_condition_passes(CPUARMState *env, const SPEInsn *insn);

/* mops.c: The data address of a Memory Copy or Memory Set (D17.6.4.3). */

/* Returns false if the instruction accesses nothing. */
bool spe_mops_address(CPUARMState *env, ARMSPESample *p, uint64_t *va);

/* The registers of an operation that is about to execute. */

/* An X register, or XZR */
static inline uint64_t spe_read_x(CPUARMState *env, int reg)
{
    return reg == 31 ? 0 : env->xregs[reg];
}

/*
 * sve.c: Vector lengths and predicates of an SVE or SME operation (D17.6.6).
 */

int spe_vector_bytes(CPUARMState *env, const SPEInsn *insn);
bool spe_element_active(CPUARMState *env, const SPEInsn *insn, int pg,
                        int element);

/* E[17] and E[18] of the governing predicates */
uint64_t spe_predicate_events(CPUARMState *env, const SPEInsn *insn);

/* Adds these events to the record of @p, and EVL or ETS to its subclass. */
void spe_capture_sve(CPUARMState *env, ARMSPESample *p);

#endif
