/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What each event of a recording was asked for, and what the file says came of
 * it beside the samples of SPE.  A file may have several PMUs, each with a
 * period and filters of its own.
 */
#ifndef PERF_SPE_ASKED_H
#define PERF_SPE_ASKED_H

#include "input/perfdata.h"

struct session;

/* Of one attribute of the file */
struct asked_event {
	uint64_t aux_events, truncated, partial, collision;
	uint64_t lost;			/* perf records of its buffer */
	uint64_t samples, sum;		/* its own samples, and their periods */
};

struct asked {
	struct asked_event *of;		/* by attribute */
	size_t room;
	size_t *cpus;			/* by CPU: whose AUX data it is */
	size_t room_cpus;
};

/* AUX, LOST and samples: called for each event of the file. */
void asked_event(struct session *s, const struct pd_event *ev);
/* What is known of attribute @attr; zeros where the file says nothing. */
struct asked_event asked_of(const struct session *s, size_t attr);
/* Whether attribute @attr is an event of an SPE PMU. */
bool asked_is_spe(const struct session *s, size_t attr);
/* The attribute that the AUX data of @cpu is of, or PD_NO_ATTR. */
size_t asked_of_cpu(const struct session *s, int32_t cpu);
/*
 * Operations from one sample to the next, as the interval register has them:
 * a multiple of 256 (D24.7, PMSIRR_EL1).  0 with a frequency: it varies.
 */
uint64_t asked_interval(const struct pd_attr *attr);
bool asked_jitter(const struct pd_attr *attr);
/* The event in words: "arm_spe_0 jitter load_filter min_latency=20" */
char *asked_words(const struct session *s, size_t attr);
/* Of an event that is not SPE's: "instructions", "event 4/0x11" */
char *asked_name(const struct session *s, size_t attr);
void asked_free(struct asked *a);

#endif
