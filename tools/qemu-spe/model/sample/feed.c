/*
 * Arm Statistical Profiling Extension: tells the memory hierarchy of accesses
 * and branches, either of the sampled ones only or of all.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "qemu/osdep.h"
#include "qapi/error.h"
#include "cpu.h"
#include "internals.h"
#include "exec/exec-all.h"
#include "exec/helper-proto.h"
#include "sample.h"
#include "../capture/capture.h"
#include "../insn/insn.h"

/* The configuration of the first PE; all PEs must have the same. */
static const SPEMemoryConfig *config;

bool spe_feeds_all(void)
{
    return config && config->full;
}

bool spe_feed_realize(ARMSPEState *s, unsigned pe, Error **errp)
{
    if (config && memcmp(config, &s->mem_config, sizeof(*config))) {
        error_setg(errp, "the properties of the memory hierarchy must be the "
                   "same for all PEs");
        return false;
    }
    if (!config) {
        config = g_memdup2(&s->mem_config, sizeof(*config));
    }
    s->mem = spe_hierarchy_new(config, pe);
    s->predictor = spe_predictor_new();
    return true;
}

/* MAIR_ELx: Normal memory, cacheable in both domains */
static bool is_cacheable(uint8_t attrs)
{
    return (attrs & 0xf0) && attrs >> 4 != 4 && (attrs & 0xf) != 4;
}

/* A part of an access, within one page; false if it is not mapped */
static bool feed_part(CPUARMState *env, const ARMSPESample *p, uint64_t va,
                      int size, SPEAccess *out)
{
    SPEHierarchy *h = env->spe->mem;
    bool load = p->insn.flags & SPE_INSN_LD;
    CPUTLBEntryFull *full;
    void *host;
    uint64_t pa;
    int flags = probe_access_full(env, va, 0,
                                  load ? MMU_DATA_LOAD : MMU_DATA_STORE,
                                  p->mmu_idx, true, &host, &full, 0);

    if (flags & TLB_INVALID_MASK) {
        return false;
    }
    /* Physical address spaces have separate lines. */
    pa = full->phys_addr | (va & ~TARGET_PAGE_MASK) |
         (uint64_t)full->attrs.space << SPE_PA_BITS;
    if (is_cacheable(full->extra.arm.pte_attrs)) {
        spe_hierarchy_access(h, va, pa, size, load,
                             p->insn.flags & SPE_INSN_ST, out);
    } else {
        spe_hierarchy_access_uncached(h, va, pa, out);
    }
    return true;
}

bool spe_feed(CPUARMState *env, const ARMSPESample *p, SPEAccess *out)
{
    uint64_t va = p->vaddr;
    int left = MAX(p->size, 1);

    memset(out, 0, sizeof(*out));
    while (left > 0) {
        int part = MIN(left, (1 << SPE_TLB_PAGE_BITS) -
                             va % (1 << SPE_TLB_PAGE_BITS));

        if (!feed_part(env, p, va, part, out)) {
            if (va == p->vaddr) {
                return false;
            }
            break;      /* a first-fault or non-fault load stopped there */
        }
        va += part;
        left -= part;
    }
    spe_hierarchy_align(env->spe->mem, p->vaddr, p->size, out);
    return true;
}

/* Every active element; a record has only one of them. */
static void feed_elements(CPUARMState *env, ARMSPESample *p)
{
    SPEAccess unused;
    uint64_t va;

    for (int i = 0; i < spe_elements(env, &p->insn); i++) {
        if (spe_element_address(env, &p->insn, i, &va)) {
            p->vaddr = spe_without_tag(env, va);
            spe_feed(env, p, &unused);
        }
    }
}

static void feed_access(CPUARMState *env, ARMSPESample *p, uint32_t insn)
{
    SPEAccess unused;
    uint64_t va;

    if (p->insn.addr == SPE_ADDR_GATHER || p->insn.addr == SPE_ADDR_VECTOR) {
        p->size = p->insn.size;
        p->mmu_idx = spe_data_mmu_idx(env, &p->insn);
        feed_elements(env, p);
    } else if (p->insn.addr == SPE_ADDR_COPY) {
        uint32_t flags = p->insn.flags;

        /* The load and the store; a record has only one of them. */
        p->insn.flags = flags & ~SPE_INSN_ST;
        if (spe_find_access(env, p, insn, &va)) {
            spe_feed(env, p, &unused);
        }
        p->insn.flags = flags & ~SPE_INSN_LD;
        if (spe_find_access(env, p, insn, &va)) {
            spe_feed(env, p, &unused);
        }
    } else if (spe_find_access(env, p, insn, &va) && !p->monitor_lost) {
        spe_feed(env, p, &unused);
    }
}

static void feed_branch(CPUARMState *env, const ARMSPESample *p, uint32_t insn)
{
    int rn = spe_bits(insn, 9, 5);
    int el = arm_current_el(env);
    uint64_t target = env->xregs[rn];

    if (spe_bits(insn, 24, 21) == 4 && el > 0) {
        target = env->elr_el[el];       /* exception return */
    }
    spe_mispredicted(env->spe->predictor, p->pc,
                     p->insn.cond != SPE_COND_NONE,
                     p->insn.flags & SPE_INSN_IND,
                     spe_condition_passes(env, &p->insn), target);
}

/*
 * Called before each translated load, store and branch if all accesses are
 * fed.  A sampled operation is fed at its end, because that yields its
 * events.  @pc: relative to env->pc if translated code is
 * position-independent.
 */
void HELPER(spe_feed)(CPUARMState *env, uint32_t insn, uint64_t pc)
{
    ARMSPEState *s = env->spe;
    ARMSPESample p = { 0 };

    if (s->activity != SPE_PROFILING || s->in_flight) {
        return;
    }
    if (env_cpu(env)->tcg_cflags & CF_PCREL) {
        pc += env->pc;
    }
    p.pc = pc;
    spe_insn_decode(insn, &p.insn);
    if (p.insn.flags & SPE_INSN_BR) {
        feed_branch(env, &p, insn);
    } else {
        feed_access(env, &p, insn);
    }
}
