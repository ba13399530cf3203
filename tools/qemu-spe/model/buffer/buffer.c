/*
 * Arm Statistical Profiling Extension: the Profiling Buffer (D17.7) and what
 * can happen on a write to it (D17.8).
 *
 * A record is written in portions, each within one page.  If a portion fails,
 * the portions before it have been written.  PMBPTR_EL1 then points to the
 * address that failed, and DL shows that this is not the end of the last
 * complete record.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "qemu/osdep.h"
#include "cpu.h"
#include "internals.h"
#include "buffer.h"
#include "../control/control.h"
#include "../report/report.h"
#include "../trace.h"

/* Fault status codes, D24.7.5 */
enum {
    FSC_EXTERNAL = 0x10,
    FSC_EXTERNAL_ASYNC = 0x11,
    FSC_EXTERNAL_WALK = 0x12,           /* level -2; others follow */
    FSC_EXTERNAL_WALK_LAST = 0x17,
    FSC_PARITY_WALK_MINUS_1 = 0x1b,
    FSC_GPF_WALK = 0x22,                /* level -2; others follow */
    FSC_GPF = 0x28,
};

/* ReportSPEEvent(): the column of Tables D17-5 to D17-7 */
static enum SPECause cause_of(const SPESyndrome *syn)
{
    bool s2 = syn->ec == SPE_EC_STAGE2;

    if (syn->ec == SPE_EC_GPC) {
        return SPE_CAUSE_GPC;
    }
    if (syn->ec != SPE_EC_STAGE1 && !s2) {
        return SPE_CAUSE_OTHER;
    }
    if (syn->mss >= FSC_GPF_WALK && syn->mss <= FSC_GPF) {
        return s2 ? SPE_CAUSE_STAGE2_GPF : SPE_CAUSE_STAGE1_GPF;
    }
    if (syn->mss == FSC_EXTERNAL || syn->mss == FSC_PARITY_WALK_MINUS_1 ||
        (syn->mss >= FSC_EXTERNAL_WALK &&
         syn->mss <= FSC_EXTERNAL_WALK_LAST)) {
        return s2 ? SPE_CAUSE_STAGE2_EXTERNAL : SPE_CAUSE_STAGE1_EXTERNAL;
    }
    return s2 ? SPE_CAUSE_STAGE2 : SPE_CAUSE_STAGE1;
}

static void count_event(ARMSPEState *s, const SPESyndrome *syn)
{
    ARMSPECounts *n = &s->n;

    switch (syn->ec) {
    case SPE_EC_STAGE1:
    case SPE_EC_STAGE2:
        if (syn->mss == FSC_EXTERNAL || syn->mss == FSC_EXTERNAL_ASYNC) {
            n->external_abort++;
        } else if (syn->ec == SPE_EC_STAGE1) {
            n->stage1_fault++;
        } else {
            n->stage2_fault++;
        }
        break;
    case SPE_EC_GPC:
        n->gpc_fault++;
        break;
    case SPE_EC_IMP_DEF:
        n->imp_def++;
        break;
    default:
        n->buffer_full += syn->mss == SPE_BSC_FILLED;
        s->pmu[SPE_PM_BUFFER_FULL] += syn->mss == SPE_BSC_FILLED;
        n->access_not_allowed += syn->mss == SPE_BSC_NOT_ALLOWED;
        n->buffer_too_large += syn->mss == SPE_BSC_TOO_LARGE;
        break;
    }
}

static void report(CPUARMState *env, const SPESyndrome *syn)
{
    count_event(env->spe, syn);
    spe_report_event(env, cause_of(syn), syn);
}

/*
 * RMYXZK: the pointer is set to the address that failed.  DL is set if this is
 * not the first byte after the last complete record.  Else DL stays unchanged,
 * which is one of the two choices.
 */
static void abort_at(CPUARMState *env, const SPESyndrome *abort,
                     uint64_t start, uint64_t at)
{
    SPESyndrome syn = *abort;

    env->spe->pmbptr = at;
    syn.dl |= at != start;
    report(env, &syn);
}

/* Table D17-11 */
static void fault_at(CPUARMState *env, ARMMMUFaultInfo *fi, uint64_t start,
                     uint64_t at)
{
    SPESyndrome syn = { .ec = fi->stage2 ? SPE_EC_STAGE2 : SPE_EC_STAGE1 };

    if (fi->gpcf != GPCF_None && fi->gpcf != GPCF_Fail) {
        syn.ec = SPE_EC_GPC;        /* so MSS is RES0 */
    } else {
        syn.mss = arm_fi_to_lfsc(fi) & 0x3f;
    }
    abort_at(env, &syn, start, at);
}

/*
 * RJFYNW: the write itself fails.  Returns true if the next portions are
 * written, which is not possible if the pointer must stay at this one.
 */
static bool external_abort(CPUARMState *env, uint64_t start, uint64_t at)
{
    ARMSPEState *s = env->spe;

    trace_spe_external_abort(CPU(s->cpu)->cpu_index, at);
    switch (s->config.external_abort) {
    case SPE_ABORT_SYNC:
        abort_at(env, &(SPESyndrome) {
            .ec = SPE_EC_STAGE1, .mss = FSC_EXTERNAL, .ea = true,
        }, start, at);
        return false;
    case SPE_ABORT_ASYNC:
        s->aborted = true;
        return true;
    default:
        return true;
    }
}

/* The portion at @at of a record at @start */
static bool store_portion(CPUARMState *env, uint64_t start, uint64_t at,
                          const uint8_t *bytes, int len)
{
    CPUState *cs = env_cpu(env);
    ARMMMUFaultInfo fi = {};
    GetPhysAddrResult res = {};
    void *host;

    if (!spe_translate(env, at, len, &res, &host, &fi)) {
        fault_at(env, &fi, start, at);
        return false;
    }
    if (host) {
        memcpy(host, bytes, len);
        return true;
    }
    if (address_space_write(arm_addressspace(cs, res.f.attrs),
                            res.f.phys_addr, res.f.attrs, bytes,
                            len) != MEMTX_OK) {
        return external_abort(env, start, at);
    }
    return true;
}

static bool store(CPUARMState *env, uint64_t start, const uint8_t *bytes,
                  int len)
{
    int done = 0;

    while (done < len) {
        uint64_t at = start + done;
        int portion = MIN(len - done, -(at | TARGET_PAGE_MASK));

        if (!store_portion(env, start, at, bytes + done, portion)) {
            return false;
        }
        done += portion;
    }
    return true;
}

static void other_event(CPUARMState *env, int bsc, bool data_loss)
{
    report(env, &(SPESyndrome) {
        .ec = SPE_EC_OTHER, .mss = bsc, .dl = data_loss,
    });
}

/* RBPFPN: it is not known what has been written, so DL is set. */
static void async_external_abort(CPUARMState *env)
{
    report(env, &(SPESyndrome) {
        .ec = SPE_EC_STAGE1, .mss = FSC_EXTERNAL_ASYNC, .dl = true,
        .ea = true,
    });
}

/* RTHGCR: nothing is written at or past the limit (D17.8.2). */
static bool has_room(ARMSPEState *s)
{
    uint64_t limit = s->pmblimitr & R_PMBLIMITR_LIMIT_MASK;
    uint64_t max = 1 << FIELD_EX64(s->pmsidr, PMSIDR, MAXSIZE);

    return limit >= max && s->pmbptr <= limit - max;
}

/* RHXSYK: a record fits below the limit, and bits 63:56 are the same. */
bool spe_pointer_is_legal(ARMSPEState *s)
{
    return s->pmbptr >> 56 == s->pmblimitr >> 56 && has_room(s);
}

void spe_raise_injected(CPUARMState *env, const SPEInjection *in,
                        uint64_t start, uint64_t at)
{
    SPESyndrome syn = {
        .mss = in->mss, .mss2 = in->mss2, .dl = in->dl, .ea = in->ea,
    };

    switch (in->kind) {
    case SPE_INJECT_FULL:
        other_event(env, SPE_BSC_FILLED, false);
        return;
    case SPE_INJECT_NOT_ALLOWED:
        other_event(env, SPE_BSC_NOT_ALLOWED, true);
        return;
    case SPE_INJECT_TOO_LARGE:
        other_event(env, SPE_BSC_TOO_LARGE, in->dl);
        return;
    case SPE_INJECT_ASYNC:
        async_external_abort(env);
        return;
    case SPE_INJECT_COLLISION:
        spe_report_collision(env);
        return;
    case SPE_INJECT_STAGE2:
        syn.ec = SPE_EC_STAGE2;
        break;
    case SPE_INJECT_GPC:
        syn.ec = SPE_EC_GPC;
        break;
    case SPE_INJECT_IMP_DEF:
        syn.ec = SPE_EC_IMP_DEF;
        break;
    case SPE_INJECT_EXTERNAL:
        syn.ea = true;
        /* fall through */
    default:
        syn.ec = SPE_EC_STAGE1;
        break;
    }
    abort_at(env, &syn, start, at);
}

/* The other events are raised after the record has been written. */
static bool injection_fails_write(const SPEInjection *in)
{
    return in->kind != SPE_INJECT_CLEAR && in->kind != SPE_INJECT_FULL &&
           in->kind != SPE_INJECT_ASYNC && in->kind != SPE_INJECT_COLLISION;
}

static bool write_at(CPUARMState *env, uint64_t start, const uint8_t *bytes,
                     int len, const SPEInjection *in)
{
    ARMMMUFaultInfo fi = { .type = ARMFault_Alignment };
    int written;

    if (start & ((1 << FIELD_EX64(env->spe->pmbidr, PMBIDR, ALIGN)) - 1)) {
        /* RHLXGD is violated: Table D17-11 allows an Alignment fault. */
        fault_at(env, &fi, start, start);
        return false;
    }
    if (!injection_fails_write(in)) {
        return store(env, start, bytes, len);
    }
    /* RDTGVZ: a real fault has priority over the injected one. */
    written = MIN(in->pointer, len - 1);
    if (store(env, start, bytes, written)) {
        spe_raise_injected(env, in, start, start + written);
    }
    return false;
}

void spe_write_record(CPUARMState *env, const SPERecord *rec)
{
    ARMSPEState *s = env->spe;
    uint64_t start = s->pmbptr;
    uint8_t *bytes = s->packed;
    SPEInjection in = {};
    size_t len, size, before;

    if (FIELD_EX64(s->pmblimitr, PMBLIMITR, FM) == SPE_FM_DISCARD) {
        s->n.discarded++;
        return;
    }
    spe_injection_due(s, &in);
    /* RHXSYK is violated: RPGGHS allows this event, which shows the reason. */
    if (!spe_pointer_is_legal(s)) {
        s->n.discarded++;
        other_event(env, SPE_BSC_NOT_ALLOWED, true);
        return;
    }
    len = spe_record_pack(rec, &s->format, bytes);
    size = spe_record_pad(&s->format, bytes, len, &before);
    s->aborted = false;
    if (!write_at(env, start, bytes, size, &in)) {
        s->n.discarded++;
        return;
    }
    s->pmbptr = start + size;
    if (s->aborted) {
        s->n.discarded++;
    } else {
        trace_spe_write(CPU(s->cpu)->cpu_index, start, len);
        spe_log_record(s, start + before, bytes + before, len);
        s->n.records++;
        s->n.bytes += len;
        s->n.padding += size - len;
    }
    /* IXQRTS: an asynchronous abort may come before or after; here after. */
    if (!has_room(s) && in.kind != SPE_INJECT_FULL) {
        other_event(env, SPE_BSC_FILLED, false);
    }
    if (s->aborted) {
        async_external_abort(env);
    }
    if (in.kind != SPE_INJECT_CLEAR) {
        spe_raise_injected(env, &in, start, start);
    }
}
