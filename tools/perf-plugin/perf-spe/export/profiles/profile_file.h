/* SPDX-License-Identifier: GPL-2.0-only */
/* What the formats of profiles have in common. */
#ifndef PERF_SPE_PROFILE_FILE_H
#define PERF_SPE_PROFILE_FILE_H

#include <stdio.h>

#include "analysis/rows/fields.h"
#include "analysis/callers/frames.h"
#include "analysis/callers/profile.h"
#include "export/format.h"

/* 0 if the recording has the value that --value names, or -1 after a message */
int profile_file_check(const struct writer *w);
/* Add a sample; without call stacks its place is its only frame. */
void profile_file_add(struct profile *p, const struct row *row);
/* 0 if @why is NULL, or -1 after a message with it */
int profile_file_failed(const char *why);

/* The name of a frame: a function, "[no symbol]" or an object's short name */
const char *profile_file_name(const struct frame_function *function);
/* "COMM PID" and "thread TID", to be freed */
char *profile_file_process(const struct profile_process *process);
char *profile_file_thread(const struct profile_thread *thread);
/* The id of the function's file in hex, or the recorded one, to be freed; NULL: none */
char *profile_file_build_id(const struct frame_function *function);

#endif
