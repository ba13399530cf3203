/* SPDX-License-Identifier: GPL-2.0-only */
/* Finds the stack of a record among the samples that stacks.h prepared. */
#ifndef PERF_SPE_STACK_FINDER_H
#define PERF_SPE_STACK_FINDER_H

#include "analysis/stacks/caller.h"
#include "analysis/stacks/stacks.h"
#include "symbols/resolve.h"

/* What one thread remembers of its last searches */
struct stack_finder;

struct stack_finder *stack_finder_new(const struct stacks *s);
void stack_finder_free(struct stack_finder *f);
/*
 * The stack of a record of @owner in @place, at @time in ns of perf's clock.  With STACK_FOUND
 * *callers is set, to NULL if the function has none; otherwise it is NULL.
 */
enum stack_status stack_find(struct stack_finder *f, struct owner owner, const struct place *place,
			     uint64_t time, const struct caller **callers);
/*
 * The functions of a stack, as "leaf|caller|main", with those that the compiler inlined.
 * Valid until the next call.
 */
const char *stack_text(struct stack_finder *f, const struct place *place,
		       const struct caller *callers);

#endif
