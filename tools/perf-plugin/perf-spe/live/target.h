/* SPDX-License-Identifier: GPL-2.0-only */
/* What top samples: CPUs, tasks or a command. */
#ifndef PERF_SPE_TARGET_H
#define PERF_SPE_TARGET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "live/live.h"
#include "live/pmu.h"
#include "live/sampler.h"
#include "live/stack_event.h"

struct target_options {
	const char *root;		/* "" for this machine */
	struct pmu_request req;
	const char *cpus;		/* a list, NULL: all */
	const char *pids, *tids;	/* lists, NULL: all tasks */
	char **command;			/* NULL: none */
	bool quiet;			/* discard the command's output */
	uint64_t pages;			/* of each AUX area; 0: as many as allowed */
	enum stack_method stacks;		/* call stacks beside SPE */
};

struct target {
	const struct target_options *opt;
	const char *verb;
	struct pmu *pmus;
	size_t nr_pmus;
	int32_t *tids;			/* NO_ID: all tasks */
	size_t nr_tids, room_tids;
	struct sampler sampler;
	struct stack_attr stack_attr;	/* if stacks are wanted */
	pid_t child;			/* of the command; 0: none */
	int go;				/* pipe that starts it, -1 once used */
	bool ended;
};

/* Operations per sample */
uint64_t target_period(const struct target_options *opt);

/*
 * Open all events, disabled, and fork the command.  Returns 0, or -1 after a
 * message; call target_close() in both cases.
 */
int target_open(struct target *t, const char *verb,
		const struct target_options *opt);
/* Add the processes that already run to the session. */
void target_read_proc(const struct target *t, struct live *l);
/* Enable sampling and start the command. */
void target_start(struct target *t);
/* Disable sampling, so that the driver puts all samples into the rings. */
void target_flush(struct target *t);
/* Enable sampling again after the rings were emptied. */
void target_resume(struct target *t);
/* Whether the command or all tasks have ended */
bool target_ended(struct target *t);
void target_close(struct target *t);

#endif
