/*
 * A64 instructions as the Statistical Profiling Unit sees them: loads,
 * stores and atomics (C4.1 op0 x1x0).
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#ifdef SPE_HOST_TEST
#include <stddef.h>
#else
#include "qemu/osdep.h"
#endif
#include "insn.h"

static void based(uint32_t insn, SPEInsn *out, int64_t imm)
{
    out->addr = SPE_ADDR_BASE;
    out->rn = spe_bits(insn, 9, 5);
    out->imm = imm;
}

/* D17.5.1: Q registers count as SIMD, smaller ones as floating-point. */
static uint32_t simd_or_fp(int size)
{
    return size == 16 ? SPE_INSN_SIMD : SPE_INSN_FP;
}

/* Exclusives, compare and swap, load-acquire and store-release. */
static void decode_exclusive(uint32_t insn, SPEInsn *out)
{
    int size = 1 << spe_bits(insn, 31, 30);
    bool o2 = SPE_BIT(insn, 23), load = SPE_BIT(insn, 22);
    bool o1 = SPE_BIT(insn, 21), o0 = SPE_BIT(insn, 15);
    uint32_t sub = SPE_SUB_LDST_EXTENDED;
    uint32_t flags = spe_load_if(load);

    if (o2 && !o1) {
        sub |= SPE_SUB_LDST_AR;
    } else if (o2 || (o1 && !SPE_BIT(insn, 31))) {
        /* CAS, CASP: here L is Acquire, o0 Release. */
        sub |= SPE_SUB_LDST_AT | (load || o0 ? SPE_SUB_LDST_AR : 0);
        flags = SPE_INSN_LD | SPE_INSN_ST;
        if (!o2) {
            size = SPE_BIT(insn, 30) ? 16 : 8;
        }
    } else {
        sub |= SPE_SUB_LDST_EXCL | (o0 ? SPE_SUB_LDST_AR : 0);
        flags |= SPE_INSN_EXCL;
        out->rd = spe_bits(insn, 20, 16);
        size *= o1 ? 2 : 1;
    }
    spe_access(out, sub, flags, size);
    based(insn, out, 0);
}

/* LSE atomics, LDAPR, and the single-copy atomic 64-byte accesses. */
static void decode_atomic(uint32_t insn, SPEInsn *out)
{
    int size = 1 << spe_bits(insn, 31, 30);
    bool acquire = SPE_BIT(insn, 23), release = SPE_BIT(insn, 22);
    bool o3 = SPE_BIT(insn, 15);
    uint32_t opc = spe_bits(insn, 14, 12);
    uint32_t ar = acquire || release ? SPE_SUB_LDST_AR : 0;
    uint32_t flags = SPE_INSN_LD | SPE_INSN_ST;

    based(insn, out, 0);
    if (o3 && opc == 4) {
        spe_access(out, SPE_SUB_LDST_EXTENDED | SPE_SUB_LDST_AR, SPE_INSN_LD,
                   size);
    } else if (o3 && opc != 0) {
        spe_access(out, SPE_SUB_LDST_GP, spe_load_if(opc == 5), 64);
    } else {
        /* STADD and similar: the result register is XZR, and A is 0. */
        if (!o3 && !acquire && spe_bits(insn, 4, 0) == 31) {
            flags = SPE_INSN_ST;
        }
        spe_access(out, SPE_SUB_LDST_EXTENDED | SPE_SUB_LDST_AT | ar, flags,
                   size);
    }
}

/* Load/store register in its six addressing forms. */
static void decode_register(uint32_t insn, SPEInsn *out)
{
    uint32_t scale = spe_bits(insn, 31, 30), opc = spe_bits(insn, 23, 22);
    bool simd = SPE_BIT(insn, 26);
    uint32_t flags;

    if (simd) {
        scale |= (opc & 2) << 1;
        flags = spe_load_if(opc & 1);
        spe_access(out, SPE_SUB_LDST_SIMD_FP,
                   flags | simd_or_fp(1 << scale), 1 << scale);
    } else {
        flags = spe_load_if(opc != 0);
        spe_access(out, SPE_SUB_LDST_GP, flags, 1 << scale);
    }
    if (SPE_BIT(insn, 24)) {
        based(insn, out, (int64_t)spe_bits(insn, 21, 10) << scale);
        return;
    }
    if (!SPE_BIT(insn, 21)) {
        uint32_t form = spe_bits(insn, 11, 10);

        /* Post-index accesses the base address. */
        based(insn, out, form == 1 ? 0 : spe_sbits(insn, 20, 12));
        out->writeback = form & 1;
        if (form == 2) {
            out->flags |= SPE_INSN_UNPRIV;
        }
        return;
    }
    based(insn, out, 0);
    out->addr = SPE_ADDR_REG;
    out->rm = spe_bits(insn, 20, 16);
    out->extend = spe_bits(insn, 15, 13);
    out->shift = SPE_BIT(insn, 12) ? scale : 0;
}

static bool is_prefetch(uint32_t insn)
{
    return (insn & 0xffc00000) == 0xf9800000 ||     /* PRFM (immediate) */
           (insn & 0xffe00c00) == 0xf8a00800 ||     /* PRFM (register) */
           (insn & 0xffe00c00) == 0xf8800000 ||     /* PRFUM */
           (insn & 0xff000000) == 0xd8000000;       /* PRFM (literal) */
}

/* Bits 29:28 are 11. */
static void decode_single(uint32_t insn, SPEInsn *out)
{
    bool indexed = !SPE_BIT(insn, 24) && SPE_BIT(insn, 21);
    uint32_t form = spe_bits(insn, 11, 10);

    if (!indexed || form == 2) {
        decode_register(insn, out);
    } else if (SPE_BIT(insn, 26)) {
        return;         /* unallocated */
    } else if (form == 0) {
        decode_atomic(insn, out);
    } else {
        spe_access(out, SPE_SUB_LDST_GP, SPE_INSN_LD |
                   (SPE_BIT(insn, 23) ? SPE_INSN_AUTH_DB : SPE_INSN_AUTH_DA),
                   8);
        based(insn, out, (spe_sbits(insn, 22, 22) * 512 +
                          (int64_t)spe_bits(insn, 20, 12)) * 8);
        out->writeback = SPE_BIT(insn, 11);
    }
}

/* Bits 29:28 are 10. */
static void decode_pair(uint32_t insn, SPEInsn *out)
{
    uint32_t opc = spe_bits(insn, 31, 30), form = spe_bits(insn, 24, 23);
    bool simd = SPE_BIT(insn, 26), load = SPE_BIT(insn, 22);
    int size;

    if (simd) {
        size = 4 << opc;
    } else {
        size = opc & 2 ? 8 : 4;
    }
    if (!simd && opc == 1 && !load) {
        size = 16;      /* STGP: the offset counts tag granules */
    }
    spe_access(out, simd ? SPE_SUB_LDST_SIMD_FP : SPE_SUB_LDST_GP,
           spe_load_if(load) | (simd ? simd_or_fp(size) : 0), 2 * size);
    based(insn, out, form == 1 ? 0 : spe_sbits(insn, 21, 15) * size);
    out->writeback = form & 1;
    if (!simd && opc == 1 && !load) {
        out->size = 16;
    }
}

/* Allocation Tags: 11011001 opc 1 imm9 op2. */
static void decode_tags(uint32_t insn, SPEInsn *out)
{
    uint32_t opc = spe_bits(insn, 23, 22), op2 = spe_bits(insn, 11, 10);
    int64_t imm = spe_sbits(insn, 20, 12) * 16;
    bool zero = opc & 1, two = opc & 2;

    if (op2 == 0 && (opc == 1 || opc == 3)) {
        spe_access(out, SPE_SUB_LDST_TAG, SPE_INSN_LD, 16);
        based(insn, out, opc == 1 ? imm : 0);
    } else if (op2 == 0) {
        spe_access(out, opc == 0 ? SPE_SUB_LDST_UNSPECIFIED : SPE_SUB_LDST_TAG,
               SPE_INSN_ST, 16);
        based(insn, out, 0);
    } else {
        /* D17.6.4.1: those that also zero data are no tag stores. */
        spe_access(out, zero ? SPE_SUB_LDST_UNSPECIFIED : SPE_SUB_LDST_TAG,
               SPE_INSN_ST, two ? 32 : 16);
        based(insn, out, op2 == 1 ? 0 : imm);
    }
    out->flags |= SPE_INSN_TAGS;
    out->addr = SPE_ADDR_GRANULE;
}

/*
 * Memory Copy and Memory Set: sz 011 o0 01 op1 0 Rs op2 01 Rn Rd.  The stage
 * is in op1 for a copy, and in the upper half of op2 for a set.
 */
static void decode_mops(uint32_t insn, SPEInsn *out)
{
    bool set = spe_bits(insn, 23, 22) == 3;

    out->op_class = SPE_CLASS_LDST;
    out->stage = set ? spe_bits(insn, 15, 14) : spe_bits(insn, 23, 22);
    out->rd = spe_bits(insn, 4, 0);
    out->rn = spe_bits(insn, 9, 5);
    out->rm = spe_bits(insn, 20, 16);
    if (set) {
        out->subclass = SPE_SUB_LDST_MEM_SET;
        /* SETG: bit 26, o0 */
        out->flags = SPE_INSN_ST | (SPE_BIT(insn, 26) ? SPE_INSN_TAGS : 0);
        out->addr = SPE_ADDR_SET;
    } else {
        out->subclass = SPE_SUB_LDST_MEM_COPY;
        /* CPYF: o0 is 0 */
        out->flags = SPE_INSN_LD | SPE_INSN_ST |
                     (SPE_BIT(insn, 26) ? 0 : SPE_INSN_FORWARD);
        out->addr = SPE_ADDR_COPY;
    }
}

/* Bits 29:28 are 01. */
static void decode_literal_and_rcpc(uint32_t insn, SPEInsn *out)
{
    uint32_t opc = spe_bits(insn, 31, 30), form = spe_bits(insn, 11, 10);
    bool simd = SPE_BIT(insn, 26);

    if (!SPE_BIT(insn, 24)) {
        int size = simd ? 4 << opc : opc == 1 ? 8 : 4;

        spe_access(out, simd ? SPE_SUB_LDST_SIMD_FP : SPE_SUB_LDST_GP,
               SPE_INSN_LD | (simd ? simd_or_fp(size) : 0), size);
        out->addr = SPE_ADDR_PC;
        out->imm = spe_sbits(insn, 23, 5) * 4;
    } else if (SPE_BIT(insn, 21)) {
        if (insn >> 24 == 0xd9) {
            decode_tags(insn, out);
        }
    } else if (form == 1) {
        decode_mops(insn, out);
    } else if (form == 0 && !simd) {
        /* LDAPUR, STLUR */
        spe_access(out, SPE_SUB_LDST_EXTENDED | SPE_SUB_LDST_AR,
               spe_load_if(spe_bits(insn, 23, 22) != 0), 1 << opc);
        based(insn, out, spe_sbits(insn, 20, 12));
    }
}

/* LD1 to LD4, ST1 to ST4 in their multiple and single structure forms. */
static void decode_structures(uint32_t insn, SPEInsn *out)
{
    static const uint8_t registers[16] = {
        [0x0] = 4, [0x2] = 4, [0x4] = 3, [0x6] = 3,
        [0x7] = 1, [0x8] = 2, [0xa] = 2,
    };
    bool load = SPE_BIT(insn, 22);
    int size;

    if (!SPE_BIT(insn, 24)) {
        size = registers[spe_bits(insn, 15, 12)] * (SPE_BIT(insn, 30) ? 16 : 8);
    } else {
        uint32_t opcode = spe_bits(insn, 15, 13);
        int elements = (opcode & 1) * 2 + SPE_BIT(insn, 21) + 1;
        uint32_t scale = opcode >> 1;

        if (scale == 3) {
            scale = spe_bits(insn, 11, 10);     /* replicate */
        } else if (scale == 2 && SPE_BIT(insn, 10)) {
            scale = 3;
        }
        size = elements << scale;
    }
    spe_access(out, SPE_SUB_LDST_SIMD_FP, spe_load_if(load) | SPE_INSN_SIMD,
               size);
    based(insn, out, 0);
    out->writeback = SPE_BIT(insn, 23);
}

void spe_insn_decode_ldst(uint32_t insn, SPEInsn *out)
{
    if (is_prefetch(insn)) {
        return;         /* Other: D17.6.8 */
    }
    switch (spe_bits(insn, 29, 28)) {
    case 0:
        if (SPE_BIT(insn, 26)) {
            decode_structures(insn, out);
        } else if (!SPE_BIT(insn, 24)) {
            decode_exclusive(insn, out);
        }
        break;
    case 1:
        decode_literal_and_rcpc(insn, out);
        break;
    case 2:
        decode_pair(insn, out);
        break;
    case 3:
        decode_single(insn, out);
        break;
    }
}
