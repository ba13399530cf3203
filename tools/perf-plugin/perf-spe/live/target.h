/* SPDX-License-Identifier: GPL-2.0-only */
/* What is sampled live: CPUs, tasks or a command. */
#ifndef PERF_SPE_TARGET_H
#define PERF_SPE_TARGET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "live/live.h"
#include "live/pmu.h"
#include "live/sampler.h"

struct target_options {
	const char *root;		/* "" for this machine */
	struct pmu_request req;
	const char *cpus;		/* a list, NULL: all */
	const char *pids, *tids;	/* lists, NULL: whatever runs */
	char **command;			/* NULL: none */
	bool quiet;			/* the command's output goes nowhere */
	uint64_t pages;			/* of each AUX area; 0: what may be had */
};

struct target {
	const struct target_options *opt;
	const char *verb;
	struct pmu *pmus;
	size_t nr_pmus;
	int32_t *tids;			/* -1: whoever runs */
	size_t nr_tids, room_tids;
	struct sampler sampler;
	pid_t child;			/* of the command; 0: none */
	int go;				/* its signal to begin, -1 once given */
	bool ended;
};

/* One sample in so many operations */
uint64_t target_period(const struct target_options *opt);

/*
 * Open all, not yet counting.  0, or -1 after a message that says what to do;
 * target_close() is needed then too.
 */
int target_open(struct target *t, const char *verb,
		const struct target_options *opt);
/* Who runs already */
void target_read_proc(const struct target *t, struct live *l);
/* Let samples come, and the command begin. */
void target_start(struct target *t);
/* All that was sampled so far is in the rings then. */
void target_flush(struct target *t);
/* A ring's space was freed: who waited for it goes on. */
void target_resume(struct target *t);
/* Whether the command or all tasks have ended */
bool target_ended(struct target *t);
void target_close(struct target *t);

#endif
