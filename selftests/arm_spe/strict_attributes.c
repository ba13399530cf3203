// SPDX-License-Identifier: GPL-2.0-only
/*
 * What only this project's driver promises: a bit that no attribute owns is
 * refused, so that a tool learns that it asked for nothing.
 */
#include "test.h"

FIXTURE(unknown_bit) {
	struct spe_test t;
};

FIXTURE_VARIANT(unknown_bit) {
	enum spe_word word;
	unsigned int bit;
};

SPE_FIXTURE_SETUP(unknown_bit)

#define UNKNOWN(label, config, number)					\
	FIXTURE_VARIANT_ADD(unknown_bit, label) {			\
		.word = config, .bit = number,				\
	}
UNKNOWN(config_9, SPE_CONFIG, 9);
UNKNOWN(config_15, SPE_CONFIG, 15);
UNKNOWN(config_17, SPE_CONFIG, 17);
UNKNOWN(config_31, SPE_CONFIG, 31);
UNKNOWN(config_63, SPE_CONFIG, 63);
UNKNOWN(config2_16, SPE_CONFIG2, 16);
UNKNOWN(config2_63, SPE_CONFIG2, 63);

static const char *const names[] = {
	"ts_enable", "pa_enable", "pct_enable", "jitter", "branch_filter",
	"load_filter", "store_filter", "simd_filter", "float_filter",
	"discard", "event_filter", "min_latency", "inv_event_filter",
	"data_src_filter", "branch_filter_mask", "load_filter_mask",
	"store_filter_mask", "simd_filter_mask", "float_filter_mask",
};

TEST_F(unknown_bit, is_invalid)
{
	struct spe_test *t = &self->t;
	struct spe_field field;

	/* A later attribute may own the bit; then the case has no subject. */
	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		if (spe_pmu_field(&t->pmu, names[i], &field))
			continue;
		ASSERT_FALSE(field.word == variant->word &&
			     field.low <= variant->bit &&
			     variant->bit <= field.high)
			TH_LOG("%s owns the bit", names[i]);
	}
	t->attr.word[variant->word] |= UINT64_C(1) << variant->bit;
	ASSERT_EQ(-EINVAL, spe_attr_open(&t->attr, 0, -1));
}

TEST_HARNESS_MAIN
