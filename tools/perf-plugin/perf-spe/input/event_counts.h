/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Counts for each event of a recording: AUX records and their flags, lost
 * records, and the event's own samples.
 */
#ifndef PERF_SPE_EVENT_COUNTS_H
#define PERF_SPE_EVENT_COUNTS_H

#include <stddef.h>
#include <stdint.h>

struct pd_event;
struct perfdata;

/* Of one attribute of the file */
struct event_count {
	uint64_t aux_events, truncated, partial, collision;
	uint64_t lost;			/* perf records of its buffer */
	uint64_t samples, sum;		/* its own samples, and their periods */
};

/* The buffer of @cpu was full at @time, in ns of perf's clock. */
struct aux_cut {
	uint64_t time;
	uint32_t cpu;
};

struct event_counts {
	struct event_count *of;		/* by attribute */
	size_t room;
	size_t *cpus;			/* by CPU: whose AUX data it is */
	size_t room_cpus;
	struct aux_cut *cuts;		/* truncated AUX records with time and CPU */
	size_t nr_cuts, room_cuts;
};

/* Count @ev, if it is an AUX, LOST or SAMPLE record; called for all records. */
void event_counts_add(struct event_counts *c, const struct perfdata *pd,
		      const struct pd_event *ev);
/* The counts of attribute @attr, zeros if the file has no records of it */
struct event_count event_counts_of(const struct event_counts *c, size_t attr);
/* The attribute that wrote AUX data of @cpu, or PD_NO_ATTR */
size_t event_counts_of_cpu(const struct event_counts *c, int32_t cpu);
void event_counts_free(struct event_counts *c);

#endif
