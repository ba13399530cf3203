/*
 * A64 instructions as the Statistical Profiling Unit sees them: scalar
 * floating-point and Advanced SIMD data processing (C4.1 op0 x111), and which
 * of them are floating-point operations (D17.5.1, FP_SPEC).
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#ifdef SPE_HOST_TEST
#include <stddef.h>
#else
#include "qemu/osdep.h"
#endif
#include "insn.h"

/* Three registers of the same type: FADD, FMLA, FCMEQ, FMLAL ... */
static bool three_same_is_fp(uint32_t insn)
{
    return spe_bits(insn, 15, 14) == 3;
}

/* FCMLA, FCADD, BFDOT, BFMMLA, BFMLAL; not the integer dot products. */
static bool three_same_extra_is_fp(uint32_t insn)
{
    return SPE_BIT(insn, 14);
}

/* FCM*, FABS, FNEG, conversions, FRINT*, FRECPE, FSQRT; not URECPE. */
static bool two_reg_misc_is_fp(uint32_t insn)
{
    uint32_t opcode = spe_bits(insn, 16, 12);
    bool integer_estimate = opcode == 0x1c && SPE_BIT(insn, 23);

    return (opcode >= 0x0c && opcode <= 0x0f) ||
           (opcode >= 0x16 && !integer_estimate);
}

/* Across lanes, and scalar pairwise: FMAXNMV, FADDP ... */
static bool reduction_is_fp(uint32_t insn)
{
    uint32_t opcode = spe_bits(insn, 16, 12);

    return opcode == 0x0c || opcode == 0x0d || opcode == 0x0f;
}

/* By an element: FMLA, FMLS, FMUL, FMULX, FCMLA, FMLAL, BFDOT, BFMLAL. */
static bool indexed_is_fp(uint32_t insn)
{
    bool u = SPE_BIT(insn, 29), long_form = spe_bits(insn, 23, 22) == 2;

    switch (spe_bits(insn, 15, 12)) {
    case 0x1: case 0x5: case 0x9:
        return true;
    case 0x3: case 0x7:
        return u;
    case 0x0: case 0x4:
        return !u && long_form;
    case 0x8: case 0xc:
        return u && long_form;
    case 0xf:
        return !u && SPE_BIT(insn, 22);
    default:
        return false;
    }
}

/* FMOV (immediate); SCVTF, UCVTF, FCVTZS, FCVTZU with fixed-point. */
static bool immediate_is_fp(uint32_t insn)
{
    uint32_t opcode = spe_bits(insn, 15, 11);

    if (spe_bits(insn, 22, 19) == 0) {
        return spe_bits(insn, 15, 12) == 0xf;
    }
    return opcode == 0x1c || opcode == 0x1f;
}

static bool advanced_simd_is_fp(uint32_t insn)
{
    /* A scalar form is its vector form with bit 28 set, and bit 30. */
    insn &= ~(1u << 28);
    if ((insn & 0x9f200400) == 0x0e200400) {
        return three_same_is_fp(insn);
    }
    if ((insn & 0x9f60c400) == 0x0e400400 ||
        (insn & 0x9f7e0c00) == 0x0e780800) {
        return true;                    /* half precision */
    }
    if ((insn & 0x9f208400) == 0x0e008400) {
        return three_same_extra_is_fp(insn);
    }
    if ((insn & 0x9f3e0c00) == 0x0e200800) {
        return two_reg_misc_is_fp(insn);
    }
    if ((insn & 0x9f3e0c00) == 0x0e300800) {
        return reduction_is_fp(insn);
    }
    if ((insn & 0x9f000400) == 0x0f000000) {
        return indexed_is_fp(insn);
    }
    return (insn & 0x9f800400) == 0x0f000400 && immediate_is_fp(insn);
}

static bool is_scalar_fp(uint32_t insn)
{
    return (insn & 0x5e000000) == 0x1e000000;
}

void spe_insn_decode_simd(uint32_t insn, SPEInsn *out)
{
    if (!is_scalar_fp(insn)) {
        out->flags |= SPE_INSN_SIMD;
        out->subclass |= SPE_SUB_OTHER_ASE;
        if (advanced_simd_is_fp(insn)) {
            out->flags |= SPE_INSN_FP;
            out->subclass |= SPE_SUB_OTHER_FP;
        }
        return;
    }
    /* FMOV to and from general registers also counts as floating-point. */
    out->flags |= SPE_INSN_FP;
    out->subclass |= SPE_SUB_OTHER_FP;
    if ((insn & 0xff200c00) == 0x1e200c00 ||
        (insn & 0xff200c00) == 0x1e200400) {
        spe_insn_conditional(insn, out);        /* FCSEL, FCCMP */
    }
    if ((insn & 0xff20fc00) == 0x1e201800 ||
        (insn & 0xff3ffc00) == 0x1e21c000) {
        out->flags |= SPE_INSN_SLOW;            /* FDIV, FSQRT */
    }
}
