/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Samples of other events that carry records (PERF_SAMPLE_AUX).
 */
#ifndef SPE_AUXSAMPLE_H
#define SPE_AUXSAMPLE_H

#include "spe.h"

void spe_auxsample_init(void);
bool spe_auxsample_possible(void);

/* Callback of struct pmu, in any context. */
long spe_auxsample_snapshot(struct perf_event *event, struct perf_output_handle *handle,
			    unsigned long size);

#endif /* SPE_AUXSAMPLE_H */
