/* SPDX-License-Identifier: GPL-2.0-only */
/* Processes that began before sampling, from /proc. */
#ifndef PERF_SPE_PROC_H
#define PERF_SPE_PROC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct live;

/*
 * Send events to @l for all processes that run now, or only for @pid and its
 * threads.  @root is the folder above /proc.  False if there is no such process.
 */
bool proc_all(struct live *l, const char *root);
bool proc_one(struct live *l, const char *root, int32_t pid);
/* The process of thread @tid, NO_ID where there is none */
int32_t proc_process(const char *root, int32_t tid);
/* The threads of @pid, to be freed; NULL where there is no such process. */
int32_t *proc_threads(const char *root, int32_t pid, size_t *count);

#endif
