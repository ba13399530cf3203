/*
 * The simulated memory hierarchy: see hierarchy.h.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "qemu/osdep.h"
#include "qemu/bitops.h"
#include "qemu/thread.h"
#include "hierarchy.h"
#include "../record/record.h"

static void translate(SPEHierarchy *h, uint64_t va, uint64_t pa,
                      SPEAccess *out)
{
    out->events |= SPE_EVENT_TLB_ACCESS;
    if (!spe_tlb_access(&h->tlb, va, pa)) {
        out->events |= SPE_EVENT_TLB_WALK;
        out->translation += h->config->walk_latency;
        out->cycles += h->config->walk_latency;
    }
}

static void from(SPEAccess *out, uint8_t source, uint32_t cycles)
{
    out->cycles += cycles;
    if (cycles >= out->slowest) {
        out->slowest = cycles;
        out->source = source;
    }
}

/* A write to a line that this PE shares: all other caches lose it. */
static uint32_t upgrade(SPEHierarchy *h, uint64_t line, SPEAccess *out)
{
    SPESnoop others = spe_snoop(h, line, true);
    bool remote = others.remote || spe_home_socket(h, line) != h->socket;

    spe_drop_from_llc(h, line);
    qemu_spin_lock(&h->lock);
    spe_cache_set(&h->l1d, line, SPE_MODIFIED);
    qemu_spin_unlock(&h->lock);
    spe_cache_set(&h->l2, line, SPE_MODIFIED);
    out->events |= remote ? SPE_EVENT_REMOTE : 0;
    return h->config->llc_latency + (remote ? h->config->remote_latency : 0);
}

/*
 * The data come from another PE that owned the line.  If the owner has modified
 * it and this PE reads it, the last level cache of this socket gets it, too.
 */
static void from_peer(SPEHierarchy *h, uint64_t line, bool load,
                      const SPESnoop *s, uint32_t cycles, SPEAccess *out)
{
    uint8_t source = SPE_SOURCE_PEER_CORE;

    out->events |= SPE_EVENT_LLC_MISS;
    cycles += h->config->snoop_latency;
    if (s->owner->socket != h->socket) {
        source = SPE_SOURCE_REMOTE;
        cycles += h->config->remote_latency;
        out->events |= SPE_EVENT_REMOTE;
    } else if (s->owner->cluster != h->cluster) {
        source = SPE_SOURCE_PEER_CLUSTER;
    }
    if (load) {
        out->events |= SPE_EVENT_SNOOPED;
        out->events |= s->modified ? SPE_EVENT_MODIFIED : 0;
    }
    if (s->shared && s->modified) {
        spe_drop_from_llc(h, line);
        spe_cache_add(&spe_llc[h->socket], line, SPE_MODIFIED);
    } else if (s->shared &&
               spe_cache_touch(&spe_llc[h->socket], line) == SPE_INVALID) {
        spe_cache_add(&spe_llc[h->socket], line, SPE_SHARED);
    }
    from(out, source, cycles);
}

/* The socket whose last level cache has the line; -1 if none has. */
static int other_llc(SPEHierarchy *h, uint64_t line)
{
    for (unsigned i = 0; i < h->config->sockets; i++) {
        if (i != h->socket &&
            spe_cache_state(&spe_llc[i], line) != SPE_INVALID) {
            return i;
        }
    }
    return -1;
}

/* The data come from a last level cache or from memory. */
static void from_below(SPEHierarchy *h, uint64_t line, bool load,
                       uint32_t cycles, SPEAccess *out)
{
    const SPEMemoryConfig *c = h->config;
    enum SPELineState state = spe_cache_touch(&spe_llc[h->socket], line);
    uint8_t source = SPE_SOURCE_LLC;
    int other;

    if (state == SPE_INVALID) {
        out->events |= SPE_EVENT_LLC_MISS;
        other = other_llc(h, line);
        if (other >= 0) {
            state = spe_cache_state(&spe_llc[other], line);
            out->events |= load ? SPE_EVENT_SNOOPED : 0;
        } else {
            cycles += c->dram_latency;
        }
        source = SPE_SOURCE_DRAM;
        if (other >= 0 || spe_home_socket(h, line) != h->socket) {
            source = SPE_SOURCE_REMOTE;
            cycles += c->remote_latency;
            out->events |= SPE_EVENT_REMOTE;
        }
        spe_cache_add(&spe_llc[h->socket], line, SPE_SHARED);
    }
    if (load && state == SPE_MODIFIED) {
        out->events |= SPE_EVENT_MODIFIED;
    }
    from(out, source, cycles);
}

/* Neither level of this PE has the line. */
static void fetch(SPEHierarchy *h, uint64_t line, bool load, bool store,
                  uint32_t cycles, SPEAccess *out)
{
    SPESnoop others = spe_snoop(h, line, store);

    out->events |= load ? SPE_EVENT_L2D_MISS : 0;
    out->events |= SPE_EVENT_LLC_ACCESS;
    out->events |= store && others.remote ? SPE_EVENT_REMOTE : 0;
    cycles += h->config->llc_latency;
    if (others.owner) {
        from_peer(h, line, load, &others, cycles, out);
    } else {
        from_below(h, line, load, cycles, out);
    }
    if (store) {
        spe_drop_from_llc(h, line);
    }
    spe_add_line(h, line, store ? SPE_MODIFIED :
                      others.shared ? SPE_SHARED : SPE_EXCLUSIVE);
    spe_fill_l1d(h, line, spe_cache_state(&h->l2, line));
}

/* Everything but an L1D hit that needs no other cache */
static void access_slowly(SPEHierarchy *h, uint64_t line, bool load,
                          bool store, SPEAccess *out)
{
    const SPEMemoryConfig *c = h->config;
    enum SPELineState state = spe_cache_state(&h->l1d, line);
    uint32_t cycles = c->l1d_latency;

    if (state != SPE_INVALID) {
        /* access_line() handles the other states */
        from(out, SPE_SOURCE_L1D, cycles + upgrade(h, line, out));
        return;
    }
    out->events |= SPE_EVENT_L1D_REFILL;
    out->events |= load ? SPE_EVENT_L2D_ACCESS : 0;
    cycles += c->l2_latency;
    state = spe_cache_touch(&h->l2, line);
    if (state == SPE_INVALID) {
        fetch(h, line, load, store, cycles, out);
        return;
    }
    if (load && state == SPE_MODIFIED) {
        out->events |= SPE_EVENT_MODIFIED;
    }
    if (store && state == SPE_SHARED) {
        cycles += upgrade(h, line, out);
    } else if (store) {
        spe_cache_set(&h->l2, line, SPE_MODIFIED);
    }
    spe_fill_l1d(h, line, spe_cache_state(&h->l2, line));
    from(out, SPE_SOURCE_L2D, cycles);
}

/* E[19] to E[23] are set for loads only; D18.2.6 permits that. */
static void access_line(SPEHierarchy *h, uint64_t line, bool load, bool store,
                        SPEAccess *out)
{
    enum SPELineState state;

    out->events |= SPE_EVENT_L1D_ACCESS;
    qemu_spin_lock(&h->lock);
    state = spe_cache_touch(&h->l1d, line);
    if (store && state == SPE_EXCLUSIVE) {
        spe_cache_set(&h->l1d, line, SPE_MODIFIED);
        spe_cache_set(&h->l2, line, SPE_MODIFIED);
    }
    qemu_spin_unlock(&h->lock);
    if (load && state != SPE_INVALID) {
        out->events |= state == SPE_MODIFIED ? SPE_EVENT_MODIFIED : 0;
        out->events |= spe_recently_fetched(h, line) ? SPE_EVENT_RECENT : 0;
    }
    if (state != SPE_INVALID && !(store && state == SPE_SHARED)) {
        from(out, SPE_SOURCE_L1D, h->config->l1d_latency);
        return;
    }
    qemu_spin_lock(&spe_common_lock);
    access_slowly(h, line, load, store, out);
    qemu_spin_unlock(&spe_common_lock);
}

void spe_hierarchy_access(SPEHierarchy *h, uint64_t va, uint64_t pa, int size,
                          bool load, bool store, SPEAccess *out)
{
    uint64_t line_size = h->config->line_size;
    uint64_t last = (pa + MAX(size, 1) - 1) / line_size;

    translate(h, va, pa, out);
    for (uint64_t line = pa / line_size; line <= last; line++) {
        access_line(h, line, load, store, out);
    }
}

void spe_hierarchy_access_uncached(SPEHierarchy *h, uint64_t va, uint64_t pa,
                                   SPEAccess *out)
{
    translate(h, va, pa, out);
    from(out, SPE_SOURCE_DRAM, h->config->dram_latency);
}

void spe_hierarchy_align(SPEHierarchy *h, uint64_t va, int size,
                         SPEAccess *out)
{
    uint64_t line_size = h->config->line_size;

    /*
     * E[11]: an access that touches more lines than its size needs is slower
     * because of its alignment (Example D17-3).
     */
    size = MAX(size, 1);
    if (va % line_size + size > QEMU_ALIGN_UP((uint64_t)size, line_size)) {
        out->events |= SPE_EVENT_MISALIGNED;
        out->cycles += h->config->split_latency;
    }
}
