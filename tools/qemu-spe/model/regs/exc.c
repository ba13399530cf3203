/*
 * Arm Statistical Profiling Extension: the System registers of FEAT_SPE_EXC
 * (D24.7.6, D24.7.7) and PM of FEAT_EBEP (C5.2).
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "qemu/osdep.h"
#include "cpu.h"
#include "internals.h"
#include "cpregs.h"
#include "cpu-features.h"
#include "exec/cpu_ldst.h"
#include "syndrome.h"
#include "regs.h"
#include "../control/control.h"

static CPAccessResult access_pmbsr_el2(CPUARMState *env,
                                       const ARMCPRegInfo *ri, bool isread)
{
    /* At EL1, only an access that FEAT_NV traps to EL2 comes here. */
    if (arm_current_el(env) == 2 &&
        (spe_nspb_traps(env) ||
         spe_effective_pmsee(env) == SPE_EE_DISABLED)) {
        return CP_ACCESS_TRAP_EL3;
    }
    return CP_ACCESS_OK;
}

/* The ELx of PMBSR_ELx; 1 for PMBSR_EL12 */
static int el_of(const ARMCPRegInfo *ri)
{
    return ri->opc1 == 6 ? 3 : ri->opc1 == 4 ? 2 : 1;
}

static uint64_t pmbsr_read(CPUARMState *env, const ARMCPRegInfo *ri)
{
    return *spe_pmbsr(env->spe, el_of(ri));
}

static void pmbsr_write(CPUARMState *env, const ARMCPRegInfo *ri,
                        uint64_t value)
{
    spe_count_write(env, ri, value);
    *spe_pmbsr(env->spe, el_of(ri)) = value & SPE_PMBSR_BITS;
    spe_update_irq(env);
}

/* For the names PMBSR_EL1 and PMBSR_EL12: the PE might ignore the write. */
static void pmbsr_el1_set(CPUARMState *env, const ARMCPRegInfo *ri,
                          uint64_t *pmbsr, uint64_t value)
{
    spe_count_write(env, ri, value);
    if (spe_write_begins(env, ri, SPE_REG_STATUS, value)) {
        *pmbsr = value & SPE_PMBSR_BITS;
        spe_write_ends(env, ri, SPE_REG_STATUS, value);
        spe_update_irq(env);
    }
}

static void pmbsr_el12_write(CPUARMState *env, const ARMCPRegInfo *ri,
                             uint64_t value)
{
    pmbsr_el1_set(env, ri, spe_pmbsr(env->spe, 1), value);
}

/*
 * The register that the name PMBSR_EL1 accesses.  With E2H that is PMBSR_EL2
 * at EL2, provided that EL2 takes part in reporting.
 */
static uint64_t *named_pmbsr_el1(CPUARMState *env)
{
    bool at_el2 = arm_current_el(env) == 2 &&
                  (arm_hcr_el2_eff(env) & HCR_E2H) &&
                  spe_effective_ee_el2(env) != SPE_EE_DISABLED;

    return spe_pmbsr(env->spe, at_el2 ? 2 : 1);
}

/*
 * Translated code accesses it in the same way: in EL2's regime and endianness,
 * with VNCR in the ESR.
 */
static MemOpIdx memory_access(CPUARMState *env, bool write)
{
    bool host = arm_hcr_el2_eff(env) & HCR_E2H;
    bool big = env->cp15.sctlr_el[2] & SCTLR_EE;

    env->exception.syndrome =
        (syn_data_abort_vncr(0, write, 0) & ARM_INSN_START_WORD2_MASK) >>
        ARM_INSN_START_WORD2_SHIFT << ARM_INSN_START_WORD2_SHIFT;
    return make_memop_idx(MO_64 | MO_ALIGN | (big ? MO_BE : MO_LE),
                          arm_to_core_mmu_idx(host ? ARMMMUIdx_E20_2
                                                   : ARMMMUIdx_E2));
}

static uint64_t pmbsr_el1_read(CPUARMState *env, const ARMCPRegInfo *ri)
{
    if (spe_pmbsr_el1_in_memory(env)) {
        return cpu_ldq_mmu(env, env->cp15.vncr_el2 + SPE_NV2_PMBSR_EL1,
                           memory_access(env, false), 0);
    }
    return *named_pmbsr_el1(env);
}

static void pmbsr_el1_write(CPUARMState *env, const ARMCPRegInfo *ri,
                            uint64_t value)
{
    if (spe_pmbsr_el1_in_memory(env)) {
        spe_count_write(env, ri, value);
        cpu_stq_mmu(env, env->cp15.vncr_el2 + SPE_NV2_PMBSR_EL1, value,
                    memory_access(env, true), 0);
        return;
    }
    pmbsr_el1_set(env, ri, named_pmbsr_el1(env), value);
}

static uint64_t pm_read(CPUARMState *env, const ARMCPRegInfo *ri)
{
    return (uint64_t)env->spe->pm << 32;
}

static void pm_write(CPUARMState *env, const ARMCPRegInfo *ri, uint64_t value)
{
    env->spe->pm = extract64(value, 32, 1);
    spe_recheck_irq(env);
}

static const ARMCPRegInfo pmbsr_regs[] = {
    { .name = "PMBSR_EL2", .state = ARM_CP_STATE_AA64, .type = ARM_CP_NO_RAW,
      .opc0 = 3, .opc1 = 4, .crn = 9, .crm = 10, .opc2 = 3,
      .access = PL2_RW, .accessfn = access_pmbsr_el2,
      .readfn = pmbsr_read, .writefn = pmbsr_write },
    { .name = "PMBSR_EL3", .state = ARM_CP_STATE_AA64, .type = ARM_CP_NO_RAW,
      .opc0 = 3, .opc1 = 6, .crn = 9, .crm = 10, .opc2 = 3,
      .access = PL3_RW,
      .readfn = pmbsr_read, .writefn = pmbsr_write },
};

static const ARMCPRegInfo pmbsr_el12_reg = {
    .name = "PMBSR_EL12", .state = ARM_CP_STATE_AA64, .type = ARM_CP_NO_RAW,
    .opc0 = 3, .opc1 = 5, .crn = 9, .crm = 10, .opc2 = 3,
    .access = PL2_RW, .accessfn = spe_access_el12,
    .nv2_redirect_offset = SPE_NV2_PMBSR_EL1 | NV2_REDIR_NO_NV1,
    .readfn = pmbsr_read, .writefn = pmbsr_el12_write,
};

/* Without FEAT_SPE_EXC, translated code handles the NV2 access. */
static const ARMCPRegInfo pmbsr_el1_reg = {
    .name = "PMBSR_EL1", .state = ARM_CP_STATE_AA64, .type = ARM_CP_NO_RAW,
    .opc0 = 3, .opc1 = 0, .crn = 9, .crm = 10, .opc2 = 3,
    .access = PL1_RW, .accessfn = spe_access_pmb,
    .fgt = (FGTBit)(FGT_HDFGRTR | R_HDFGRTR_EL2_PMBSR_EL1_SHIFT),
    .readfn = pmbsr_el1_read, .writefn = pmbsr_el1_write,
};

static const ARMCPRegInfo pm_reg = {
    .name = "PM", .state = ARM_CP_STATE_AA64, .type = ARM_CP_NO_RAW,
    .opc0 = 3, .opc1 = 0, .crn = 4, .crm = 3, .opc2 = 1,
    .access = PL1_RW, .readfn = pm_read, .writefn = pm_write,
};

/* In QEMU ID_AA64DFR2_EL1 is constant and 0, so set its reset value. */
static void set_id_aa64dfr2(ARMCPU *cpu)
{
    SPEConfig *c = &cpu->env.spe->config;
    ARMCPRegInfo *ri = (ARMCPRegInfo *)
        get_arm_cp_reginfo(cpu->cp_regs, ENCODE_AA64_CP_REG(
            CP_REG_ARM64_SYSREG_CP, 0, 5, 3, 0, 2));

    ri->resetvalue = FIELD_DP64(ri->resetvalue, ID_AA64DFR2, SPE_EXC, c->exc);
    ri->resetvalue = FIELD_DP64(ri->resetvalue, ID_AA64DFR2, SPE_NVM, c->nvm);
}

void spe_define_exc_cpregs(ARMCPU *cpu)
{
    ARMSPEState *s = cpu->env.spe;
    ARMCPRegInfo pmbsr_el1 = pmbsr_el1_reg;

    if (s->config.exc) {
        pmbsr_el1.type |= ARM_CP_IO;    /* VNCR_EL2 may point to a device */
    } else {
        pmbsr_el1.nv2_redirect_offset = SPE_NV2_PMBSR_EL1;
    }
    define_one_arm_cp_reg(cpu, &pmbsr_el1);
    set_id_aa64dfr2(cpu);
    if (!s->config.exc) {
        return;
    }
    define_arm_cp_regs(cpu, pmbsr_regs);
    if (arm_feature(&cpu->env, ARM_FEATURE_EL2) &&
        cpu_isar_feature(aa64_vh, cpu)) {
        define_one_arm_cp_reg(cpu, &pmbsr_el12_reg);
    }
    if (s->config.ebep) {
        define_one_arm_cp_reg(cpu, &pm_reg);
    }
}
