/* SPDX-License-Identifier: GPL-2.0-only */
/* What frame_tables.c keeps and frames.c fills.  Each returns the number in its array. */
#ifndef PERF_SPE_FRAMES_PRIVATE_H
#define PERF_SPE_FRAMES_PRIVATE_H

#include <stdint.h>

struct frame;
struct frame_function;
struct frames;

uint32_t frames_function(struct frames *f, const struct frame_function *function);
uint32_t frames_frame(struct frames *f, const struct frame *frame);
/* @caller: the path without @frame, or NO_STACK */
uint32_t frames_path(struct frames *f, uint32_t caller, uint32_t frame);

#endif
