/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What goes on now, as a session: the kernel's rings instead of a file.
 *
 *   rings -> events -> session: who runs where, what is mapped
 *         -> SPE bytes -> streams -> samples
 *
 * What is used up is forgotten, so that it may go on for days.
 */
#ifndef PERF_SPE_LIVE_H
#define PERF_SPE_LIVE_H

#include "input/samples.h"
#include "live/ring.h"

/* What events carry behind them here, and those of /proc */
#define LIVE_SAMPLE_TYPE (PERF_SAMPLE_TID | PERF_SAMPLE_TIME | \
			  PERF_SAMPLE_CPU | PERF_SAMPLE_IDENTIFIER)

struct live {
	struct session *session;
	struct ring *rings;		/* the caller's */
	size_t nr_rings;
	struct streams *streams;
	struct sample_totals totals;
	uint64_t damaged_events;	/* rings whose events made no sense */
	bool mapped;			/* something, since @changed was called */
	void (*changed)(void *context);	/* cached places are old; may be NULL */
	void *context;
	char **strings;			/* hash, a power of two */
	size_t nr_strings, room_strings;
};

/*
 * An empty session of this machine, whose SPE PMU has the number @pmu_type,
 * and whose samples go to @fn.
 */
void live_init(struct live *l, struct session *s, uint64_t pmu_type,
	       uint64_t period, sample_fn fn, void *context);
/* Frees the session too. */
void live_free(struct live *l);

/* One event, of a ring or made up. */
void live_event(void *live, const struct perf_event_header *event);
/* All events and then all samples that the rings hold now. */
void live_drain(struct live *l);
/* All samples of the time up to now are through. */
void live_forget(struct live *l);

/* For events.c: the text, kept; what a child has of its parent. */
const char *live_string(struct live *l, const char *text);
void live_fork(struct process *child, const struct process *parent);

/*
 * proc.c: the processes that run now below @root, or only @pid and its
 * threads, as events.  False where there is no such process.
 */
bool proc_all(struct live *l, const char *root);
bool proc_one(struct live *l, const char *root, int32_t pid);
/* The process of thread @tid, NO_ID where there is none */
int32_t proc_process(const char *root, int32_t tid);
/* The threads of @pid, to be freed; NULL where there is no such process. */
int32_t *proc_threads(const char *root, int32_t pid, size_t *count);

#endif
