/* SPDX-License-Identifier: GPL-2.0-only */
/* Nouns with their number. */
#ifndef PERF_SPE_PLURAL_H
#define PERF_SPE_PLURAL_H

#include <stdint.h>

/* What to append to a regular noun: "1 line", "2 lines" */
static inline const char *plural(uint64_t count)
{
	return count == 1 ? "" : "s";
}

#endif
