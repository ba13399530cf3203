/*
 * Arm Statistical Profiling Extension: what the rest of target/arm and the
 * boards see of the model.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#ifndef TARGET_ARM_SPE_H
#define TARGET_ARM_SPE_H

#include "cpu.h"

/*
 * Where the model is part of the build: an AArch64 system emulator with TCG.
 * Elsewhere no CPU has an SPU, and what stands for the model does nothing.
 */
#if defined(CONFIG_TCG) && defined(TARGET_AARCH64) && !defined(CONFIG_USER_ONLY)
#define ARM_SPE_MODEL
#endif

/* A Profiling exception waits, and is not masked. */
#define CPU_INTERRUPT_SPE CPU_INTERRUPT_TGT_INT_2
/* The SPE Profiling exception, next to the EXCP_* of cpu.h */
#define EXCP_SPE 30

/* SCR_EL3.FGTEn2, of FEAT_FGT2 */
#define SCR_FGTEN2 (1ULL << 59)

/* What translated code does for profiling: the value of TBFLAG_A64.SPE. */
enum ARMSPEMode {
    ARM_SPE_OFF,    /* nothing */
    ARM_SPE_COUNT,  /* charge each operation against env->spe_budget */
    ARM_SPE_STEP,   /* ask the model before the one operation in the TB */
};

/* FEAT_SPE */
static inline bool arm_spe_isar_feature(const ARMISARegisters *id)
{
    return FIELD_EX64(id->id_aa64dfr0, ID_AA64DFR0, PMSVER) != 0;
}

/* FEAT_FGT2, which QEMU itself lacks: of it the model has what it needs */
static inline bool arm_spe_isar_fgt2(const ARMISARegisters *id)
{
    return FIELD_EX64(id->id_aa64mmfr0, ID_AA64MMFR0, FGT) > 1;
}

/* FEAT_EBEP, of which the model has PSTATE.PM's accessors alone */
static inline bool arm_spe_isar_ebep(const ARMISARegisters *id)
{
    return extract64(id->id_aa64dfr1, 48, 4) != 0;
}

#ifdef ARM_SPE_MODEL

/* Adds the properties of the model to an AArch64 CPU. */
void arm_spe_post_init(ARMCPU *cpu);

/*
 * Creates the SPU of a CPU with spe=on and sets its ID register fields.
 * Returns false with @errp set where the properties are impossible.
 */
bool arm_spe_realize(ARMCPU *cpu, Error **errp);

/* Registers the PMS* and PMB* System registers; nothing without FEAT_SPE. */
void arm_spe_define_cpregs(ARMCPU *cpu);

/*
 * Called whenever the cached TB flags are rebuilt, thus after every change of
 * Exception level or of a System register: decides whether profiling is
 * enabled at @el (D17.4) and returns the ARMSPEMode for code that runs there.
 */
int arm_spe_mode(CPUARMState *env, int el);

/*
 * The operation that has just started is abandoned and will start anew: an
 * atomic access for which all other PEs have to stand still.  Takes back what
 * was counted for it.
 */
void arm_spe_abandon(CPUARMState *env);

/*
 * Called where interrupts are taken: whether the SPE Profiling exception
 * (D17.8) is.  If so, *@target_el and the syndrome are set.
 */
bool arm_spe_take_exception(CPUARMState *env, uint32_t *target_el);

/* A Warm reset, once QEMU has reset the other System registers. */
void arm_spe_reset(CPUARMState *env);

/*
 * What Linux expects of firmware at EL3, where QEMU starts a kernel below
 * EL3 without any: Non-secure state owns the buffer and nothing is trapped.
 */
void arm_spe_firmware_reset(CPUARMState *env);

/* An illegal exception return restores PSTATE.PM (D1.4.4). */
void arm_spe_illegal_return(CPUARMState *env);

/*
 * Adds the device tree node of the SPU, if @cpu has one.
 * @irqflags: the third cell of its interrupt, with the GICv2 CPU mask.
 */
void arm_spe_fdt_add_node(ARMCPU *cpu, void *fdt, uint32_t irqflags);

#else

static inline void arm_spe_post_init(ARMCPU *cpu)
{
}

static inline bool arm_spe_realize(ARMCPU *cpu, Error **errp)
{
    return true;
}

static inline void arm_spe_define_cpregs(ARMCPU *cpu)
{
}

static inline int arm_spe_mode(CPUARMState *env, int el)
{
    return ARM_SPE_OFF;
}

static inline void arm_spe_abandon(CPUARMState *env)
{
}

static inline bool arm_spe_take_exception(CPUARMState *env,
                                          uint32_t *target_el)
{
    return false;
}

static inline void arm_spe_reset(CPUARMState *env)
{
}

static inline void arm_spe_firmware_reset(CPUARMState *env)
{
}

static inline void arm_spe_illegal_return(CPUARMState *env)
{
}

static inline void arm_spe_fdt_add_node(ARMCPU *cpu, void *fdt,
                                        uint32_t irqflags)
{
}

#endif

#endif
