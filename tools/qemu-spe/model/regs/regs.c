/*
 * Arm Statistical Profiling Extension: System registers (D24.7).
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "qemu/osdep.h"
#include "cpu.h"
#include "internals.h"
#include "cpregs.h"
#include "regs.h"
#include "../control/control.h"
#include "../spe.h"
#include "../state/state.h"

/* A control of MDCR_EL3 that traps if it is 0 */
static CPAccessResult trap_unless(CPUARMState *env, bool enabled,
                                  CPAccessResult otherwise)
{
    if (otherwise == CP_ACCESS_OK && arm_feature(env, ARM_FEATURE_EL3) &&
        arm_current_el(env) < 3 && !enabled) {
        return CP_ACCESS_TRAP_EL3;
    }
    return otherwise;
}

static CPAccessResult access_pmsnevfr(CPUARMState *env, const ARMCPRegInfo *ri,
                                      bool isread)
{
    return trap_unless(env,
                       FIELD_EX64(env->cp15.mdcr_el3, SPE_MDCR_EL3, ENPMSN),
                       spe_access_pms(env, ri, isread));
}

static CPAccessResult access_pmsdsfr(CPUARMState *env, const ARMCPRegInfo *ri,
                                     bool isread)
{
    CPAccessResult result = spe_fgt2_traps(env, SPE_FGT2_NPMSDSFR, isread)
                            ? CP_ACCESS_TRAP_EL2
                            : spe_access_pms(env, ri, isread);

    return trap_unless(env,
                       FIELD_EX64(env->cp15.mdcr_el3, SPE_MDCR_EL3, ENPMS3),
                       result);
}

static CPAccessResult access_pmscr_el2(CPUARMState *env,
                                       const ARMCPRegInfo *ri, bool isread)
{
    /* At EL1, only an access that FEAT_NV traps to EL2 comes here. */
    return arm_current_el(env) == 2 && spe_nspb_traps(env)
           ? CP_ACCESS_TRAP_EL3 : CP_ACCESS_OK;
}

/* A register without side effects: its place, and the bits that exist */
typedef struct SPEPlainReg {
    size_t offset;
    uint64_t mask;
} SPEPlainReg;

static uint64_t *plain(CPUARMState *env, const ARMCPRegInfo *ri)
{
    const SPEPlainReg *reg = ri->opaque;

    return (uint64_t *)((char *)env->spe + reg->offset);
}

static uint64_t plain_read(CPUARMState *env, const ARMCPRegInfo *ri)
{
    return *plain(env, ri);
}

static void plain_write(CPUARMState *env, const ARMCPRegInfo *ri,
                        uint64_t value)
{
    const SPEPlainReg *reg = ri->opaque;

    spe_count_write(env, ri, value);
    *plain(env, ri) = value & reg->mask;
}

/* The bits of unimplemented events are RAZ/WI (D24.7.11). */
static void event_filter_write(CPUARMState *env, const ARMCPRegInfo *ri,
                               uint64_t value)
{
    spe_count_write(env, ri, value);
    *plain(env, ri) = value & env->spe->event_mask;
}

static void pmsfcr_write(CPUARMState *env, const ARMCPRegInfo *ri,
                         uint64_t value)
{
    spe_count_write(env, ri, value);
    env->spe->pmsfcr = spe_pmsfcr_value(env, value);
}

static void pmblimitr_write(CPUARMState *env, const ARMCPRegInfo *ri,
                            uint64_t value)
{
    spe_count_write(env, ri, value);
    if (spe_write_begins(env, ri, SPE_REG_LIMIT, value)) {
        env->spe->pmblimitr = spe_pmblimitr_value(env, value);
        spe_write_ends(env, ri, SPE_REG_LIMIT, value);
    }
}

static void pmbptr_write(CPUARMState *env, const ARMCPRegInfo *ri,
                         uint64_t value)
{
    spe_count_write(env, ri, value);
    if (spe_write_begins(env, ri, SPE_REG_POINTER, value)) {
        env->spe->pmbptr = value;
        spe_write_ends(env, ri, SPE_REG_POINTER, value);
    }
}

/* MINLAT has as many bits as the counters. */
static void pmslatfr_write(CPUARMState *env, const ARMCPRegInfo *ri,
                           uint64_t value)
{
    spe_count_write(env, ri, value);
    env->spe->pmslatfr = value & env->spe->format.counter_max;
}

/* ELIsInHost(EL2): the name PMSCR_EL1 accesses PMSCR_EL2. */
static bool reaches_el2(CPUARMState *env)
{
    return arm_current_el(env) == 2 && (arm_hcr_el2_eff(env) & HCR_E2H);
}

static uint64_t pmscr_el1_read(CPUARMState *env, const ARMCPRegInfo *ri)
{
    return reaches_el2(env) ? env->spe->pmscr_el2 : env->spe->pmscr_el1;
}

static void pmscr_el1_write(CPUARMState *env, const ARMCPRegInfo *ri,
                            uint64_t value)
{
    spe_count_write(env, ri, value);
    if (reaches_el2(env)) {
        env->spe->pmscr_el2 = spe_pmscr_value(env, value);
    } else {
        env->spe->pmscr_el1 = spe_pmscr_el1_value(env, value);
    }
}

static uint64_t pmscr_el12_read(CPUARMState *env, const ARMCPRegInfo *ri)
{
    return env->spe->pmscr_el1;
}

static void pmscr_el12_write(CPUARMState *env, const ARMCPRegInfo *ri,
                             uint64_t value)
{
    spe_count_write(env, ri, value);
    env->spe->pmscr_el1 = spe_pmscr_el1_value(env, value);
}

static uint64_t pmscr_el2_read(CPUARMState *env, const ARMCPRegInfo *ri)
{
    return env->spe->pmscr_el2;
}

static void pmscr_el2_write(CPUARMState *env, const ARMCPRegInfo *ri,
                            uint64_t value)
{
    spe_count_write(env, ri, value);
    env->spe->pmscr_el2 = spe_pmscr_value(env, value);
}

static uint64_t pmsicr_read(CPUARMState *env, const ARMCPRegInfo *ri)
{
    spe_sync_counters(env);
    return env->spe->pmsicr;
}

static void pmsicr_write(CPUARMState *env, const ARMCPRegInfo *ri,
                         uint64_t value)
{
    spe_count_write(env, ri, value);
    spe_set_pmsicr(env, spe_pmsicr_value(env, value));
}

static void pmsirr_write(CPUARMState *env, const ARMCPRegInfo *ri,
                         uint64_t value)
{
    spe_count_write(env, ri, value);
    spe_set_pmsirr(env, value & (R_PMSIRR_RND_MASK | R_PMSIRR_INTERVAL_MASK));
}

/* P: a higher Exception level or another Security state owns the buffer. */
static uint64_t pmbidr_read(CPUARMState *env, const ARMCPRegInfo *ri)
{
    int el = arm_current_el(env);
    bool p = el < 3 && (!spe_in_owning_security_state(env, el) ||
                        el < spe_owning_el(env));

    return env->spe->pmbidr | (uint64_t)p << R_PMBIDR_P_SHIFT |
           (uint64_t)(!p && spe_effective_envm(env)) << R_PMBIDR_ADDRMODE_SHIFT;
}

#define PLAIN(FIELD, MASK) \
    .opaque = &(SPEPlainReg) { offsetof(ARMSPEState, FIELD), MASK }

/*
 * vmstate_spe migrates the registers, hence NO_RAW.  The SPU changes them on
 * its own, so none has a fieldoffset.
 */
#define SPE_REG(NAME, crm_, op2_, access_, accessfn_) \
    .name = NAME, .state = ARM_CP_STATE_AA64, .type = ARM_CP_NO_RAW, \
    .opc0 = 3, .opc1 = 0, .crn = 9, .crm = crm_, .opc2 = op2_, \
    .access = access_, .accessfn = accessfn_

#define SPE_FGT(BIT) .fgt = (FGTBit)(FGT_HDFGRTR | R_HDFGRTR_EL2_##BIT##_SHIFT)
#define SPE_FGT_REV(BIT) .fgt = (FGTBit)(FGT_HDFGRTR | FGT_REV | \
                                         R_HDFGRTR_EL2_##BIT##_SHIFT)

static const ARMCPRegInfo spe_cpregs[] = {
    { SPE_REG("PMSCR_EL1", 9, 0, PL1_RW, spe_access_pms), SPE_FGT(PMSCR_EL1),
      .nv2_redirect_offset = 0x828 | NV2_REDIR_NV1,
      .readfn = pmscr_el1_read, .writefn = pmscr_el1_write },
    { SPE_REG("PMSICR_EL1", 9, 2, PL1_RW, spe_access_pms), SPE_FGT(PMSICR_EL1),
      .nv2_redirect_offset = 0x838,
      .readfn = pmsicr_read, .writefn = pmsicr_write },
    { SPE_REG("PMSIRR_EL1", 9, 3, PL1_RW, spe_access_pms), SPE_FGT(PMSIRR_EL1),
      .nv2_redirect_offset = 0x840,
      PLAIN(pmsirr, 0), .readfn = plain_read, .writefn = pmsirr_write },
    { SPE_REG("PMSFCR_EL1", 9, 4, PL1_RW, spe_access_pms), SPE_FGT(PMSFCR_EL1),
      PLAIN(pmsfcr, 0),
      .readfn = plain_read, .writefn = pmsfcr_write },
    { SPE_REG("PMSEVFR_EL1", 9, 5, PL1_RW, spe_access_pms),
      SPE_FGT(PMSEVFR_EL1),
      .nv2_redirect_offset = 0x830,
      PLAIN(pmsevfr, 0), .readfn = plain_read, .writefn = event_filter_write },
    { SPE_REG("PMSLATFR_EL1", 9, 6, PL1_RW, spe_access_pms),
      SPE_FGT(PMSLATFR_EL1),
      .nv2_redirect_offset = 0x848, PLAIN(pmslatfr, 0),
      .readfn = plain_read, .writefn = pmslatfr_write },
    { SPE_REG("PMSIDR_EL1", 9, 7, PL1_R, spe_access_pms), SPE_FGT(PMSIDR_EL1),
      PLAIN(pmsidr, 0), .readfn = plain_read },
    { SPE_REG("PMBLIMITR_EL1", 10, 0, PL1_RW, spe_access_pmb),
      SPE_FGT(PMBLIMITR_EL1), .nv2_redirect_offset = 0x800,
      PLAIN(pmblimitr, 0),
      .readfn = plain_read, .writefn = pmblimitr_write },
    { SPE_REG("PMBPTR_EL1", 10, 1, PL1_RW, spe_access_pmb), SPE_FGT(PMBPTR_EL1),
      .nv2_redirect_offset = 0x810, PLAIN(pmbptr, 0),
      .readfn = plain_read, .writefn = pmbptr_write },
    { SPE_REG("PMBIDR_EL1", 10, 7, PL1_R, NULL), SPE_FGT(PMBIDR_EL1),
      .readfn = pmbidr_read },
};

static const ARMCPRegInfo spe_fne_cpregs[] = {
    { SPE_REG("PMSNEVFR_EL1", 9, 1, PL1_RW, access_pmsnevfr),
      SPE_FGT_REV(NPMSNEVFR_EL1), .nv2_redirect_offset = 0x850,
      PLAIN(pmsnevfr, 0), .readfn = plain_read, .writefn = event_filter_write },
};

static const ARMCPRegInfo spe_fds_cpregs[] = {
    { SPE_REG("PMSDSFR_EL1", 10, 4, PL1_RW, access_pmsdsfr),
      .nv2_redirect_offset = 0x858, PLAIN(pmsdsfr, UINT64_MAX),
      .readfn = plain_read, .writefn = plain_write },
};

static const ARMCPRegInfo spe_el2_cpregs[] = {
    { .name = "PMSCR_EL2", .state = ARM_CP_STATE_AA64,
      .opc0 = 3, .opc1 = 4, .crn = 9, .crm = 9, .opc2 = 0,
      .access = PL2_RW, .accessfn = access_pmscr_el2, .type = ARM_CP_NO_RAW,
      .readfn = pmscr_el2_read, .writefn = pmscr_el2_write },
};

/*
 * QEMU's table of such aliases would apply the fine-grained trap of PMSCR_EL1
 * to it, so define it here.
 */
static const ARMCPRegInfo pmscr_el12_reg = {
    .name = "PMSCR_EL12", .state = ARM_CP_STATE_AA64, .type = ARM_CP_NO_RAW,
    .opc0 = 3, .opc1 = 5, .crn = 9, .crm = 9, .opc2 = 0,
    .access = PL2_RW, .accessfn = spe_access_el12,
    .nv2_redirect_offset = 0x828 | NV2_REDIR_NO_NV1,
    .readfn = pmscr_el12_read, .writefn = pmscr_el12_write,
};

void arm_spe_define_cpregs(ARMCPU *cpu)
{
    spe_icache_define_cpreg(cpu);
    if (!arm_spe_isar_feature(&cpu->isar)) {
        return;
    }
    define_arm_cp_regs(cpu, spe_cpregs);
    spe_define_exc_cpregs(cpu);
    spe_inject_define_cpreg(cpu);
    spe_nvm_define_cpreg(cpu);
    spe_fgt2_define_cpregs(cpu);
    if (cpu->env.spe->config.fne) {
        define_arm_cp_regs(cpu, spe_fne_cpregs);
    }
    if (cpu->env.spe->config.fds) {
        define_arm_cp_regs(cpu, spe_fds_cpregs);
    }
    if (arm_feature(&cpu->env, ARM_FEATURE_EL2) ||
        arm_feature(&cpu->env, ARM_FEATURE_EL3)) {
        define_arm_cp_regs(cpu, spe_el2_cpregs);
    }
    if (arm_feature(&cpu->env, ARM_FEATURE_EL2) &&
        cpu_isar_feature(aa64_vh, cpu)) {
        define_one_arm_cp_reg(cpu, &pmscr_el12_reg);
    }
}
