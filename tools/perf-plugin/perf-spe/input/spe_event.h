/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The events of a recording and their settings.  A recording may have several
 * SPE PMUs, each with a period and filters of its own.
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
/* The attribute that the AUX data of @cpu is of, or PD_NO_ATTR. */
size_t spe_event_of_cpu(const struct session *s, int32_t cpu);
/*
 * Operations from one sample to the next, as the interval register has them:
 * a multiple of 256 (D24.7, PMSIRR_EL1).  0 with a frequency: it varies.
 */
uint64_t spe_event_interval(const struct pd_attr *attr);
bool spe_event_jitter(const struct pd_attr *attr);
/* The settings as text: "arm_spe_0 jitter load_filter min_latency=20" */
char *spe_event_text(const struct session *s, size_t attr);
/* The name of an event that is not SPE's: "instructions", "event 4/0x11" */
char *other_event_name(const struct session *s, size_t attr);

#endif
