/* SPDX-License-Identifier: GPL-2.0-only */
/* Loads that walk through memory with a stride and miss a cache, as findings. */
#ifndef PERF_SPE_WALK_FINDINGS_H
#define PERF_SPE_WALK_FINDINGS_H

#include <stddef.h>

#include "analysis/advice/finding.h"
#include "analysis/flow/load_misses.h"
#include "analysis/rows/profile_value.h"

/* The loads of one file */
struct walks_of {
	const char *object;		/* the session's */
	struct load_misses misses;
};

struct walks {
	struct walks_of *files;
	size_t nr, room;
	struct profile_intervals intervals;
};

/* Add a load.  Loads in code of unknown files are left out. */
void walks_add(struct walks *w, const struct row *row);
/* Add what walks and misses.  @hits: what loads take that hit the first cache */
void walk_findings(struct walks *w, const struct stake_sums *hits, struct finding_list *to);
void walks_free(struct walks *w);

#endif
