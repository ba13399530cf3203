/*
 * A set-associative cache of line numbers with their states, and a TLB; in
 * both the least recently used is replaced first.
 *
 * Pure: depends on nothing of QEMU and is tested on the host.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#ifndef TARGET_ARM_SPE_MEMORY_CACHE_H
#define TARGET_ARM_SPE_MEMORY_CACHE_H

#include <stdbool.h>
#include <stdint.h>

enum SPELineState {
    SPE_INVALID,
    SPE_SHARED,
    SPE_EXCLUSIVE,      /* no one else has it; not written */
    SPE_MODIFIED,
};

/* Each set is kept in the order of use, so that this needs no more room. */
typedef struct SPECache {
    uint32_t sets;
    uint32_t ways;
    uint32_t entries;
    uint64_t *line;     /* number and state; 0 is an empty way */
} SPECache;

static inline uint64_t spe_line_number(uint64_t entry)
{
    return entry >> 2;
}

static inline enum SPELineState spe_line_state(uint64_t entry)
{
    return entry & 3;
}

/* Both are powers of two. */
void spe_cache_init(SPECache *c, uint32_t entries, uint32_t ways);

/* The state of @line; SPE_INVALID if it is not there. */
enum SPELineState spe_cache_state(const SPECache *c, uint64_t line);

/* The same for an access, which makes it the most recently used. */
enum SPELineState spe_cache_touch(SPECache *c, uint64_t line);

/* Gives @line another state; if it is not there, nothing happens. */
void spe_cache_set(SPECache *c, uint64_t line, enum SPELineState state);

/*
 * Brings @line in, or if it is there touches it and gives it @state.
 * Returns the entry that had to make room, or 0.
 */
uint64_t spe_cache_add(SPECache *c, uint64_t line, enum SPELineState state);

/* The TLB translates in such units, whatever size a page or block has. */
#define SPE_TLB_PAGE_BITS 12

/* Pages, and the physical page that each stood for. */
typedef struct SPETLB {
    uint32_t sets;
    uint32_t ways;
    uint32_t entries;
    uint64_t *va;
    uint64_t *pa;
} SPETLB;

void spe_tlb_init(SPETLB *t, uint32_t entries, uint32_t ways);

/*
 * Returns whether this translation was there, and keeps it.  One that has
 * changed since was not: so neither TLB maintenance nor ASIDs need be known.
 */
bool spe_tlb_access(SPETLB *t, uint64_t va, uint64_t pa);

#endif
