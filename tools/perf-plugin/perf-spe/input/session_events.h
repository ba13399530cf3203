/* SPDX-License-Identifier: GPL-2.0-only */
/* Events of perf, each applied to a session. */
#ifndef PERF_SPE_SESSION_EVENTS_H
#define PERF_SPE_SESSION_EVENTS_H

struct pd_event;
struct session;

/* 0, or -1 after a message */
int session_event(struct session *s, const struct pd_event *ev);

#endif
