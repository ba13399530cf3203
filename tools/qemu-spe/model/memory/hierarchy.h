/*
 * The memory hierarchy that the SPE model pretends to have.
 *
 * Each PE has a level 1 data cache, a level 2 cache that holds all that the
 * level 1 does, and a data TLB; the PEs of a socket share a last level cache.
 * Their sizes are properties of the CPU (properties/memory.c).  Lines have one
 * writer or any number of readers: a write takes them away from all others.
 * Replacement is least recently used; nothing is prefetched.  So the same
 * accesses always give the same events.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#ifndef TARGET_ARM_SPE_MEMORY_HIERARCHY_H
#define TARGET_ARM_SPE_MEMORY_HIERARCHY_H

#include "levels.h"

/*
 * Data Source packet values, as Arm's Neoverse cores number them.  The cache
 * shared within a cluster (0xa) does not exist here.
 */
enum {
    SPE_SOURCE_L1D = 0x0,
    SPE_SOURCE_L2D = 0x8,
    SPE_SOURCE_PEER_CORE = 0x9,     /* another PE of this cluster */
    SPE_SOURCE_LLC = 0xb,           /* system cache */
    SPE_SOURCE_PEER_CLUSTER = 0xc,
    SPE_SOURCE_REMOTE = 0xd,        /* anything on another socket */
    SPE_SOURCE_DRAM = 0xe,
};

/* One access as a whole: starts as zeroes, each part of it adds to that. */
typedef struct SPEAccess {
    uint64_t events;        /* of the Events packet */
    uint8_t source;         /* that of the slowest part */
    uint32_t cycles;        /* from issue to completion */
    uint32_t translation;   /* of these, waiting for the MMU */
    uint32_t slowest;       /* cycles of the part that gave the source */
} SPEAccess;

/* The part of an access of @size bytes that lies within one page. */
void spe_hierarchy_access(SPEHierarchy *h, uint64_t va, uint64_t pa, int size,
                          bool load, bool store, SPEAccess *out);

/* One that goes past all caches: Device and Non-cacheable memory. */
void spe_hierarchy_access_uncached(SPEHierarchy *h, uint64_t va, uint64_t pa,
                                   SPEAccess *out);

/* What the alignment of the whole access adds to its parts. */
void spe_hierarchy_align(SPEHierarchy *h, uint64_t va, int size,
                         SPEAccess *out);

#endif
