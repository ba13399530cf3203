/*
 * A set-associative cache of line numbers with their states, and a TLB.  Both
 * replace the least recently used entry.
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
    SPE_EXCLUSIVE,      /* no other cache has it; not modified */
    SPE_MODIFIED,
};

/* Each set is sorted, the most recently used line first. */
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

/* @entries and @ways are powers of two. */
void spe_cache_init(SPECache *c, uint32_t entries, uint32_t ways);

/* The state of @line; SPE_INVALID if the cache does not have it. */
enum SPELineState spe_cache_state(const SPECache *c, uint64_t line);

/* The same, and makes @line the most recently used. */
enum SPELineState spe_cache_touch(SPECache *c, uint64_t line);

/* Sets the state of @line if the cache has it. */
void spe_cache_set(SPECache *c, uint64_t line, enum SPELineState state);

/*
 * Adds @line with @state, or updates it, and makes it the most recently used.
 * Returns the entry that was evicted, or 0.
 */
uint64_t spe_cache_add(SPECache *c, uint64_t line, enum SPELineState state);

/* An entry translates 4 KiB, whatever the size of the page or block. */
#define SPE_TLB_PAGE_BITS 12

/* Virtual pages and their physical pages */
typedef struct SPETLB {
    uint32_t sets;
    uint32_t ways;
    uint32_t entries;
    uint64_t *va;
    uint64_t *pa;
} SPETLB;

void spe_tlb_init(SPETLB *t, uint32_t entries, uint32_t ways);

/*
 * Returns true if the TLB had this translation, and adds it.  A translation
 * that has changed counts as absent, so the TLB needs neither maintenance nor
 * ASIDs.
 */
bool spe_tlb_access(SPETLB *t, uint64_t va, uint64_t pa);

#endif
