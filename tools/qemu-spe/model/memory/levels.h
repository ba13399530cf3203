/*
 * The caches and TLBs of the simulated memory hierarchy: see hierarchy.h.
 *
 * Functions that look at other PEs or at a last level cache need
 * spe_common_lock.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#ifndef TARGET_ARM_SPE_MEMORY_LEVELS_H
#define TARGET_ARM_SPE_MEMORY_LEVELS_H

#include "qemu/thread.h"
#include "cache.h"

/* The most bytes that one Memory Copy or Set operation accesses */
#define SPE_LINE_SIZE 64

/* Physical addresses in this model have their address space above these. */
#define SPE_PA_BITS 56

/* The same for all PEs of a machine */
typedef struct SPEMemoryConfig {
    uint64_t full;          /* every access is fed, not only sampled ones */
    uint64_t line_size;     /* bytes, like all sizes */
    uint64_t l1d_size, l1d_ways;
    uint64_t l2_size, l2_ways;
    uint64_t llc_size, llc_ways;    /* of each socket */
    uint64_t tlb_entries, tlb_ways;
    uint64_t fill_buffers;
    uint64_t cluster_pes;
    uint64_t sockets, socket_pes, socket_stripe;
    /* Cycles that each step adds */
    uint64_t l1d_latency, l2_latency, llc_latency, snoop_latency;
    uint64_t dram_latency, remote_latency, walk_latency, split_latency;
} SPEMemoryConfig;

typedef struct SPEHierarchy {
    const SPEMemoryConfig *config;
    unsigned cluster, socket;
    QemuSpin lock;
    SPECache l1d;       /* a line has the same state in both */
    SPECache l2;
    SPETLB tlb;
    uint64_t *fetched;  /* ring of the lines filled into the L1D last */
    uint32_t fill_buffers, next_fill;
} SPEHierarchy;

/* For all PEs and sockets of the machine */
extern QemuSpin spe_common_lock;
extern SPECache *spe_llc;       /* of each socket */

/* The hierarchy of PE number @pe, which keeps a pointer to @config. */
SPEHierarchy *spe_hierarchy_new(const SPEMemoryConfig *config, unsigned pe);

/* The socket whose memory has the line */
unsigned spe_home_socket(const SPEHierarchy *h, uint64_t line);

/* Takes the line from the last level caches of all sockets. */
void spe_drop_from_llc(SPEHierarchy *h, uint64_t line);

/* Adds the line to level 2, which may evict another line. */
void spe_add_line(SPEHierarchy *h, uint64_t line, enum SPELineState state);

/* Adds the line to level 1. */
void spe_fill_l1d(SPEHierarchy *h, uint64_t line, enum SPELineState state);

bool spe_recently_fetched(const SPEHierarchy *h, uint64_t line);

/* What the other PEs had */
typedef struct SPESnoop {
    bool shared;            /* some PE still has the line */
    bool remote;            /* a PE of another socket had it */
    SPEHierarchy *owner;    /* the PE that had it exclusively */
    bool modified;          /* by the owner */
} SPESnoop;

/* For a write removes the line from the other PEs, else makes it shared. */
SPESnoop spe_snoop(SPEHierarchy *h, uint64_t line, bool write);

#endif
