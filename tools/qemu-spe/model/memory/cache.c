/*
 * A set-associative cache, and a TLB: see cache.h.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#ifdef SPE_HOST_TEST
#include <stdlib.h>
#include <string.h>
#else
#include "qemu/osdep.h"
#endif
#include "cache.h"

static uint64_t *empty(uint32_t entries)
{
#ifdef SPE_HOST_TEST
    return calloc(entries, sizeof(uint64_t));
#else
    return g_new0(uint64_t, entries);
#endif
}

void spe_cache_init(SPECache *c, uint32_t entries, uint32_t ways)
{
    c->sets = entries / ways;
    c->ways = ways;
    c->entries = entries;
    c->line = empty(entries);
}

static uint64_t *set_of(const SPECache *c, uint64_t line)
{
    return &c->line[(line & (c->sets - 1)) * c->ways];
}

/* The way that has @line; c->ways if none. */
static uint32_t find(const SPECache *c, uint64_t line)
{
    const uint64_t *set = set_of(c, line);
    uint32_t way = 0;

    while (way < c->ways && (spe_line_number(set[way]) != line ||
                             spe_line_state(set[way]) == SPE_INVALID)) {
        way++;
    }
    return way;
}

/* Moves @entry from @way to the front of its set. */
static void put_first(uint64_t *set, uint32_t way, uint64_t entry)
{
    memmove(&set[1], &set[0], way * sizeof(*set));
    set[0] = entry;
}

enum SPELineState spe_cache_state(const SPECache *c, uint64_t line)
{
    uint32_t way = find(c, line);

    return way < c->ways ? spe_line_state(set_of(c, line)[way]) : SPE_INVALID;
}

enum SPELineState spe_cache_touch(SPECache *c, uint64_t line)
{
    uint64_t *set = set_of(c, line);
    uint32_t way = find(c, line);

    if (way == c->ways) {
        return SPE_INVALID;
    }
    put_first(set, way, set[way]);
    return spe_line_state(set[0]);
}

void spe_cache_set(SPECache *c, uint64_t line, enum SPELineState state)
{
    uint64_t *set = set_of(c, line);
    uint32_t way = find(c, line);

    if (way == c->ways) {
        return;
    }
    if (state == SPE_INVALID) {
        /* Empty ways are the last. */
        memmove(&set[way], &set[way + 1], (c->ways - 1 - way) * sizeof(*set));
        set[c->ways - 1] = 0;
    } else {
        set[way] = line << 2 | state;
    }
}

uint64_t spe_cache_add(SPECache *c, uint64_t line, enum SPELineState state)
{
    uint64_t *set = set_of(c, line);
    uint32_t way = find(c, line);
    uint64_t gone = 0;

    if (way == c->ways) {
        way = c->ways - 1;
        gone = set[way];
    }
    put_first(set, way, line << 2 | state);
    return gone;
}

void spe_tlb_init(SPETLB *t, uint32_t entries, uint32_t ways)
{
    t->sets = entries / ways;
    t->ways = ways;
    t->entries = entries;
    t->va = empty(entries);
    t->pa = empty(entries);
}

bool spe_tlb_access(SPETLB *t, uint64_t va, uint64_t pa)
{
    /* The last byte of the page: an empty entry is 0. */
    uint64_t page = va | ((1ULL << SPE_TLB_PAGE_BITS) - 1);
    uint32_t set = va >> SPE_TLB_PAGE_BITS & (t->sets - 1);
    uint64_t *vas = &t->va[set * t->ways], *pas = &t->pa[set * t->ways];
    uint32_t way = 0;
    bool hit;

    pa >>= SPE_TLB_PAGE_BITS;
    while (way < t->ways - 1 && (vas[way] != page || pas[way] != pa)) {
        way++;
    }
    hit = vas[way] == page && pas[way] == pa;
    put_first(vas, way, page);
    put_first(pas, way, pa);
    return hit;
}
