/* SPDX-License-Identifier: GPL-2.0-only */
/* What the accesses to a cache line say of it: who meets there, and at which bytes */
#ifndef PERF_SPE_LINE_VERDICT_H
#define PERF_SPE_LINE_VERDICT_H

#include "analysis/memory/line.h"

/*
 * Fill in what line.h says that a line has after line_judge(), and sort its accesses, the one with
 * the most snooped samples first.
 *
 * An access meets another sharer's if that one writes, both are on different CPUs, and both were
 * sampled at the same time.  Then the line goes to the other CPU and has to come back.  A sample
 * met each writer with a probability in proportion to that writer's samples; where samples are
 * marked as snooped, only those met one.
 */
void line_judge(struct line *line);

#endif
