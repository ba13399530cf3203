// SPDX-License-Identifier: GPL-2.0-only
/* What the ID registers say: whether the driver binds, and which features it offers. */
#include "caps.h"
#include "test.h"

/* A usable unit: v1p4, records of 64 bytes, 12-bit counters, interval 1024. */
static const struct spe_idregs usable = {
	.dfr0 = 5ULL << 32,
	.pmbidr = 6,
	.pmsidr = 4 << 8 | 6 << 12 | 2 << 16,
};

static struct spe_caps decode(struct spe_idregs regs)
{
	struct spe_caps caps;
	enum spe_bind bind = spe_caps_decode(&regs, &caps);

	CHECK(bind == SPE_BIND_OK, "bind %d", bind);
	return caps;
}

TEST(usable_unit)
{
	struct spe_caps caps = decode(usable);

	CHECK(caps.pmsver == 5, "%u", caps.pmsver);
	CHECK(caps.record_size == 64, "%u", caps.record_size);
	CHECK(caps.align == 64, "%u", caps.align);
	CHECK(caps.count_bits == 12, "%u", caps.count_bits);
	CHECK(caps.min_interval == 1024, "%u", caps.min_interval);
	CHECK(caps.features == SPE_FEAT(DISCARD), "%#x", caps.features);
}

TEST(every_version_and_owner)
{
	for (u64 version = 0; version < 16; version++) {
		for (u64 p = 0; p < 2; p++) {
			struct spe_idregs regs = usable;
			struct spe_caps caps;
			enum spe_bind want = !version ? SPE_BIND_NO_SPE :
					     p ? SPE_BIND_OWNED : SPE_BIND_OK;
			enum spe_bind bind;

			regs.dfr0 = version << 32 | 0xfULL << 36 | 0xf;
			regs.pmbidr |= p << 4;
			bind = spe_caps_decode(&regs, &caps);
			CHECK(bind == want, "version %d p %d: %d", (int)version, (int)p, bind);
			/* caps.h promises that a refused unit has no capabilities. */
			CHECK(bind == SPE_BIND_OK ||
			      spe_caps_same(&caps, &(struct spe_caps) { 0 }), "refused, yet filled in");
			CHECK(bind != SPE_BIND_OK ||
			      !!(caps.features & SPE_FEAT(DISCARD)) == (version >= 3),
			      "version %d", (int)version);
			CHECK(spe_caps_version(&caps)[0], "no name");
		}
	}
}

/* The driver checks PMBIDR_EL1.P first, because with P 1 Align may hold any value. */
TEST(owned_outranks_reserved_fields)
{
	struct spe_idregs regs = usable;
	struct spe_caps caps;

	regs.pmbidr = 0x1f;
	regs.pmsidr = 0;
	CHECK(spe_caps_decode(&regs, &caps) == SPE_BIND_OWNED, "not owned");
}

TEST(every_record_size_and_alignment)
{
	for (unsigned int size = 0; size < 16; size++) {
		for (unsigned int align = 0; align < 16; align++) {
			struct spe_idregs regs = usable;
			struct spe_caps caps;
			enum spe_bind want = size < 4 || size > 11 ? SPE_BIND_BAD_SIZE :
					     align > 11 ? SPE_BIND_BAD_ALIGN : SPE_BIND_OK;
			enum spe_bind bind;

			regs.pmsidr = (regs.pmsidr & ~0xf000ULL) | size << 12;
			regs.pmbidr = align;
			bind = spe_caps_decode(&regs, &caps);
			CHECK(bind == want, "size %u align %u: %d", size, align, bind);
			CHECK(bind != SPE_BIND_OK || (caps.record_size == 1U << size &&
			      caps.align == 1U << align), "%u %u", caps.record_size, caps.align);
		}
	}
}

/* D24.7.14, PMSIDR_EL1.Interval.  registers.c compares with Linux's file too. */
/* PMSIDR_EL1.Format names the layout of the records: this project knows layout 0. */
TEST(records_of_another_format)
{
	for (u64 format = 0; format < 16; format++) {
		struct spe_idregs regs = usable;
		enum spe_bind want = format ? SPE_BIND_BAD_FORMAT : SPE_BIND_OK;
		struct spe_caps caps;
		enum spe_bind bind;

		regs.pmsidr |= format << 20;
		bind = spe_caps_decode(&regs, &caps);
		CHECK(bind == want, "format %d: %d", (int)format, bind);
	}
}

TEST(every_interval)
{
	static const unsigned int want[] = { 256, 0, 512, 768, 1024, 1536, 2048, 3072, 4096 };

	for (unsigned int i = 0; i < 16; i++) {
		struct spe_idregs regs = usable;
		struct spe_caps caps;

		regs.pmsidr = (regs.pmsidr & ~0xf00ULL) | i << 8;
		caps = decode(regs);
		CHECK(caps.min_interval == (i < ARRAY_SIZE(want) && want[i] ? want[i] : 4096),
		      "%u: %u", i, caps.min_interval);
	}
}

TEST(every_feature_bit_alone)
{
	static const struct { unsigned int bit; u32 feature; } rows[] = {
		{ 0, SPE_FEAT(FE) }, { 1, SPE_FEAT(FT) }, { 2, SPE_FEAT(FL) },
		{ 3, SPE_FEAT(ARCHINST) }, { 4, SPE_FEAT(LDS) }, { 5, SPE_FEAT(ERND) },
		{ 6, SPE_FEAT(FNE) }, { 7, SPE_FEAT(FDS) }, { 24, SPE_FEAT(PBT) },
		{ 25, SPE_FEAT(CRR) }, { 26, SPE_FEAT(EFT) }, { 27, SPE_FEAT(FPF) },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct spe_idregs regs = usable;
		struct spe_caps caps;

		regs.dfr0 = 1ULL << 32;
		regs.pmsidr |= 1ULL << rows[i].bit;
		caps = decode(regs);
		CHECK(caps.features == rows[i].feature, "bit %u: %#x", rows[i].bit, caps.features);
	}
}

/* The examples of the manual, and the smallest and largest values of the field. */
TEST(largest_buffers)
{
	static const struct { unsigned int field; u64 bytes; } rows[] = {
		{ 0, 0 }, { 1, 4096 }, { 0x1ff, 511 * 4096 }, { 0x200, 512 * 4096 },
		{ 0x201, 513 * 4096 }, { 0x400, 1024 * 4096 }, { 0x3fff, 4092ULL << 40 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct spe_idregs regs = usable;
		struct spe_caps caps;

		regs.pmbidr |= (u64)rows[i].field << 32;
		caps = decode(regs);
		CHECK(caps.max_buffer == rows[i].bytes, "%#x: %llu", rows[i].field, caps.max_buffer);
	}
}

TEST(sixteen_bit_counters)
{
	for (unsigned int count = 0; count < 16; count++) {
		struct spe_idregs regs = usable;
		struct spe_caps caps;

		regs.pmsidr = (regs.pmsidr & ~0xf0000ULL) | count << 16;
		caps = decode(regs);
		CHECK(caps.count_bits == (count == 3 ? 16 : 12), "%u: %u", count, caps.count_bits);
		CHECK(!!(caps.features & SPE_FEAT(LAT16)) == (count == 3), "%u", count);
	}
}

TEST(event_bits_need_their_filter)
{
	struct spe_idregs regs = usable;
	struct spe_caps caps;

	regs.pmsevfr = 0xff7eULL;
	regs.pmsnevfr = 0xfe7eULL;
	caps = decode(regs);
	CHECK(!caps.events && !caps.inv_events, "events without their filter");
	regs.pmsidr |= 1 << 0 | 1 << 6;
	caps = decode(regs);
	CHECK(caps.events == 0xff7e && caps.inv_events == 0xfe7e, "events are lost");
}

/* If only retired operations are sampled, E[1] of the event filter may read as any value. */
TEST(retired_may_always_be_asked_for)
{
	struct spe_idregs regs = usable;
	struct spe_caps with, without;

	regs.pmsidr |= 1;
	without = decode(regs);
	regs.pmsevfr = 2;
	with = decode(regs);
	CHECK(without.events == 2, "%#llx", (unsigned long long)without.events);
	CHECK(without.ignored_events == 2, "%#llx", (unsigned long long)without.ignored_events);
	CHECK(!with.ignored_events, "%#llx", (unsigned long long)with.ignored_events);
	CHECK(spe_caps_same(&with, &without), "an UNKNOWN bit makes PEs differ");
}

/* If units differ in what matters to a session, their capabilities differ. */
TEST(equality_sees_each_field)
{
	struct spe_idregs regs = usable;
	struct spe_caps a, b;

	regs.pmsidr |= 1 << 0 | 1 << 6;
	a = decode(regs);
	CHECK(spe_caps_same(&a, &a), "differs from itself");
	for (unsigned int bit = 0; bit < 28; bit++) {
		struct spe_idregs other = regs;

		/*
		 * Skips the high bits of fields; each other bit must make a difference, or
		 * the unit is refused.
		 */
		if (bit == 11 || bit == 13 || bit == 14 || bit == 15 || (bit >= 17 && bit <= 19))
			continue;
		other.pmsidr ^= 1ULL << bit;
		if (spe_caps_decode(&other, &b) != SPE_BIND_OK)
			continue;
		CHECK(!spe_caps_same(&a, &b), "PMSIDR_EL1 bit %u", bit);
	}
	regs.pmsevfr = 4;
	b = decode(regs);
	CHECK(!spe_caps_same(&a, &b), "PMSEVFR_EL1");
	regs.pmsevfr = 0;
	regs.pmbidr = 5;
	b = decode(regs);
	CHECK(!spe_caps_same(&a, &b), "PMBIDR_EL1.Align");
}

/*
 * All combinations of the CPU's features, the kernel's page table isolation and the requested
 * addressing.
 */
TEST(buffers_are_placed_where_they_work)
{
	static const struct {
		u32 features;
		bool kpti;
		enum spe_addressing wanted;
		enum spe_bind bind;
		bool physical;
	} rows[] = {
		{ 0, false, SPE_ADDRESSING_AUTO, SPE_BIND_OK, false },
		{ 0, false, SPE_ADDRESSING_VIRTUAL, SPE_BIND_OK, false },
		{ 0, false, SPE_ADDRESSING_PHYSICAL, SPE_BIND_NO_NVM, true },
		{ 0, true, SPE_ADDRESSING_AUTO, SPE_BIND_KPTI, false },
		{ 0, true, SPE_ADDRESSING_VIRTUAL, SPE_BIND_KPTI, false },
		{ 0, true, SPE_ADDRESSING_PHYSICAL, SPE_BIND_NO_NVM, true },
		{ 1, false, SPE_ADDRESSING_AUTO, SPE_BIND_OK, false },
		{ 1, false, SPE_ADDRESSING_VIRTUAL, SPE_BIND_OK, false },
		{ 1, false, SPE_ADDRESSING_PHYSICAL, SPE_BIND_OK, true },
		{ 1, true, SPE_ADDRESSING_AUTO, SPE_BIND_OK, true },
		{ 1, true, SPE_ADDRESSING_VIRTUAL, SPE_BIND_KPTI, false },
		{ 1, true, SPE_ADDRESSING_PHYSICAL, SPE_BIND_OK, true },
		{ 2, false, SPE_ADDRESSING_AUTO, SPE_BIND_OK, true },
		{ 2, false, SPE_ADDRESSING_VIRTUAL, SPE_BIND_NVM_ONLY, true },
		{ 2, false, SPE_ADDRESSING_PHYSICAL, SPE_BIND_OK, true },
		{ 2, true, SPE_ADDRESSING_AUTO, SPE_BIND_OK, true },
		{ 2, true, SPE_ADDRESSING_VIRTUAL, SPE_BIND_NVM_ONLY, true },
		{ 2, true, SPE_ADDRESSING_PHYSICAL, SPE_BIND_OK, true },
	};
	static const u32 features[] = {
		0, SPE_FEAT(NVM), SPE_FEAT(NVM) | SPE_FEAT(NVM_ONLY),
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct spe_caps caps = { .features = features[rows[i].features] };
		bool physical = !rows[i].physical;
		enum spe_bind bind = spe_caps_addressing(&caps, rows[i].kpti, rows[i].wanted,
						    &physical);

		CHECK(bind == rows[i].bind && physical == rows[i].physical,
		      "row %zu: %d, physical %d", i, bind, physical);
		CHECK(*spe_caps_reason(bind), "row %zu has no reason", i);
	}
}

/* PMBIDR_EL1.AddrMode (D24.7.1).  0b10 is reserved, so the driver assumes nothing. */
TEST(address_modes)
{
	static const u32 features[] = { 0, SPE_FEAT(NVM), 0, SPE_FEAT(NVM) | SPE_FEAT(NVM_ONLY) };

	for (u64 mode = 0; mode < 4; mode++) {
		struct spe_idregs regs = { .dfr0 = 1ULL << 32, .pmsidr = 6 << 12, .pmbidr = mode << 6 };
		struct spe_caps caps;

		CHECK(spe_caps_decode(&regs, &caps) == SPE_BIND_OK, "mode %llu", mode);
		CHECK(caps.features == features[mode], "mode %llu: %#x", mode, caps.features);
	}
}

TEST(every_refusal_has_words)
{
	for (int why = 0; why <= SPE_BIND_NR; why++)
		CHECK(spe_caps_reason(why)[0], "%d", why);
}
