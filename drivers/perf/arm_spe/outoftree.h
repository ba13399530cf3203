/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What this module does and no driver of Linux's tree may do; outoftree.c has the reasons.
 */
#ifndef SPE_OUTOFTREE_H
#define SPE_OUTOFTREE_H

#include "spe.h"

/* SPE_STRICT=1 on make's command line builds the module without all of it. */
#define SPE_OUTOFTREE	(!__is_defined(SPE_STRICT))

typeof(perf_output_copy) *spe_outoftree_output_copy(void);
void spe_outoftree_disable(struct perf_event *event);
void spe_outoftree_attach_itrace(struct perf_event *event);
void spe_outoftree_stop_samplers(struct perf_event *event);

/* Module init and exit. */
void spe_outoftree_init(void);
void spe_outoftree_exit(void);
void spe_takeover_begin(void);
void spe_takeover_settle(void);
void spe_takeover_end(void);

#endif /* SPE_OUTOFTREE_H */
