/* SPDX-License-Identifier: GPL-2.0-only */
/* Known faults of cores that make their samples misleading. */
#ifndef PERF_SPE_QUIRKS_H
#define PERF_SPE_QUIRKS_H

#include <stdint.h>

struct quirk {
	uint64_t core;		/* implementer and part number, as in MIDR_EL1 */
	uint64_t fixed;		/* variant << 4 | revision of the first core without the fault */
	const char *name;	/* core and erratum */
	const char *text;	/* what is wrong, and how to read the samples */
};

/*
 * The quirk of the core with this MIDR_EL1, or NULL.  A MIDR_EL1 of --cpu-model has variant
 * and revision 0, so such a core counts as affected.
 */
const struct quirk *quirk_find(uint64_t midr);

#endif
