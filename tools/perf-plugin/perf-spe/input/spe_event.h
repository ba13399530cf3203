/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The events of a recording and their settings.  A recording may have several SPE
 * events, one per PMU, each with its own period and filters.
 */
#ifndef PERF_SPE_SPE_EVENT_H
#define PERF_SPE_SPE_EVENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct pd_attr;
struct session;

/* Whether attribute @attr is an event of an SPE PMU. */
bool spe_event_is(const struct session *s, size_t attr);
/* The attribute that wrote the AUX data of @cpu, or PD_NO_ATTR */
size_t spe_event_of_cpu(const struct session *s, int32_t cpu);
/*
 * Operations from one sample to the next: PMSIRR_EL1 holds a multiple of 256
 * (D24.7).  0 for an event with a frequency, whose interval varies.
 */
uint64_t spe_event_interval(const struct pd_attr *attr);
bool spe_event_jitter(const struct pd_attr *attr);

/* Between these numbers is the mean number of operations from one sample to the next. */
struct spe_mean {
	uint64_t low, high;		/* 0: the recording does not say */
};

/*
 * The mean interval of @attr.  A driver may have raised a period that is below @least, the
 * CPU's recommended least interval (0: unknown).
 */
struct spe_mean spe_event_mean(const struct pd_attr *attr, uint64_t least);
/* Whether the CPU records only a part of its samples */
bool spe_event_filters(const struct pd_attr *attr);
/* These settings as text, each after a blank: " load_filter min_latency=20" */
char *spe_event_filter_text(const struct pd_attr *attr);
/* Whether the CPU records only a part of its samples, in any of the SPE events */
bool spe_event_chosen(const struct session *s);
/* The settings as text: "arm_spe_0 jitter load_filter min_latency=20" */
char *spe_event_text(const struct session *s, size_t attr);
/* The name of an event that is not SPE's: "instructions", "event 4/0x11" */
char *other_event_name(const struct session *s, size_t attr);

#endif
