/*
 * Arm Statistical Profiling Extension: filtering sample records (D17.5).
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "qemu/osdep.h"
#include "cpu.h"
#include "sample.h"

/* "flags" of DDMSNB, in the order of the controls in PMSFCR_EL1 */
static uint32_t type_flags(const ARMSPESample *p)
{
    uint32_t flags = p->insn.flags;

    return (flags & SPE_INSN_BR ? 1 : 0) | (flags & SPE_INSN_LD ? 2 : 0) |
           (flags & SPE_INSN_ST ? 4 : 0) | (flags & SPE_INSN_FP ? 8 : 0) |
           (flags & SPE_INSN_SIMD ? 16 : 0);
}

/*
 * RNYZKJ: types whose mask bit is 0 are ORed, types whose mask bit is 1 must
 * match exactly.  Without FEAT_SPE_EFT all masks are 0.  A filter without any
 * type is CONSTRAINED UNPREDICTABLE; here it rejects everything.
 */
static bool type_passes(ARMSPEState *s, const ARMSPESample *p)
{
    uint32_t flags = type_flags(p);
    uint32_t ctrl = FIELD_EX64(s->pmsfcr, PMSFCR, TYPE);
    uint32_t mask = FIELD_EX64(s->pmsfcr, PMSFCR, TYPEM);

    if (!s->config.eft) {
        return flags & ctrl;
    }
    if ((ctrl & ~mask) && !(flags & ctrl & ~mask)) {
        return false;
    }
    return (flags & mask) == (ctrl & mask);
}

static bool events_pass(ARMSPEState *s, const SPERecord *rec)
{
    return !(s->pmsevfr & ~rec->events);
}

static bool inverse_events_pass(ARMSPEState *s, const SPERecord *rec)
{
    return !(s->pmsnevfr & rec->events);
}

static bool latency_passes(ARMSPEState *s, const SPERecord *rec)
{
    return MIN(rec->total, s->format.counter_max) >= s->pmslatfr;
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

    if (FIELD_EX64(s->pmsfcr, PMSFCR, FE) && !events_pass(s, rec)) {
        n->rejected_event++;
        return "event";
    }
    if (FIELD_EX64(s->pmsfcr, PMSFCR, FNE) && !inverse_events_pass(s, rec)) {
        n->rejected_inverted_event++;
        return "inverted event";
    }
    if (FIELD_EX64(s->pmsfcr, PMSFCR, FT) && !type_passes(s, p)) {
        n->rejected_type++;
        return "type";
    }
    if (FIELD_EX64(s->pmsfcr, PMSFCR, FL) && !latency_passes(s, rec)) {
        n->rejected_latency++;
        return "latency";
    }
    if (FIELD_EX64(s->pmsfcr, PMSFCR, FDS) && !source_passes(s, rec)) {
        n->rejected_data_source++;
        return "data source";
    }
    return NULL;
}

void spe_count_feed(ARMSPEState *s, const ARMSPESample *p)
{
    const SPERecord *rec = &p->rec;
    uint32_t flags = type_flags(p);
    uint64_t *n = s->pmu;

    n[SPE_PM_FEED]++;
    n[SPE_PM_FEED_BR] += flags & 1;
    n[SPE_PM_FEED_LD] += flags >> 1 & 1;
    n[SPE_PM_FEED_ST] += flags >> 2 & 1;
    n[SPE_PM_FEED_FP] += flags >> 3 & 1;
    n[SPE_PM_FEED_SIMD] += flags >> 4 & 1;
    /* Not counted if the filter has no type */
    n[SPE_PM_FEED_OP] += (s->pmsfcr & (R_PMSFCR_TYPE_MASK |
                                       R_PMSFCR_TYPEM_MASK)) &&
                         type_passes(s, p);
    n[SPE_PM_FEED_EVENT] += events_pass(s, rec) && inverse_events_pass(s, rec);
    n[SPE_PM_FEED_LAT] += latency_passes(s, rec);
    n[SPE_PM_FEED_DS] += (rec->has & SPE_HAS_SOURCE) && s->config.fds &&
                         source_passes(s, rec);
}
