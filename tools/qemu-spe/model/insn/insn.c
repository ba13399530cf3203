/*
 * A64 instructions as the Statistical Profiling Unit sees them: branches,
 * System instructions, integer data processing.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#ifdef SPE_HOST_TEST
#include <string.h>
#else
#include "qemu/osdep.h"
#endif
#include "insn.h"

static void branch(SPEInsn *out, uint32_t flags)
{
    out->op_class = SPE_CLASS_BRANCH;
    out->flags = SPE_INSN_BR | flags;
    out->subclass = flags & SPE_INSN_LINK ? SPE_SUB_BRANCH_CALL :
                    flags & SPE_INSN_RET ? SPE_SUB_BRANCH_RETURN :
                    SPE_SUB_BRANCH_NEITHER;
    out->subclass |= flags & SPE_INSN_IND ? SPE_SUB_BRANCH_IND : 0;
}

static void branch_if(SPEInsn *out, enum SPECond cond)
{
    branch(out, 0);
    out->subclass |= SPE_SUB_BRANCH_COND;
    out->cond = cond;
}

/* BR, BLR, RET, ERET, DRPS and their pointer authentication forms. */
static void decode_branch_reg(uint32_t insn, SPEInsn *out)
{
    switch (spe_bits(insn, 24, 21)) {
    case 0x0: case 0x8:
        branch(out, SPE_INSN_IND);
        break;
    case 0x1: case 0x9:
        branch(out, SPE_INSN_IND | SPE_INSN_LINK);
        break;
    case 0x2:
        branch(out, SPE_INSN_IND | SPE_INSN_RET);
        break;
    case 0x4: case 0x5:
        branch(out, SPE_INSN_IND | SPE_INSN_ERET);
        break;
    }
}

/* DC ZVA, GVA and GZVA are recorded as stores (recommended by D17.6.4). */
static void decode_system(uint32_t insn, SPEInsn *out)
{
    switch (insn & 0xffffffe0) {
    case 0xd50b7420:            /* DC ZVA */
        spe_access(out, SPE_SUB_LDST_UNSPECIFIED, SPE_INSN_ST, 0);
        break;
    case 0xd50b7460:            /* DC GVA */
        spe_access(out, SPE_SUB_LDST_TAG, SPE_INSN_ST | SPE_INSN_TAGS, 0);
        break;
    case 0xd50b7480:            /* DC GZVA */
        spe_access(out, SPE_SUB_LDST_UNSPECIFIED, SPE_INSN_ST | SPE_INSN_TAGS,
                   0);
        break;
    default:
        return;
    }
    out->addr = SPE_ADDR_BLOCK;
    out->rn = spe_bits(insn, 4, 0);
}

/* C4.1 op0 101x: branches, exception generation, System instructions. */
static void decode_branches(uint32_t insn, SPEInsn *out)
{
    if ((insn & 0x7c000000) == 0x14000000) {
        branch(out, SPE_BIT(insn, 31) ? SPE_INSN_LINK : 0);
    } else if ((insn & 0x7e000000) == 0x34000000) {
        branch_if(out, insn & 1u << 24 ? SPE_COND_NONZERO : SPE_COND_ZERO);
        out->rt = spe_bits(insn, 4, 0);
        out->rt_64 = SPE_BIT(insn, 31);
    } else if ((insn & 0x7e000000) == 0x36000000) {
        branch_if(out, insn & 1u << 24 ? SPE_COND_BIT_SET
                                       : SPE_COND_BIT_CLEAR);
        out->rt = spe_bits(insn, 4, 0);
        out->rt_64 = true;
        out->cc = SPE_BIT(insn, 31) << 5 | spe_bits(insn, 23, 19);
    } else if ((insn & 0xff000000) == 0x54000000) {
        branch_if(out, SPE_COND_FLAGS);
        out->cc = spe_bits(insn, 3, 0);
    } else if ((insn & 0xfe000000) == 0xd6000000) {
        decode_branch_reg(insn, out);
    } else if ((insn & 0xffc00000) == 0xd5000000) {
        decode_system(insn, out);
    }
}

/* C4.1 op0 x101: data processing, register. */
static void decode_dp_reg(uint32_t insn, SPEInsn *out)
{
    if ((insn & 0x1fe00000) == 0x1a800000 ||
        (insn & 0x1fe00000) == 0x1a400000) {
        spe_insn_conditional(insn, out);
    } else if ((insn & 0x7fe0f800) == 0x1ac00800) {
        out->flags |= SPE_INSN_SLOW;
    }
}

void spe_insn_decode(uint32_t insn, SPEInsn *out)
{
    memset(out, 0, sizeof(*out));
    out->pg = out->pg2 = 0xff;

    switch (spe_bits(insn, 28, 25)) {
    case 0x0:
        if (SPE_BIT(insn, 31)) {
            spe_insn_decode_sme(insn, out);
        }
        break;
    case 0x2:
        if (SPE_BIT(insn, 31)) {
            spe_insn_decode_sve_access(insn, out);
        } else {
            spe_insn_decode_sve_data(insn, out);
        }
        break;
    case 0x4: case 0x6: case 0xc: case 0xe:
        spe_insn_decode_ldst(insn, out);
        break;
    case 0xa: case 0xb:
        decode_branches(insn, out);
        break;
    case 0x5: case 0xd:
        decode_dp_reg(insn, out);
        break;
    case 0x7: case 0xf:
        spe_insn_decode_simd(insn, out);
        break;
    }
}

bool spe_insn_stays(uint32_t insn)
{
    switch (spe_bits(insn, 28, 25)) {
    case 0x8: case 0x9:
    case 0x7: case 0xf:
        return true;
    case 0x5: case 0xd:
        /* One and two sources: pointer authentication is here, and can trap. */
        return (insn & 0x1fe00000) != 0x1ac00000;
    default:
        return false;
    }
}
