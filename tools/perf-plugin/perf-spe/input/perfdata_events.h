/* SPDX-License-Identifier: GPL-2.0-only */
/* Walking the events of a perf.data file. */
#ifndef PERF_SPE_PERFDATA_EVENTS_H
#define PERF_SPE_PERFDATA_EVENTS_H

#include <stdint.h>

struct perfdata;
struct pd_event;

/*
 * The event at *pos (at first pd->data), which is moved behind it.
 * 1: *ev is filled; 0: the end; -1 after a message that names the offset.
 */
int perfdata_next(struct perfdata *pd, uint64_t *pos, struct pd_event *ev);

/* Take the sample_id off the end of @ev, as the attributes say. */
void perfdata_sample_id(struct perfdata *pd, struct pd_event *ev);

#endif
