/*
 * The simulated memory hierarchy, from which events, latencies and data sources
 * come.
 *
 * Each PE has a level 1 data cache, an inclusive level 2 cache, and a data TLB;
 * the PEs of a socket share a last level cache.  Their sizes are properties of
 * the CPU (properties/memory.c).  A line has one writer or any number of
 * readers: a write removes it from all other caches.  The least recently used
 * line is replaced, and nothing is prefetched.  So the same accesses always
 * have the same events.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#ifndef TARGET_ARM_SPE_MEMORY_HIERARCHY_H
#define TARGET_ARM_SPE_MEMORY_HIERARCHY_H

#include "levels.h"

/*
 * Data Source packet values, as Arm's Neoverse cores number them.  The model
 * has no cache shared within a cluster (0xa).
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

/* A whole access: starts as zeroes, and each part adds to it. */
typedef struct SPEAccess {
    uint64_t events;        /* of the Events packet */
    uint8_t source;         /* of the slowest part */
    uint32_t cycles;        /* from issue to completion */
    uint32_t translation;   /* cycles of these spent in translation */
    uint32_t slowest;       /* cycles of the slowest part */
} SPEAccess;

/* Adds a part of an access, @size bytes within one page, to @out. */
void spe_hierarchy_access(SPEHierarchy *h, uint64_t va, uint64_t pa, int size,
                          bool load, bool store, SPEAccess *out);

/* The same for Device and Non-cacheable memory, which bypasses all caches. */
void spe_hierarchy_access_uncached(SPEHierarchy *h, uint64_t va, uint64_t pa,
                                   SPEAccess *out);

/* Adds what the alignment of the whole access costs. */
void spe_hierarchy_align(SPEHierarchy *h, uint64_t va, int size,
                         SPEAccess *out);

#endif
