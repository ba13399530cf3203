/*
 * What the folder regs offers to others, by source.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#ifndef TARGET_ARM_SPE_REGS_REGS_H
#define TARGET_ARM_SPE_REGS_REGS_H

#include "cpu.h"
#include "cpregs.h"
#include "../state/state.h"

/*
 * access.c: Who may access a System register of the SPU, and the count of writes.
 */

/* Software writes a System register of the SPU: counts and traces it. */
void spe_count_write(CPUARMState *env, const ARMCPRegInfo *ri, uint64_t value);

/* Accesses to PMS*_EL1, PMB*_EL1 and PM*_EL12 */
CPAccessResult spe_access_pms(CPUARMState *env, const ARMCPRegInfo *ri,
                              bool isread);
CPAccessResult spe_access_pmb(CPUARMState *env, const ARMCPRegInfo *ri,
                              bool isread);
CPAccessResult spe_access_el12(CPUARMState *env, const ARMCPRegInfo *ri,
                               bool isread);

/* exc.c: The System registers of FEAT_SPE_EXC and FEAT_EBEP. */

void spe_define_exc_cpregs(ARMCPU *cpu);

/* fgt.c: What the SPU needs of FEAT_FGT2. */

/* Controls of HDFGRTR2_EL2 and HDFGWTR2_EL2 */
#define SPE_FGT2_NPMSDSFR (1ULL << 19)
#define SPE_FGT2_NPMBMAR (1ULL << 24)

/* The control @bit of HDFGRTR2_EL2 or HDFGWTR2_EL2 traps an access to EL2. */
bool spe_fgt2_traps(CPUARMState *env, uint64_t bit, bool isread);

/* The bits of @value that HDFGRTR2_EL2 and HDFGWTR2_EL2 keep */
uint64_t spe_fgt2_value(CPUARMState *env, uint64_t value);

void spe_fgt2_realize(ARMSPEState *s);
void spe_fgt2_define_cpregs(ARMCPU *cpu);

/* icache.c: What a guest that rewrites code needs: IC IVAU, and CTR_EL0.DIC. */

void spe_icache_realize(ARMCPU *cpu);
void spe_icache_define_cpreg(ARMCPU *cpu);

/* inject.c: SPEINJ_EL1, with which a guest injects management events. */

void spe_inject_define_cpreg(ARMCPU *cpu);

/* nvm.c: PMBMAR_EL1 of FEAT_SPE_nVM. */

/* The bits of @value that PMBMAR_EL1 keeps */
uint64_t spe_pmbmar_value(uint64_t value);
void spe_nvm_define_cpreg(ARMCPU *cpu);

/*
 * order.c: Direct writes of the Profiling Buffer's registers that a PE might ignore.
 */

/* PMBPTR_EL1, PMBLIMITR_EL1, PMBSR_EL1 */
enum SPEBufferReg {
    SPE_REG_POINTER = 1 << 0,
    SPE_REG_LIMIT = 1 << 1,
    SPE_REG_STATUS = 1 << 2,
};

/* Some PE has the property, so translated code reports each ISB. */
extern bool spe_orders_writes;

/* Returns false, and reports that, if the PE ignores the write. */
bool spe_write_begins(CPUARMState *env, const ARMCPRegInfo *ri,
                      enum SPEBufferReg reg, uint64_t value);

/* The register has its new value. */
void spe_write_ends(CPUARMState *env, const ARMCPRegInfo *ri,
                    enum SPEBufferReg reg, uint64_t value);

/* An ISB, an exception or an exception return */
void spe_context_synchronized(ARMSPEState *s);

/* values.c: The bits of a value that a System register keeps. */

uint64_t spe_pmscr_value(CPUARMState *env, uint64_t value);     /* _EL2 */
uint64_t spe_pmscr_el1_value(CPUARMState *env, uint64_t value);
uint64_t spe_pmsicr_value(CPUARMState *env, uint64_t value);
uint64_t spe_pmsfcr_value(CPUARMState *env, uint64_t value);
uint64_t spe_pmblimitr_value(CPUARMState *env, uint64_t value);

#endif
