// SPDX-License-Identifier: GPL-2.0-only
#include <stddef.h>

#include "analysis/advice/advice.h"

/* MIDR_EL1: implementer 31:24, variant 23:20, architecture 19:16, part 15:4, revision 3:0 */
#define MIDR_CORE	UINT64_C(0xff00fff0)
#define MIDR_VARIANT(m)	((m) >> 20 & 0xf)
#define MIDR_REVISION(m) ((m) & 0xf)

/*
 * Each entry names its public source.  Linux's list of errata
 * (Documentation/arch/arm64/silicon-errata.rst) has none of SPE.
 */
static const struct quirk quirks[] = {
	/* Linaro Forge 24.0, "Known issues for Arm SPE" */
	{ 0x4100d0c0, 0x41, "Neoverse N1 erratum 1694299 (fixed in r4p1)",
	  "branch targets have too many samples, some instructions shortly after a branch target too few; the size is not published; compare functions or whole loops, not single instructions" },
};

const struct quirk *quirk_find(uint64_t midr)
{
	size_t i;

	for (i = 0; i < sizeof(quirks) / sizeof(quirks[0]); i++)
		if ((midr & MIDR_CORE) == quirks[i].core &&
		    (MIDR_VARIANT(midr) << 4 | MIDR_REVISION(midr)) < quirks[i].fixed)
			return &quirks[i];
	return NULL;
}
