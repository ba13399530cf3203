/*
 * A64 instructions as the Statistical Profiling Unit sees them: SVE data
 * processing (C4.1 op0 0010 with bit 31 clear).
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#ifdef SPE_HOST_TEST
#include <stddef.h>
#else
#include "qemu/osdep.h"
#endif
#include "insn.h"

enum {
    P3 = 1,     /* predicated (D17.6.6), governing predicate in bits 12:10 */
    P4 = 2,     /* predicated, governing predicate in bits 19:16 */
    FP = 4,     /* floating-point; implied for groups 0x64 and 0x65 */
    SLOW = 8,
    SCALAR = 16,    /* no vector or predicate register, so not SIMD */
    /* Where a predicated operation has its element size: bits 23:22, or */
    SHIFT = 32,     /* highest bit of tszh:tszl, bits 23:22 and 9:8 */
    CONVERT = 64,   /* the wider one of source and destination */
    QUAD = 128,     /* 128 bits */
};

/*
 * By default an SVE operation is not predicated, and is floating-point only in
 * the groups 0x64 and 0x65.  This table lists the exceptions; the first row
 * that matches applies.
 *
 * An operation is predicated if it writes a vector and merges or zeroes it
 * under its predicate.  Reductions, compares and others that write predicates
 * or scalars are not.  Nor are SEL, COMPACT, SPLICE and CLASTA, which use
 * their predicate in another way.
 */
static const struct {
    uint32_t mask, value;
    uint8_t kind;
} groups[] = {
    /* 0x04: integer */
    { 0xff3ce000, 0x04140000, P3 | SLOW },          /* SDIV, UDIV, -R */
    { 0xff3ee000, 0x04102000, P3 },                 /* MOVPRFX */
    { 0xff20e000, 0x04002000, 0 },                  /* reductions */
    { 0xff30e000, 0x04008000, P3 | SHIFT },         /* by immediate */
    { 0xff3ee000, 0x041ca000, P3 | FP },            /* FABS, FNEG */
    { 0xff200000, 0x04000000, P3 },                 /* others */
    { 0xff20f000, 0x04205000, SCALAR },             /* ADDVL, RDVL, RDSVL */
    { 0xff20e000, 0x0420e000, SCALAR },             /* CNTB, INCB, SQINCB */
    { 0xff20fc00, 0x0420b000, FP },                 /* FTSSEL */
    { 0xff3ffc00, 0x0420b800, FP },                 /* FEXPA */
    /* 0x05: copies and permutes */
    { 0xff30e000, 0x0510c000, P4 | FP },            /* FCPY */
    { 0xff308000, 0x05100000, P4 },                 /* CPY, immediate */
    { 0xff3fe000, 0x05208000, P3 },                 /* CPY, from a V */
    { 0xff3fe000, 0x0528a000, P3 },                 /* CPY, from an X */
    { 0xff3ce000, 0x05248000, P3 },                 /* REVB to RBIT */
    { 0xff3fe000, 0x052e8000, P3 | QUAD },          /* REVD */
    /* 0x25: predicates and wide immediates */
    { 0xff3fe000, 0x2539c000, FP },                 /* FDUP */
    { 0xffa0fc0f, 0x25a02000, SCALAR },             /* CTERMEQ, CTERMNE */
    /* 0x44, 0x45: SVE2 integer */
    { 0xff20c000, 0x44008000, P3 },                 /* all predicated ones */
    { 0xff20e000, 0x4520c000, P3 },                 /* HISTCNT */
    /* 0x64, 0x65: floating-point */
    { 0xff20e000, 0x6400a000, P3 | CONVERT },       /* FCVTNT, FCVTLT */
    { 0xff20e000, 0x64008000, P3 },                 /* FCADD, FADDP */
    { 0xff208000, 0x64000000, P3 },                 /* FCMLA */
    { 0xff38fc00, 0x65108000, 0 },                  /* FTMAD */
    { 0xff3ee000, 0x650c8000, P3 | SLOW },          /* FDIV, FDIVR */
    { 0xff20e000, 0x65008000, P3 },                 /* arithmetic */
    { 0xff3fe000, 0x650da000, P3 | SLOW },          /* FSQRT */
    { 0xff38e000, 0x6500a000, P3 },                 /* FRINTN to FRINTI */
    { 0xff3ce000, 0x650ca000, P3 },                 /* FRECPX */
    { 0xff20e000, 0x6500a000, P3 | CONVERT },       /* FCVT, SCVTF, FLOGB */
    { 0xff200000, 0x65200000, P3 },                 /* FMLA, FMAD */
};

static int element_size(uint32_t insn, uint32_t kind)
{
    uint32_t size = spe_bits(insn, 23, 22), narrow = spe_bits(insn, 18, 17);

    if (kind & SHIFT) {
        return size ? size / 2 + 2 : SPE_BIT(insn, 9);
    }
    if (kind & CONVERT && size == 0) {
        /* FLOGB; FCVTX and FCVTXNT are from 64 bits */
        return spe_bits(insn, 21, 19) == 3 ? narrow : 3;
    }
    if (kind & CONVERT && size == 1) {
        return narrow;
    }
    return kind & QUAD ? 4 : size;
}

void spe_insn_decode_sve_data(uint32_t insn, SPEInsn *out)
{
    uint32_t kind = insn >> 29 == 3 ? FP : 0;
    size_t i;

    for (i = 0; i < sizeof(groups) / sizeof(groups[0]); i++) {
        if ((insn & groups[i].mask) == groups[i].value) {
            kind |= groups[i].kind;
            break;
        }
    }
    if (kind & SCALAR) {
        return;
    }
    out->subclass = SPE_SUB_SVE;
    out->flags = SPE_INSN_SIMD | SPE_INSN_SVE;
    out->vl_count = 1;
    if (kind & FP) {
        out->flags |= SPE_INSN_FP;
        out->subclass |= SPE_SUB_SVE_FP;
    }
    if (kind & SLOW) {
        out->flags |= SPE_INSN_SLOW;
    }
    if (kind & (P3 | P4)) {
        out->subclass |= SPE_SUB_SVE_PRED;
        out->pg = kind & P3 ? spe_bits(insn, 12, 10) : spe_bits(insn, 19, 16);
        out->esize = element_size(insn, kind);
    }
}
