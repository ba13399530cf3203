/* SPDX-License-Identifier: GPL-2.0-only */
/* Whether CONTEXT packets carry the ids of perf's events, and timestamps its times. */
#ifndef PERF_SPE_CONTEXTS_H
#define PERF_SPE_CONTEXTS_H

#include <stdbool.h>

struct session;

/*
 * Whether all timestamps, converted to perf's clock, are before or after the recording.  Perf's
 * clock is the virtual counter; with pct_enable records have the physical one.
 */
bool session_foreign_times(struct session *s);

/*
 * CONTEXTIDR has ids of the initial pid namespace, and perf's events those of the namespace
 * that perf ran in.  Compare the first records of each buffer with what the file says of
 * their threads in other ways: the thread of a per-thread buffer, or the one that a context
 * switch put on the CPU.  Sets foreign_contexts if most differ, or, without such a witness, if
 * most name no thread of the session.  Otherwise the ids count as perf's.
 *
 * Sets several_pids, and guessed_owners if there are several processes and neither contexts
 * nor context switches tell which of them a sample is of.
 */
void session_judge_contexts(struct session *s);

#endif
