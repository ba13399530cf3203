/*
 * Arm Statistical Profiling Extension: code generation.
 *
 * While profiling is enabled, each operation is charged against
 * env->spe_budget, the number of operations that may run before the SPU has to
 * act.  The charge must be exact wherever an exception can leave the TB.  So a
 * charge covers the operations up to the next one that can raise an exception,
 * and its amount is filled in once that is known.
 *
 * A TB with more operations than the budget is not entered.  In its place runs
 * one that has at most as many operations as the budget (ARM_SPE_SHORT).  From
 * there on, single operations ask the model one by one (ARM_SPE_STEP), which
 * finds the exact operation of the sample population.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "qemu/osdep.h"
#include "cpu.h"
#include "exec/exec-all.h"
#include "exec/helper-gen.h"
#include "exec/translator.h"
#include "tcg/tcg-op.h"
#include "../../tcg/translate.h"
#include "../capture/capture.h"
#include "../insn/insn.h"
#include "../regs/regs.h"
#include "../sample/sample.h"
#include "../spe-translate.h"

/*
 * For each number of operations below this, a PC may have a short TB.
 * TBFLAG_A64.SPE must have room for all.
 */
#define COUNT_MAX_INSNS 32

int arm_spe_begin(ARMSPEDisas *d, int flags, int bound)
{
    QEMU_BUILD_BUG_ON(ARM_SPE_SHORT + COUNT_MAX_INSNS >
                      1 << R_TBFLAG_A64_SPE_LENGTH);

    d->mode = MIN(flags, ARM_SPE_SHORT);
    d->left = flags - ARM_SPE_SHORT;
    switch (d->mode) {
    case ARM_SPE_COUNT:
        return MIN(bound, COUNT_MAX_INSNS);
    case ARM_SPE_STEP:
        return 1;
    case ARM_SPE_SHORT:
        return MIN(bound, d->left);
    default:
        return bound;
    }
}

/*
 * Leaves the TB, of which @count operations do not run.  QEMU then looks it up
 * again, under the flags that the model has just set; with icount in its main
 * loop, which then knows how many are left.
 */
static void gen_leave(DisasContextBase *db, int count)
{
    if (tb_cflags(db->tb) & CF_USE_ICOUNT) {
        TCGv_i32 left = tcg_temp_new_i32();
        int offset =
            (int)offsetof(ArchCPU, parent_obj.neg.icount_decr.u16.low) -
            (int)offsetof(ArchCPU, env);

        tcg_gen_ld16u_i32(left, tcg_env, offset);
        tcg_gen_addi_i32(left, left, count);
        tcg_gen_st16_i32(left, tcg_env, offset);
        tcg_gen_exit_tb(NULL, 0);
    } else {
        tcg_gen_lookup_and_goto_ptr();
    }
}

/* Without CF_PCREL, env->pc is stale in a chained TB. */
static void gen_sync_pc(const ARMSPEDisas *d)
{
    if (!d->pcrel) {
        tcg_gen_st_i64(tcg_constant_i64(d->pc_first), tcg_env,
                       offsetof(CPUARMState, pc));
    }
}

static void set_constant(TCGOp *op, int arg, int value)
{
    tcg_set_insn_param(op, arg, tcgv_i32_arg(tcg_constant_i32(value)));
}

/* The next TB is a STEP, unless an exception ends this one. */
static void gen_step_follows(void)
{
    TCGv_i64 flags = tcg_temp_new_i64();
    int offset = offsetof(CPUARMState, hflags.flags2);

    tcg_gen_ld_i64(flags, tcg_env, offset);
    tcg_gen_deposit_i64(flags, flags, tcg_constant_i64(ARM_SPE_STEP),
                        R_TBFLAG_A64_SPE_SHIFT, R_TBFLAG_A64_SPE_LENGTH);
    tcg_gen_st_i64(flags, tcg_env, offset);
}

void arm_spe_gen_tb_start(ARMSPEDisas *d, DisasContextBase *db)
{
    if (tb_cflags(db->tb) & CF_MEMI_ONLY) {
        /*
         * cpu_io_recompile(): an access to a device in the middle of a TB was
         * charged there.  It restarts in this TB, which must run undisturbed.
         */
        d->mode = ARM_SPE_OFF;
    }
    d->db = db;
    d->pcrel = tb_cflags(db->tb) & CF_PCREL;
    d->pc_first = db->pc_first;
    d->total = 0;
    d->block = 0;
    d->charge = d->check = NULL;
    d->leave = NULL;
    d->holds_budget = d->mode == ARM_SPE_COUNT;

    switch (d->mode) {
    case ARM_SPE_COUNT:
        d->leave = gen_new_label();
        d->budget = tcg_temp_new_i32();
        tcg_gen_ld_i32(d->budget, tcg_env, offsetof(CPUARMState, spe_budget));
        tcg_gen_brcond_i32(TCG_COND_LT, d->budget, tcg_constant_i32(0),
                           d->leave);
        d->check = tcg_last_op();
        break;
    case ARM_SPE_SHORT:
        gen_step_follows();
        break;
    default:
        break;
    }
}

static void gen_boundary(ARMSPEDisas *d, uint32_t insn)
{
    TCGv_i32 leave = tcg_temp_new_i32();

    gen_sync_pc(d);
    gen_helper_spe_boundary(leave, tcg_env, tcg_constant_i32(insn));
    d->leave = gen_new_label();
    tcg_gen_brcondi_i32(TCG_COND_NE, leave, 0, d->leave);
}

/*
 * Opens a charge.  The budget stays in a register from one charge to the next:
 * to load what was stored just before would make each TB wait for the last one.
 */
static void open_charge(ARMSPEDisas *d)
{
    TCGv_i32 before = d->budget;

    if (!d->holds_budget) {
        before = tcg_temp_new_i32();
        tcg_gen_ld_i32(before, tcg_env, offsetof(CPUARMState, spe_budget));
    }
    d->budget = tcg_temp_new_i32();
    d->holds_budget = true;
    tcg_gen_sub_i32(d->budget, before, tcg_constant_i32(0));
    d->charge = tcg_last_op();
    tcg_gen_st_i32(d->budget, tcg_env, offsetof(CPUARMState, spe_budget));
    d->block = 0;
}

static void close_charge(ARMSPEDisas *d)
{
    if (d->charge) {
        set_constant(d->charge, 2, d->block);
        d->charge = NULL;
    }
}

static bool is_access(uint32_t insn)
{
    SPEInsn decoded;

    spe_insn_decode(insn, &decoded);
    return decoded.op_class == SPE_CLASS_LDST && decoded.addr != SPE_ADDR_NONE;
}

/* @insn is a load, a store, or a branch that needs prediction. */
static bool is_fed(const DisasContext *dc, uint32_t insn)
{
    SPEInsn decoded;

    if (dc->nv2 && (insn & 0xffd00000) == 0xd5100000) {
        return true;        /* FEAT_NV2 may make it a memory access */
    }
    spe_insn_decode(insn, &decoded);
    if (decoded.flags & SPE_INSN_BR) {
        return decoded.cond != SPE_COND_NONE || (decoded.flags & SPE_INSN_IND);
    }
    return is_access(insn);
}

static void gen_feed(ARMSPEDisas *d, uint32_t insn)
{
    const DisasContext *dc = container_of(d, DisasContext, spe);
    uint64_t pc = d->pcrel ? dc->pc_curr - dc->pc_save : dc->pc_curr;

    if (d->mode != ARM_SPE_OFF && spe_feeds_all() && is_fed(dc, insn)) {
        gen_helper_spe_feed(tcg_env, tcg_constant_i32(insn),
                            tcg_constant_i64(pc));
    }
}

/* FEAT_SPE_PBT: calls the model before each branch. */
static void gen_branch(ARMSPEDisas *d, uint32_t insn)
{
    vaddr pc = d->db->pc_next - 4;
    SPEInsn decoded;

    spe_insn_decode(insn, &decoded);
    if (decoded.flags & SPE_INSN_BR) {
        gen_sync_pc(d);
        gen_helper_spe_branch(tcg_env, tcg_constant_i32(insn),
                              tcg_constant_i32(pc & ~TARGET_PAGE_MASK));
    }
}

/* ISB with any option */
static bool is_isb(uint32_t insn)
{
    return (insn & 0xfffff0ff) == 0xd50330df;
}

void arm_spe_gen_insn(ARMSPEDisas *d, uint32_t insn)
{
    if (spe_orders_writes && is_isb(insn)) {
        gen_helper_spe_isb(tcg_env);
        d->holds_budget = false;
    }
    if (d->mode == ARM_SPE_COUNT || d->mode == ARM_SPE_SHORT) {
        if (!d->charge) {
            open_charge(d);
        }
        d->block++;
        d->total++;
        if (!spe_insn_stays(insn)) {
            close_charge(d);
            /* Helpers for registers may change the budget. */
            d->holds_budget = is_access(insn);
        }
    } else if (d->mode == ARM_SPE_STEP) {
        gen_boundary(d, insn);
    }
    gen_feed(d, insn);
    if (arm_spe_tells_branches && d->mode != ARM_SPE_OFF) {
        gen_branch(d, insn);
    }
}

void arm_spe_gen_tb_stop(ARMSPEDisas *d)
{
    close_charge(d);
    if (d->check) {
        set_constant(d->check, 1, d->total);
    }
}

void arm_spe_gen_tb_end(ARMSPEDisas *d)
{
    if (!d->leave) {
        return;
    }
    gen_set_label(d->leave);
    if (d->mode == ARM_SPE_COUNT) {
        gen_sync_pc(d);
        gen_helper_spe_step(tcg_env);
    }
    gen_leave(d->db, d->mode == ARM_SPE_COUNT ? d->total : 1);
}

void arm_spe_gen_psb_csync(void)
{
    gen_helper_spe_psb_csync(tcg_env);
}

void arm_spe_gen_set_pm(int imm)
{
    gen_helper_spe_set_pm(tcg_env, tcg_constant_i32(imm));
}
