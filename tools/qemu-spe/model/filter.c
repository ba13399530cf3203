/*
 * Arm Statistical Profiling Extension: filtering sample records (D17.5).
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "qemu/osdep.h"
#include "cpu.h"
#include "state.h"

/*
 * FEAT_SPE_EFT is not implemented: a record passes if any of its types is
 * selected.  An atomic that returns a value is a load and a store.
 */
static bool type_passes(ARMSPEState *s, const ARMSPESample *p)
{
    uint32_t flags = p->insn.flags;

    return (FIELD_EX64(s->pmsfcr, PMSFCR, B) && (flags & SPE_INSN_BR)) ||
           (FIELD_EX64(s->pmsfcr, PMSFCR, LD) && (flags & SPE_INSN_LD)) ||
           (FIELD_EX64(s->pmsfcr, PMSFCR, ST) && (flags & SPE_INSN_ST));
}

static bool source_passes(ARMSPEState *s, const SPERecord *rec)
{
    return !(rec->has & SPE_HAS_SOURCE) ||
           (s->pmsdsfr >> (rec->source & 63) & 1);
}

const char *spe_filter(ARMSPEState *s, const ARMSPESample *p)
{
    const SPERecord *rec = &p->rec;
    ARMSPECounts *n = &s->n;

    if (FIELD_EX64(s->pmsfcr, PMSFCR, FE) && (s->pmsevfr & ~rec->events)) {
        n->rejected_event++;
        return "event";
    }
    if (FIELD_EX64(s->pmsfcr, PMSFCR, FNE) && (s->pmsnevfr & rec->events)) {
        n->rejected_inverted_event++;
        return "inverted event";
    }
    if (FIELD_EX64(s->pmsfcr, PMSFCR, FT) && !type_passes(s, p)) {
        n->rejected_type++;
        return "type";
    }
    if (FIELD_EX64(s->pmsfcr, PMSFCR, FL) &&
        MIN(rec->total, SPE_COUNTER_MAX) < s->pmslatfr) {
        n->rejected_latency++;
        return "latency";
    }
    if (FIELD_EX64(s->pmsfcr, PMSFCR, FDS) && !source_passes(s, rec)) {
        n->rejected_data_source++;
        return "data source";
    }
    return NULL;
}
