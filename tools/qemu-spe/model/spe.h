/*
 * Arm Statistical Profiling Extension: what target/arm and the boards call.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#ifndef TARGET_ARM_SPE_H
#define TARGET_ARM_SPE_H

#include "cpu.h"

/*
 * The model is part of the AArch64 system emulator with TCG.  In other builds
 * no CPU has an SPU, and empty functions replace the model.
 */
#if defined(CONFIG_TCG) && defined(TARGET_AARCH64) && !defined(CONFIG_USER_ONLY)
#define ARM_SPE_MODEL
#endif

/* An SPE Profiling exception is pending and not masked. */
#define CPU_INTERRUPT_SPE CPU_INTERRUPT_TGT_INT_2
/* The SPE Profiling exception, next to the EXCP_* of cpu.h */
#define EXCP_SPE 30

/* SCR_EL3.FGTEn2, of FEAT_FGT2 */
#define SCR_FGTEN2 (1ULL << 59)

/* What translated code does for profiling: the value of TBFLAG_A64.SPE */
enum ARMSPEMode {
    ARM_SPE_OFF,    /* nothing */
    ARM_SPE_COUNT,  /* charge each operation against env->spe_budget */
    ARM_SPE_STEP,   /* ask the model before the one operation in the TB */
    /* plus a number: COUNT at most so many operations, then STEP.  The last. */
    ARM_SPE_SHORT,
};

/* FEAT_SPE */
static inline bool arm_spe_isar_feature(const ARMISARegisters *id)
{
    return FIELD_EX64(id->id_aa64dfr0, ID_AA64DFR0, PMSVER) != 0;
}

/* FEAT_FGT2, which QEMU lacks; the model has the part for the SPU. */
static inline bool arm_spe_isar_fgt2(const ARMISARegisters *id)
{
    return FIELD_EX64(id->id_aa64mmfr0, ID_AA64MMFR0, FGT) > 1;
}

/* FEAT_EBEP; the model has only its accessors of PSTATE.PM. */
static inline bool arm_spe_isar_ebep(const ARMISARegisters *id)
{
    return extract64(id->id_aa64dfr1, 48, 4) != 0;
}

#ifdef ARM_SPE_MODEL

/* Adds the properties of the model to an AArch64 CPU. */
void arm_spe_post_init(ARMCPU *cpu);

/*
 * Creates the SPU of a CPU with spe=on and sets its ID register fields.
 * Returns false with @errp set if the properties are not possible.
 */
bool arm_spe_realize(ARMCPU *cpu, Error **errp);

/* Registers the PMS* and PMB* System registers; nothing without FEAT_SPE. */
void arm_spe_define_cpregs(ARMCPU *cpu);

/*
 * QEMU calls this whenever it rebuilds the cached TB flags, so after every
 * change of Exception level or of a System register.  Decides whether profiling
 * is enabled at @el (D17.4) and returns the ARMSPEMode for code at @el.
 */
int arm_spe_mode(CPUARMState *env, int el);

/*
 * QEMU abandons the operation that it has just started and will restart it, as
 * it does for an atomic access that needs all other PEs stopped.  Undoes what
 * was counted for the operation.
 */
void arm_spe_abandon(CPUARMState *env);

/*
 * QEMU calls this where it takes interrupts.  Returns true, with *@target_el
 * and the syndrome set, if the SPE Profiling exception (D17.8) is taken.
 */
bool arm_spe_take_exception(CPUARMState *env, uint32_t *target_el);

/* Warm reset; QEMU has already reset the other System registers. */
void arm_spe_reset(CPUARMState *env);

/*
 * QEMU starts a kernel below EL3 without firmware.  Sets what Linux expects
 * firmware to set: Non-secure state owns the buffer and nothing is trapped.
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
