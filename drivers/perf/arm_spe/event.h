/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The perf PMU.
 */
#ifndef SPE_EVENT_H
#define SPE_EVENT_H

#include "spe.h"

int spe_event_register(struct spe_pmu *spe);

#endif /* SPE_EVENT_H */
