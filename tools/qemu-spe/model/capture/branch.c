/*
 * Arm Statistical Profiling Extension: the previous branch target
 * (FEAT_SPE_PBT, D17.6.3.1).
 *
 * With the feature, translated code calls the model before each branch while
 * it counts operations.  A sampled branch has been captured by then, so its
 * record has the target of the branch before it.
 *
 * Implementation choices: any operation records the target; a context
 * synchronization event does not invalidate it unless it is an exception or
 * exception return; exception returns record no target.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "qemu/osdep.h"
#include "cpu.h"
#include "internals.h"
#include "exec/exec-all.h"
#include "exec/helper-proto.h"
#include "capture.h"
#include "../control/control.h"
#include "../insn/insn.h"
#include "../state/state.h"

bool arm_spe_tells_branches;

/* The branch target without its PAC: where the branch goes if the PAC is right */
static uint64_t authenticated(CPUARMState *env, uint32_t insn,
                              uint64_t target)
{
    bool key_b = spe_bits(insn, 10, 10);
    ARMVAParameters param;
    uint64_t mask;

    if (!spe_bits(insn, 11, 11) ||
        !(arm_sctlr(env, arm_current_el(env)) &
          (key_b ? SCTLR_EnIB : SCTLR_EnIA))) {
        return target;
    }
    param = aa64_va_parameters(env, target, arm_stage1_mmu_idx(env), false,
                               false);
    mask = pauth_ptr_mask(param);
    return extract64(target, 55, 1) ? target | mask : target & ~mask;
}

static uint64_t branch_target(CPUARMState *env, uint32_t insn,
                              const SPEInsn *decoded, uint64_t pc)
{
    if (decoded->flags & SPE_INSN_IND) {
        int rn = spe_bits(insn, 9, 5);
        bool lr = (decoded->flags & SPE_INSN_RET) && spe_bits(insn, 11, 11);

        return authenticated(env, insn, spe_read_x(env, lr ? 30 : rn));
    }
    if ((insn & 0x7c000000) == 0x14000000) {
        return pc + spe_sbits(insn, 25, 0) * 4;
    }
    if ((insn & 0x7e000000) == 0x36000000) {
        return pc + spe_sbits(insn, 18, 5) * 4;
    }
    return pc + spe_sbits(insn, 23, 5) * 4;
}

/* @offset: of the branch within the page that env->pc points to */
void HELPER(spe_branch)(CPUARMState *env, uint32_t insn, uint32_t offset)
{
    ARMSPEState *s = env->spe;
    uint64_t pc = (env->pc & TARGET_PAGE_MASK) | offset;
    SPEInsn decoded;

    if (!s->config.pbt || s->activity != SPE_PROFILING) {
        return;
    }
    spe_insn_decode(insn, &decoded);
    if ((decoded.flags & SPE_INSN_ERET) ||
        !spe_condition_passes(env, &decoded)) {
        return;
    }
    s->previous =
        spe_instruction_address(branch_target(env, insn, &decoded, pc),
                                arm_current_el(env), false) |
        spe_packet_space(arm_security_space(env));
    s->previous_valid = true;
}
