/*
 * A64 instructions as the Statistical Profiling Unit sees them: loads and
 * stores of SVE (C4.1 op0 0010 with bit 31 set).
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#ifdef SPE_HOST_TEST
#include <stddef.h>
#else
#include "qemu/osdep.h"
#endif
#include "insn.h"

/* Log2 of the element size in memory and in the register, for each dtype. */
static const uint8_t sve_msize[16] = {
    0, 0, 0, 0, 2, 1, 1, 1, 1, 1, 2, 2, 0, 0, 0, 3,
};
static const uint8_t sve_esize[16] = {
    0, 1, 2, 3, 3, 1, 2, 3, 3, 2, 2, 3, 3, 2, 1, 3,
};

/* LDR, STR of a vector or predicate register: [Xn, #imm9, MUL VL] */
static bool decode_sve_register(uint32_t insn, SPEInsn *out)
{
    if ((insn & 0x9fc0a000) != 0x85800000 ||
        (insn >> 29 != 4 && insn >> 29 != 7)) {
        return false;
    }
    out->addr = SPE_BIT(insn, 14) ? SPE_ADDR_VL : SPE_ADDR_PL;
    out->imm = spe_sbits(insn, 21, 16) * 8 + spe_bits(insn, 12, 10);
    return true;
}

/* An element, a quadword or an octaword, loaded once and replicated. */
static bool decode_sve_replicate(uint32_t insn, SPEInsn *out)
{
    if ((insn & 0xfe408000) == 0x84408000) {
        uint32_t dtype = spe_bits(insn, 24, 23) << 2 | spe_bits(insn, 14, 13);

        out->size = 1 << sve_msize[dtype];
        out->esize = sve_esize[dtype];
        out->imm = (int64_t)spe_bits(insn, 21, 16) * out->size;
    } else if ((insn & 0xfe40e000) == 0xa4002000) {
        out->size = SPE_BIT(insn, 21) ? 32 : 16;    /* LD1RO, LD1RQ */
        out->esize = spe_bits(insn, 24, 23);
        out->imm = spe_sbits(insn, 19, 16) * out->size;
    } else {
        return false;
    }
    out->addr = SPE_ADDR_BASE;
    return true;
}

/*
 * Contiguous forms: how many vectors they access, and which fraction of a
 * vector each access has in memory.
 */
static void decode_sve_contiguous(uint32_t insn, SPEInsn *out)
{
    uint32_t form = spe_bits(insn, 15, 13), msz = spe_bits(insn, 24, 23);
    bool store = SPE_BIT(insn, 30), structures, immediate;

    if (store) {
        immediate = form == 7;
        structures = form == 3 || (form == 7 && SPE_BIT(insn, 20));
    } else {
        immediate = form == 5 || form == 7;
        structures = form == 6 || form == 7;
    }
    out->vl_count = 1;
    out->esize = msz;
    if (structures) {
        out->vl_count = spe_bits(insn, 22, 21) + 1;
    } else if (store) {
        out->esize = spe_bits(insn, 22, 21);
        /* Smaller elements than in memory are unallocated. */
        out->vl_shift = out->esize > msz ? out->esize - msz : 0;
    } else if (form == 0) {
        out->size = SPE_BIT(insn, 21) ? 32 : 16;    /* LD1RO, LD1RQ */
    } else {
        uint32_t dtype = spe_bits(insn, 24, 21);

        msz = sve_msize[dtype];
        out->esize = sve_esize[dtype];
        out->vl_shift = out->esize - msz;
    }
    if (immediate) {
        out->addr = SPE_ADDR_VL;
        out->imm = spe_sbits(insn, 19, 16);
    } else {
        out->addr = SPE_ADDR_REG;
        out->rm = spe_bits(insn, 20, 16);
        out->extend = 3;
        out->shift = msz;
    }
}

static bool is_sve_prefetch(uint32_t insn)
{
    return (insn & 0xffc08010) == 0x85c00000 ||
           (insn & 0xbfa08010) == 0x84200000 ||
           (insn & 0xffe08010) == 0xc4608000 ||
           (insn & 0xfe60e010) == 0x8400c000 ||
           (insn & 0xbe60e010) == 0x8400e000;
}

/* A vector of offsets; unless @whole, 32-bit offsets that are extended. */
static void gather(uint32_t insn, SPEInsn *out, bool whole, bool sign,
                   bool scaled)
{
    out->addr = SPE_ADDR_GATHER;
    out->rm = spe_bits(insn, 20, 16);
    out->extend = whole ? 3 : sign ? 6 : 2;
    out->shift = scaled ? spe_bits(insn, 24, 23) : 0;
}

/* A vector of addresses plus an immediate or a register. */
static void vector_base(uint32_t insn, SPEInsn *out, bool immediate)
{
    out->addr = SPE_ADDR_VECTOR;
    out->rm = immediate ? 31 : spe_bits(insn, 20, 16);
    out->imm = immediate ? (int64_t)spe_bits(insn, 20, 16) * out->size : 0;
}

/* Simplification: the quadword forms of SVE2.1 record no address. */
static void decode_sve_gather(uint32_t insn, SPEInsn *out)
{
    bool d = SPE_BIT(insn, 30), scaled = SPE_BIT(insn, 21);

    out->subclass |= SPE_SUB_LDST_SVE_SG;
    out->size = 1 << spe_bits(insn, 24, 23);
    out->esize = d ? 3 : 2;
    if (!SPE_BIT(insn, 15)) {
        gather(insn, out, false, SPE_BIT(insn, 22), scaled);
    } else if (d && SPE_BIT(insn, 22)) {
        gather(insn, out, true, false, scaled);
    } else if (scaled) {
        vector_base(insn, out, true);
    } else if (!SPE_BIT(insn, d ? 13 : 14)) {
        vector_base(insn, out, false);      /* LDNT1 */
    }
}

static void decode_sve_scatter(uint32_t insn, SPEInsn *out)
{
    uint32_t form = spe_bits(insn, 15, 13);
    bool s = SPE_BIT(insn, 22), scaled = SPE_BIT(insn, 21);

    out->subclass |= SPE_SUB_LDST_SVE_SG;
    out->size = 1 << spe_bits(insn, 24, 23);
    out->esize = s ? 2 : 3;
    if (form == 4 || form == 6) {
        gather(insn, out, false, form == 6, scaled);
    } else if (form == 5 && !s) {
        gather(insn, out, true, false, scaled);
    } else if (form == 5) {
        out->esize = scaled ? 2 : 3;
        vector_base(insn, out, true);
    } else if (form == 1 && !scaled) {
        vector_base(insn, out, false);      /* STNT1 */
    }
}

void spe_insn_decode_sve_access(uint32_t insn, SPEInsn *out)
{
    uint32_t group = insn >> 29, form = spe_bits(insn, 15, 13);
    bool store = group == 7;

    if (is_sve_prefetch(insn)) {
        return;         /* Other: RBHKSC */
    }
    spe_access(out, SPE_SUB_LDST_SVE,
               spe_load_if(!store) | SPE_INSN_SIMD | SPE_INSN_SVE, 0);
    out->rn = spe_bits(insn, 9, 5);
    out->vl_count = 1;
    if (decode_sve_register(insn, out)) {
        return;
    }
    out->subclass |= SPE_SUB_LDST_SVE_PRED;
    out->pg = spe_bits(insn, 12, 10);
    if (decode_sve_replicate(insn, out)) {
        return;
    }
    if (group == 5 || (store && (form == 2 || form == 3 || form == 7))) {
        decode_sve_contiguous(insn, out);
    } else if (store) {
        decode_sve_scatter(insn, out);
    } else {
        decode_sve_gather(insn, out);
    }
}
