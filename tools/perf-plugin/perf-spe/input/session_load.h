/* SPDX-License-Identifier: GPL-2.0-only */
/* A perf.data file as a session. */
#ifndef PERF_SPE_SESSION_LOAD_H
#define PERF_SPE_SESSION_LOAD_H

#include <stdbool.h>

struct session;

/*
 * 0, or -1 after a message.  Refuses files without Arm SPE data.  @calls: keep the call
 * stacks of the samples of other events.
 */
int session_load(struct session *s, const char *path, bool calls);

#endif
