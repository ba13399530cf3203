// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Converts event attributes to register values.
 */
#include "attr.h"

#define SPE_PERIOD_UNIT	256
#define SPE_PERIOD_MAX	ARM_SPE_PMSIRR_INTERVAL

#define SPE_TYPE	SPE_FEAT(FT)
#define SPE_TYPE_EXT	(SPE_FEAT(FT) | SPE_FEAT(EFT))

/* A filter by operation type. */
#define SPE_ROW_TYPE(_name, _attr, _field, _need) {			\
	.name = (_name), .attr = ARM_SPE_ATTR_##_attr, .need = (_need),	\
	.reg = SPE_PROG_PMSFCR, .field = ARM_SPE_PMSFCR_##_field,	\
	.enable = ARM_SPE_PMSFCR_FT }

/* A bit or field that enables no filter. */
#define SPE_ROW_SWITCH(_name, _attr, _reg, _field, _need) {		\
	.name = (_name), .attr = ARM_SPE_ATTR_##_attr, .need = (_need),	\
	.reg = SPE_PROG_##_reg, .field = (_field) }

/* A filter with a register of its own. */
#define SPE_ROW_FILTER(_name, _attr, _reg, _field, _need, _enable) {	\
	.name = (_name), .attr = ARM_SPE_ATTR_##_attr, .need = (_need),	\
	.reg = SPE_PROG_##_reg, .field = (_field),			\
	.enable = ARM_SPE_PMSFCR_##_enable }

const struct spe_attr_row spe_attr_rows[SPE_ATTR_NR_ROWS] = {
	SPE_ROW_SWITCH("ts_enable", TS_ENABLE, PMSCR, ARM_SPE_PMSCR_TS, 0),
	SPE_ROW_SWITCH("pa_enable", PA_ENABLE, PMSCR, ARM_SPE_PMSCR_PA, 0),
	SPE_ROW_SWITCH("pct_enable", PCT_ENABLE, PMSCR, ARM_SPE_PMSCR_PCT, 0),
	SPE_ROW_SWITCH("jitter", JITTER, PMSIRR, ARM_SPE_PMSIRR_RND, 0),
	/*
	 * The unit collects CONTEXTIDR_EL1 only while a guest runs (D17.6.9), so this packet
	 * tells a guest's record from the host's.  Samples of perf have no place for it.
	 */
	{
		.name = "guest", .attr = ARM_SPE_ATTR_GUEST,
		.need = SPE_FEAT(GUEST), .without = SPE_FEAT(SAMPLE),
		.reg = SPE_PROG_PMSCR_EL12, .field = ARM_SPE_PMSCR_CX,
	},
	SPE_ROW_TYPE("branch_filter", BRANCH_FILTER, B, SPE_TYPE),
	SPE_ROW_TYPE("load_filter", LOAD_FILTER, LD, SPE_TYPE),
	SPE_ROW_TYPE("store_filter", STORE_FILTER, ST, SPE_TYPE),
	/* Discard mode is FM 0b10, so the attribute sets the upper bit of FM. */
	{
		.name = "discard", .attr = ARM_SPE_ATTR_DISCARD,
		.need = SPE_FEAT(DISCARD), .without = SPE_FEAT(SAMPLE),
		.reg = SPE_PROG_PMBLIMITR, .field = ARM_SPE_PMBLIMITR_FM_DISCARD,
	},
	SPE_ROW_TYPE("branch_filter_mask", BRANCH_FILTER_MASK, BM, SPE_TYPE_EXT),
	SPE_ROW_TYPE("load_filter_mask", LOAD_FILTER_MASK, LDM, SPE_TYPE_EXT),
	SPE_ROW_TYPE("store_filter_mask", STORE_FILTER_MASK, STM, SPE_TYPE_EXT),
	SPE_ROW_TYPE("simd_filter", SIMD_FILTER, SIMD, SPE_TYPE_EXT),
	SPE_ROW_TYPE("simd_filter_mask", SIMD_FILTER_MASK, SIMDM, SPE_TYPE_EXT),
	SPE_ROW_TYPE("float_filter", FLOAT_FILTER, FP, SPE_TYPE_EXT),
	SPE_ROW_TYPE("float_filter_mask", FLOAT_FILTER_MASK, FPM, SPE_TYPE_EXT),
	SPE_ROW_SWITCH("batch", BATCH, BATCH, ~0ULL, SPE_FEAT(SAMPLE)),
	SPE_ROW_FILTER("event_filter", EVENT_FILTER, PMSEVFR, ~0ULL, SPE_FEAT(FE), FE),
	{
		.name = "min_latency", .attr = ARM_SPE_ATTR_MIN_LATENCY,
		.need = SPE_FEAT(FL), .without = SPE_FEAT(LAT16),
		.reg = SPE_PROG_PMSLATFR, .field = ARM_SPE_PMSLATFR_MINLAT,
		.enable = ARM_SPE_PMSFCR_FL,
	},
	/* With counters of 16 bits MINLAT has 16 bits, and so has the attribute. */
	SPE_ROW_FILTER("min_latency", MIN_LATENCY_WIDE, PMSLATFR, ARM_SPE_PMSLATFR_MINLAT,
		       SPE_FEAT(FL) | SPE_FEAT(LAT16), FL),
	SPE_ROW_FILTER("inv_event_filter", INV_EVENT_FILTER, PMSNEVFR, ~0ULL,
		       SPE_FEAT(FNE), FNE),
	/* The attribute lists data sources to leave out, the register those to keep. */
	{
		.name = "inv_data_src_filter", .attr = ARM_SPE_ATTR_INV_DATA_SRC_FILTER,
		.need = SPE_FEAT(FDS), .reg = SPE_PROG_PMSDSFR, .field = ~0ULL,
		.inverse = true, .enable = ARM_SPE_PMSFCR_FDS,
	},
};

static u64 spe_attr_mask(const struct spe_attr_row *row)
{
	return ARM_SPE_MASK(ARM_SPE_ATTR_HI(row->attr), ARM_SPE_ATTR_LO(row->attr));
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

	for (i = 0; i < SPE_ATTR_NR_ROWS; i++) {
		const struct spe_attr_row *row = &spe_attr_rows[i];

		known[ARM_SPE_ATTR_WORD(row->attr)] |= spe_attr_mask(row);
		if (spe_attr_offered(row, caps))
			offered[ARM_SPE_ATTR_WORD(row->attr)] |= spe_attr_mask(row);
	}
	/* EINVAL for unknown bits takes precedence over EOPNOTSUPP. */
	for (i = 0; i < ARM_SPE_ATTR_WORDS; i++)
		if (config->word[i] & ~known[i])
			return -EINVAL;
	for (i = 0; i < ARM_SPE_ATTR_WORDS; i++)
		if (config->word[i] & ~offered[i])
			return -EOPNOTSUPP;
	return 0;
}

/*
 * The registers of the event filters.  A unit may do what it likes if both registers have
 * an event in common, or if a filter is on without an event (D24.7, PMSFCR_EL1.FE and
 * FnE).  The registers ignore bits of unimplemented events, so refuse these.
 */
static int spe_attr_check_events(struct spe_prog *prog, const struct spe_caps *caps)
{
	u64 *pmsevfr = &prog->reg[SPE_PROG_PMSEVFR];
	u64 pmsnevfr = prog->reg[SPE_PROG_PMSNEVFR];

	if (*pmsevfr & pmsnevfr)
		return -EINVAL;
	if (*pmsevfr & ~caps->events || pmsnevfr & ~caps->inv_events)
		return -EOPNOTSUPP;
	/* Every record has this event, so the filter for it keeps all of them. */
	*pmsevfr &= ~caps->ignored_events;
	if (!*pmsevfr)
		prog->reg[SPE_PROG_PMSFCR] &= ~ARM_SPE_PMSFCR_FE;
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
	for (i = 0; i < SPE_ATTR_NR_ROWS; i++) {
		const struct spe_attr_row *row = &spe_attr_rows[i];
		u64 value = spe_get(spe_attr_mask(row),
				    config->word[ARM_SPE_ATTR_WORD(row->attr)]);

		if (!value || !spe_attr_offered(row, caps))
			continue;
		prog->reg[row->reg] |= spe_put(row->field, row->inverse ? ~value : value);
		prog->reg[SPE_PROG_PMSFCR] |= row->enable;
	}
	if (prog->reg[SPE_PROG_BATCH] > SPE_BATCH_MAX)
		return -EINVAL;
	if (caps->features & SPE_FEAT(SAMPLE) && !prog->reg[SPE_PROG_BATCH])
		prog->reg[SPE_PROG_BATCH] = 1;
	return spe_attr_check_events(prog, caps);
}

void spe_attr_levels(struct spe_prog *prog, bool user, bool kernel, bool host)
{
	u64 levels = (user ? ARM_SPE_PMSCR_E0SPE : 0) | (kernel ? ARM_SPE_PMSCR_E1SPE : 0);
	u64 *pmscr = &prog->reg[SPE_PROG_PMSCR], *guests = &prog->reg[SPE_PROG_PMSCR_EL12];

	if (host)
		*pmscr |= levels;
	if (*guests) {
		*guests |= levels;
		*pmscr = (*pmscr & ~ARM_SPE_PMSCR_PCT) | spe_put(ARM_SPE_PMSCR_PCT, 1);
	}
}

u64 spe_attr_period(u64 period, const struct spe_caps *caps)
{
	if (!period)
		return caps->min_interval;
	if (period < SPE_PERIOD_UNIT)
		return SPE_PERIOD_UNIT;
	return period > SPE_PERIOD_MAX ? SPE_PERIOD_MAX : period & SPE_PERIOD_MAX;
}
