// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * The codes of Data Source packets, core by core.
 *
 * arm_spe/source.h has the lists, which the driver shares.
 */
#include <arm_spe/source.h>

#include "internal.h"

#define CORE(implementer, part) \
	ARM_SPE_MIDR_CORE((uint32_t)(implementer), part)
#define MIDR_CORE_MASK	ARM_SPE_MIDR_CORE_MASK

#define ARM		0x41
#define HISILICON	0x48
#define AMPERE		0xc0

struct source_row {
	uint8_t code;
	struct armspe_source source;
};

#define P	ARMSPE_SOURCE_PEER
#define M	ARMSPE_SOURCE_MODIFIED
#define R	ARMSPE_SOURCE_REMOTE

/* libarmspe.abi lacks enumerations that no function takes, so assert the numbers. */
_Static_assert(ARMSPE_LEVEL_DEVICE == 5, "programs know the levels by number");

#define ROW(code, name, level, flags) \
	{ code, { name, ARMSPE_LEVEL_##level, flags } },

static const struct source_row common_rows[] = {
	ARM_SPE_SOURCES_COMMON(ROW)
};

static const struct source_row ampereone_rows[] = {
	ARM_SPE_SOURCES_AMPEREONE(ROW)
};

static const struct source_row hisilicon_rows[] = {
	ARM_SPE_SOURCES_HISILICON(ROW)
};

#define CORE_ROW(implementer, part, name, rows) \
	{ CORE(implementer, part), name, rows##_rows, ARRAY_LEN(rows##_rows) },

static const struct core_row {
	uint32_t midr;
	const char *name;
	const struct source_row *rows;
	size_t nr_rows;
} cores[] = {
	ARM_SPE_SOURCE_CORES(CORE_ROW)
};

/* Cores whose data sources are not public: names from Linux 7.3's cputype.h */
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
