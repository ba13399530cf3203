/*
 * Arm Statistical Profiling Extension: the part of FEAT_FGT2 for the SPU.
 *
 * Together with EL2, the features FEAT_SPE_FDS, FEAT_SPE_nVM and FEAT_EBEP
 * need FEAT_FGT2 (A2.2, A2.3), which QEMU lacks.  Its five registers are
 * here.  Two of their fields trap accesses to registers of the SPU.  The other
 * fields trap what QEMU does not implement, and are RES0.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "qemu/osdep.h"
#include "cpu.h"
#include "internals.h"
#include "cpregs.h"
#include "regs.h"
#include "../spe.h"

bool spe_fgt2_traps(CPUARMState *env, uint64_t bit, bool isread)
{
    ARMSPEState *s = env->spe;

    if (!s->fgt2 || arm_current_el(env) != 1 ||
        !arm_is_el2_enabled(env)) {
        return false;
    }
    if (arm_feature(env, ARM_FEATURE_EL3) &&
        !(env->cp15.scr_el3 & SCR_FGTEN2)) {
        return true;        /* the registers have the Effective value 0 */
    }
    return !((isread ? s->hdfgrtr2 : s->hdfgwtr2) & bit);
}

static CPAccessResult access_fgt2(CPUARMState *env, const ARMCPRegInfo *ri,
                                  bool isread)
{
    if (arm_current_el(env) == 2 && arm_feature(env, ARM_FEATURE_EL3) &&
        !(env->cp15.scr_el3 & SCR_FGTEN2)) {
        return CP_ACCESS_TRAP_EL3;
    }
    return CP_ACCESS_OK;
}

/* HDFGRTR2_EL2 has op2 0, HDFGWTR2_EL2 has 1. */
static uint64_t *field_of(CPUARMState *env, const ARMCPRegInfo *ri)
{
    return ri->opc2 ? &env->spe->hdfgwtr2 : &env->spe->hdfgrtr2;
}

static uint64_t fgt2_read(CPUARMState *env, const ARMCPRegInfo *ri)
{
    return *field_of(env, ri);
}

uint64_t spe_fgt2_value(CPUARMState *env, uint64_t value)
{
    const SPEConfig *c = &env->spe->config;

    return value & ((c->fds ? SPE_FGT2_NPMSDSFR : 0) |
                    (c->nvm ? SPE_FGT2_NPMBMAR : 0));
}

static void fgt2_write(CPUARMState *env, const ARMCPRegInfo *ri,
                       uint64_t value)
{
    *field_of(env, ri) = spe_fgt2_value(env, value);
}

#define FGT2_REG(NAME, opc2_, offset_) \
    .name = NAME, .state = ARM_CP_STATE_AA64, .opc0 = 3, .opc1 = 4, .crn = 3, \
    .crm = 1, .opc2 = opc2_, .access = PL2_RW, .accessfn = access_fgt2, \
    .nv2_redirect_offset = offset_

/* D24.2.66 to D24.2.74 */
static const ARMCPRegInfo fgt2_cpregs[] = {
    { FGT2_REG("HDFGRTR2_EL2", 0, 0x1a0), .type = ARM_CP_NO_RAW,
      .readfn = fgt2_read, .writefn = fgt2_write },
    { FGT2_REG("HDFGWTR2_EL2", 1, 0x1b0), .type = ARM_CP_NO_RAW,
      .readfn = fgt2_read, .writefn = fgt2_write },
    { FGT2_REG("HFGRTR2_EL2", 2, 0x2c0), .type = ARM_CP_CONST,
      .resetvalue = 0 },
    { FGT2_REG("HFGWTR2_EL2", 3, 0x2c8), .type = ARM_CP_CONST,
      .resetvalue = 0 },
    { FGT2_REG("HFGITR2_EL2", 7, 0x310), .type = ARM_CP_CONST,
      .resetvalue = 0 },
};

void spe_fgt2_realize(ARMSPEState *s)
{
    ARMISARegisters *isar = &s->cpu->isar;

    if (s->fgt2) {
        isar->id_aa64mmfr0 = FIELD_DP64(isar->id_aa64mmfr0, ID_AA64MMFR0, FGT,
                                        2);
    }
}

void spe_fgt2_define_cpregs(ARMCPU *cpu)
{
    if (cpu->env.spe->fgt2) {
        define_arm_cp_regs(cpu, fgt2_cpregs);
    }
}
