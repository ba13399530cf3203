/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * AUX buffers: callbacks of struct pmu, in process context.
 */
#ifndef SPE_AUX_H
#define SPE_AUX_H

#include "spe.h"

void *spe_aux_setup(struct perf_event *event, void **pages, int nr_pages, bool overwrite);
void spe_aux_free(void *data);

#endif /* SPE_AUX_H */
