/* SPDX-License-Identifier: GPL-2.0-only */
/* Shares of a whole, as tables show them. */
#ifndef PERF_SPE_PERCENT_H
#define PERF_SPE_PERCENT_H

#include <stdint.h>

/* 0 if @whole is 0 */
static inline double percent(uint64_t part, uint64_t whole)
{
	return whole ? 100.0 * (double)part / (double)whole : 0;
}

#endif
