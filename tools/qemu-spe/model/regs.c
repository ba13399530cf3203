/*
 * Arm Statistical Profiling Extension: System registers (D24.7).
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "qemu/osdep.h"
#include "cpu.h"
#include "internals.h"
#include "cpregs.h"
#include "spe.h"
#include "state.h"

/* CheckMDCR_EL3_NSPBTrap() */
static bool nspb_traps(CPUARMState *env)
{
    int nspb = FIELD_EX64(env->cp15.mdcr_el3, SPE_MDCR_EL3, NSPB);

    if (!arm_feature(env, ARM_FEATURE_EL3) || arm_current_el(env) == 3) {
        return false;
    }
    return !(nspb & 1) || nspb >> 1 == arm_is_secure_below_el3(env);
}

static CPAccessResult access_pms(CPUARMState *env, const ARMCPRegInfo *ri,
                                 bool isread)
{
    if (arm_current_el(env) == 1 &&
        FIELD_EX64(arm_mdcr_el2_eff(env), SPE_MDCR_EL2, TPMS)) {
        return CP_ACCESS_TRAP_EL2;
    }
    return nspb_traps(env) ? CP_ACCESS_TRAP_EL3 : CP_ACCESS_OK;
}

static CPAccessResult access_pmsnevfr(CPUARMState *env, const ARMCPRegInfo *ri,
                                      bool isread)
{
    CPAccessResult result = access_pms(env, ri, isread);

    if (result == CP_ACCESS_OK && arm_feature(env, ARM_FEATURE_EL3) &&
        arm_current_el(env) < 3 &&
        !FIELD_EX64(env->cp15.mdcr_el3, SPE_MDCR_EL3, ENPMSN)) {
        return CP_ACCESS_TRAP_EL3;
    }
    return result;
}

static CPAccessResult access_pmsdsfr(CPUARMState *env, const ARMCPRegInfo *ri,
                                     bool isread)
{
    CPAccessResult result = access_pms(env, ri, isread);

    if (result == CP_ACCESS_OK && arm_feature(env, ARM_FEATURE_EL3) &&
        arm_current_el(env) < 3 &&
        !FIELD_EX64(env->cp15.mdcr_el3, SPE_MDCR_EL3, ENPMS3)) {
        return CP_ACCESS_TRAP_EL3;
    }
    return result;
}

static CPAccessResult access_pmb(CPUARMState *env, const ARMCPRegInfo *ri,
                                 bool isread)
{
    if (arm_current_el(env) == 1 && arm_is_el2_enabled(env) &&
        !(FIELD_EX64(env->cp15.mdcr_el2, SPE_MDCR_EL2, E2PB) & 1)) {
        return CP_ACCESS_TRAP_EL2;
    }
    return nspb_traps(env) ? CP_ACCESS_TRAP_EL3 : CP_ACCESS_OK;
}

/* Each register: how it is read, and which bits a write reaches. */

static uint64_t pmscr_el1_read(CPUARMState *env, const ARMCPRegInfo *ri)
{
    return env->spe->pmscr_el1;
}

static uint64_t pmscr_mask(void)
{
    return R_PMSCR_E0SPE_MASK | R_PMSCR_E1SPE_MASK | R_PMSCR_CX_MASK |
           R_PMSCR_PA_MASK | R_PMSCR_TS_MASK | R_PMSCR_PCT_MASK;
}

static void pmscr_el1_write(CPUARMState *env, const ARMCPRegInfo *ri,
                            uint64_t value)
{
    ARMSPEState *s = env->spe;

    value &= pmscr_mask();
    if (!arm_feature(env, ARM_FEATURE_EL2)) {
        /* PCT reads as 01 and ignores writes */
        value = FIELD_DP64(value, PMSCR, PCT, 1);
    } else if (!cpu_isar_feature(aa64_ecv, env_archcpu(env))) {
        value = FIELD_DP64(value, PMSCR, PCT,
                           FIELD_EX64(value, PMSCR, PCT) & 1);
    }
    s->pmscr_el1 = value;
}

static uint64_t pmscr_el2_read(CPUARMState *env, const ARMCPRegInfo *ri)
{
    return env->spe->pmscr_el2;
}

static void pmscr_el2_write(CPUARMState *env, const ARMCPRegInfo *ri,
                            uint64_t value)
{
    value &= pmscr_mask();
    if (!cpu_isar_feature(aa64_ecv, env_archcpu(env))) {
        value = FIELD_DP64(value, PMSCR, PCT,
                           FIELD_EX64(value, PMSCR, PCT) & 1);
    }
    env->spe->pmscr_el2 = value;
}

static uint64_t pmsicr_read(CPUARMState *env, const ARMCPRegInfo *ri)
{
    spe_sync_counters(env);
    return env->spe->pmsicr;
}

static void pmsicr_write(CPUARMState *env, const ARMCPRegInfo *ri,
                         uint64_t value)
{
    uint64_t mask = R_PMSICR_COUNT_MASK;

    if (FIELD_EX64(env->spe->pmsidr, PMSIDR, ERND)) {
        mask |= R_PMSICR_ECOUNT_MASK;
    }
    spe_set_pmsicr(env, value & mask);
}

static uint64_t pmsirr_read(CPUARMState *env, const ARMCPRegInfo *ri)
{
    return env->spe->pmsirr;
}

static void pmsirr_write(CPUARMState *env, const ARMCPRegInfo *ri,
                         uint64_t value)
{
    env->spe->pmsirr = value & (R_PMSIRR_RND_MASK | R_PMSIRR_INTERVAL_MASK);
}

static uint64_t pmsfcr_read(CPUARMState *env, const ARMCPRegInfo *ri)
{
    return env->spe->pmsfcr;
}

static void pmsfcr_write(CPUARMState *env, const ARMCPRegInfo *ri,
                         uint64_t value)
{
    env->spe->pmsfcr = value & (R_PMSFCR_FE_MASK | R_PMSFCR_FT_MASK |
                                R_PMSFCR_FL_MASK | R_PMSFCR_FNE_MASK |
                                R_PMSFCR_FDS_MASK | R_PMSFCR_B_MASK |
                                R_PMSFCR_LD_MASK | R_PMSFCR_ST_MASK);
}

static uint64_t pmsevfr_read(CPUARMState *env, const ARMCPRegInfo *ri)
{
    return env->spe->pmsevfr;
}

static void pmsevfr_write(CPUARMState *env, const ARMCPRegInfo *ri,
                          uint64_t value)
{
    env->spe->pmsevfr = value & env->spe->event_mask;
}

static uint64_t pmsnevfr_read(CPUARMState *env, const ARMCPRegInfo *ri)
{
    return env->spe->pmsnevfr;
}

static void pmsnevfr_write(CPUARMState *env, const ARMCPRegInfo *ri,
                           uint64_t value)
{
    env->spe->pmsnevfr = value & env->spe->event_mask;
}

static uint64_t pmslatfr_read(CPUARMState *env, const ARMCPRegInfo *ri)
{
    return env->spe->pmslatfr;
}

static void pmslatfr_write(CPUARMState *env, const ARMCPRegInfo *ri,
                           uint64_t value)
{
    env->spe->pmslatfr = value & SPE_COUNTER_MAX;
}

static uint64_t pmsdsfr_read(CPUARMState *env, const ARMCPRegInfo *ri)
{
    return env->spe->pmsdsfr;
}

static void pmsdsfr_write(CPUARMState *env, const ARMCPRegInfo *ri,
                          uint64_t value)
{
    env->spe->pmsdsfr = value;
}

static uint64_t pmsidr_read(CPUARMState *env, const ARMCPRegInfo *ri)
{
    return env->spe->pmsidr;
}

static uint64_t pmblimitr_read(CPUARMState *env, const ARMCPRegInfo *ri)
{
    return env->spe->pmblimitr;
}

static void pmblimitr_write(CPUARMState *env, const ARMCPRegInfo *ri,
                            uint64_t value)
{
    env->spe->pmblimitr = value & (R_PMBLIMITR_E_MASK | R_PMBLIMITR_FM_MASK |
                                   R_PMBLIMITR_PMFZ_MASK |
                                   R_PMBLIMITR_LIMIT_MASK);
}

static uint64_t pmbptr_read(CPUARMState *env, const ARMCPRegInfo *ri)
{
    return env->spe->pmbptr;
}

static void pmbptr_write(CPUARMState *env, const ARMCPRegInfo *ri,
                         uint64_t value)
{
    env->spe->pmbptr = value;
}

static uint64_t pmbsr_read(CPUARMState *env, const ARMCPRegInfo *ri)
{
    return env->spe->pmbsr;
}

static void pmbsr_write(CPUARMState *env, const ARMCPRegInfo *ri,
                        uint64_t value)
{
    env->spe->pmbsr = value & (R_PMBSR_MSS_MASK | R_PMBSR_COLL_MASK |
                               R_PMBSR_S_MASK | R_PMBSR_EA_MASK |
                               R_PMBSR_DL_MASK | R_PMBSR_EC_MASK |
                               R_PMBSR_MSS2_MASK);
    spe_update_irq(env);
}

/* P: the buffer belongs to a higher Exception level or another state. */
static uint64_t pmbidr_read(CPUARMState *env, const ARMCPRegInfo *ri)
{
    int el = arm_current_el(env);
    bool p = el < 3 && (!spe_in_owning_security_state(env, el) ||
                        el < spe_owning_el(env));

    return FIELD_DP64(env->spe->pmbidr, PMBIDR, P, p);
}

/* Only what D24.7 gives a reset value, and the model's own state. */
static void pmsicr_reset(CPUARMState *env, const ARMCPRegInfo *ri)
{
    ARMSPEState *s = env->spe;

    spe_reset_activity(env);
    s->pmsicr = s->pmsirr = s->pmsfcr = 0;
    s->pmsevfr = s->pmsnevfr = s->pmslatfr = s->pmsdsfr = 0;
    s->pmblimitr = s->pmbptr = s->pmbsr = 0;
    s->pmscr_el2 = 0;
    pmscr_el1_write(env, NULL, 0);
    s->stopped = false;
}

#define SPE_REG(NAME, crm_, op2_, access_, accessfn_) \
    .name = NAME, .state = ARM_CP_STATE_AA64, \
    .opc0 = 3, .opc1 = 0, .crn = 9, .crm = crm_, .opc2 = op2_, \
    .access = access_, .accessfn = accessfn_

#define SPE_FGT(BIT) .fgt = (FGTBit)(FGT_HDFGRTR | R_HDFGRTR_EL2_##BIT##_SHIFT)
#define SPE_FGT_REV(BIT) .fgt = (FGTBit)(FGT_HDFGRTR | FGT_REV | \
                                         R_HDFGRTR_EL2_##BIT##_SHIFT)

/*
 * Migration knows these through vmstate_spe, hence NO_RAW; none of them may
 * be cached across a TB, since the SPU changes them on its own.
 */
static const ARMCPRegInfo spe_cpregs[] = {
    { SPE_REG("PMSCR_EL1", 9, 0, PL1_RW, access_pms), SPE_FGT(PMSCR_EL1),
      .type = ARM_CP_NO_RAW, .nv2_redirect_offset = 0x828 | NV2_REDIR_NV1,
      .readfn = pmscr_el1_read, .writefn = pmscr_el1_write },
    { SPE_REG("PMSNEVFR_EL1", 9, 1, PL1_RW, access_pmsnevfr),
      SPE_FGT_REV(NPMSNEVFR_EL1),
      .type = ARM_CP_NO_RAW, .nv2_redirect_offset = 0x850,
      .readfn = pmsnevfr_read, .writefn = pmsnevfr_write },
    { SPE_REG("PMSICR_EL1", 9, 2, PL1_RW, access_pms), SPE_FGT(PMSICR_EL1),
      .type = ARM_CP_NO_RAW, .nv2_redirect_offset = 0x838,
      .resetfn = pmsicr_reset,
      .readfn = pmsicr_read, .writefn = pmsicr_write },
    { SPE_REG("PMSIRR_EL1", 9, 3, PL1_RW, access_pms), SPE_FGT(PMSIRR_EL1),
      .type = ARM_CP_NO_RAW, .nv2_redirect_offset = 0x840,
      .readfn = pmsirr_read, .writefn = pmsirr_write },
    { SPE_REG("PMSFCR_EL1", 9, 4, PL1_RW, access_pms), SPE_FGT(PMSFCR_EL1),
      .type = ARM_CP_NO_RAW,
      .readfn = pmsfcr_read, .writefn = pmsfcr_write },
    { SPE_REG("PMSEVFR_EL1", 9, 5, PL1_RW, access_pms), SPE_FGT(PMSEVFR_EL1),
      .type = ARM_CP_NO_RAW, .nv2_redirect_offset = 0x830,
      .readfn = pmsevfr_read, .writefn = pmsevfr_write },
    { SPE_REG("PMSLATFR_EL1", 9, 6, PL1_RW, access_pms), SPE_FGT(PMSLATFR_EL1),
      .type = ARM_CP_NO_RAW, .nv2_redirect_offset = 0x848,
      .readfn = pmslatfr_read, .writefn = pmslatfr_write },
    { SPE_REG("PMSIDR_EL1", 9, 7, PL1_R, access_pms), SPE_FGT(PMSIDR_EL1),
      .type = ARM_CP_NO_RAW, .readfn = pmsidr_read },
    { SPE_REG("PMBLIMITR_EL1", 10, 0, PL1_RW, access_pmb),
      SPE_FGT(PMBLIMITR_EL1),
      .type = ARM_CP_NO_RAW, .nv2_redirect_offset = 0x800,
      .readfn = pmblimitr_read, .writefn = pmblimitr_write },
    { SPE_REG("PMBPTR_EL1", 10, 1, PL1_RW, access_pmb), SPE_FGT(PMBPTR_EL1),
      .type = ARM_CP_NO_RAW, .nv2_redirect_offset = 0x810,
      .readfn = pmbptr_read, .writefn = pmbptr_write },
    { SPE_REG("PMBSR_EL1", 10, 3, PL1_RW, access_pmb), SPE_FGT(PMBSR_EL1),
      .type = ARM_CP_NO_RAW | ARM_CP_IO, .nv2_redirect_offset = 0x820,
      .readfn = pmbsr_read, .writefn = pmbsr_write },
    { SPE_REG("PMSDSFR_EL1", 10, 4, PL1_RW, access_pmsdsfr),
      .type = ARM_CP_NO_RAW, .nv2_redirect_offset = 0x858,
      .readfn = pmsdsfr_read, .writefn = pmsdsfr_write },
    { SPE_REG("PMBIDR_EL1", 10, 7, PL1_R, NULL), SPE_FGT(PMBIDR_EL1),
      .type = ARM_CP_NO_RAW, .readfn = pmbidr_read },
};

static CPAccessResult access_pmscr_el2(CPUARMState *env,
                                       const ARMCPRegInfo *ri, bool isread)
{
    return nspb_traps(env) ? CP_ACCESS_TRAP_EL3 : CP_ACCESS_OK;
}

static const ARMCPRegInfo spe_el2_cpregs[] = {
    { .name = "PMSCR_EL2", .state = ARM_CP_STATE_AA64,
      .opc0 = 3, .opc1 = 4, .crn = 9, .crm = 9, .opc2 = 0,
      .access = PL2_RW, .accessfn = access_pmscr_el2, .type = ARM_CP_NO_RAW,
      .readfn = pmscr_el2_read, .writefn = pmscr_el2_write },
};

void arm_spe_define_cpregs(ARMCPU *cpu)
{
    if (!arm_spe_isar_feature(&cpu->isar)) {
        return;
    }
    define_arm_cp_regs(cpu, spe_cpregs);
    if (arm_feature(&cpu->env, ARM_FEATURE_EL2) ||
        arm_feature(&cpu->env, ARM_FEATURE_EL3)) {
        define_arm_cp_regs(cpu, spe_el2_cpregs);
    }
}
