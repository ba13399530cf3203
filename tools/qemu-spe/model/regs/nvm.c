/*
 * Arm Statistical Profiling Extension: PMBMAR_EL1 of FEAT_SPE_nVM (D24.7.3).
 *
 * Simplification: software can write it, but QEMU has no memory types.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "qemu/osdep.h"
#include "cpu.h"
#include "cpregs.h"
#include "regs.h"
#include "../state/state.h"

FIELD(PMBMAR, ATTR, 0, 8)
FIELD(PMBMAR, SH, 8, 2)

static CPAccessResult access_pmbmar(CPUARMState *env, const ARMCPRegInfo *ri,
                                    bool isread)
{
    CPAccessResult result = spe_access_pmb(env, ri, isread);

    if (spe_fgt2_traps(env, SPE_FGT2_NPMBMAR, isread)) {
        return CP_ACCESS_TRAP_EL2;
    }
    if ((result == CP_ACCESS_OK || result == CP_ACCESS_TRAP_EL3) &&
        arm_feature(env, ARM_FEATURE_EL3) && arm_current_el(env) < 3 &&
        !FIELD_EX64(env->cp15.mdcr_el3, SPE_MDCR_EL3, ENPMS4)) {
        return CP_ACCESS_TRAP_EL3;
    }
    return result;
}

static uint64_t pmbmar_read(CPUARMState *env, const ARMCPRegInfo *ri)
{
    return env->spe->pmbmar;
}

uint64_t spe_pmbmar_value(uint64_t value)
{
    return value & (R_PMBMAR_ATTR_MASK | R_PMBMAR_SH_MASK);
}

static void pmbmar_write(CPUARMState *env, const ARMCPRegInfo *ri,
                         uint64_t value)
{
    spe_count_write(env, ri, value);
    env->spe->pmbmar = spe_pmbmar_value(value);
}

static const ARMCPRegInfo pmbmar = {
    .name = "PMBMAR_EL1", .state = ARM_CP_STATE_AA64, .type = ARM_CP_NO_RAW,
    .opc0 = 3, .opc1 = 0, .crn = 9, .crm = 10, .opc2 = 5,
    .access = PL1_RW, .accessfn = access_pmbmar,
    .readfn = pmbmar_read, .writefn = pmbmar_write,
};

void spe_nvm_define_cpreg(ARMCPU *cpu)
{
    if (cpu->env.spe->config.nvm) {
        define_one_arm_cp_reg(cpu, &pmbmar);
    }
}
