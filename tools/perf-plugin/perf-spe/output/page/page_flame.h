/* SPDX-License-Identifier: GPL-2.0-only */
/* The flame graph of a page. */
#ifndef PERF_SPE_PAGE_FLAME_H
#define PERF_SPE_PAGE_FLAME_H

#include <stdio.h>

#include "analysis/callers/flame.h"
#include "analysis/tables/groups.h"
#include "input/session.h"

/*
 * Print the tree, with the rows of the table of functions that have the cells'
 * functions: the first @limit of @g.  @s may be NULL.
 */
void page_flame(FILE *to, const struct flame *f, const struct groups *g,
		size_t limit, const struct session *s);

#endif
