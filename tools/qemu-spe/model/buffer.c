/*
 * Arm Statistical Profiling Extension: the Profiling Buffer (D17.7) and its
 * management events (D17.8).
 *
 * A record is padded to PMBIDR_EL1.Align, which equals MaxSize, so it never
 * crosses a page: it is written whole or not at all.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "qemu/osdep.h"
#include "qemu/main-loop.h"
#include "cpu.h"
#include "internals.h"
#include "exec/exec-all.h"
#include "hw/irq.h"
#include "state.h"
#include "trace.h"

void spe_update_irq(CPUARMState *env)
{
    ARMSPEState *s = env->spe;
    bool locked = bql_locked();

    if (!locked) {
        bql_lock();
    }
    qemu_set_irq(s->cpu->spe_interrupt, FIELD_EX64(s->pmbsr, PMBSR, S));
    if (!locked) {
        bql_unlock();
    }
}

/* All fields but these are left as they are, COLL and EA among them. */
static void management_event(CPUARMState *env, int ec, int mss, bool data_loss)
{
    ARMSPEState *s = env->spe;

    s->pmbsr = FIELD_DP64(s->pmbsr, PMBSR, S, 1);
    s->pmbsr = FIELD_DP64(s->pmbsr, PMBSR, EC, ec);
    s->pmbsr = FIELD_DP64(s->pmbsr, PMBSR, MSS, mss);
    s->pmbsr = FIELD_DP64(s->pmbsr, PMBSR, MSS2, 0);
    if (data_loss) {
        s->pmbsr = FIELD_DP64(s->pmbsr, PMBSR, DL, 1);
    }
    s->stopped = true;
    s->stopped_ops = 0;
    trace_spe_management_event(CPU(s->cpu)->cpu_index, s->pmbsr, s->pmbptr);
    spe_update_irq(env);
}

/* The owning translation regime, privileged and without PAN (RTDHBH). */
static ARMMMUIdx buffer_mmu_idx(CPUARMState *env)
{
    if (spe_owning_el(env) == 1) {
        return ARMMMUIdx_E10_1;
    }
    return arm_hcr_el2_eff(env) & HCR_E2H ? ARMMMUIdx_E20_2 : ARMMMUIdx_E2;
}

/*
 * The pointer stays at the record that could not be written, the byte after
 * the last complete one: DL is left as it is (RMYXZK).
 */
static void fault_event(CPUARMState *env, ARMMMUFaultInfo *fi)
{
    ARMSPECounts *n = &env->spe->n;
    int ec = SPE_EC_STAGE1;

    if (fi->gpcf != GPCF_None && fi->gpcf != GPCF_Fail) {
        ec = SPE_EC_GPC;
    } else if (fi->stage2) {
        ec = SPE_EC_STAGE2;
        n->stage2_fault++;
    } else {
        n->stage1_fault++;
    }
    management_event(env, ec, arm_fi_to_lfsc(fi) & 0x3f, false);
}

/* Writes through the softmmu TLB, whose entries are those of the regime. */
static bool buffer_store(CPUARMState *env, uint64_t ptr, const uint8_t *bytes,
                         int len)
{
    CPUState *cs = env_cpu(env);
    ARMMMUIdx idx = buffer_mmu_idx(env);
    ARMMMUFaultInfo fi = {};
    GetPhysAddrResult res = {};
    CPUTLBEntryFull *full;
    MemTxAttrs attrs;
    hwaddr pa;
    void *host;
    int flags;

    if (ptr & ((1 << FIELD_EX64(env->spe->pmbidr, PMBIDR, ALIGN)) - 1)) {
        /* RHLXGD is violated: Table D17-11 permits an Alignment fault. */
        fi.type = ARMFault_Alignment;
        fault_event(env, &fi);
        return false;
    }
    flags = probe_access_full(env, ptr, 0, MMU_DATA_STORE,
                              arm_to_core_mmu_idx(idx), true, &host, &full, 0);
    if (!(flags & TLB_INVALID_MASK)) {
        pa = full->phys_addr | (ptr & ~TARGET_PAGE_MASK);
        attrs = full->attrs;
    } else if (!get_phys_addr(env, ptr, MMU_DATA_STORE, 0, idx, &res, &fi)) {
        pa = res.f.phys_addr;
        attrs = res.f.attrs;
    } else {
        fault_event(env, &fi);
        return false;
    }
    if (address_space_write(arm_addressspace(cs, attrs), pa, attrs, bytes,
                            len) != MEMTX_OK) {
        /* PMBIDR_EL1.EA: External aborts are ignored (IVPLMK). */
        trace_spe_write_ignored(cs->cpu_index, ptr);
    }
    return true;
}

void spe_write_record(CPUARMState *env, const SPERecord *rec)
{
    ARMSPEState *s = env->spe;
    uint64_t limit = s->pmblimitr & R_PMBLIMITR_LIMIT_MASK;
    uint64_t max = 1 << FIELD_EX64(s->pmsidr, PMSIDR, MAXSIZE);
    uint8_t bytes[SPE_RECORD_MAX] = {};
    size_t len;

    if (FIELD_EX64(s->pmblimitr, PMBLIMITR, FM) == SPE_FM_DISCARD) {
        s->n.discarded++;
        return;
    }
    /* RHXSYK is violated: of what RPGGHS permits, the one with a reason. */
    if (s->pmbptr >> 56 != limit >> 56 || limit < max ||
        s->pmbptr > limit - max) {
        s->n.access_not_allowed++;
        s->n.discarded++;
        management_event(env, SPE_EC_OTHER, SPE_BSC_NOT_ALLOWED, true);
        return;
    }
    len = spe_record_pack(rec, SPE_COUNTER_MAX, bytes);
    if (!buffer_store(env, s->pmbptr, bytes, max)) {
        s->n.discarded++;
        return;
    }
    trace_spe_write(CPU(s->cpu)->cpu_index, s->pmbptr, len);
    spe_log_record(s, s->pmbptr, bytes, len);
    s->n.records++;
    s->n.bytes += len;
    s->n.padding += max - len;
    s->pmbptr += max;
    if (s->pmbptr > limit - max) {
        s->n.buffer_full++;
        management_event(env, SPE_EC_OTHER, SPE_BSC_FILLED, false);
    }
}
