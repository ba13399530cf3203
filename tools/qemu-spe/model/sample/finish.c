/*
 * Arm Statistical Profiling Extension: the end of the sampled operation
 * (D17.6), when its target and its access are known.
 *
 * One operation is in flight at a time and ends before the next one starts;
 * collision.c can hold its record back.  Latencies come from the simulated
 * memory hierarchy and a fixed table, never from the time that emulation
 * takes.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "qemu/osdep.h"
#include "cpu.h"
#include "internals.h"
#include "exec/exec-all.h"
#include "sample.h"
#include "../capture/capture.h"
#include "../control/control.h"

enum {
    CYCLES_ISSUE = 2,
    CYCLES_ISSUE_LDST = 3,      /* address generation comes first */
    CYCLES_SIMPLE = 1,
    CYCLES_FP = 4,
    CYCLES_SLOW = 12,
    CYCLES_BRANCH = 1,
    CYCLES_MISPREDICTED = 11,
    CYCLES_EXCEPTION = 20,
};

/* The simulated Streaming Mode Compute Unit has half the CPU's clock. */
#define SMCU_CLOCK_DIVIDER 2

/* MAIR_ELx: Tagged Normal memory */
#define ATTRS_TAGGED 0xf0

/* The physical address of the access; false if it is not mapped (any more) */
static bool data_physical(CPUARMState *env, const ARMSPESample *p,
                          uint64_t *pa, ARMSecuritySpace *space,
                          uint8_t *attrs)
{
    CPUTLBEntryFull *full;
    void *host;
    MMUAccessType type = p->insn.flags & SPE_INSN_LD ? MMU_DATA_LOAD
                                                     : MMU_DATA_STORE;
    int flags = probe_access_full(env, p->vaddr, 0, type, p->mmu_idx, true,
                                  &host, &full, 0);

    if (flags & TLB_INVALID_MASK) {
        return false;
    }
    *pa = full->phys_addr | (p->vaddr & ~TARGET_PAGE_MASK);
    *space = full->attrs.space;
    *attrs = full->extra.arm.pte_attrs;
    return true;
}

static void finish_data(CPUARMState *env, ARMSPESample *p)
{
    SPERecord *rec = &p->rec;
    bool load = p->insn.flags & SPE_INSN_LD;
    SPEAccess access;
    uint64_t pa;
    ARMSecuritySpace space;
    uint8_t attrs;

    rec->issue = CYCLES_ISSUE_LDST;
    rec->total = rec->issue + CYCLES_SIMPLE;
    if (!(rec->has & SPE_HAS_VADDR) || spe_store_failed(env, p)) {
        return;     /* it accessed nothing, and nothing was translated */
    }
    if (!data_physical(env, p, &pa, &space, &attrs) ||
        !spe_feed(env, p, &access)) {
        rec->has &= ~SPE_HAS_VADDR;
        return;
    }
    rec->events |= access.events;
    rec->total = rec->issue + access.cycles;
    if (load) {
        rec->source = access.source;
        rec->has |= SPE_HAS_SOURCE;
    }
    if (p->hides_address) {
        /* D17.6.4: without the VA, no PA and no translation latency either */
        rec->has &= ~SPE_HAS_VADDR;
        return;
    }
    rec->translation = access.translation;
    rec->has |= SPE_HAS_TRANSLATION;
    if (p->collects_pa) {
        rec->paddr = extract64(pa, 0, 56) | spe_packet_space(space);
        if (p->tag_checked && attrs == ATTRS_TAGGED) {
            /* CH and PAT */
            rec->paddr |= 1ull << 62 |
                          (rec->vaddr & MAKE_64BIT_MASK(56, 4));
        }
        rec->has |= SPE_HAS_PADDR;
    }
}

static void finish_branch(CPUARMState *env, ARMSPESample *p)
{
    SPERecord *rec = &p->rec;
    uint64_t target = is_a64(env) ? env->pc : env->regs[15];
    bool conditional = p->insn.cond != SPE_COND_NONE;
    bool wrong = spe_mispredicted(env->spe->predictor, p->pc, conditional,
                                  p->insn.flags & SPE_INSN_IND, p->taken,
                                  target);

    rec->issue = CYCLES_ISSUE;
    rec->total = rec->issue + (wrong ? CYCLES_MISPREDICTED : CYCLES_BRANCH);
    rec->events |= wrong ? SPE_EVENT_MISPREDICTED : 0;
    if (p->taken) {
        rec->target = spe_instruction_address(target, arm_current_el(env),
                                              false) |
                      spe_packet_space(arm_security_space(env));
        rec->has |= SPE_HAS_TARGET;
    }
}

/*
 * The operation ended with a synchronous exception.  Its record has its PC,
 * its type, and what was known before it executed, but no branch and no
 * access.
 */
static void finish_exception(ARMSPESample *p)
{
    SPERecord *rec = &p->rec;

    rec->events = SPE_EVENT_RETIRED | SPE_EVENT_EXCEPTION |
                  (rec->events & (SPE_EVENT_STREAMING | SPE_EVENT_SMCU));
    rec->has &= SPE_HAS_CONTEXT1 | SPE_HAS_CONTEXT2 | SPE_HAS_TIMESTAMP |
                SPE_HAS_PREVIOUS;
    rec->issue = CYCLES_ISSUE;
    rec->total = rec->issue + CYCLES_EXCEPTION;
    if (p->insn.flags & SPE_INSN_BR) {
        rec->op_class = SPE_CLASS_OTHER;
        rec->subclass = SPE_SUB_OTHER;
        p->insn.flags &= ~SPE_INSN_BR;
    }
}

static void finish_other(ARMSPESample *p)
{
    SPERecord *rec = &p->rec;

    rec->issue = CYCLES_ISSUE;
    rec->total = rec->issue +
                 (p->insn.flags & SPE_INSN_SLOW ? CYCLES_SLOW :
                  p->insn.flags & (SPE_INSN_FP | SPE_INSN_SIMD) ? CYCLES_FP :
                  CYCLES_SIMPLE);
}

void spe_finish(CPUARMState *env, bool exception)
{
    ARMSPEState *s = env->spe;
    ARMSPESample *p = &s->sample;

    s->in_flight = false;
    if (exception) {
        finish_exception(p);
    } else if (p->insn.flags & SPE_INSN_BR) {
        finish_branch(env, p);
    } else if (p->insn.op_class == SPE_CLASS_LDST) {
        finish_data(env, p);
    } else {
        finish_other(p);
    }
    if (p->on_smcu) {
        p->rec.alt_issue = DIV_ROUND_UP(p->rec.issue, SMCU_CLOCK_DIVIDER);
        p->rec.has |= SPE_HAS_ALT_ISSUE;
    }
    spe_apply_features(&s->config, &p->rec);
    if (!spe_buffer_enabled(env)) {
        spe_discard(env);
    } else if (s->config.window) {
        spe_hold(env);
    } else {
        spe_complete(env);
    }
}
