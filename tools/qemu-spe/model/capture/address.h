/*
 * The data address of an operation (D17.6.4).
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#ifndef TARGET_ARM_SPE_CAPTURE_ADDRESS_H
#define TARGET_ARM_SPE_CAPTURE_ADDRESS_H

#include "../state/state.h"

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

#endif
