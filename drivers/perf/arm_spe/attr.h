/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Event attributes to register values.  One table decides the sysfs text,
 * what is refused and where each value goes.  Pure.
 */
#ifndef SPE_ATTR_H
#define SPE_ATTR_H

#include <arm_spe/attr.h>
#include "caps.h"

/* perf_event_attr's config, config1 ... in order; words a kernel lacks are 0. */
struct spe_config {
	u64 word[ARM_SPE_ATTR_WORDS];
};

/* The register that a value goes to; one slot each in spe_prog.reg. */
enum spe_prog_reg {
	SPE_PROG_PMSCR,
	SPE_PROG_PMSIRR,
	SPE_PROG_PMSFCR,
	SPE_PROG_PMSEVFR,
	SPE_PROG_PMSNEVFR,
	SPE_PROG_PMSLATFR,
	SPE_PROG_PMSDSFR,
	SPE_PROG_PMBLIMITR,
	SPE_PROG_NR
};

struct spe_prog {
	u64 reg[SPE_PROG_NR];
};

struct spe_attr_row {
	const char *name;
	u32 attr;		/* enum arm_spe_attr: word and bits */
	u32 need;		/* SPE_FEAT() bits without which the row is absent */
	u32 without;		/* ... and bits that replace it by another row */
	u8 reg;			/* enum spe_prog_reg */
	bool inverse;		/* the register takes the complement */
	u64 field;		/* mask of the value in the register */
	u64 enable;		/* PMSFCR_EL1 bits that a nonzero value sets */
};

#define SPE_ATTR_NR_ROWS	20
extern const struct spe_attr_row spe_attr_rows[SPE_ATTR_NR_ROWS];

/* Whether a PMU with these capabilities offers the attribute. */
bool spe_attr_offered(const struct spe_attr_row *row, const struct spe_caps *caps);

/*
 * spe_attr_pack() - attributes to register values
 *
 * Fills *prog but for the sampling interval and for what depends on who asks
 * (Exception levels, context).
 *
 * Returns 0, or with *prog undefined:
 * -EINVAL	a bit is set that belongs to no attribute
 * -EOPNOTSUPP	an attribute, or a bit of one, that this PMU lacks
 */
int spe_attr_pack(const struct spe_config *config, const struct spe_caps *caps,
		  struct spe_prog *prog);

/*
 * spe_attr_period() - a sampling period to PMSIRR_EL1.INTERVAL's bits
 *
 * @period: operations between samples; 0 asks for the recommended interval.
 * The interval counts in 256 operations: a period is rounded down to that,
 * up where it would be zero, and down to the longest that the register can
 * hold (D24.7, PMSIRR_EL1).  PMSIDR_EL1.Interval recommends, it does not bound.
 *
 * Returns the period in use, 256..0xffffff00.
 */
u64 spe_attr_period(u64 period, const struct spe_caps *caps);

#endif /* SPE_ATTR_H */
