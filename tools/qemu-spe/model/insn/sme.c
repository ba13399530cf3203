/*
 * A64 instructions as the Statistical Profiling Unit sees them: SME, that is
 * the operations on ZA (C4.1 op0 0000 with bit 31 set).
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#ifdef SPE_HOST_TEST
#include <stddef.h>
#else
#include "qemu/osdep.h"
#endif
#include "insn.h"

static void data_processing(SPEInsn *out, bool fp)
{
    out->subclass = SPE_SUB_SVE | SPE_SUB_SME | (fp ? SPE_SUB_SVE_FP : 0);
    out->flags = SPE_INSN_SIMD | SPE_INSN_SVE | SPE_INSN_SME |
                 (fp ? SPE_INSN_FP : 0);
    out->vl_count = 1;
}

/* One governing predicate for the rows, another for the columns. */
static void both_predicates(uint32_t insn, SPEInsn *out)
{
    out->pg = spe_bits(insn, 12, 10);
    out->pg2 = spe_bits(insn, 15, 13);
}

/*
 * FMOPA, SMOPA and the other outer products: the result is a tile of 32 or
 * 64-bit elements, which is a quarter or an eighth of ZA.  The predicates are
 * read with the size of the input elements (D18.2.6, E[17] and E[18]).
 */
static void decode_outer_product(uint32_t insn, SPEInsn *out)
{
    bool wide = SPE_BIT(insn, 22), fp = insn >> 29 == 4;

    data_processing(out, fp);
    both_predicates(insn, out);
    out->za_eighths = wide ? 1 : 2;
    if (!fp) {
        out->esize = wide ? 1 : 0;      /* sums of 4 products */
    } else if (SPE_BIT(insn, 24)) {
        out->esize = 1;                 /* FMOPA, BFMOPA: sums of 2 */
    } else {
        out->esize = wide ? 3 : 2;
    }
}

/* MOVA, ADDHA, ADDVA, ZERO */
static void decode_za(uint32_t insn, SPEInsn *out)
{
    uint32_t size = spe_bits(insn, 23, 22);

    if ((insn & 0xffffff00) == 0xc0080000) {
        data_processing(out, false);
        out->za_eighths = __builtin_popcount(insn & 0xff);
    } else if ((insn & 0xff3c0000) == 0xc0000000) {
        data_processing(out, false);
        out->za_eighths = SPE_ZA_SLICE;
        out->pg = spe_bits(insn, 12, 10);
        out->esize = SPE_BIT(insn, 16) ? 4 : size;
    } else if ((insn & 0xffbe0000) == 0xc0900000) {
        data_processing(out, false);
        both_predicates(insn, out);
        out->esize = size;
        out->za_eighths = size == 3 ? 1 : 2;
    }
}

/* LD1B to LD1Q, ST1B to ST1Q of a slice; LDR and STR of a vector of ZA. */
static void decode_access(uint32_t insn, SPEInsn *out)
{
    bool vector = (insn & 0xffdf9c10) == 0xe1000000;

    spe_access(out, SPE_SUB_LDST_SVE, spe_load_if(!SPE_BIT(insn, 21)) |
               SPE_INSN_SIMD | SPE_INSN_SVE | SPE_INSN_SME, 0);
    out->rn = spe_bits(insn, 9, 5);
    out->vl_count = 1;
    if (vector) {
        out->addr = SPE_ADDR_VL;
        out->imm = spe_bits(insn, 3, 0);
        return;
    }
    out->subclass |= SPE_SUB_LDST_SVE_PRED;
    out->pg = spe_bits(insn, 12, 10);
    out->esize = SPE_BIT(insn, 24) ? 4 : spe_bits(insn, 23, 22);
    out->addr = SPE_ADDR_REG;
    out->rm = spe_bits(insn, 20, 16);
    out->extend = 3;
    out->shift = out->esize;
}

void spe_insn_decode_sme(uint32_t insn, SPEInsn *out)
{
    switch (insn >> 25) {
    case 0x40:
    case 0x50:
        decode_outer_product(insn, out);
        break;
    case 0x60:
        decode_za(insn, out);
        break;
    case 0x70:
        decode_access(insn, out);
        break;
    }
}
