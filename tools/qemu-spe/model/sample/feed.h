/*
 * Tells the memory hierarchy of accesses and branches.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#ifndef TARGET_ARM_SPE_SAMPLE_FEED_H
#define TARGET_ARM_SPE_SAMPLE_FEED_H

#include "../state/state.h"

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

#endif
