// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * The codes of Data Source packets, core by core.
 *
 * SOURCE is IMPLEMENTATION DEFINED (D18.2.4), so its meaning depends on the core,
 * which MIDR_EL1 identifies.  There is a row for each core and for each code.  The
 * codes are those of the cores' manuals, and Linux 7.3 has the same.
 */
#include "internal.h"

/* MIDR_EL1.Implementer and PartNum, which identify the core */
#define MIDR_CORE_MASK		0xff00fff0u
#define CORE(implementer, part)	((uint32_t)(implementer) << 24 | (part) << 4)

#define ARM		0x41
#define HISILICON	0x48
#define NVIDIA		0x4e
#define MICROSOFT	0x6d
#define AMPERE		0xc0

struct source_row {
	uint8_t code;
	struct armspe_source source;
};

#define PEER		ARMSPE_SOURCE_PEER
#define MODIFIED	ARMSPE_SOURCE_MODIFIED
#define REMOTE		ARMSPE_SOURCE_REMOTE

/* libarmspe.abi lacks enumerations that no function takes, so assert the length. */
_Static_assert(ARMSPE_LEVEL_DEVICE == 5, "programs know the levels by number");

/* Arm's cores, and others with the same codes */
static const struct source_row common_rows[] = {
	{ 0x0, { "l1d", ARMSPE_LEVEL_L1, 0 } },
	{ 0x8, { "l2", ARMSPE_LEVEL_L2, 0 } },
	{ 0x9, { "peer-core", ARMSPE_LEVEL_L2, PEER } },
	{ 0xa, { "local-cluster", ARMSPE_LEVEL_L3, PEER } },
	{ 0xb, { "system-cache", ARMSPE_LEVEL_L3, 0 } },
	{ 0xc, { "peer-cluster", ARMSPE_LEVEL_L3, PEER } },
	{ 0xd, { "remote", ARMSPE_LEVEL_ANY_CACHE, PEER | REMOTE } },
	{ 0xe, { "dram", ARMSPE_LEVEL_DRAM, 0 } },
};

static const struct source_row ampereone_rows[] = {
	{ 0x0, { "chip-cache-or-device", ARMSPE_LEVEL_L2, PEER } },
	{ 0x3, { "system-cache", ARMSPE_LEVEL_L3, 0 } },
	{ 0x5, { "remote-chip-cache", ARMSPE_LEVEL_ANY_CACHE, PEER | REMOTE } },
	{ 0x7, { "dram", ARMSPE_LEVEL_DRAM, 0 } },
	{ 0x8, { "l1d", ARMSPE_LEVEL_L1, 0 } },
	{ 0x9, { "l2", ARMSPE_LEVEL_L2, 0 } },
};

static const struct source_row hisilicon_rows[] = {
	{ 0, { "peer-core", ARMSPE_LEVEL_L2, PEER } },
	{ 1, { "peer-core-modified", ARMSPE_LEVEL_L2, PEER | MODIFIED } },
	{ 2, { "l3", ARMSPE_LEVEL_L3, 0 } },
	{ 3, { "l3-modified", ARMSPE_LEVEL_L3, MODIFIED } },
	{ 4, { "peer-cluster", ARMSPE_LEVEL_L3, PEER } },
	{ 5, { "peer-cluster-modified", ARMSPE_LEVEL_L3, PEER | MODIFIED } },
	{ 6, { "remote", ARMSPE_LEVEL_ANY_CACHE, PEER | REMOTE } },
	{ 7, { "remote-modified", ARMSPE_LEVEL_ANY_CACHE,
	       PEER | REMOTE | MODIFIED } },
	{ 8, { "dram", ARMSPE_LEVEL_DRAM, 0 } },
	{ 9, { "remote-dram", ARMSPE_LEVEL_DRAM, REMOTE } },
	{ 13, { "device", ARMSPE_LEVEL_DEVICE, 0 } },
	{ 16, { "l2", ARMSPE_LEVEL_L2, 0 } },
	{ 17, { "l2-modified", ARMSPE_LEVEL_L2, MODIFIED } },
	{ 18, { "l1d", ARMSPE_LEVEL_L1, 0 } },
};

#define ROWS(rows)	(rows), ARRAY_LEN(rows)

static const struct core_row {
	uint32_t midr;
	const char *name;
	const struct source_row *rows;
	size_t nr_rows;
} cores[] = {
	{ CORE(ARM, 0xd0c), "Neoverse N1", ROWS(common_rows) },
	{ CORE(ARM, 0xd40), "Neoverse V1", ROWS(common_rows) },
	{ CORE(ARM, 0xd44), "Cortex-X1", ROWS(common_rows) },
	{ CORE(ARM, 0xd49), "Neoverse N2", ROWS(common_rows) },
	{ CORE(ARM, 0xd4b), "Cortex-A78C", ROWS(common_rows) },
	{ CORE(ARM, 0xd4c), "Cortex-X1C", ROWS(common_rows) },
	{ CORE(ARM, 0xd4d), "Cortex-A715", ROWS(common_rows) },
	{ CORE(ARM, 0xd4e), "Cortex-X3", ROWS(common_rows) },
	{ CORE(ARM, 0xd4f), "Neoverse V2", ROWS(common_rows) },
	{ CORE(ARM, 0xd81), "Cortex-A720", ROWS(common_rows) },
	{ CORE(ARM, 0xd82), "Cortex-X4", ROWS(common_rows) },
	{ CORE(ARM, 0xd84), "Neoverse V3", ROWS(common_rows) },
	{ CORE(ARM, 0xd85), "Cortex-X925", ROWS(common_rows) },
	{ CORE(ARM, 0xd87), "Cortex-A725", ROWS(common_rows) },
	{ CORE(ARM, 0xd89), "Cortex-A720AE", ROWS(common_rows) },
	{ CORE(NVIDIA, 0x010), "Olympus", ROWS(common_rows) },
	/* Neoverse N2 r0p0 by another name, as Linux's cputype.h says */
	{ CORE(MICROSOFT, 0xd49), "Azure Cobalt 100", ROWS(common_rows) },
	{ CORE(AMPERE, 0xac4), "AmpereOne", ROWS(ampereone_rows) },
	{ CORE(HISILICON, 0xd06), "HIP12", ROWS(hisilicon_rows) },
};

/* Cores with SPE of which only the name is public: Linux 7.3's cputype.h */
static const struct {
	uint32_t midr;
	const char *name;
} named[] = {
	{ CORE(ARM, 0xd42), "Cortex-A78AE" },
	{ CORE(ARM, 0xd47), "Cortex-A710" },
	{ CORE(ARM, 0xd48), "Cortex-X2" },
	{ CORE(ARM, 0xd83), "Neoverse V3AE" },
	{ CORE(ARM, 0xd8a), "C1-Nano" },
	{ CORE(ARM, 0xd8b), "C1-Pro" },
	{ CORE(ARM, 0xd8c), "C1-Ultra" },
	{ CORE(ARM, 0xd8e), "Neoverse N3" },
	{ CORE(ARM, 0xd90), "C1-Premium" },
	{ CORE(HISILICON, 0xd01), "TSV110" },	/* Kunpeng 920 */
	{ CORE(HISILICON, 0xd02), "HIP09" },
	{ CORE(AMPERE, 0xac3), "AmpereOne AC03" },
};

/*
 * IMPLEMENTATION DEFINED events that a public source names, core by core: perf of
 * Linux 7.3 has this one.
 */
static const struct {
	uint32_t midr;
	uint8_t bit;
	const char *name;
} core_events[] = {
	{ CORE(ARM, 0xd0c), 12, "late-prefetch" },
};

static const struct core_row *core_find(uint64_t midr)
{
	size_t i;

	for (i = 0; i < ARRAY_LEN(cores); i++)
		if ((midr & MIDR_CORE_MASK) == cores[i].midr)
			return &cores[i];
	return NULL;
}

const char *armspe_source_core(uint64_t midr)
{
	const struct core_row *core = core_find(midr);

	return core ? core->name : NULL;
}

const char *armspe_core_name(uint64_t midr)
{
	size_t i;

	for (i = 0; i < ARRAY_LEN(named); i++)
		if ((midr & MIDR_CORE_MASK) == named[i].midr)
			return named[i].name;
	return armspe_source_core(midr);
}

const char *armspe_event_of(uint64_t midr, uint64_t events, unsigned int bit)
{
	size_t i;

	if (bit == SPE_EVENT_EXCEPTION && !(events >> SPE_EVENT_RETIRED & 1))
		return "impdef-0";
	for (i = 0; i < ARRAY_LEN(core_events); i++)
		if ((midr & MIDR_CORE_MASK) == core_events[i].midr &&
		    bit == core_events[i].bit)
			return core_events[i].name;
	return armspe_event_name(bit);
}

uint64_t armspe_source_midr(unsigned int index)
{
	return index < ARRAY_LEN(cores) ? cores[index].midr : 0;
}

bool armspe_source_decode(uint64_t midr, uint16_t code,
			  struct armspe_source *source)
{
	const struct core_row *core = core_find(midr);
	size_t i;

	for (i = 0; core && i < core->nr_rows; i++) {
		if (core->rows[i].code == code) {
			*source = core->rows[i].source;
			return true;
		}
	}
	return false;
}
