/* SPDX-License-Identifier: GPL-2.0-only */
/* Tables of a recording's events: their settings and counts. */
#ifndef PERF_SPE_TABLE_EVENTS_H
#define PERF_SPE_TABLE_EVENTS_H

#include <stdint.h>

struct session;

/*
 * Print the settings of each SPE event and its share of @all samples.
 * @counts[attribute] has the samples of an attribute, and the element after the
 * last attribute has those of unknown events.
 */
void table_pmus(const struct session *s, const uint64_t *counts, uint64_t all);
/*
 * Print what other events counted.  For an event that counts instructions, its
 * count per sample is the effective period.
 */
void table_others(const struct session *s, uint64_t samples);

#endif
