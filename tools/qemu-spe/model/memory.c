/*
 * The memory hierarchy that the SPE model pretends to have: see memory.h.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "qemu/osdep.h"
#include "qemu/thread.h"
#include "memory.h"
#include "record.h"

enum {
    L1D_SETS = 128, L1D_WAYS = 4,
    L2_SETS = 1024, L2_WAYS = 8,
    LLC_SETS = 4096, LLC_WAYS = 16,
    TLB_SETS = 16, TLB_WAYS = 4,
    BRANCHES = 1024,
};

/* Cycles that each level adds. */
enum {
    CYCLES_L1D = 4,
    CYCLES_L2 = 8,
    CYCLES_LLC = 28,
    CYCLES_DRAM = 110,
    CYCLES_WALK = 24,
    CYCLES_SPLIT = 3,       /* an access that crosses a line */
};

/* A line or page that is present; tag 0 is none. */
typedef struct Way {
    uint64_t tag;
    bool modified;
    uint32_t used;
} Way;

typedef struct Cache {
    uint32_t sets;
    uint32_t ways;
    uint32_t clock;
    Way *way;
} Cache;

struct SPEHierarchy {
    Cache l1d, l2, tlb;
    uint8_t history[BRANCHES];
    uint64_t last_target[BRANCHES];
};

/* The last level is one for all PEs, which may run in several threads. */
static Cache llc;
static QemuSpin llc_lock;

static void cache_init(Cache *c, uint32_t sets, uint32_t ways)
{
    c->sets = sets;
    c->ways = ways;
    c->way = g_new0(Way, sets * ways);
}

SPEHierarchy *spe_hierarchy_new(void)
{
    SPEHierarchy *h = g_new0(SPEHierarchy, 1);

    cache_init(&h->l1d, L1D_SETS, L1D_WAYS);
    cache_init(&h->l2, L2_SETS, L2_WAYS);
    cache_init(&h->tlb, TLB_SETS, TLB_WAYS);
    if (!llc.way) {
        qemu_spin_init(&llc_lock);
        cache_init(&llc, LLC_SETS, LLC_WAYS);
    }
    return h;
}

/*
 * Looks @block up, brings it in where it is missing, and returns whether it
 * was there; @modified tells whether it had been written, and is then set
 * for a write.
 */
static bool cache_access(Cache *c, uint64_t block, bool write, bool *modified)
{
    Way *set = &c->way[(block % c->sets) * c->ways];
    Way *victim = set;
    uint64_t tag = block + 1;       /* 0 marks an empty way */
    bool hit = false;

    c->clock++;
    for (uint32_t i = 0; i < c->ways; i++) {
        if (set[i].tag == tag) {
            victim = &set[i];
            hit = true;
            break;
        }
        if (set[i].tag == 0 || set[i].used < victim->used) {
            victim = &set[i];
        }
    }
    *modified = hit && victim->modified;
    victim->tag = tag;
    victim->used = c->clock;
    victim->modified = *modified || write;
    return hit;
}

static bool llc_access(uint64_t line, bool write, bool *modified)
{
    bool hit;

    qemu_spin_lock(&llc_lock);
    hit = cache_access(&llc, line, write, modified);
    qemu_spin_unlock(&llc_lock);
    return hit;
}

static void translate(SPEHierarchy *h, uint64_t va, SPEAccess *out)
{
    bool unused;

    out->events |= SPE_EVENT_TLB_ACCESS;
    if (!cache_access(&h->tlb, va >> 12, false, &unused)) {
        out->events |= SPE_EVENT_TLB_WALK;
        out->translation += CYCLES_WALK;
        out->cycles += CYCLES_WALK;
    }
}

/* E[8], E[9], E[19] to E[21] describe loads only where D18.2.6 says so. */
static void access_line(SPEHierarchy *h, uint64_t line, bool load, bool store,
                        SPEAccess *out)
{
    bool modified;

    out->events |= SPE_EVENT_L1D_ACCESS;
    out->cycles += CYCLES_L1D;
    if (cache_access(&h->l1d, line, store, &modified)) {
        out->source = MAX(out->source, SPE_SOURCE_L1D);
        goto found;
    }
    out->events |= SPE_EVENT_L1D_REFILL;
    out->cycles += CYCLES_L2;
    out->events |= load ? SPE_EVENT_L2D_ACCESS : 0;
    if (cache_access(&h->l2, line, store, &modified)) {
        out->source = MAX(out->source, SPE_SOURCE_L2D);
        goto found;
    }
    out->events |= load ? SPE_EVENT_L2D_MISS : 0;
    out->events |= SPE_EVENT_LLC_ACCESS;
    out->cycles += CYCLES_LLC;
    if (llc_access(line, store, &modified)) {
        out->source = MAX(out->source, SPE_SOURCE_LLC);
        goto found;
    }
    out->events |= SPE_EVENT_LLC_MISS;
    out->cycles += CYCLES_DRAM;
    out->source = SPE_SOURCE_DRAM;
    return;
found:
    if (load && modified) {
        out->events |= SPE_EVENT_MODIFIED;
    }
}

void spe_hierarchy_access(SPEHierarchy *h, uint64_t va, uint64_t pa, int size,
                          bool load, bool store, SPEAccess *out)
{
    uint64_t offset = pa % SPE_LINE_SIZE;
    uint64_t lines;

    memset(out, 0, sizeof(*out));
    size = MAX(size, 1);
    lines = (offset + size + SPE_LINE_SIZE - 1) / SPE_LINE_SIZE;

    translate(h, va, out);
    /* Beyond a page the physical address is not known: one page only. */
    lines = MIN(lines, (4096 - pa % 4096 + SPE_LINE_SIZE - 1) / SPE_LINE_SIZE);
    for (uint64_t i = 0; i < lines; i++) {
        access_line(h, pa / SPE_LINE_SIZE + i, load, store, out);
    }
    /*
     * E[11]: an access that touches more lines than its size needs is slower
     * only because of its alignment (Example D17-3).
     */
    if (offset + size > QEMU_ALIGN_UP((uint64_t)size, SPE_LINE_SIZE)) {
        out->events |= SPE_EVENT_MISALIGNED;
        out->cycles += CYCLES_SPLIT;
    }
}

void spe_hierarchy_access_uncached(SPEHierarchy *h, uint64_t va,
                                   SPEAccess *out)
{
    memset(out, 0, sizeof(*out));
    translate(h, va, out);
    out->cycles += CYCLES_DRAM;
    out->source = SPE_SOURCE_DRAM;
}

bool spe_hierarchy_mispredicted(SPEHierarchy *h, uint64_t pc, bool conditional,
                                bool indirect, bool taken, uint64_t target)
{
    uint32_t slot = (pc >> 2) % BRANCHES;
    bool wrong = false;

    if (conditional) {
        uint8_t *state = &h->history[slot];

        wrong = (*state >= 2) != taken;
        if (taken && *state < 3) {
            (*state)++;
        } else if (!taken && *state > 0) {
            (*state)--;
        }
    } else if (indirect) {
        wrong = h->last_target[slot] != target;
        h->last_target[slot] = target;
    }
    return wrong;
}
