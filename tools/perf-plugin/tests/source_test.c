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

static void cores(void)
{
	/* Neoverse N1 r3p1, then as nobody's and as another vendor's core */
	CHECK_STR(armspe_source_core(0x413fd0c1), "Neoverse N1");
	CHECK_STR(armspe_source_core(0x410fd0c0), "Neoverse N1");
	CHECK(!armspe_source_core(0x420fd0c0));
	CHECK(!armspe_source_core(0));
	CHECK(!armspe_source_core(0x410fd030));
	CHECK_STR(name_of(0x410fd030, 0), "(unknown)");
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
	{ "source: cores by MIDR", cores },
	{ "counter: saturation of 12 and 16 bits", saturation },
	{ "address: PAT and CH", physical_address },
	{ 0 },
};
