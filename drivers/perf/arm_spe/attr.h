/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Converts event attributes to register values.  One table defines the text in sysfs,
 * the attributes that the driver refuses, and the register of each value.  Pure.
 */
#ifndef SPE_ATTR_H
#define SPE_ATTR_H

#include <arm_spe/attr.h>
#include "caps.h"

/* config, config1, ... of perf_event_attr in order.  Words that the kernel lacks are 0. */
struct spe_config {
	u64 word[ARM_SPE_ATTR_WORDS];
};

/* The registers that attributes set; each is one slot in spe_prog.reg. */
enum spe_prog_reg {
	SPE_PROG_PMSCR,
	SPE_PROG_PMSIRR,
	SPE_PROG_PMSFCR,
	SPE_PROG_PMSEVFR,
	SPE_PROG_PMSNEVFR,
	SPE_PROG_PMSLATFR,
	SPE_PROG_PMSDSFR,
	SPE_PROG_PMBLIMITR,
	SPE_PROG_PMSCR_EL12,	/* PMSCR_EL1 while a guest of KVM runs; 0: guests are left out */
	SPE_PROG_BATCH,		/* no register: records for each interrupt; 0: AUX data */
	SPE_PROG_NR
};

struct spe_prog {
	u64 reg[SPE_PROG_NR];
};

struct spe_attr_row {
	const char *name;
	u32 attr;		/* enum arm_spe_attr: word and bits */
	u32 need;		/* SPE_FEAT() bits that the PMU must have */
	u32 without;		/* SPE_FEAT() bits that the PMU must not have */
	u8 reg;			/* enum spe_prog_reg */
	bool inverse;		/* the register takes the complement */
	u64 field;		/* mask of the value in the register */
	u64 enable;		/* PMSFCR_EL1 bits that a nonzero value sets */
};

#define SPE_BATCH_MAX		64
#define SPE_ATTR_NR_ROWS	22
extern const struct spe_attr_row spe_attr_rows[SPE_ATTR_NR_ROWS];

/* Whether a PMU with these capabilities offers the attribute. */
bool spe_attr_offered(const struct spe_attr_row *row, const struct spe_caps *caps);

/*
 * spe_attr_pack() - convert attributes to register values
 *
 * Fills *prog except for the sampling interval and for the bits that depend on the
 * caller (Exception levels, context).
 *
 * Returns 0, or an error with *prog undefined:
 * -EINVAL	a bit is set that belongs to no attribute, the batch is too large, or an event
 *		that the event filter asks for is one that the inverted filter leaves out
 * -EOPNOTSUPP	this PMU lacks the attribute, or an event of an event filter
 */
int spe_attr_pack(const struct spe_config *config, const struct spe_caps *caps,
		  struct spe_prog *prog);

/*
 * spe_attr_levels() - add the Exception levels that are sampled
 * @user: EL0, of the host and of guests
 * @kernel: the kernel, of the host and of guests
 * @host: the host at all
 *
 * Guests are sampled only if their attribute has set SPE_PROG_PMSCR_EL12.  Then timestamps
 * become physical time: the unit of an EL2 would subtract a guest's CNTVOFF_EL2 from virtual
 * time, and records of several guests and the host would have no common clock (Table D17-3).
 */
void spe_attr_levels(struct spe_prog *prog, bool user, bool kernel, bool host);

/*
 * spe_attr_period() - convert a sampling period to PMSIRR_EL1.INTERVAL's bits
 * @period: operations between samples; 0 selects the recommended interval
 *
 * The register holds multiples of 256 operations (D24.7, PMSIRR_EL1).  The function
 * rounds down to such a multiple, but not to zero, and limits the period to the
 * longest one.  PMSIDR_EL1.Interval is a recommendation and no lower limit.
 *
 * Returns the period in use, 256..0xffffff00.
 */
u64 spe_attr_period(u64 period, const struct spe_caps *caps);

#endif /* SPE_ATTR_H */
