/*
 * Decodes loads and stores of SVE.
 *
 * Pure: depends on nothing of QEMU and is tested on the host.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#ifndef TARGET_ARM_SPE_INSN_SVE_H
#define TARGET_ARM_SPE_INSN_SVE_H

#include "operation.h"

/* @insn: an encoding of C4.1 op0 0010 with bit 31 set. */
void spe_insn_decode_sve_access(uint32_t insn, SPEInsn *out);

#endif
