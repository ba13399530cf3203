/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The filter registers.  A filter register exists where PMSFCR_EL1 can enable
 * its filter, so the driver reads and writes only registers of enabled filters.
 */
#ifndef SPE_FILTER_H
#define SPE_FILTER_H

#include "attr.h"
#include "regs.h"

/* The table: the enable bit in PMSFCR_EL1, and the register. */
#define SPE_FILTER_FOR_EACH(op) do {		\
	SPE_FILTER_##op(FE, PMSEVFR);		\
	SPE_FILTER_##op(FNE, PMSNEVFR);		\
	SPE_FILTER_##op(FL, PMSLATFR);		\
	SPE_FILTER_##op(FDS, PMSDSFR);		\
} while (0)

#define SPE_FILTER_READ(bit, name) do {						\
	if (prog->reg[SPE_PROG_PMSFCR] & ARM_SPE_PMSFCR_##bit)			\
		prog->reg[SPE_PROG_##name] = spe_read(name);			\
} while (0)

#define SPE_FILTER_WRITE(bit, name) do {					\
	if (prog->reg[SPE_PROG_PMSFCR] & ARM_SPE_PMSFCR_##bit)			\
		spe_write(prog->reg[SPE_PROG_##name], name);			\
} while (0)

/* Saves PMSFCR_EL1 and the registers of the filters that it enables. */
static inline void spe_filter_read(struct spe_prog *prog)
{
	prog->reg[SPE_PROG_PMSFCR] = spe_read(PMSFCR);
	SPE_FILTER_FOR_EACH(READ);
}

/* Writes the registers of the filters that prog's PMSFCR_EL1 enables. */
static inline void spe_filter_write(const struct spe_prog *prog)
{
	SPE_FILTER_FOR_EACH(WRITE);
}

#endif /* SPE_FILTER_H */
