/*
 * The decoder of A64 instructions.
 *
 * Pure: depends on nothing of QEMU and is tested on the host.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#ifndef TARGET_ARM_SPE_INSN_INSN_H
#define TARGET_ARM_SPE_INSN_INSN_H

#include "operation.h"

/*
 * Classifies any 32-bit word.  An unallocated encoding has the class Other.
 * The subclass is that of an SPU with FEAT_SPE_CRR, FEAT_SPE_FPF and
 * FEAT_SPE_SME.
 */
void spe_insn_decode(uint32_t insn, SPEInsn *out);

/*
 * True if execution always continues with the next instruction after @insn,
 * which holds for data processing that cannot trap.  False is always safe.
 */
bool spe_insn_stays(uint32_t insn);

#endif
