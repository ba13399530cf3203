/*
 * What the folder sample offers to others, by source.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#ifndef TARGET_ARM_SPE_SAMPLE_SAMPLE_H
#define TARGET_ARM_SPE_SAMPLE_SAMPLE_H

#include "../state/state.h"

/* boundary.c: What the SPU does between two operations. */

/* A reset ends profiling and discards the sample in flight. */
void spe_reset_activity(CPUARMState *env);

/* collision.c: Samples that stay in flight (D17.3.7). */

/* The sample is complete; its record is written after the window. */
void spe_hold(CPUARMState *env);

/* The window ends: writes the record. */
void spe_release(CPUARMState *env);

/* Discards the record that is held, if any. */
void spe_drop_held(CPUARMState *env);

/* PSB CSYNC: writes the record that is held, if any. */
void spe_synchronize(CPUARMState *env);

/* complete.c: Filters a complete sample, and writes its record. */

/* Filters the record of the sample that has ended, and writes it. */
void spe_complete(CPUARMState *env);

/* Filters and counts it, but does not write it. */
void spe_discard(CPUARMState *env);

/* feed.c: Tells the memory hierarchy of accesses and branches. */

/*
 * Feeds one access to p->vaddr and sets @out.  Returns false if that address
 * is not mapped (any more).
 */
bool spe_feed(CPUARMState *env, const ARMSPESample *p, SPEAccess *out);

/* Every access is fed, not only the sampled ones. */
bool spe_feeds_all(void);

/*
 * Creates the hierarchy of PE number @pe.  Returns false with @errp set if
 * its properties differ from those of another PE.
 */
bool spe_feed_realize(ARMSPEState *s, unsigned pe, Error **errp);

/* filter.c: Which records the filters keep (D17.5). */

/*
 * Returns NULL if the record is kept.  Else counts the first filter that
 * rejects it and returns the filter's name.
 */
const char *spe_filter(ARMSPEState *s, const ARMSPESample *p);

/* Counts the sample's PMU events, whichever filters are enabled. */
void spe_count_feed(ARMSPEState *s, const ARMSPESample *p);

/* finish.c: The end of the sampled operation (D17.6). */

/*
 * The operation ended, at the next boundary or, with @exception, by an
 * exception of its own.
 */
void spe_finish(CPUARMState *env, bool exception);

#endif
