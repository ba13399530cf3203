// SPDX-License-Identifier: GPL-2.0-only
/* Data Source codes, and the accessors of values that need a second fact. */
#include "test.h"

#define MIDR(implementer, part) \
	((uint64_t)(implementer) << 24 | 0x000f0000 | (part) << 4)

static const char *name_of(uint64_t midr, uint16_t code)
{
	struct armspe_source s;

	return armspe_source_decode(midr, code, &s) ? s.name : "(unknown)";
}

static void common_codes(void)
{
	static const char *const names[16] = {
		[0] = "l1d", [8] = "l2", [9] = "peer-core",
		[10] = "local-cluster", [11] = "system-cache",
		[12] = "peer-cluster", [13] = "remote", [14] = "dram",
	};
	static const uint16_t parts[] = {
		0xd0c, 0xd40, 0xd44, 0xd49, 0xd4b, 0xd4c, 0xd4d, 0xd4e, 0xd4f,
		0xd81, 0xd82, 0xd84, 0xd85, 0xd87, 0xd89,
	};
	unsigned int i;
	uint32_t code;

	for (i = 0; i < sizeof(parts) / sizeof(parts[0]); i++)
		for (code = 0; code <= 0xffff; code += code < 256 ? 1 : 255)
			CHECK_STR(name_of(MIDR(0x41, parts[i]), (uint16_t)code),
				  code < 16 && names[code] ? names[code] :
							     "(unknown)");
	CHECK_STR(name_of(MIDR(0x4e, 0x010), 8), "l2");
}

static void other_codes(void)
{
	struct armspe_source s;

	CHECK_STR(name_of(MIDR(0xc0, 0xac4), 0), "chip-cache-or-device");
	CHECK_STR(name_of(MIDR(0xc0, 0xac4), 9), "l2");
	CHECK_STR(name_of(MIDR(0xc0, 0xac4), 1), "(unknown)");
	CHECK_STR(name_of(MIDR(0x48, 0xd06), 13), "device");
	CHECK_STR(name_of(MIDR(0x48, 0xd06), 10), "(unknown)");
	CHECK(armspe_source_decode(MIDR(0x48, 0xd06), 7, &s));
	CHECK_EQ(s.level, ARMSPE_LEVEL_ANY_CACHE);
	CHECK_EQ(s.flags, ARMSPE_SOURCE_PEER | ARMSPE_SOURCE_MODIFIED |
			  ARMSPE_SOURCE_REMOTE);
}

#define P	ARMSPE_SOURCE_PEER
#define M	ARMSPE_SOURCE_MODIFIED
#define R	ARMSPE_SOURCE_REMOTE

/*
 * Levels and flags as arm_spe__synth_data_source_*() of Linux 7.3 (tools/perf) has
 * them: mem_lvl_num; SNOOPX_PEER, SNOOP_HITM and mem_remote.  Where Linux says NA of a
 * remote cache, the level is any cache's.
 */
static const struct {
	uint8_t implementer;
	uint16_t part, code;
	uint8_t level, flags;
} linux_says[] = {
	{ 0x41, 0xd0c, 0x0, ARMSPE_LEVEL_L1, 0 },
	{ 0x41, 0xd0c, 0x8, ARMSPE_LEVEL_L2, 0 },
	{ 0x41, 0xd0c, 0x9, ARMSPE_LEVEL_L2, P },
	{ 0x41, 0xd0c, 0xa, ARMSPE_LEVEL_L3, P },
	{ 0x41, 0xd0c, 0xb, ARMSPE_LEVEL_L3, 0 },
	{ 0x41, 0xd0c, 0xc, ARMSPE_LEVEL_L3, P },
	{ 0x41, 0xd0c, 0xd, ARMSPE_LEVEL_ANY_CACHE, P | R },
	{ 0x41, 0xd0c, 0xe, ARMSPE_LEVEL_DRAM, 0 },
	{ 0xc0, 0xac4, 0x0, ARMSPE_LEVEL_L2, P },
	{ 0xc0, 0xac4, 0x3, ARMSPE_LEVEL_L3, 0 },
	{ 0xc0, 0xac4, 0x5, ARMSPE_LEVEL_ANY_CACHE, P | R },
	{ 0xc0, 0xac4, 0x7, ARMSPE_LEVEL_DRAM, 0 },
	{ 0xc0, 0xac4, 0x8, ARMSPE_LEVEL_L1, 0 },
	{ 0xc0, 0xac4, 0x9, ARMSPE_LEVEL_L2, 0 },
	{ 0x48, 0xd06, 0, ARMSPE_LEVEL_L2, P },
	{ 0x48, 0xd06, 1, ARMSPE_LEVEL_L2, P | M },
	{ 0x48, 0xd06, 2, ARMSPE_LEVEL_L3, 0 },
	{ 0x48, 0xd06, 3, ARMSPE_LEVEL_L3, M },
	{ 0x48, 0xd06, 4, ARMSPE_LEVEL_L3, P },
	{ 0x48, 0xd06, 5, ARMSPE_LEVEL_L3, P | M },
	{ 0x48, 0xd06, 6, ARMSPE_LEVEL_ANY_CACHE, P | R },
	{ 0x48, 0xd06, 7, ARMSPE_LEVEL_ANY_CACHE, P | R | M },
	{ 0x48, 0xd06, 8, ARMSPE_LEVEL_DRAM, 0 },
	{ 0x48, 0xd06, 9, ARMSPE_LEVEL_DRAM, R },
	{ 0x48, 0xd06, 13, ARMSPE_LEVEL_DEVICE, 0 },
	{ 0x48, 0xd06, 16, ARMSPE_LEVEL_L2, 0 },
	{ 0x48, 0xd06, 17, ARMSPE_LEVEL_L2, M },
	{ 0x48, 0xd06, 18, ARMSPE_LEVEL_L1, 0 },
};

#define LINUX_SAYS	(sizeof(linux_says) / sizeof(linux_says[0]))

static void levels_and_flags(void)
{
	unsigned int i, code, known = 0;
	struct armspe_source s;

	for (i = 0; i < LINUX_SAYS; i++) {
		uint64_t midr = MIDR(linux_says[i].implementer, linux_says[i].part);

		CHECK(armspe_source_decode(midr, linux_says[i].code, &s));
		CHECK_EQ(s.level, linux_says[i].level);
		CHECK_EQ(s.flags, linux_says[i].flags);
	}
	/* And no other code is known. */
	for (code = 0; code <= 0xffff; code++)
		known += armspe_source_decode(MIDR(0x41, 0xd0c), (uint16_t)code, &s) +
			 armspe_source_decode(MIDR(0xc0, 0xac4), (uint16_t)code, &s) +
			 armspe_source_decode(MIDR(0x48, 0xd06), (uint16_t)code, &s);
	CHECK_EQ(known, LINUX_SAYS);
}

static void cores(void)
{
	/* Neoverse N1 r3p1, then as nobody's and as another vendor's core */
	CHECK_STR(armspe_source_core(0x413fd0c1), "Neoverse N1");
	CHECK_STR(armspe_source_core(0x410fd0c0), "Neoverse N1");
	CHECK(!armspe_source_core(0x420fd0c0));
	CHECK(!armspe_source_core(0));
	CHECK(!armspe_source_core(0x410fd030));
	CHECK_STR(name_of(0x410fd030, 0), "(unknown)");

	/* With a name alone, a name and codes, neither */
	CHECK(!armspe_source_core(0x410fd8e0));
	CHECK_STR(armspe_core_name(0x410fd8e0), "Neoverse N3");
	CHECK_STR(armspe_core_name(0x6d0fd490), "Azure Cobalt 100");
	CHECK_STR(name_of(0x6d0fd490, 0xb), name_of(0x410fd490, 0xb));
	CHECK(!armspe_core_name(0x410fd030));
}

/*
 * The cores of common_ds_encoding_cpus, ampereone_ds_encoding_cpus and
 * hisi_hip_ds_encoding_cpus in arm-spe.c of Linux 7.3 (tools/perf), Cobalt 100, which is
 * a Neoverse N2, and no others
 */
static void list_of_cores(void)
{
	static const uint64_t known[] = {
		MIDR(0x41, 0xd0c), MIDR(0x41, 0xd40), MIDR(0x41, 0xd44),
		MIDR(0x41, 0xd49), MIDR(0x41, 0xd4b), MIDR(0x41, 0xd4c),
		MIDR(0x41, 0xd4d), MIDR(0x41, 0xd4e), MIDR(0x41, 0xd4f),
		MIDR(0x41, 0xd81), MIDR(0x41, 0xd82), MIDR(0x41, 0xd84),
		MIDR(0x41, 0xd85), MIDR(0x41, 0xd87), MIDR(0x41, 0xd89),
		MIDR(0x4e, 0x010), MIDR(0xc0, 0xac4), MIDR(0x48, 0xd06),
		MIDR(0x6d, 0xd49),
	};
	const unsigned int count = sizeof(known) / sizeof(known[0]);
	unsigned int i, n;

	for (i = 0; i < count; i++) {
		bool found = false;

		for (n = 0; armspe_source_midr(n); n++)
			found |= armspe_source_midr(n) == (known[i] & 0xff00fff0);
		CHECK(found);
		CHECK_EQ(n, count);
	}
	CHECK_EQ(armspe_source_midr(count), 0);
	CHECK_EQ(armspe_source_midr(UINT32_MAX), 0);
}

static void saturation(void)
{
	CHECK(armspe_counter_saturated(0xfff, 12));
	CHECK(!armspe_counter_saturated(0xffe, 12));
	CHECK(!armspe_counter_saturated(0xfff, 16));
	CHECK(!armspe_counter_saturated(0xfffe, 16));
	CHECK(armspe_counter_saturated(0xffff, 16));
}

static void physical_address(void)
{
	CHECK_EQ(armspe_addr_pat(0xca00000000001000), 0xa);
	CHECK(armspe_addr_checked(0xca00000000001000));
	CHECK(!armspe_addr_checked(0x8f00000000001000));
	CHECK_EQ(armspe_addr_security(0xca00000000001000), ARMSPE_NON_SECURE);
}

const struct test_case source_cases[] = {
	{ "source: every code of Arm's cores", common_codes },
	{ "source: codes of AmpereOne and HIP12", other_codes },
	{ "source: level and flags of each code", levels_and_flags },
	{ "source: cores by MIDR", cores },
	{ "source: the list of known cores", list_of_cores },
	{ "counter: saturation of 12 and 16 bits", saturation },
	{ "address: PAT and CH", physical_address },
	{ 0 },
};
