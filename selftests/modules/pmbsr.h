/* SPDX-License-Identifier: GPL-2.0-only */
/* For guests: writes PMBSR_EL1 of this CPU as if the unit had recorded an event. */
#ifndef SELFTESTS_MODULES_PMBSR_H
#define SELFTESTS_MODULES_PMBSR_H

#include <asm/barrier.h>
#include <asm/sysreg.h>

#include <arm_spe/regs.h>

/*
 * A PE might ignore a write of PMBSR_EL1 while the buffer is enabled and profiling is not
 * stopped (R24557 of the known issues in the Arm ARM).  So disable the buffer meanwhile.
 * Where nothing masks the Profiling exception, the driver handles the event before
 * pmbsr_end(), and has chosen another limit.
 * Context: interrupts disabled.
 */
static inline u64 pmbsr_begin(void)
{
	u64 limit = read_sysreg_s(ARM_SPE_PMBLIMITR_EL1);

	write_sysreg_s(limit & ~ARM_SPE_PMBLIMITR_E, ARM_SPE_PMBLIMITR_EL1);
	isb();
	return limit;
}

static inline void pmbsr_end(u64 limit)
{
	isb();
	if (read_sysreg_s(ARM_SPE_PMBLIMITR_EL1) == (limit & ~ARM_SPE_PMBLIMITR_E))
		write_sysreg_s(limit, ARM_SPE_PMBLIMITR_EL1);
	isb();
}

static inline void write_pmbsr(u64 value)
{
	u64 limit = pmbsr_begin();

	write_sysreg_s(value, ARM_SPE_PMBSR_EL1);
	pmbsr_end(limit);
}

#endif
