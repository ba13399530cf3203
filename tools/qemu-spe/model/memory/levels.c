/*
 * The caches of the simulated memory hierarchy: see levels.h.
 *
 * Locks: a hit in a PE's own caches needs that PE's lock only.  Everything else
 * concerns other PEs or a last level cache, and needs spe_common_lock; a look
 * into another PE's caches also needs the lock of that PE.  Other threads
 * change a PE's lines under both locks only, so its own thread may read them
 * while it holds spe_common_lock.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "qemu/osdep.h"
#include "qemu/bitops.h"
#include "qemu/error-report.h"
#include "qemu/thread.h"
#include "migration/vmstate.h"
#include "levels.h"

QemuSpin spe_common_lock;
static GPtrArray *hierarchies;
SPECache *spe_llc;

static const VMStateDescription vmstate_cache = {
    .name = "spe/cache",
    .version_id = 1,
    .minimum_version_id = 1,
    .fields = (const VMStateField[]) {
        VMSTATE_UINT32_EQUAL(sets, SPECache, "cache sizes must match"),
        VMSTATE_UINT32_EQUAL(entries, SPECache, "cache sizes must match"),
        VMSTATE_VARRAY_UINT32(line, SPECache, entries, 1, vmstate_info_uint64,
                              uint64_t),
        VMSTATE_END_OF_LIST()
    },
};

/* A stream may be damaged or hostile: spe_fill_l1d() uses the field. */
static int hierarchy_post_load(void *opaque, int version_id)
{
    SPEHierarchy *h = opaque;

    if (h->next_fill == 0 || h->next_fill < h->fill_buffers) {
        return 0;
    }
    error_report("cpu/spe/memory: the stream is damaged: next_fill = %" PRIu32
                 " is impossible; save the machine again", h->next_fill);
    h->next_fill = 0;   /* the process may continue after loadvm */
    return -EINVAL;
}

static const VMStateDescription vmstate_hierarchy = {
    .name = "cpu/spe/memory",
    .version_id = 1,
    .minimum_version_id = 1,
    .post_load = hierarchy_post_load,
    .fields = (const VMStateField[]) {
        VMSTATE_STRUCT(l1d, SPEHierarchy, 1, vmstate_cache, SPECache),
        VMSTATE_STRUCT(l2, SPEHierarchy, 1, vmstate_cache, SPECache),
        VMSTATE_UINT32_EQUAL(tlb.entries, SPEHierarchy, "TLB sizes must match"),
        VMSTATE_VARRAY_UINT32(tlb.va, SPEHierarchy, tlb.entries, 1,
                              vmstate_info_uint64, uint64_t),
        VMSTATE_VARRAY_UINT32(tlb.pa, SPEHierarchy, tlb.entries, 1,
                              vmstate_info_uint64, uint64_t),
        VMSTATE_UINT32_EQUAL(fill_buffers, SPEHierarchy,
                             "spe-fill-buffers must match"),
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
    qemu_spin_init(&spe_common_lock);
    hierarchies = g_ptr_array_new();
    spe_llc = g_new0(SPECache, c->sockets);
    for (unsigned i = 0; i < c->sockets; i++) {
        spe_cache_init(&spe_llc[i], c->llc_size / c->line_size, c->llc_ways);
        vmstate_register_any(NULL, &vmstate_cache, &spe_llc[i]);
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

unsigned spe_home_socket(const SPEHierarchy *h, uint64_t line)
{
    const SPEMemoryConfig *c = h->config;

    return extract64(line * c->line_size, 0, SPE_PA_BITS) /
           c->socket_stripe % c->sockets;
}

void spe_drop_from_llc(SPEHierarchy *h, uint64_t line)
{
    for (unsigned i = 0; i < h->config->sockets; i++) {
        spe_cache_set(&spe_llc[i], line, SPE_INVALID);
    }
}

/* Level 1 loses what level 2 evicts; a modified line goes to the LLC. */
void spe_add_line(SPEHierarchy *h, uint64_t line, enum SPELineState state)
{
    uint64_t gone = spe_cache_add(&h->l2, line, state);

    if (spe_line_state(gone) != SPE_INVALID) {
        uint64_t old = spe_line_number(gone);

        qemu_spin_lock(&h->lock);
        spe_cache_set(&h->l1d, old, SPE_INVALID);
        qemu_spin_unlock(&h->lock);
        if (spe_line_state(gone) == SPE_MODIFIED) {
            spe_drop_from_llc(h, old);
            spe_cache_add(&spe_llc[h->socket], old, SPE_MODIFIED);
        }
    }
}

void spe_fill_l1d(SPEHierarchy *h, uint64_t line, enum SPELineState state)
{
    qemu_spin_lock(&h->lock);
    spe_cache_add(&h->l1d, line, state);
    qemu_spin_unlock(&h->lock);
    if (h->fill_buffers) {
        h->fetched[h->next_fill] = line + 1;    /* 0: no line */
        h->next_fill = (h->next_fill + 1) % h->fill_buffers;
    }
}

bool spe_recently_fetched(const SPEHierarchy *h, uint64_t line)
{
    for (unsigned i = 0; i < h->fill_buffers; i++) {
        if (h->fetched[i] == line + 1) {
            return true;
        }
    }
    return false;
}

SPESnoop spe_snoop(SPEHierarchy *h, uint64_t line, bool write)
{
    enum SPELineState left = write ? SPE_INVALID : SPE_SHARED;
    SPESnoop found = { 0 };

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
