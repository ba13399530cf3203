/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Counters in debugfs.
 */
#ifndef SPE_STATS_H
#define SPE_STATS_H

#include "spe.h"

void spe_stats_create(struct spe_pmu *spe);
void spe_stats_remove(struct spe_pmu *spe);
void spe_stats_exit(void);

#endif /* SPE_STATS_H */
