/*
 * Arm Statistical Profiling Extension: what translated code does for it.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#ifndef TARGET_ARM_SPE_TRANSLATE_H
#define TARGET_ARM_SPE_TRANSLATE_H

#include "exec/translator.h"
#include "spe.h"

/* The part of a DisasContext that belongs to profiling. */
typedef struct ARMSPEDisas {
    int mode;           /* enum ARMSPEMode of this TB */
    DisasContextBase *db;
    bool pcrel;
    vaddr pc_first;
    int total;          /* operations in the TB */
    int block;          /* operations since the last charge was opened */
    TCGOp *charge;      /* open charge: its subtrahend is still to be set */
    TCGOp *check;       /* the TB's first test: likewise */
    TCGOp *refund;      /* under icount: the addend of the early exit */
} ARMSPEDisas;

#ifdef ARM_SPE_MODEL

/* The most operations that a TB in this mode may hold. */
int arm_spe_max_insns(const ARMSPEDisas *d, int bound);

/* Before the first operation of a TB. */
void arm_spe_gen_tb_start(ARMSPEDisas *d, DisasContextBase *db);

/* After @insn was fetched and before anything else is emitted for it. */
void arm_spe_gen_insn(ARMSPEDisas *d, uint32_t insn);

/* After the last operation, whatever way the TB ends. */
void arm_spe_gen_tb_stop(ARMSPEDisas *d);

/* PSB CSYNC, and MSR PM with an immediate */
void arm_spe_gen_psb_csync(void);
void arm_spe_gen_set_pm(int imm);

#else

static inline int arm_spe_max_insns(const ARMSPEDisas *d, int bound)
{
    return bound;
}

static inline void arm_spe_gen_tb_start(ARMSPEDisas *d, DisasContextBase *db)
{
}

static inline void arm_spe_gen_insn(ARMSPEDisas *d, uint32_t insn)
{
}

static inline void arm_spe_gen_tb_stop(ARMSPEDisas *d)
{
}

static inline void arm_spe_gen_psb_csync(void)
{
}

static inline void arm_spe_gen_set_pm(int imm)
{
}

#endif

#endif
