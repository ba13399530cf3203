/*
 * Direct writes of the Profiling Buffer's registers that a PE might ignore.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#ifndef TARGET_ARM_SPE_REGS_ORDER_H
#define TARGET_ARM_SPE_REGS_ORDER_H

#include "cpu.h"
#include "cpregs.h"
#include "../state/state.h"

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

#endif
