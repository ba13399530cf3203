/*
 * The decoder of A64 instructions.
 *
 * Pure: depends on nothing of QEMU and is tested on the host.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#ifndef TARGET_ARM_SPE_INSN_INSN_H
#define TARGET_ARM_SPE_INSN_INSN_H

#include <stdbool.h>
#include <stdint.h>

/*
 * A decoded A64 instruction as the Statistical Profiling Unit sees it.
 *
 * Pure: depends on nothing of QEMU and is tested on the host.
 * Source: Arm ARM (DDI 0487) C4.1 for the encodings, D18.2.7 for the
 * Operation Type packet, D17.6 for what each kind of operation records.
 */

/* Operation Type packet CLASS. */
enum {
    SPE_CLASS_OTHER = 0,
    SPE_CLASS_LDST = 1,
    SPE_CLASS_BRANCH = 2,
};

/* Operation Type packet SUBCLASS, and its fields. */
enum {
    SPE_SUB_OTHER = 0x00,
    SPE_SUB_OTHER_COND = 0x01,
    SPE_SUB_OTHER_FP = 0x02,
    SPE_SUB_OTHER_ASE = 0x04,
    SPE_SUB_SVE = 0x08,
    SPE_SUB_SVE_FP = 0x02,
    SPE_SUB_SVE_PRED = 0x04,
    SPE_SUB_SME = 0x80,             /* with SPE_SUB_SVE: the ZA array */

    SPE_SUB_LDST_STORE = 0x01,
    SPE_SUB_LDST_GP = 0x00,
    SPE_SUB_LDST_SIMD_FP = 0x04,
    SPE_SUB_LDST_UNSPECIFIED = 0x10,
    SPE_SUB_LDST_TAG = 0x14,
    SPE_SUB_LDST_MEM_COPY = 0x20,
    SPE_SUB_LDST_MEM_SET = 0x25,
    SPE_SUB_LDST_NV_SYSREG = 0x30,
    SPE_SUB_LDST_EXTENDED = 0x02,
    SPE_SUB_LDST_AT = 0x04,
    SPE_SUB_LDST_EXCL = 0x08,
    SPE_SUB_LDST_AR = 0x10,
    SPE_SUB_LDST_SVE = 0x08,
    SPE_SUB_LDST_SVE_PRED = 0x04,
    SPE_SUB_LDST_SVE_SG = 0x80,

    SPE_SUB_BRANCH_COND = 0x01,
    SPE_SUB_BRANCH_IND = 0x02,
    SPE_SUB_BRANCH_CALL = 0x08,     /* CR */
    SPE_SUB_BRANCH_RETURN = 0x10,
    SPE_SUB_BRANCH_NEITHER = 0x18,
    SPE_SUB_BRANCH_CR = 0x18,
};

/* Properties of an operation */
enum {
    SPE_INSN_LD = 1 << 0,       /* reads memory */
    SPE_INSN_ST = 1 << 1,       /* writes memory */
    SPE_INSN_BR = 1 << 2,       /* branch or exception return */
    SPE_INSN_IND = 1 << 3,      /* indirect branch */
    SPE_INSN_LINK = 1 << 4,     /* branch with link */
    SPE_INSN_RET = 1 << 5,      /* procedure return */
    SPE_INSN_FP = 1 << 6,       /* floating-point, as D17.5.1 defines it */
    SPE_INSN_SIMD = 1 << 7,     /* SIMD, as D17.5.1 defines it */
    SPE_INSN_SVE = 1 << 8,      /* vector length in the packet */
    SPE_INSN_UNPRIV = 1 << 9,   /* LDTR and STTR: an EL0 access */
    SPE_INSN_SLOW = 1 << 10,    /* long execution: divide, square root */
    SPE_INSN_EXCL = 1 << 11,
    SPE_INSN_AUTH_DA = 1 << 12, /* base is authenticated with key DA or DB */
    SPE_INSN_AUTH_DB = 1 << 13,
    SPE_INSN_SME = 1 << 14,     /* ZA: uses the streaming vector length */
    SPE_INSN_TAGS = 1 << 15,    /* accesses Allocation Tags, so not checked */
    SPE_INSN_ERET = 1 << 16,    /* exception return */
    SPE_INSN_FORWARD = 1 << 17, /* CPYF: copies from low to high only */
};

/* How the data virtual address is formed */
enum SPEAddr {
    SPE_ADDR_NONE,      /* no data address, or it is not recorded */
    SPE_ADDR_BASE,      /* Xn|SP + imm */
    SPE_ADDR_PC,        /* PC + imm */
    SPE_ADDR_REG,       /* Xn|SP + (extended Xm << shift) */
    SPE_ADDR_VL,        /* Xn|SP + imm * vector length in bytes */
    SPE_ADDR_PL,        /* Xn|SP + imm * predicate length in bytes */
    SPE_ADDR_BLOCK,     /* Xn aligned to the DC ZVA block */
    SPE_ADDR_GRANULE,   /* Xn|SP + imm, aligned to the tag granule */
    SPE_ADDR_GATHER,    /* Xn|SP + (extended element of Zm << shift) */
    SPE_ADDR_VECTOR,    /* element of Zn + Xm + imm */
    SPE_ADDR_SET,       /* MOPS: destination Xd, length Xn */
    SPE_ADDR_COPY,      /* MOPS: destination Xd, source Xs, length Xn */
};

/* The three instructions of a Memory Copy or Set. */
enum SPEStage {
    SPE_STAGE_PROLOGUE,
    SPE_STAGE_MAIN,
    SPE_STAGE_EPILOGUE,
};

/* What the condition of an operation tests */
enum SPECond {
    SPE_COND_NONE,
    SPE_COND_FLAGS,     /* PSTATE against the condition code */
    SPE_COND_ZERO,      /* passes if the register is zero */
    SPE_COND_NONZERO,
    SPE_COND_BIT_CLEAR, /* passes if the bit of the register is zero */
    SPE_COND_BIT_SET,
};

/* SPEInsn.za_eighths: one slice of a tile, which has the size of a vector */
#define SPE_ZA_SLICE 0xff

typedef struct SPEInsn {
    uint8_t op_class;       /* Operation Type packet CLASS */
    uint8_t subclass;       /* its SUBCLASS, without EVL */
    uint32_t flags;         /* SPE_INSN_* */
    uint8_t addr;           /* enum SPEAddr */
    uint8_t rn;             /* base, or MOPS length: 31 is SP for a base */
    uint8_t rm;             /* index, or MOPS source */
    uint8_t rd;             /* MOPS destination; Store-Exclusive's status */
    uint8_t stage;          /* enum SPEStage */
    uint8_t extend;         /* option field of the index */
    uint8_t shift;
    uint8_t cond;           /* enum SPECond */
    uint8_t cc;             /* condition code, or bit number */
    uint8_t rt;             /* register that the condition tests */
    uint8_t pg;             /* governing predicate; 0xff if none */
    uint8_t pg2;            /* that of the columns of an outer product */
    uint8_t esize;          /* log2 of the bytes that a predicate bit governs */
    uint8_t za_eighths;     /* size in 64-bit tiles of ZA, or SPE_ZA_SLICE */
    bool rt_64;             /* the condition tests all 64 bits of rt */
    bool writeback;         /* the base is updated */
    uint16_t size;          /* bytes accessed; 0 if operands decide */
    uint8_t vl_count;       /* SVE: vectors accessed, where size is 0 */
    uint8_t vl_shift;       /* SVE: log2 of vector size / size in memory */
    int64_t imm;
} SPEInsn;

/*
 * fields.c: The fields of an instruction word, and what several decoders share.
 *
 * Pure: depends on nothing of QEMU and is tested on the host.
 */

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

/*
 * ldst.c: Decodes loads and stores.
 *
 * Pure: depends on nothing of QEMU and is tested on the host.
 */

/* @insn: an encoding of C4.1 op0 x1x0. */
void spe_insn_decode_ldst(uint32_t insn, SPEInsn *out);

/*
 * simd.c: Decodes scalar floating-point and Advanced SIMD data processing.
 *
 * Pure: depends on nothing of QEMU and is tested on the host.
 */

/* @insn: an encoding of C4.1 op0 x111. */
void spe_insn_decode_simd(uint32_t insn, SPEInsn *out);

/*
 * sme.c: Decodes SME.
 *
 * Pure: depends on nothing of QEMU and is tested on the host.
 */

/* @insn: an encoding of C4.1 op0 0000 with bit 31 set. */
void spe_insn_decode_sme(uint32_t insn, SPEInsn *out);

/*
 * sve-data.c: Decodes data processing of SVE.
 *
 * Pure: depends on nothing of QEMU and is tested on the host.
 */

/* @insn: an encoding of C4.1 op0 0010 with bit 31 clear. */
void spe_insn_decode_sve_data(uint32_t insn, SPEInsn *out);

/*
 * sve.c: Decodes loads and stores of SVE.
 *
 * Pure: depends on nothing of QEMU and is tested on the host.
 */

/* @insn: an encoding of C4.1 op0 0010 with bit 31 set. */
void spe_insn_decode_sve_access(uint32_t insn, SPEInsn *out);

#endif
