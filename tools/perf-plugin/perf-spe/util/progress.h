/* SPDX-License-Identifier: GPL-2.0-only */
/* How far a long walk over samples has come, as a line on a terminal. */
#ifndef PERF_SPE_PROGRESS_H
#define PERF_SPE_PROGRESS_H

#include <stdint.h>

/*
 * Of @all bytes @done are done: said on standard error where that is a
 * terminal, after a second (or so many ms as PERF_SPE_PROGRESS says).
 */
void progress_begin(uint64_t all);
void progress_at(uint64_t done);
void progress_end(void);
/* Out of the way of a message; the next progress_at() brings it back. */
void progress_hide(void);

#endif
