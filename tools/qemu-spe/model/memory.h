/*
 * The memory hierarchy that the SPE model pretends to have.
 *
 * Each PE has a 32 KiB 4-way level 1 data cache, a 512 KiB 8-way level 2
 * cache and a 64-entry 4-way data TLB; all PEs share a 4 MiB 16-way last
 * level cache.  Lines are 64 bytes, pages 4 KiB, replacement is least
 * recently used.  Only sampled accesses go through it, so that it costs
 * nothing between samples; therefore a line counts as cached if one of the
 * latest samples touched it, and hit rates are those of the samples, not of
 * the program.  The same accesses always give the same events.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#ifndef TARGET_ARM_SPE_MEMORY_H
#define TARGET_ARM_SPE_MEMORY_H

#include <stdbool.h>
#include <stdint.h>

#define SPE_LINE_SIZE 64

/* Data Source packet values, as Arm's Neoverse cores number them. */
enum {
    SPE_SOURCE_L1D = 0x0,
    SPE_SOURCE_L2D = 0x8,
    SPE_SOURCE_LLC = 0xc,
    SPE_SOURCE_DRAM = 0xf,
};

typedef struct SPEHierarchy SPEHierarchy;

typedef struct SPEAccess {
    uint32_t events;        /* of the Events packet */
    uint8_t source;
    uint32_t cycles;        /* from issue to completion */
    uint32_t translation;   /* of these, waiting for the MMU */
} SPEAccess;

SPEHierarchy *spe_hierarchy_new(void);

/* One access of at least one byte; @size 0 counts as 1. */
void spe_hierarchy_access(SPEHierarchy *h, uint64_t va, uint64_t pa, int size,
                          bool load, bool store, SPEAccess *out);

/* One that goes past all caches: Device and Non-cacheable memory. */
void spe_hierarchy_access_uncached(SPEHierarchy *h, uint64_t va,
                                   SPEAccess *out);

/*
 * Branch prediction, fed by sampled branches: two bits of history for each
 * of 1024 addresses, and the last target of an indirect branch.  Returns
 * whether this one was predicted otherwise than it went.
 */
bool spe_hierarchy_mispredicted(SPEHierarchy *h, uint64_t pc, bool conditional,
                                bool indirect, bool taken, uint64_t target);

#endif
