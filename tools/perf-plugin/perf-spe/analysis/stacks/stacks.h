/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Call stacks of records.  SPE records have none, so they are joined with the samples of an
 * event that runs beside (call_samples.h): by thread and time.
 *
 *   samples of a thread      s1           s2           s3          s4
 *   what it was in           f<a<main     f<a<main     g<main      f<b<main
 *   records in f                   r1            r2          r3
 *
 * A record has the stack of the nearest sample, before or after it, whose stack contains the
 * record's function, if that sample is not further away than the limit.  If both neighbours
 * contain it, and it was called by other functions there, the record has no stack (r2, r3: s2
 * and s4 differ), because nothing tells which one is right.  The record r1 is in f<a<main.
 */
#ifndef PERF_SPE_STACKS_H
#define PERF_SPE_STACKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analysis/stacks/caller.h"
#include "symbols/resolve.h"

struct stacks;

/* So far apart may a record and a sample be, if the user does not say */
#define STACKS_WITHIN_MS 10

/*
 * Prepare the samples of the session of @r, which has some; symbols are open.  @within: the
 * limit in ns.  After this @stacks is constant, and several threads may use it.
 */
struct stacks *stacks_new(const struct resolver *r, uint64_t within);
/*
 * Add what a live session has got since; mappings must be the same as before.  Callers stay what
 * they are, but finders do not work any more.  False if the session has dropped samples: then
 * prepare all of them anew.
 */
bool stacks_add(struct stacks *s);
void stacks_free(struct stacks *s);
/* The limit, and the samples that have a stack */
uint64_t stacks_within(const struct stacks *s);
size_t stacks_samples(const struct stacks *s);
/* Callers that there are: each number is smaller. */
size_t stacks_callers(const struct stacks *s);

#endif
