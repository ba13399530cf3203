/* SPDX-License-Identifier: GPL-2.0-only */
/* A tree of calls as text. */
#ifndef PERF_SPE_CALL_TEXT_H
#define PERF_SPE_CALL_TEXT_H

#include <stdint.h>
#include <stdio.h>

#include "analysis/callers/call_tree.h"

/*
 * Print the tree, indented; @all are all samples, of which shares are.  At most @limit (0: all)
 * functions are printed at the top.  Below them, nodes with less than 0.5% of their function's
 * cycles and samples become one line.
 */
void call_text_print(const struct call_node *root, enum call_order order,
		     const struct call_sum *all, uint64_t limit, FILE *to);

#endif
