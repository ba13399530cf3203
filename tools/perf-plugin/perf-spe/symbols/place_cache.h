/* SPDX-License-Identifier: GPL-2.0-only */
/* A cache of resolve_place(): from a process and a PC to the place. */
#ifndef PERF_SPE_PLACE_CACHE_H
#define PERF_SPE_PLACE_CACHE_H

#include <stddef.h>

#include "armspe.h"
#include "symbols/resolve.h"

struct place_cache;

struct place_cache *place_cache_new(void);
void place_cache_free(struct place_cache *c);
/* Mappings have changed: drop all entries. */
void place_cache_forget(struct place_cache *c);

/*
 * The same as resolve_place(), at @time (UINT64_MAX: not known).  Returns a number of the cache entry, 0 at first,
 * which the caller may set for the next sample of this PC; NULL if the place is
 * not cached.
 */
uint32_t *place_cache_resolve(struct place_cache *c, const struct resolver *r,
			      const struct owner *owner,
			      const struct armspe_record *rec, uint64_t time,
			      struct place *place);
/* Prefetch the entry for a place_cache_resolve() that follows soon. */
void place_cache_prefetch(struct place_cache *c, const struct owner *owner,
			  const struct armspe_record *rec, uint64_t time);

#endif
