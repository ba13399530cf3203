// SPDX-License-Identifier: GPL-2.0-only
/*
 * Each thread has its own state, so that only the thread that called
 * progress_begin() prints.
 */
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "util/util.h"

#define EACH_MS 200

static _Thread_local struct {
	bool on, shown;
	uint64_t all, next;		/* bytes; ms at which it is shown next */
} progress;

static uint64_t now_ms(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (uint64_t)ts.tv_sec * 1000 + (uint64_t)ts.tv_nsec / 1000000;
}

void progress_begin(uint64_t all)
{
	const char *after = getenv("PERF_SPE_PROGRESS");

	progress.on = all && isatty(STDERR_FILENO);
	if (!progress.on)
		return;
	progress.all = all;
	progress.next = now_ms() + (after ? strtoull(after, NULL, 10) : 1000);
}

void progress_at(uint64_t done)
{
	uint64_t now;

	if (!progress.on)
		return;
	now = now_ms();
	if (now < progress.next)
		return;
	progress.next = now + EACH_MS;
	progress.shown = true;
	fprintf(stderr, "\rperf-spe: %3.0f%% of %" PRIu64 " MiB",
		percent(done < progress.all ? done : progress.all, progress.all),
		progress.all >> 20);
	fflush(stderr);
}

void progress_hide(void)
{
	if (progress.shown)
		fputs("\r\033[K", stderr);
	progress.shown = false;
}

void progress_end(void)
{
	progress_hide();
	progress.on = false;
}
