/* SPDX-License-Identifier: GPL-2.0-only */
/* Tables of a recording's events: their settings, and what came of them. */
#ifndef PERF_SPE_TABLE_EVENTS_H
#define PERF_SPE_TABLE_EVENTS_H

#include <stdint.h>

struct session;

/*
 * Each event of SPE: its settings, with @counts[attribute] of @all samples and
 * in @counts[number of attributes] those of no known event.
 */
void table_pmus(const struct session *s, const uint64_t *counts, uint64_t all);
/*
 * What other events counted.  Of one that counts operations or instructions the
 * number for each of @samples is the period that came out.
 */
void table_others(const struct session *s, uint64_t samples);

#endif
