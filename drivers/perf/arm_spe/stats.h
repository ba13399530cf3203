/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Counters in sysfs and debugfs.
 */
#ifndef SPE_STATS_H
#define SPE_STATS_H

#include "spe.h"

extern const struct attribute_group spe_stats_group;

void spe_stats_init(void);
void spe_stats_create(struct spe_pmu *spe);
void spe_stats_remove(struct spe_pmu *spe);
void spe_stats_exit(void);

#endif /* SPE_STATS_H */
