/*
 * What the version and the optional features of a Statistical Profiling Unit
 * mean for its events and its records (D18.2, D24.7.11).
 *
 * Pure: depends on nothing of QEMU and is tested on the host.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#ifndef SPE_HOST_TEST
#include "qemu/osdep.h"
#endif
#include "features.h"
#include "../insn/insn.h"

/* Bits high to low of the Events packet. */
#define BITS(high, low) ((~0ULL >> (63 - (high))) & (~0ULL << (low)))

/* What an event needs besides the first version that has it */
enum Need {
    NEEDS_SVE = 1,
    NEEDS_SME = 2,
    NEEDS_NO_SME = 4,
    NEEDS_BEFORE_V1P4 = 8,
};

/* Whether a filter can test the event, if it exists */
enum Filter {
    FILTER_NEVER,
    FILTER_ALWAYS,
    FILTER_FNE,             /* with FEAT_SPE_FnE */
    FILTER_V1P4,            /* always from v1p4 on, optional before */
};

/* Who decides whether the event exists */
enum Kind {
    ARCHITECTURE = 1,
    OPTIONAL = 2,
    IMP_DEF = 4,            /* and its meaning, too */
};

/* D18.2.6 and D24.7.11 */
static const struct EventRow {
    uint64_t bits;
    uint8_t since;          /* the first version that has them */
    uint8_t needs;          /* enum Need */
    uint8_t filter;         /* enum Filter */
    uint8_t kind;           /* enum Kind */
} event_rows[] = {
    /* E[1] has no filter: the model samples no speculative operation. */
    { SPE_EVENT(0) | SPE_EVENT(1), SPE_V1, 0, FILTER_NEVER, ARCHITECTURE },
    { SPE_EVENT(2) | SPE_EVENT(4), SPE_V1, 0, FILTER_V1P4, ARCHITECTURE },
    { SPE_EVENT(3) | SPE_EVENT(5) | SPE_EVENT(7), SPE_V1, 0, FILTER_ALWAYS,
      ARCHITECTURE },
    { SPE_EVENT(6), SPE_V1, 0, FILTER_FNE, ARCHITECTURE },
    { BITS(10, 8), SPE_V1, 0, FILTER_V1P4, OPTIONAL },
    { SPE_EVENT(11), SPE_V1P1, 0, FILTER_ALWAYS, ARCHITECTURE },
    { BITS(15, 12), SPE_V1, 0, FILTER_ALWAYS, IMP_DEF },
    { BITS(18, 17), SPE_V1P1, NEEDS_SVE, FILTER_ALWAYS, ARCHITECTURE },
    { BITS(23, 19), SPE_V1P4, 0, FILTER_ALWAYS, OPTIONAL },
    { SPE_EVENT(24), SPE_V1, NEEDS_SME, FILTER_ALWAYS, ARCHITECTURE },
    { SPE_EVENT(25), SPE_V1, NEEDS_SME, FILTER_ALWAYS, OPTIONAL },
    { SPE_EVENT(24) | SPE_EVENT(25), SPE_V1, NEEDS_NO_SME | NEEDS_BEFORE_V1P4,
      FILTER_ALWAYS, IMP_DEF },
    { BITS(31, 26), SPE_V1, NEEDS_BEFORE_V1P4, FILTER_ALWAYS, IMP_DEF },
    { BITS(63, 48), SPE_V1, 0, FILTER_ALWAYS, IMP_DEF },
};

#define EVENT_ROWS (sizeof(event_rows) / sizeof(event_rows[0]))

static bool row_applies(const SPEConfig *c, const struct EventRow *row)
{
    uint8_t has = (c->sve ? NEEDS_SVE : 0) |
                  (c->sme ? NEEDS_SME : NEEDS_NO_SME) |
                  (c->version < SPE_V1P4 ? NEEDS_BEFORE_V1P4 : 0);

    return c->version >= row->since && !(row->needs & ~has);
}

static bool row_filters(const SPEConfig *c, const struct EventRow *row)
{
    switch (row->filter) {
    case FILTER_ALWAYS:
        return true;
    case FILTER_FNE:
        return c->fne;
    case FILTER_V1P4:
        return c->version >= SPE_V1P4 || c->optional_filters;
    default:
        return false;
    }
}

/* The events of these kinds that a PE of this version may have. */
static uint64_t permitted(const SPEConfig *c, int kinds, bool filterable)
{
    uint64_t bits = 0;

    for (size_t i = 0; i < EVENT_ROWS; i++) {
        const struct EventRow *row = &event_rows[i];

        if ((row->kind & kinds) && row_applies(c, row) &&
            (!filterable || row_filters(c, row))) {
            bits |= row->bits;
        }
    }
    return bits;
}

static uint64_t implemented(const SPEConfig *c, bool filterable)
{
    return permitted(c, ARCHITECTURE, filterable) |
           (permitted(c, OPTIONAL | IMP_DEF, filterable) & c->events);
}

void spe_settle_events(SPEConfig *c)
{
    c->known_events = implemented(c, false);
    c->imp_events = permitted(c, IMP_DEF, false) & c->events;
}

uint64_t spe_events_filterable(const SPEConfig *c)
{
    return implemented(c, true);
}

uint64_t spe_events_optional(const SPEConfig *c)
{
    return permitted(c, OPTIONAL | IMP_DEF, false);
}

/* The subclass of a load or store whose own subclass does not exist */
static uint8_t plain_ldst(const SPEConfig *c, uint8_t subclass)
{
    return (c->version >= SPE_V1P1 ? SPE_SUB_LDST_UNSPECIFIED
                                   : SPE_SUB_LDST_GP) |
           (subclass & SPE_SUB_LDST_STORE);
}

static uint8_t ldst_subclass(const SPEConfig *c, uint8_t subclass)
{
    bool store = subclass & SPE_SUB_LDST_STORE;

    if (subclass & SPE_SUB_LDST_EXTENDED) {
        return subclass;
    }
    switch (subclass & ~SPE_SUB_LDST_STORE) {
    case SPE_SUB_LDST_TAG:
    case SPE_SUB_LDST_MEM_COPY:
    case SPE_SUB_LDST_MEM_SET & ~SPE_SUB_LDST_STORE:
        return c->version >= SPE_V1P3 ? subclass : plain_ldst(c, subclass);
    case SPE_SUB_LDST_UNSPECIFIED:
        return plain_ldst(c, subclass);
    }
    if (subclass & SPE_SUB_LDST_SVE) {
        if (c->version < SPE_V1P1) {
            return SPE_SUB_LDST_SIMD_FP | (subclass & SPE_SUB_LDST_STORE);
        }
        if (c->version < SPE_V1P2 && !store) {
            subclass &= ~SPE_SUB_LDST_SVE_PRED;
        }
    }
    return subclass;
}

static uint8_t other_subclass(const SPEConfig *c, uint8_t subclass)
{
    bool vector = subclass & SPE_SUB_SVE;
    bool array = vector && (subclass & SPE_SUB_SME);

    if (vector && c->version >= SPE_V1P1 && (!array || c->sme)) {
        return subclass;
    }
    if (vector) {
        /* ASE stands for Advanced SIMD only, and COND does not exist. */
        subclass &= SPE_SUB_OTHER_FP;
    }
    return c->fpf ? subclass
                  : subclass & ~(SPE_SUB_OTHER_FP | SPE_SUB_OTHER_ASE);
}

void spe_apply_features(const SPEConfig *c, SPERecord *rec)
{
    switch (rec->op_class) {
    case SPE_CLASS_OTHER:
        rec->subclass = other_subclass(c, rec->subclass);
        break;
    case SPE_CLASS_LDST:
        rec->subclass = ldst_subclass(c, rec->subclass);
        break;
    case SPE_CLASS_BRANCH:
        rec->subclass &= c->crr ? 0xff : ~SPE_SUB_BRANCH_CR;
        break;
    }
    rec->events &= c->known_events & ~c->imp_events;
    for (uint64_t left = c->imp_events; left; left &= left - 1) {
        int n = __builtin_ctzll(left);

        rec->events |= (rec->pc >> (n % 16 + 2) & 1) << n;
    }
    if (!c->lds) {
        rec->has &= ~SPE_HAS_SOURCE;
    }
    if (!c->pbt) {
        rec->has &= ~SPE_HAS_PREVIOUS;
    }
    if (!c->altclk) {
        rec->has &= ~SPE_HAS_ALT_ISSUE;
    }
    if (c->imp_packets) {
        rec->imp_address = rec->pc;
        rec->imp_counter = rec->total - rec->issue;
        rec->has |= SPE_HAS_IMP_ADDRESS | SPE_HAS_IMP_COUNTER;
    }
}

size_t spe_largest_record(const SPEConfig *c, const SPEFormat *format)
{
    uint32_t always = SPE_HAS_CONTEXT1 | SPE_HAS_CONTEXT2 |
                      SPE_HAS_TIMESTAMP |
                      (c->pbt ? SPE_HAS_PREVIOUS : 0) |
                      (c->altclk ? SPE_HAS_ALT_ISSUE : 0) |
                      (c->imp_packets ?
                       SPE_HAS_IMP_ADDRESS | SPE_HAS_IMP_COUNTER : 0);

    /* A branch has one more address; a load or store has two and a counter. */
    return spe_record_length(always | SPE_HAS_VADDR | SPE_HAS_PADDR |
                             SPE_HAS_TRANSLATION |
                             (c->lds ? SPE_HAS_SOURCE : 0), format);
}
