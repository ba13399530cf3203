/*
 * Arm Statistical Profiling Extension: what QEMU's translator calls.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#ifndef TARGET_ARM_SPE_TRANSLATE_H
#define TARGET_ARM_SPE_TRANSLATE_H

#include "exec/translator.h"
#include "spe.h"

/* The part of a DisasContext for profiling */
typedef struct ARMSPEDisas {
    int mode;           /* enum ARMSPEMode of this TB */
    int left;           /* ARM_SPE_SHORT: the most operations that it may have */
    DisasContextBase *db;
    bool pcrel;
    vaddr pc_first;
    int total;          /* operations in the TB */
    int block;          /* operations since the last charge was opened */
    TCGOp *charge;      /* open charge, whose subtrahend is not yet set */
    TCGOp *check;       /* first test of the TB, whose limit is not yet set */
    TCGv_i32 budget;
    bool holds_budget;  /* what @budget has is env->spe_budget */
    TCGLabel *leave;    /* where the TB is left; behind its operations */
} ARMSPEDisas;

#ifdef ARM_SPE_MODEL

/*
 * Begins a TB whose TBFLAG_A64.SPE is @flags.  Returns the most operations that
 * it may have, at most @bound.
 */
int arm_spe_begin(ARMSPEDisas *d, int flags, int bound);

/* Called before the first operation of a TB. */
void arm_spe_gen_tb_start(ARMSPEDisas *d, DisasContextBase *db);

/* Called after @insn is fetched, before any code for it is emitted. */
void arm_spe_gen_insn(ARMSPEDisas *d, uint32_t insn);

/* Called after the last operation, however the TB ends. */
void arm_spe_gen_tb_stop(ARMSPEDisas *d);

/* Called after the code that ends the TB. */
void arm_spe_gen_tb_end(ARMSPEDisas *d);

/* PSB CSYNC, and MSR PM with an immediate */
void arm_spe_gen_psb_csync(void);
void arm_spe_gen_set_pm(int imm);

#else

static inline int arm_spe_begin(ARMSPEDisas *d, int flags, int bound)
{
    d->mode = ARM_SPE_OFF;
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

static inline void arm_spe_gen_tb_end(ARMSPEDisas *d)
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
