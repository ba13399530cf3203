/*
 * The fields of an instruction word, and what several decoders share.
 *
 * Pure: depends on nothing of QEMU and is tested on the host.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#ifndef TARGET_ARM_SPE_INSN_FIELDS_H
#define TARGET_ARM_SPE_INSN_FIELDS_H

#include "operation.h"

#define SPE_BIT(insn, n) (((insn) >> (n)) & 1)

static inline uint32_t spe_load_if(bool load)
{
    return load ? SPE_INSN_LD : SPE_INSN_ST;
}

static inline uint32_t spe_bits(uint32_t insn, int high, int low)
{
    return (insn >> low) & ((2u << (high - low)) - 1);
}

static inline int64_t spe_sbits(uint32_t insn, int high, int low)
{
    int width = high - low + 1;

    return (int64_t)((uint64_t)spe_bits(insn, high, low) << (64 - width)) >>
           (64 - width);
}

/* A load or store of @size bytes; @flags has SPE_INSN_LD, SPE_INSN_ST. */
void spe_access(SPEInsn *out, uint32_t subclass, uint32_t flags, int size);

/* D17.6.5: a conditional select or compare, condition in bits 15:12. */
void spe_insn_conditional(uint32_t insn, SPEInsn *out);

#endif
