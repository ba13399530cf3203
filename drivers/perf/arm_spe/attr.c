// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Event attributes to register values.
 */
#include "attr.h"

#define SPE_PERIOD_UNIT	256
#define SPE_PERIOD_MAX	ARM_SPE_PMSIRR_INTERVAL

/* Where each attribute's bits lie, from the ABI's own list. */
#define SPE_ATTR_ENUM(name, word, lo, hi) \
	SPE_WORD_##name = (word), SPE_LO_##name = (lo), SPE_HI_##name = (hi),
enum { ARM_SPE_ATTRS(SPE_ATTR_ENUM) };

#define SPE_ATTR_AT(_name) \
	.name = #_name, .word = SPE_WORD_##_name, .lo = SPE_LO_##_name, .hi = SPE_HI_##_name

/* A type filter: its bit in PMSFCR_EL1 and the feature that it needs. */
#define SPE_ATTR_TYPE(_name, bit, _need) \
	{ SPE_ATTR_AT(_name), .reg = SPE_PROG_PMSFCR, .shift = (bit), \
	  .need = (_need), .enable = ARM_SPE_PMSFCR_FT }

#define SPE_TYPE	SPE_FEAT(FT)
#define SPE_TYPE_EXT	(SPE_FEAT(FT) | SPE_FEAT(EFT))

const struct spe_attr_row spe_attr_rows[] = {
	{ SPE_ATTR_AT(ts_enable), .reg = SPE_PROG_PMSCR, .shift = 5 },
	{ SPE_ATTR_AT(pa_enable), .reg = SPE_PROG_PMSCR, .shift = 4 },
	{ SPE_ATTR_AT(pct_enable), .reg = SPE_PROG_PMSCR, .shift = 6 },
	{ SPE_ATTR_AT(jitter), .reg = SPE_PROG_PMSIRR, .shift = 0 },
	SPE_ATTR_TYPE(branch_filter, 16, SPE_TYPE),
	SPE_ATTR_TYPE(load_filter, 17, SPE_TYPE),
	SPE_ATTR_TYPE(store_filter, 18, SPE_TYPE),
	/* A value of 1 is FM 0b10: the attribute is the field's upper bit. */
	{ SPE_ATTR_AT(discard), .reg = SPE_PROG_PMBLIMITR, .shift = 2,
	  .need = SPE_FEAT(DISCARD) },
	SPE_ATTR_TYPE(branch_filter_mask, 48, SPE_TYPE_EXT),
	SPE_ATTR_TYPE(load_filter_mask, 49, SPE_TYPE_EXT),
	SPE_ATTR_TYPE(store_filter_mask, 50, SPE_TYPE_EXT),
	SPE_ATTR_TYPE(simd_filter, 20, SPE_TYPE_EXT),
	SPE_ATTR_TYPE(simd_filter_mask, 52, SPE_TYPE_EXT),
	SPE_ATTR_TYPE(float_filter, 19, SPE_TYPE_EXT),
	SPE_ATTR_TYPE(float_filter_mask, 51, SPE_TYPE_EXT),
	{ SPE_ATTR_AT(event_filter), .reg = SPE_PROG_PMSEVFR,
	  .need = SPE_FEAT(FE), .enable = ARM_SPE_PMSFCR_FE },
	{ SPE_ATTR_AT(min_latency), .reg = SPE_PROG_PMSLATFR,
	  .need = SPE_FEAT(FL), .without = SPE_FEAT(LAT16), .enable = ARM_SPE_PMSFCR_FL },
	/* The same attribute where the counters, and with them MINLAT, are wide. */
	{ .name = "min_latency", .word = SPE_WORD_min_latency, .lo = 0, .hi = 15,
	  .reg = SPE_PROG_PMSLATFR, .need = SPE_FEAT(FL) | SPE_FEAT(LAT16),
	  .enable = ARM_SPE_PMSFCR_FL },
	{ SPE_ATTR_AT(inv_event_filter), .reg = SPE_PROG_PMSNEVFR,
	  .need = SPE_FEAT(FNE), .enable = ARM_SPE_PMSFCR_FNE },
	/* User space names the sources to leave out, the register those to keep. */
	{ SPE_ATTR_AT(inv_data_src_filter), .reg = SPE_PROG_PMSDSFR, .inverse = true,
	  .need = SPE_FEAT(FDS), .enable = ARM_SPE_PMSFCR_FDS },
};

const unsigned int spe_attr_nr_rows = sizeof(spe_attr_rows) / sizeof(spe_attr_rows[0]);

static_assert(ARM_SPE_PMSCR_TS == ARM_SPE_BIT(5) && ARM_SPE_PMSCR_PA == ARM_SPE_BIT(4));
static_assert(ARM_SPE_PUT(ARM_SPE_PMSCR_PCT, 1) == ARM_SPE_BIT(6));
static_assert(ARM_SPE_PMSIRR_RND == ARM_SPE_BIT(0));
static_assert(ARM_SPE_PMSFCR_B == ARM_SPE_BIT(16) && ARM_SPE_PMSFCR_BM == ARM_SPE_BIT(48));
static_assert(ARM_SPE_PMSFCR_LD == ARM_SPE_BIT(17) && ARM_SPE_PMSFCR_LDM == ARM_SPE_BIT(49));
static_assert(ARM_SPE_PMSFCR_ST == ARM_SPE_BIT(18) && ARM_SPE_PMSFCR_STM == ARM_SPE_BIT(50));
static_assert(ARM_SPE_PMSFCR_FP == ARM_SPE_BIT(19) && ARM_SPE_PMSFCR_FPM == ARM_SPE_BIT(51));
static_assert(ARM_SPE_PMSFCR_SIMD == ARM_SPE_BIT(20) && ARM_SPE_PMSFCR_SIMDM == ARM_SPE_BIT(52));
static_assert(ARM_SPE_PUT(ARM_SPE_PMBLIMITR_FM, ARM_SPE_PMBLIMITR_FM_DISCARD) == ARM_SPE_BIT(2));

static u64 spe_attr_mask(const struct spe_attr_row *row)
{
	return ARM_SPE_MASK(row->hi, row->lo);
}

bool spe_attr_offered(const struct spe_attr_row *row, const struct spe_caps *caps)
{
	return (caps->features & row->need) == row->need && !(caps->features & row->without);
}

static int spe_attr_validate(const struct spe_config *config, const struct spe_caps *caps)
{
	u64 known[ARM_SPE_ATTR_WORDS] = { 0 };
	u64 offered[ARM_SPE_ATTR_WORDS] = { 0 };
	unsigned int i;

	for (i = 0; i < spe_attr_nr_rows; i++) {
		const struct spe_attr_row *row = &spe_attr_rows[i];

		known[row->word] |= spe_attr_mask(row);
		if (spe_attr_offered(row, caps))
			offered[row->word] |= spe_attr_mask(row);
	}
	/* What means nothing outweighs what this PMU merely lacks. */
	for (i = 0; i < ARM_SPE_ATTR_WORDS; i++)
		if (config->word[i] & ~known[i])
			return -EINVAL;
	for (i = 0; i < ARM_SPE_ATTR_WORDS; i++)
		if (config->word[i] & ~offered[i])
			return -EOPNOTSUPP;
	return 0;
}

int spe_attr_pack(const struct spe_config *config, const struct spe_caps *caps,
		  struct spe_prog *prog)
{
	int err = spe_attr_validate(config, caps);
	unsigned int i;

	if (err)
		return err;
	*prog = (struct spe_prog) { { 0 } };
	for (i = 0; i < spe_attr_nr_rows; i++) {
		const struct spe_attr_row *row = &spe_attr_rows[i];
		u64 value = (config->word[row->word] & spe_attr_mask(row)) >> row->lo;

		if (!value || !spe_attr_offered(row, caps))
			continue;
		prog->reg[row->reg] |= (row->inverse ? ~value : value) << row->shift;
		prog->reg[SPE_PROG_PMSFCR] |= row->enable;
	}
	/* An unimplemented event reads as zero: filtering by it means nothing. */
	if (prog->reg[SPE_PROG_PMSEVFR] & ~caps->events ||
	    prog->reg[SPE_PROG_PMSNEVFR] & ~caps->inv_events)
		return -EOPNOTSUPP;
	return 0;
}

u64 spe_attr_period(u64 period, const struct spe_caps *caps)
{
	if (!period)
		return caps->min_interval;
	if (period < SPE_PERIOD_UNIT)
		return SPE_PERIOD_UNIT;
	return period > SPE_PERIOD_MAX ? SPE_PERIOD_MAX : period & SPE_PERIOD_MAX;
}
