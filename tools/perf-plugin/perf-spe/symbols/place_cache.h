/* SPDX-License-Identifier: GPL-2.0-only */
/* From a sampled PC to its place: what resolve_place() answered before. */
#ifndef PERF_SPE_PLACE_CACHE_H
#define PERF_SPE_PLACE_CACHE_H

#include <stddef.h>

#include "armspe.h"
#include "symbols/resolve.h"

struct place_cache;

struct place_cache *place_cache_new(void);
void place_cache_free(struct place_cache *c);
/* Mappings have changed: no answer counts any more. */
void place_cache_forget(struct place_cache *c);

/*
 * The same as resolve_place().  Returns where the caller may leave a number for
 * the next sample of this PC, 0 at first, or NULL.
 */
uint32_t *place_cache_resolve(struct place_cache *c, const struct resolver *r,
			      struct owner owner,
			      const struct armspe_record *rec,
			      struct place *place);
/* The same will be asked soon: let memory fetch the answer. */
void place_cache_prefetch(const struct place_cache *c, struct owner owner,
			  const struct armspe_record *rec);

#endif
