// SPDX-License-Identifier: GPL-2.0-only
/*
 * Attribute bits that belong to no attribute: only our driver refuses them, so that a tool
 * notices its mistake.
 */
#include "test.h"

#include <arm_spe/attr.h>

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
UNKNOWN(config_18, SPE_CONFIG, 18);
UNKNOWN(config_31, SPE_CONFIG, 31);
UNKNOWN(config_63, SPE_CONFIG, 63);
UNKNOWN(config2_16, SPE_CONFIG2, 16);
UNKNOWN(config2_63, SPE_CONFIG2, 63);

static const enum arm_spe_attr known[] = {
	ARM_SPE_ATTR_TS_ENABLE, ARM_SPE_ATTR_PA_ENABLE,
	ARM_SPE_ATTR_PCT_ENABLE, ARM_SPE_ATTR_JITTER, ARM_SPE_ATTR_GUEST, ARM_SPE_ATTR_BATCH,
	ARM_SPE_ATTR_BRANCH_FILTER, ARM_SPE_ATTR_LOAD_FILTER,
	ARM_SPE_ATTR_STORE_FILTER, ARM_SPE_ATTR_DISCARD,
	ARM_SPE_ATTR_BRANCH_FILTER_MASK, ARM_SPE_ATTR_LOAD_FILTER_MASK,
	ARM_SPE_ATTR_STORE_FILTER_MASK, ARM_SPE_ATTR_SIMD_FILTER,
	ARM_SPE_ATTR_SIMD_FILTER_MASK, ARM_SPE_ATTR_FLOAT_FILTER,
	ARM_SPE_ATTR_FLOAT_FILTER_MASK, ARM_SPE_ATTR_MIN_LATENCY_WIDE,
	ARM_SPE_ATTR_EVENT_FILTER, ARM_SPE_ATTR_INV_EVENT_FILTER,
	ARM_SPE_ATTR_INV_DATA_SRC_FILTER,
};

/* The index in perf_event_attr of the attribute's word. */
static enum spe_word word_of(enum arm_spe_attr attr)
{
	static const enum spe_word words[] = {
		SPE_CONFIG, SPE_CONFIG1, SPE_CONFIG2, SPE_CONFIG3,
		SPE_CONFIG4,
	};

	return words[ARM_SPE_ATTR_WORD(attr)];
}

TEST_F(unknown_bit, is_invalid)
{
	struct spe_test *t = &self->t;

	/* Fails if a new attribute owns the bit: then choose another bit for this case. */
	for (size_t i = 0; i < ARRAY_SIZE(known); i++) {
		ASSERT_FALSE(word_of(known[i]) == variant->word &&
			     ARM_SPE_ATTR_LO(known[i]) <= variant->bit &&
			     variant->bit <= ARM_SPE_ATTR_HI(known[i]));
	}
	t->attr.word[variant->word] |= UINT64_C(1) << variant->bit;
	ASSERT_EQ(-EINVAL, spe_attr_open(&t->attr, 0, -1));
}

SPE_FIXTURE(any_bit);

/*
 * The driver accepts a bit that belongs to an attribute or reports it as unsupported; every
 * other bit is invalid.
 */
TEST_F(any_bit, is_refused_unless_sysfs_shows_it)
{
	struct spe_test *t = &self->t;

	for (unsigned int bit = 0; bit < 3 * 64; bit++) {
		static const enum spe_word words[] = {
			SPE_CONFIG, SPE_CONFIG1, SPE_CONFIG2,
		};
		enum spe_word word = words[bit / 64];
		bool owned = false;
		int fd;

		for (size_t i = 0; i < ARRAY_SIZE(known); i++) {
			owned |= word_of(known[i]) == word &&
				 ARM_SPE_ATTR_LO(known[i]) <= bit % 64 &&
				 bit % 64 <= ARM_SPE_ATTR_HI(known[i]);
		}
		spe_attr_init(&t->attr, &t->pmu);
		t->attr.word[word] |= UINT64_C(1) << bit % 64;
		fd = spe_attr_open(&t->attr, 0, -1);
		if (fd >= 0)
			close(fd);
		EXPECT_TRUE(owned ? fd >= 0 || fd == -EOPNOTSUPP : fd == -EINVAL)
			TH_LOG("bit %u: %d", bit, fd);
	}
}

/* The driver accepts the events that caps/event_filter lists; all others are unsupported. */
TEST_F(any_bit, of_the_event_filter_is_what_caps_says)
{
	struct spe_test *t = &self->t;
	char text[32];
	uint64_t events;

	ASSERT_LT(0, spe_pmu_read(&t->pmu, "caps/event_filter", text,
				  sizeof(text)));
	events = strtoull(text, NULL, 0);
	ASSERT_NE(0, events);
	for (unsigned int bit = 0; bit < 64; bit++) {
		int fd;

		spe_attr_init(&t->attr, &t->pmu);
		spe_set(_metadata, t, "event_filter", UINT64_C(1) << bit);
		fd = spe_attr_open(&t->attr, 0, -1);
		if (fd >= 0)
			close(fd);
		EXPECT_TRUE(events >> bit & 1 ? fd >= 0 : fd == -EOPNOTSUPP)
			TH_LOG("event %u: %d", bit, fd);
	}
}

SPE_FIXTURE(latency);

/* min_latency is as wide as the latency counters (PMSIDR_EL1.CountSize). */
TEST_F(latency, has_the_bits_of_the_counters)
{
	struct spe_test *t = &self->t;
	long bits = spe_pmu_cap(&t->pmu, "count_size");
	struct spe_field field;
	int fd;

	ASSERT_TRUE(bits == 12 || bits == 16);
	ASSERT_EQ(0, spe_pmu_field(&t->pmu, "min_latency", &field));
	EXPECT_EQ(bits - 1, field.high);
	t->attr.word[SPE_CONFIG2] = 0xffff;
	fd = spe_attr_open(&t->attr, 0, -1);
	if (fd >= 0)
		close(fd);
	EXPECT_TRUE(bits == 16 ? fd >= 0 : fd == -EOPNOTSUPP)
		TH_LOG("%d", fd);
}

/* An unknown bit (EINVAL) takes precedence over an unsupported event (EOPNOTSUPP). */
TEST_F(unknown_bit, is_invalid_beside_an_event_that_is_not_supported)
{
	struct spe_test *t = &self->t;

	spe_set(_metadata, t, "event_filter", UINT64_C(1) << 16);
	t->attr.word[variant->word] |= UINT64_C(1) << variant->bit;
	ASSERT_EQ(-EINVAL, spe_attr_open(&t->attr, 0, -1));
}

FIXTURE(extension) {
	struct spe_test t;
};

FIXTURE_VARIANT(extension) {
	const char *name;
	enum arm_spe_attr attr;
};

SPE_FIXTURE_SETUP(extension)

#define EXTENSION(label, constant)					\
	FIXTURE_VARIANT_ADD(extension, label) {				\
		.name = #label, .attr = ARM_SPE_ATTR_##constant,	\
	}
EXTENSION(guest, GUEST);
EXTENSION(branch_filter_mask, BRANCH_FILTER_MASK);
EXTENSION(load_filter_mask, LOAD_FILTER_MASK);
EXTENSION(store_filter_mask, STORE_FILTER_MASK);
EXTENSION(simd_filter, SIMD_FILTER);
EXTENSION(simd_filter_mask, SIMD_FILTER_MASK);
EXTENSION(float_filter, FLOAT_FILTER);
EXTENSION(float_filter_mask, FLOAT_FILTER_MASK);
EXTENSION(discard, DISCARD);
EXTENSION(inv_data_src_filter, INV_DATA_SRC_FILTER);

/* sysfs shows an attribute if and only if this PMU supports it. */
TEST_F(extension, is_shown_and_accepted_or_neither)
{
	struct spe_test *t = &self->t;
	struct spe_field field;
	int ret = spe_pmu_field(&t->pmu, variant->name, &field);
	int fd;

	if (!ret) {
		EXPECT_EQ(word_of(variant->attr), field.word);
		EXPECT_EQ(ARM_SPE_ATTR_LO(variant->attr), field.low);
		EXPECT_EQ(ARM_SPE_ATTR_HI(variant->attr), field.high);
	}
	t->attr.word[word_of(variant->attr)] |=
		UINT64_C(1) << ARM_SPE_ATTR_LO(variant->attr);
	fd = spe_attr_open(&t->attr, 0, -1);
	/* If the kernel lacks the attribute's word, perf itself returns E2BIG. */
	if (ret == -ENOENT) {
		ASSERT_TRUE(fd == -EOPNOTSUPP ||
			    (fd == -E2BIG && word_of(variant->attr) >= SPE_CONFIG3))
			TH_LOG("%d", fd);
	}
	if (!ret)
		ASSERT_LE(0, fd);
}

SPE_FIXTURE(retired);

/* Every PMU accepts this filter, even if it has no effect, because tools set it. */
TEST_F(retired, may_always_be_filtered_for)
{
	struct spe_test *t = &self->t;

	spe_set(_metadata, t, "event_filter", 1 << SPE_EVENT_RETIRED);
	spe_open(_metadata, t, AUX_PAGES);
	spe_enable(_metadata, t);
	work_alu(spe_rounds(t, WORK_ALU_OPS, 100));
	spe_finish(_metadata, t);
	ASSERT_LE(95, t->records.count);
	for (size_t i = 0; i < t->records.count; i++) {
		ASSERT_TRUE(spe_event(&t->records.record[i],
				      SPE_EVENT_RETIRED));
	}
}

SPE_FIXTURE(discard);

/* The unit discards all samples: the driver publishes no byte and flags no loss. */
TEST_F(discard, writes_nothing)
{
	struct spe_test *t = &self->t;
	int ret = spe_attr_set(&t->attr, &t->pmu, "discard", 1);

	if (ret == -ENOENT)
		SKIP(return, "this PMU has no discard mode");
	ASSERT_EQ(0, ret);
	spe_open(_metadata, t, 4);
	spe_enable(_metadata, t);
	work_alu(spe_rounds(t, WORK_ALU_OPS, 1000));
	spe_finish(_metadata, t);
	ASSERT_EQ(0, t->session.size);
	ASSERT_EQ(0, t->records.count);
}

TEST_HARNESS_MAIN
