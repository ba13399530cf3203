/*
 * Which records the filters keep (D17.5).
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#ifndef TARGET_ARM_SPE_SAMPLE_FILTER_H
#define TARGET_ARM_SPE_SAMPLE_FILTER_H

#include "../state/state.h"

/*
 * Returns NULL if the record is kept.  Else counts the first filter that
 * rejects it and returns the filter's name.
 */
const char *spe_filter(ARMSPEState *s, const ARMSPESample *p);

/* Counts the sample's PMU events, whichever filters are enabled. */
void spe_count_feed(ARMSPEState *s, const ARMSPESample *p);

#endif
