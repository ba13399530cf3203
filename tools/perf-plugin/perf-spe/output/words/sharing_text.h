/* SPDX-License-Identifier: GPL-2.0-only */
/* What a shared cache line is, in words. */
#ifndef PERF_SPE_SHARING_TEXT_H
#define PERF_SPE_SHARING_TEXT_H

#include "analysis/memory/lines.h"
#include "input/session.h"

/* "no byte shared: false sharing?", or "" where sharers use common bytes */
const char *sharing_verdict(const struct line *line);
/* "2 CPUs", or "unknown CPUs"; to be freed. */
char *sharing_cpus(const struct line *line);
/* "10 name", or which CPU where the thread is not known; to be freed. */
char *sharing_who(const struct access *a);

/*
 * The variables or the memory in the line, as "left in shared, right at +8 in shared", for
 * the caller to free; "" if none is known.
 */
char *sharing_names(const struct line *line);

#endif
