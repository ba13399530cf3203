/*
 * Decodes loads and stores.
 *
 * Pure: depends on nothing of QEMU and is tested on the host.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#ifndef TARGET_ARM_SPE_INSN_LDST_H
#define TARGET_ARM_SPE_INSN_LDST_H

#include "operation.h"

/* @insn: an encoding of C4.1 op0 x1x0. */
void spe_insn_decode_ldst(uint32_t insn, SPEInsn *out);

#endif
