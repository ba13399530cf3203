/* SPDX-License-Identifier: GPL-2.0-only */
/* A progress line on the terminal while perf-spe reads samples. */
#ifndef PERF_SPE_PROGRESS_H
#define PERF_SPE_PROGRESS_H

#include <stdint.h>

/*
 * Print that @done of @all bytes are read, if standard error is a terminal.  The
 * line appears after one second, or after PERF_SPE_PROGRESS milliseconds.
 */
void progress_begin(uint64_t all);
void progress_at(uint64_t done);
void progress_end(void);
/* Erase the line before a message; the next progress_at() prints it again. */
void progress_hide(void);

#endif
