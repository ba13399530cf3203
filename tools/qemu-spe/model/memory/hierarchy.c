/*
 * The memory hierarchy that the SPE model pretends to have: see hierarchy.h.
 *
 * Locks: what is only found in a PE's own caches is done under that PE's
 * lock.  All else, where PEs deal with each other or with the last level, is
 * done under one lock for all, and under another PE's too while that is
 * looked at.  A PE's lines change in other ways only by its own thread, which
 * therefore looks at them under the common lock alone.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "qemu/osdep.h"
#include "qemu/bitops.h"
#include "qemu/thread.h"
#include "migration/vmstate.h"
#include "hierarchy.h"
#include "../record/record.h"

struct SPEHierarchy {
    const SPEMemoryConfig *config;
    unsigned cluster, socket;
    QemuSpin lock;
    SPECache l1d;       /* a line has the same state in both */
    SPECache l2;
    SPETLB tlb;
    uint64_t *fetched;  /* ring of lines that came to the L1D last */
    uint32_t fill_buffers, next_fill;
};

/* All PEs and sockets of the machine. */
static QemuSpin common_lock;
static GPtrArray *hierarchies;
static SPECache *llc;

static const VMStateDescription vmstate_cache = {
    .name = "spe/cache",
    .version_id = 1,
    .minimum_version_id = 1,
    .fields = (const VMStateField[]) {
        VMSTATE_UINT32_EQUAL(sets, SPECache, "another cache size"),
        VMSTATE_UINT32_EQUAL(entries, SPECache, "another cache size"),
        VMSTATE_VARRAY_UINT32(line, SPECache, entries, 1, vmstate_info_uint64,
                              uint64_t),
        VMSTATE_END_OF_LIST()
    },
};

static const VMStateDescription vmstate_hierarchy = {
    .name = "cpu/spe/memory",
    .version_id = 1,
    .minimum_version_id = 1,
    .fields = (const VMStateField[]) {
        VMSTATE_STRUCT(l1d, SPEHierarchy, 1, vmstate_cache, SPECache),
        VMSTATE_STRUCT(l2, SPEHierarchy, 1, vmstate_cache, SPECache),
        VMSTATE_UINT32_EQUAL(tlb.entries, SPEHierarchy, "another TLB size"),
        VMSTATE_VARRAY_UINT32(tlb.va, SPEHierarchy, tlb.entries, 1,
                              vmstate_info_uint64, uint64_t),
        VMSTATE_VARRAY_UINT32(tlb.pa, SPEHierarchy, tlb.entries, 1,
                              vmstate_info_uint64, uint64_t),
        VMSTATE_UINT32_EQUAL(fill_buffers, SPEHierarchy,
                             "another number of fill buffers"),
        VMSTATE_VARRAY_UINT32(fetched, SPEHierarchy, fill_buffers, 1,
                              vmstate_info_uint64, uint64_t),
        VMSTATE_UINT32(next_fill, SPEHierarchy),
        VMSTATE_END_OF_LIST()
    },
};

static void init_sockets(const SPEMemoryConfig *c)
{
    if (hierarchies) {
        return;
    }
    qemu_spin_init(&common_lock);
    hierarchies = g_ptr_array_new();
    llc = g_new0(SPECache, c->sockets);
    for (unsigned i = 0; i < c->sockets; i++) {
        spe_cache_init(&llc[i], c->llc_size / c->line_size, c->llc_ways);
        vmstate_register_any(NULL, &vmstate_cache, &llc[i]);
    }
}

SPEHierarchy *spe_hierarchy_new(const SPEMemoryConfig *c, unsigned pe)
{
    SPEHierarchy *h = g_new0(SPEHierarchy, 1);

    init_sockets(c);
    h->config = c;
    h->cluster = pe / c->cluster_pes;
    h->socket = MIN(pe / c->socket_pes, c->sockets - 1);
    qemu_spin_init(&h->lock);
    spe_cache_init(&h->l1d, c->l1d_size / c->line_size, c->l1d_ways);
    spe_cache_init(&h->l2, c->l2_size / c->line_size, c->l2_ways);
    spe_tlb_init(&h->tlb, c->tlb_entries, c->tlb_ways);
    h->fill_buffers = c->fill_buffers;
    h->fetched = g_new0(uint64_t, c->fill_buffers);
    vmstate_register_any(NULL, &vmstate_hierarchy, h);
    g_ptr_array_add(hierarchies, h);
    return h;
}

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

/* Where the memory of a line is. */
static unsigned home_socket(const SPEHierarchy *h, uint64_t line)
{
    const SPEMemoryConfig *c = h->config;

    return extract64(line * c->line_size, 0, SPE_PA_BITS) /
           c->socket_stripe % c->sockets;
}

static void drop_from_llc(SPEHierarchy *h, uint64_t line)
{
    for (unsigned i = 0; i < h->config->sockets; i++) {
        spe_cache_set(&llc[i], line, SPE_INVALID);
    }
}

/* What level 2 loses level 1 loses too; what was written goes down. */
static void add_line(SPEHierarchy *h, uint64_t line, enum SPELineState state)
{
    uint64_t gone = spe_cache_add(&h->l2, line, state);

    if (spe_line_state(gone) != SPE_INVALID) {
        uint64_t old = spe_line_number(gone);

        qemu_spin_lock(&h->lock);
        spe_cache_set(&h->l1d, old, SPE_INVALID);
        qemu_spin_unlock(&h->lock);
        if (spe_line_state(gone) == SPE_MODIFIED) {
            drop_from_llc(h, old);
            spe_cache_add(&llc[h->socket], old, SPE_MODIFIED);
        }
    }
}

static void fill_l1d(SPEHierarchy *h, uint64_t line, enum SPELineState state)
{
    qemu_spin_lock(&h->lock);
    spe_cache_add(&h->l1d, line, state);
    qemu_spin_unlock(&h->lock);
    if (h->fill_buffers) {
        h->fetched[h->next_fill] = line + 1;    /* 0 is none */
        h->next_fill = (h->next_fill + 1) % h->fill_buffers;
    }
}

static bool recently_fetched(const SPEHierarchy *h, uint64_t line)
{
    for (unsigned i = 0; i < h->fill_buffers; i++) {
        if (h->fetched[i] == line + 1) {
            return true;
        }
    }
    return false;
}

/* What the other PEs had, and what that means for a reader. */
typedef struct Snoop {
    bool shared;            /* any of them has the line still */
    bool remote;            /* any of another socket had it */
    SPEHierarchy *owner;    /* the only one, which may have written it */
    bool modified;
} Snoop;

static Snoop snoop(SPEHierarchy *h, uint64_t line, bool write)
{
    enum SPELineState left = write ? SPE_INVALID : SPE_SHARED;
    Snoop found = { 0 };

    for (unsigned i = 0; i < hierarchies->len; i++) {
        SPEHierarchy *peer = g_ptr_array_index(hierarchies, i);
        enum SPELineState state;

        if (peer == h) {
            continue;
        }
        qemu_spin_lock(&peer->lock);
        state = spe_cache_state(&peer->l2, line);
        if (state != SPE_INVALID) {
            spe_cache_set(&peer->l2, line, left);
            spe_cache_set(&peer->l1d, line, left);
        }
        qemu_spin_unlock(&peer->lock);
        if (state == SPE_EXCLUSIVE || state == SPE_MODIFIED) {
            found.owner = peer;
            found.modified = state == SPE_MODIFIED;
        }
        found.shared |= state != SPE_INVALID && !write;
        found.remote |= state != SPE_INVALID && peer->socket != h->socket;
    }
    return found;
}

static void from(SPEAccess *out, uint8_t source, uint32_t cycles)
{
    out->cycles += cycles;
    if (cycles >= out->slowest) {
        out->slowest = cycles;
        out->source = source;
    }
}

/* The line is here to be read, and wanted to be written: all others lose it. */
static uint32_t upgrade(SPEHierarchy *h, uint64_t line, SPEAccess *out)
{
    Snoop others = snoop(h, line, true);
    bool remote = others.remote || home_socket(h, line) != h->socket;

    drop_from_llc(h, line);
    qemu_spin_lock(&h->lock);
    spe_cache_set(&h->l1d, line, SPE_MODIFIED);
    qemu_spin_unlock(&h->lock);
    spe_cache_set(&h->l2, line, SPE_MODIFIED);
    out->events |= remote ? SPE_EVENT_REMOTE : 0;
    return h->config->llc_latency + (remote ? h->config->remote_latency : 0);
}

/*
 * The data come from another PE that has the line for itself.  What it had
 * written the last level gets as well, of a reader's socket.
 */
static void from_peer(SPEHierarchy *h, uint64_t line, bool load,
                      const Snoop *s, uint32_t cycles, SPEAccess *out)
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
        drop_from_llc(h, line);
        spe_cache_add(&llc[h->socket], line, SPE_MODIFIED);
    } else if (s->shared &&
               spe_cache_touch(&llc[h->socket], line) == SPE_INVALID) {
        spe_cache_add(&llc[h->socket], line, SPE_SHARED);
    }
    from(out, source, cycles);
}

/* The last level of another socket that has the line; -1 if none does. */
static int other_llc(SPEHierarchy *h, uint64_t line)
{
    for (unsigned i = 0; i < h->config->sockets; i++) {
        if (i != h->socket &&
            spe_cache_state(&llc[i], line) != SPE_INVALID) {
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
    enum SPELineState state = spe_cache_touch(&llc[h->socket], line);
    uint8_t source = SPE_SOURCE_LLC;
    int other;

    if (state == SPE_INVALID) {
        out->events |= SPE_EVENT_LLC_MISS;
        other = other_llc(h, line);
        if (other >= 0) {
            state = spe_cache_state(&llc[other], line);
            out->events |= load ? SPE_EVENT_SNOOPED : 0;
        } else {
            cycles += c->dram_latency;
        }
        source = SPE_SOURCE_DRAM;
        if (other >= 0 || home_socket(h, line) != h->socket) {
            source = SPE_SOURCE_REMOTE;
            cycles += c->remote_latency;
            out->events |= SPE_EVENT_REMOTE;
        }
        spe_cache_add(&llc[h->socket], line, SPE_SHARED);
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
    Snoop others = snoop(h, line, store);

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
        drop_from_llc(h, line);
    }
    add_line(h, line, store ? SPE_MODIFIED :
                      others.shared ? SPE_SHARED : SPE_EXCLUSIVE);
    fill_l1d(h, line, spe_cache_state(&h->l2, line));
}

/* All but a hit in the L1D that concerns no one else. */
static void access_slowly(SPEHierarchy *h, uint64_t line, bool load,
                          bool store, SPEAccess *out)
{
    const SPEMemoryConfig *c = h->config;
    enum SPELineState state = spe_cache_state(&h->l1d, line);
    uint32_t cycles = c->l1d_latency;

    if (state != SPE_INVALID) {
        /* Shared: else it would not have come here */
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
    fill_l1d(h, line, spe_cache_state(&h->l2, line));
    from(out, SPE_SOURCE_L2D, cycles);
}

/* E[19] to E[23] describe loads only, as D18.2.6 permits of stores. */
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
        out->events |= recently_fetched(h, line) ? SPE_EVENT_RECENT : 0;
    }
    if (state != SPE_INVALID && !(store && state == SPE_SHARED)) {
        from(out, SPE_SOURCE_L1D, h->config->l1d_latency);
        return;
    }
    qemu_spin_lock(&common_lock);
    access_slowly(h, line, load, store, out);
    qemu_spin_unlock(&common_lock);
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
     * only because of its alignment (Example D17-3).
     */
    size = MAX(size, 1);
    if (va % line_size + size > QEMU_ALIGN_UP((uint64_t)size, line_size)) {
        out->events |= SPE_EVENT_MISALIGNED;
        out->cycles += h->config->split_latency;
    }
}
