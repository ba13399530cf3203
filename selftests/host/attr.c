// SPDX-License-Identifier: GPL-2.0-only
/*
 * Attributes: which register each one programs, which feature it needs, and what is
 * refused.
 */
#include "attr.h"
#include "test.h"

#define ALL_FEATURES	((1U << SPE_FEAT_NR) - 1)
/* Those of a PMU arm_spe_N: SAMPLE marks a spe_sample_N. */
#define AUX_FEATURES	(ALL_FEATURES & ~SPE_FEAT(SAMPLE))

#define CAPS_OF(_features) {								\
	.features = (_features),							\
	.pmsver = 6, .count_bits = 16, .min_interval = 1024, .record_size = 64, .align = 64,	\
	.events = ~0ULL, .inv_events = ~0ULL,						\
}

static const struct spe_caps everything = CAPS_OF(AUX_FEATURES);
static const struct spe_caps sampler = CAPS_OF(ALL_FEATURES);

static const struct spe_caps nothing = {
	.pmsver = 1, .count_bits = 12, .min_interval = 4096, .record_size = 64, .align = 1,
};

/* The documented ABI, written down a second time and independently of attr.c. */
static const struct abi {
	const char *name;
	unsigned int word, bit;
	u32 need;
	unsigned int reg;
	u64 value, pmsfcr;
} abi[] = {
	{ "ts_enable", 0, 0, 0, SPE_PROG_PMSCR, 1 << 5, 0 },
	{ "pa_enable", 0, 1, 0, SPE_PROG_PMSCR, 1 << 4, 0 },
	{ "pct_enable", 0, 2, 0, SPE_PROG_PMSCR, 1 << 6, 0 },
	{ "jitter", 0, 16, 0, SPE_PROG_PMSIRR, 1, 0 },
	{ "guest", 0, 17, SPE_FEAT(GUEST), SPE_PROG_PMSCR_EL12, 1 << 3, 0 },
	{ "branch_filter", 0, 32, SPE_FEAT(FT), SPE_PROG_PMSFCR, 1 << 16 | 2, 2 },
	{ "load_filter", 0, 33, SPE_FEAT(FT), SPE_PROG_PMSFCR, 1 << 17 | 2, 2 },
	{ "store_filter", 0, 34, SPE_FEAT(FT), SPE_PROG_PMSFCR, 1 << 18 | 2, 2 },
	{ "discard", 0, 35, SPE_FEAT(DISCARD), SPE_PROG_PMBLIMITR, 2 << 1, 0 },
	{ "branch_filter_mask", 0, 36, SPE_FEAT(FT) | SPE_FEAT(EFT), SPE_PROG_PMSFCR, 1ULL << 48 | 2, 2 },
	{ "load_filter_mask", 0, 37, SPE_FEAT(FT) | SPE_FEAT(EFT), SPE_PROG_PMSFCR, 1ULL << 49 | 2, 2 },
	{ "store_filter_mask", 0, 38, SPE_FEAT(FT) | SPE_FEAT(EFT), SPE_PROG_PMSFCR, 1ULL << 50 | 2, 2 },
	{ "simd_filter", 0, 39, SPE_FEAT(FT) | SPE_FEAT(EFT), SPE_PROG_PMSFCR, 1 << 20 | 2, 2 },
	{ "simd_filter_mask", 0, 40, SPE_FEAT(FT) | SPE_FEAT(EFT), SPE_PROG_PMSFCR, 1ULL << 52 | 2, 2 },
	{ "float_filter", 0, 41, SPE_FEAT(FT) | SPE_FEAT(EFT), SPE_PROG_PMSFCR, 1 << 19 | 2, 2 },
	{ "float_filter_mask", 0, 42, SPE_FEAT(FT) | SPE_FEAT(EFT), SPE_PROG_PMSFCR, 1ULL << 51 | 2, 2 },
	{ "batch", 0, 56, SPE_FEAT(SAMPLE), SPE_PROG_BATCH, 1, 0 },
	{ "batch", 0, 62, SPE_FEAT(SAMPLE), SPE_PROG_BATCH, 64, 0 },
	{ "event_filter", 1, 0, SPE_FEAT(FE), SPE_PROG_PMSEVFR, 1, 1 },
	{ "event_filter", 1, 63, SPE_FEAT(FE), SPE_PROG_PMSEVFR, 1ULL << 63, 1 },
	{ "min_latency", 2, 0, SPE_FEAT(FL), SPE_PROG_PMSLATFR, 1, 4 },
	{ "min_latency", 2, 11, SPE_FEAT(FL), SPE_PROG_PMSLATFR, 1 << 11, 4 },
	{ "min_latency", 2, 15, SPE_FEAT(FL) | SPE_FEAT(LAT16), SPE_PROG_PMSLATFR, 1 << 15, 4 },
	{ "inv_event_filter", 3, 7, SPE_FEAT(FNE), SPE_PROG_PMSNEVFR, 1 << 7, 8 },
	{ "inv_data_src_filter", 4, 5, SPE_FEAT(FDS), SPE_PROG_PMSDSFR, ~(1ULL << 5), 16 },
};

#define NR_ABI	(ARRAY_SIZE(abi))

/* Each attribute is one of arm_spe_N, but for the one of spe_sample_N. */
static const struct spe_caps *caps_of(const struct abi *row)
{
	return row->need & SPE_FEAT(SAMPLE) ? &sampler : &everything;
}

static struct spe_config one_bit(unsigned int word, unsigned int bit)
{
	struct spe_config config = { { 0 } };

	config.word[word] = 1ULL << bit;
	return config;
}

TEST(no_attribute_programs_nothing)
{
	struct spe_config config = { { 0 } };
	struct spe_prog prog;

	CHECK(!spe_attr_pack(&config, &nothing, &prog), "refused");
	for (int i = 0; i < SPE_PROG_NR; i++)
		CHECK(!prog.reg[i], "register %d", i);
}

TEST(each_attribute_reaches_its_register)
{
	for (size_t i = 0; i < NR_ABI; i++) {
		struct spe_config config = one_bit(abi[i].word, abi[i].bit);
		struct spe_prog prog;

		CHECK(!spe_attr_pack(&config, caps_of(&abi[i]), &prog), "%s", abi[i].name);
		CHECK(prog.reg[abi[i].reg] == abi[i].value, "%s: %#llx", abi[i].name,
		      (unsigned long long)prog.reg[abi[i].reg]);
		for (unsigned int reg = 0; reg < SPE_PROG_NR; reg++)
			CHECK(reg == abi[i].reg || prog.reg[reg] ==
			      (reg == SPE_PROG_PMSFCR ? abi[i].pmsfcr : 0),
			      "%s: register %u", abi[i].name, reg);
	}
}

TEST(each_attribute_needs_its_feature)
{
	for (size_t i = 0; i < NR_ABI; i++) {
		struct spe_config config = one_bit(abi[i].word, abi[i].bit);

		for (unsigned int feature = 0; feature < SPE_FEAT_NR; feature++) {
			struct spe_caps caps = *caps_of(&abi[i]);
			struct spe_prog prog;
			int want = abi[i].need & 1U << feature ? -EOPNOTSUPP : 0;
			int err;

			caps.features &= ~(1U << feature);
			err = spe_attr_pack(&config, &caps, &prog);
			CHECK(err == want, "%s without feature %u: %d", abi[i].name, feature, err);
		}
	}
}

/* MINLAT is as wide as the counters (D24.7.12, PMSLATFR_EL1): 12 bits here. */
TEST(min_latency_of_narrow_counters)
{
	struct spe_caps narrow = everything;

	narrow.features &= ~SPE_FEAT(LAT16);
	for (unsigned int bit = 0; bit < 16; bit++) {
		struct spe_config config = one_bit(2, bit);
		struct spe_prog prog;
		int err = spe_attr_pack(&config, &narrow, &prog);

		CHECK(err == (bit < 12 ? 0 : -EOPNOTSUPP), "bit %u: %d", bit, err);
		if (err)
			continue;
		CHECK(prog.reg[SPE_PROG_PMSLATFR] == 1U << bit, "bit %u: %#llx", bit,
		      (unsigned long long)prog.reg[SPE_PROG_PMSLATFR]);
		/* PMSFCR_EL1.FL (D24.7.10), and no other bit */
		CHECK(prog.reg[SPE_PROG_PMSFCR] == 1 << 2, "bit %u: %#llx", bit,
		      (unsigned long long)prog.reg[SPE_PROG_PMSFCR]);
	}
}

static bool batch_bit(unsigned int word, unsigned int bit)
{
	return !word && bit >= 56 && bit <= 62;
}

static bool known_bit(unsigned int word, unsigned int bit)
{
	switch (word) {
	case 0:
		return bit <= 2 || bit == 16 || bit == 17 || (bit >= 32 && bit <= 42) ||
		       batch_bit(word, bit);
	case 2:
		return bit <= 15;
	default:
		return true;
	}
}

TEST(every_other_bit_is_refused)
{
	for (unsigned int word = 0; word < ARM_SPE_ATTR_WORDS; word++) {
		for (unsigned int bit = 0; bit < 64; bit++) {
			struct spe_config config = one_bit(word, bit);
			struct spe_prog prog;
			int err = spe_attr_pack(&config, batch_bit(word, bit) ? &sampler :
						&everything, &prog);

			CHECK(err == (known_bit(word, bit) ? 0 : -EINVAL), "config%u bit %u: %d",
			      word, bit, err);
			err = spe_attr_pack(&config, &nothing, &prog);
			CHECK(known_bit(word, bit) ? err != -EINVAL : err == -EINVAL,
			      "config%u bit %u without features: %d", word, bit, err);
		}
	}
}

TEST(meaningless_outranks_missing)
{
	struct spe_config config = { { 1ULL << 35 | 1ULL << 63 } };
	struct spe_prog prog;

	CHECK(spe_attr_pack(&config, &nothing, &prog) == -EINVAL, "not EINVAL");
}

TEST(batch_is_1_to_64_records)
{
	for (u64 batch = 0; batch < 128; batch++) {
		struct spe_config config = { { batch << 56 } };
		struct spe_prog prog;
		int err = spe_attr_pack(&config, &sampler, &prog);

		CHECK(err == (batch <= 64 ? 0 : -EINVAL), "%d: %d", (int)batch, err);
		CHECK(err || prog.reg[SPE_PROG_BATCH] == (batch ? batch : 1), "%d: %d", (int)batch,
		      (int)prog.reg[SPE_PROG_BATCH]);
		/* 0 tells AUX data from samples. */
		err = spe_attr_pack(&config, &everything, &prog);
		CHECK(err == (batch ? -EOPNOTSUPP : 0), "%d, AUX data: %d", (int)batch, err);
		CHECK(err || !prog.reg[SPE_PROG_BATCH], "%d, AUX data", (int)batch);
	}
}

/*
 * Discard mode writes no records, so there would be no samples.  perf would take a guest's
 * addresses for the host's.
 */
TEST(samples_have_all_attributes_but_discard_and_guest)
{
	for (unsigned int i = 0; i < SPE_ATTR_NR_ROWS; i++) {
		const struct spe_attr_row *row = &spe_attr_rows[i];
		bool batch = !strcmp(row->name, "batch");
		bool aux = !strcmp(row->name, "discard") || !strcmp(row->name, "guest");

		CHECK(spe_attr_offered(row, &sampler) ==
		      (batch || (!aux && spe_attr_offered(row, &everything))), "%s", row->name);
		CHECK(!batch || !spe_attr_offered(row, &everything), "batch of AUX data");
	}
}

TEST(unimplemented_events_are_refused)
{
	for (unsigned int bit = 0; bit < 64; bit++) {
		struct spe_config config = one_bit(1, bit), inverted = one_bit(3, bit);
		struct spe_caps caps = everything;
		struct spe_prog prog;

		caps.events = ~(1ULL << bit);
		CHECK(spe_attr_pack(&config, &caps, &prog) == -EOPNOTSUPP, "bit %u", bit);
		CHECK(!spe_attr_pack(&inverted, &caps, &prog), "bit %u, inverted", bit);
		caps.events = ~0ULL;
		caps.inv_events = ~(1ULL << bit);
		CHECK(!spe_attr_pack(&config, &caps, &prog), "bit %u", bit);
		CHECK(spe_attr_pack(&inverted, &caps, &prog) == -EOPNOTSUPP, "bit %u, inverted", bit);
	}
}

/*
 * No operation can have an event and not have it.  D24.7 (PMSFCR_EL1.FnE) lets a unit that is
 * asked for both do what it likes.
 */
TEST(event_wanted_and_unwanted_is_refused)
{
	for (unsigned int bit = 0; bit < 64; bit++) {
		for (unsigned int other = 0; other < 64; other++) {
			struct spe_config config = { { 0, 1ULL << bit | 1ULL << 5, 0, 1ULL << other } };
			int want = other == bit || other == 5 ? -EINVAL : 0;
			struct spe_prog prog;
			int err = spe_attr_pack(&config, &everything, &prog);

			CHECK(err == want, "event %u, not %u: %d", bit, other, err);
		}
	}
}

/*
 * A unit that samples only retired operations may ignore E[1].  With no other event the filter
 * would be on without an event, which D24.7 (PMSFCR_EL1.FE) leaves to the unit too.
 */
TEST(filter_for_retired_alone_is_off_where_the_unit_ignores_it)
{
	struct spe_config config = { { 0, 2, 0, 0 } };
	struct spe_caps caps = everything;
	struct spe_prog prog;

	CHECK(!spe_attr_pack(&config, &caps, &prog), "refused");
	CHECK(prog.reg[SPE_PROG_PMSFCR] == 1 && prog.reg[SPE_PROG_PMSEVFR] == 2, "implemented");
	caps.ignored_events = 2;
	CHECK(!spe_attr_pack(&config, &caps, &prog), "refused");
	CHECK(!prog.reg[SPE_PROG_PMSFCR] && !prog.reg[SPE_PROG_PMSEVFR], "ignored");
	config.word[1] = 0x82;
	CHECK(!spe_attr_pack(&config, &caps, &prog), "refused");
	CHECK(prog.reg[SPE_PROG_PMSFCR] == 1 && prog.reg[SPE_PROG_PMSEVFR] == 0x80,
	      "beside another event");
	config.word[2] = 7;
	config.word[1] = 2;
	CHECK(!spe_attr_pack(&config, &caps, &prog), "refused");
	CHECK(prog.reg[SPE_PROG_PMSFCR] == 4, "beside a latency");
}

TEST(filters_combine)
{
	struct spe_config config = { { 7ULL << 32 | 1, 0x82, 300, 0x40, 1 } };
	struct spe_prog prog;

	CHECK(!spe_attr_pack(&config, &everything, &prog), "refused");
	CHECK(prog.reg[SPE_PROG_PMSFCR] == (0x1f | 7 << 16), "%#llx",
	      (unsigned long long)prog.reg[SPE_PROG_PMSFCR]);
	CHECK(prog.reg[SPE_PROG_PMSEVFR] == 0x82, "events");
	CHECK(prog.reg[SPE_PROG_PMSLATFR] == 300, "latency");
	CHECK(prog.reg[SPE_PROG_PMSNEVFR] == 0x40, "inverted events");
	CHECK(prog.reg[SPE_PROG_PMSDSFR] == ~1ULL, "data sources");
}

/* PMSCR_EL1 (D24.7.8) and PMSCR_EL2 (D24.7.9): E0SPE or E0HSPE, E1SPE or E2SPE, PCT at bit 6. */
TEST(levels_are_of_the_host_and_of_guests_if_wanted)
{
	for (unsigned int i = 0; i < 32; i++) {
		bool user = i & 1, kernel = i & 2, host = i & 4, guest = i & 8, timed = i & 16;
		u64 levels = (user ? 1 : 0) | (kernel ? 2 : 0);
		/* The host's time may be virtual, that of a session with guests may not. */
		u64 pmscr = (timed ? 1 << 5 : 0) | (guest ? 1 << 6 : 0) | (host ? levels : 0);
		struct spe_config config = { { (timed ? 1 : 0) | (guest ? 1 << 17 : 0) } };
		struct spe_prog prog;

		CHECK(!spe_attr_pack(&config, &everything, &prog), "%u", i);
		spe_attr_levels(&prog, user, kernel, host);
		CHECK(prog.reg[SPE_PROG_PMSCR] == pmscr, "%u: %#llx", i,
		      (unsigned long long)prog.reg[SPE_PROG_PMSCR]);
		/* CX marks each record of a guest (D17.6.9). */
		CHECK(prog.reg[SPE_PROG_PMSCR_EL12] == (guest ? 1 << 3 | levels : 0), "%u: %#llx",
		      i, (unsigned long long)prog.reg[SPE_PROG_PMSCR_EL12]);
	}
}

TEST(physical_time_stays_physical_with_guests)
{
	struct spe_config config = { { 1 << 2 | 1 << 17 } };
	struct spe_prog prog;

	CHECK(!spe_attr_pack(&config, &everything, &prog), "refused");
	spe_attr_levels(&prog, true, true, false);
	CHECK(prog.reg[SPE_PROG_PMSCR] == 1 << 6, "%#llx",
	      (unsigned long long)prog.reg[SPE_PROG_PMSCR]);
}

TEST(every_row_is_there)
{
	for (unsigned int i = 0; i < SPE_ATTR_NR_ROWS; i++)
		CHECK(spe_attr_rows[i].name && spe_attr_rows[i].field, "row %u", i);
}

TEST(one_row_is_offered_for_each_name)
{
	for (unsigned int features = 0; features <= ALL_FEATURES; features++) {
		struct spe_caps caps = { .features = features };

		for (unsigned int i = 0; i < SPE_ATTR_NR_ROWS; i++)
			for (unsigned int j = 0; j < i; j++)
				CHECK(strcmp(spe_attr_rows[i].name, spe_attr_rows[j].name) ||
				      !spe_attr_offered(&spe_attr_rows[i], &caps) ||
				      !spe_attr_offered(&spe_attr_rows[j], &caps),
				      "%s twice with features %#x", spe_attr_rows[i].name, features);
	}
}

TEST(period_keeps_what_the_register_can_hold)
{
	for (u64 period = 256; period <= 1 << 20; period++)
		CHECK(spe_attr_period(period, &nothing) == (period & ~0xffULL), "%llu",
		      (unsigned long long)period);
	for (int bit = 8; bit < 32; bit++)
		CHECK(spe_attr_period(1ULL << bit, &nothing) == 1ULL << bit, "2^%d", bit);
	CHECK(spe_attr_period(0xffffff00, &nothing) == 0xffffff00, "largest");
	CHECK(spe_attr_period(0xffffffff, &nothing) == 0xffffff00, "largest, rounded");
}

TEST(period_of_zero_is_the_recommended_one)
{
	CHECK(spe_attr_period(0, &nothing) == 4096, "not 4096");
	CHECK(spe_attr_period(0, &everything) == 1024, "not 1024");
}

/* Software must write a nonzero INTERVAL (D24.7, PMSIRR_EL1). */
TEST(period_too_short_is_raised)
{
	for (u64 period = 1; period < 256; period++)
		CHECK(spe_attr_period(period, &everything) == 256, "%d", (int)period);
}

TEST(period_too_long_is_the_longest)
{
	for (int bit = 32; bit < 64; bit++)
		CHECK(spe_attr_period(1ULL << bit, &everything) == 0xffffff00, "2^%d", bit);
	CHECK(spe_attr_period(~0ULL, &everything) == 0xffffff00, "all ones");
}
