/*
 * Arm Statistical Profiling Extension: the state of an SPU when a machine is
 * saved and loaded, in the same process or another one.
 *
 * Besides the registers, this is the sample in flight, the record that is not
 * yet written, queued events, and the counts: after loadvm the report
 * describes the machine as it was saved.  The simulated caches and the branch
 * predictor have sections of their own.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "qemu/osdep.h"
#include "migration/vmstate.h"
#include "cpu.h"
#include "internals.h"
#include "machine.h"
#include "../control/control.h"
#include "../regs/regs.h"
#include "../report/report.h"

static int pre_save(void *opaque)
{
    ARMSPEState *s = opaque;

    spe_sync_counters(&s->cpu->env);
    spe_log_position(s, &s->log_sequence, &s->log_offset);
    return 0;
}

static int pre_load(void *opaque)
{
    ARMSPEState *s = opaque;

    spe_pmu_pre_load(s);
    /* Empty subsections are not saved. */
    s->in_flight = s->pending = false;
    s->injections = 0;
    /* Simplification: saving a machine is a Context synchronization event. */
    spe_context_synchronized(s);
    return 0;
}

static int post_load(void *opaque, int version_id)
{
    ARMSPEState *s = opaque;
    CPUARMState *env = &s->cpu->env;

    if (!spe_stream_is_sound(s)) {
        return -EINVAL;
    }
    /* No operation has run since pre_save() synchronized the counters. */
    s->activity = SPE_IDLE;
    s->loaded = env->spe_budget = 0;
    s->stepping = false;
    spe_pmu_post_load(s);
    spe_log_rewind(s, s->log_sequence, s->log_offset);
    arm_rebuild_hflags(env);
    return 0;
}

static bool sample_needed(void *opaque)
{
    ARMSPEState *s = opaque;

    return s->in_flight || s->pending;
}

/* The fields of the instruction that are needed when it ends */
static const VMStateDescription vmstate_sample = {
    .name = "cpu/spe/sample",
    .version_id = 4,
    .minimum_version_id = 4,
    .needed = sample_needed,
    .fields = (const VMStateField[]) {
        VMSTATE_BOOL(in_flight, ARMSPEState),
        VMSTATE_BOOL(pending, ARMSPEState),
        VMSTATE_INT32(pending_left, ARMSPEState),
        VMSTATE_UINT32(sample.insn.flags, ARMSPEState),
        VMSTATE_UINT8(sample.insn.op_class, ARMSPEState),
        VMSTATE_UINT8(sample.insn.cond, ARMSPEState),
        VMSTATE_UINT8(sample.insn.rd, ARMSPEState),
        VMSTATE_UINT32(sample.rec.has, ARMSPEState),
        VMSTATE_UINT64(sample.rec.events, ARMSPEState),
        VMSTATE_UINT8(sample.rec.op_class, ARMSPEState),
        VMSTATE_UINT8(sample.rec.subclass, ARMSPEState),
        VMSTATE_UINT16(sample.rec.source, ARMSPEState),
        VMSTATE_UINT64(sample.rec.pc, ARMSPEState),
        VMSTATE_UINT64(sample.rec.target, ARMSPEState),
        VMSTATE_UINT64(sample.rec.vaddr, ARMSPEState),
        VMSTATE_UINT64(sample.rec.paddr, ARMSPEState),
        VMSTATE_UINT64(sample.rec.previous, ARMSPEState),
        VMSTATE_UINT64(sample.rec.imp_address, ARMSPEState),
        VMSTATE_UINT32(sample.rec.context1, ARMSPEState),
        VMSTATE_UINT32(sample.rec.context2, ARMSPEState),
        VMSTATE_UINT32(sample.rec.total, ARMSPEState),
        VMSTATE_UINT32(sample.rec.issue, ARMSPEState),
        VMSTATE_UINT32(sample.rec.translation, ARMSPEState),
        VMSTATE_UINT32(sample.rec.alt_issue, ARMSPEState),
        VMSTATE_UINT32(sample.rec.imp_counter, ARMSPEState),
        VMSTATE_UINT64(sample.rec.timestamp, ARMSPEState),
        VMSTATE_UINT64(sample.pc, ARMSPEState),
        VMSTATE_UINT64(sample.vaddr, ARMSPEState),
        VMSTATE_INT32(sample.el, ARMSPEState),
        VMSTATE_INT32(sample.mmu_idx, ARMSPEState),
        VMSTATE_INT32(sample.size, ARMSPEState),
        VMSTATE_BOOL(sample.taken, ARMSPEState),
        VMSTATE_BOOL(sample.collects_pa, ARMSPEState),
        VMSTATE_BOOL(sample.hides_address, ARMSPEState),
        VMSTATE_BOOL(sample.monitor_lost, ARMSPEState),
        VMSTATE_BOOL(sample.tag_checked, ARMSPEState),
        VMSTATE_BOOL(sample.on_smcu, ARMSPEState),
        VMSTATE_END_OF_LIST()
    },
};

static const VMStateDescription vmstate_injection = {
    .name = "cpu/spe/injection",
    .version_id = 1,
    .minimum_version_id = 1,
    .fields = (const VMStateField[]) {
        VMSTATE_UINT32(record, SPEInjection),
        VMSTATE_UINT32(kind, SPEInjection),
        VMSTATE_UINT32(mss, SPEInjection),
        VMSTATE_UINT32(mss2, SPEInjection),
        VMSTATE_UINT32(pointer, SPEInjection),
        VMSTATE_BOOL(dl, SPEInjection),
        VMSTATE_BOOL(ea, SPEInjection),
        VMSTATE_END_OF_LIST()
    },
};

static bool injections_needed(void *opaque)
{
    ARMSPEState *s = opaque;

    return s->injections;
}

static const VMStateDescription vmstate_injections = {
    .name = "cpu/spe/injections",
    .version_id = 1,
    .minimum_version_id = 1,
    .needed = injections_needed,
    .fields = (const VMStateField[]) {
        VMSTATE_UINT32(injections, ARMSPEState),
        VMSTATE_STRUCT_ARRAY(injection, ARMSPEState, SPE_INJECT_MAX, 1,
                             vmstate_injection, SPEInjection),
        VMSTATE_END_OF_LIST()
    },
};

static bool exc_needed(void *opaque)
{
    ARMSPEState *s = opaque;

    return s->config.exc;
}

static const VMStateDescription vmstate_exc = {
    .name = "cpu/spe/exc",
    .version_id = 1,
    .minimum_version_id = 1,
    .needed = exc_needed,
    .fields = (const VMStateField[]) {
        VMSTATE_UINT64(pmbsr_el2, ARMSPEState),
        VMSTATE_UINT64(pmbsr_el3, ARMSPEState),
        VMSTATE_BOOL(pm, ARMSPEState),
        VMSTATE_END_OF_LIST()
    },
};

static bool noise_needed(void *opaque)
{
    ARMSPEState *s = opaque;

    return s->config.unknown_seed;
}

static const VMStateDescription vmstate_noise = {
    .name = "cpu/spe/noise",
    .version_id = 1,
    .minimum_version_id = 1,
    .needed = noise_needed,
    .fields = (const VMStateField[]) {
        VMSTATE_UINT64(noise, ARMSPEState),
        VMSTATE_END_OF_LIST()
    },
};

static bool fgt2_needed(void *opaque)
{
    ARMSPEState *s = opaque;

    return s->fgt2;
}

static const VMStateDescription vmstate_fgt2 = {
    .name = "cpu/spe/fgt2",
    .version_id = 1,
    .minimum_version_id = 1,
    .needed = fgt2_needed,
    .fields = (const VMStateField[]) {
        VMSTATE_UINT64(hdfgrtr2, ARMSPEState),
        VMSTATE_UINT64(hdfgwtr2, ARMSPEState),
        VMSTATE_END_OF_LIST()
    },
};

static const VMStateDescription vmstate_counts = {
    .name = "cpu/spe/counts",
    .version_id = 3,
    .minimum_version_id = 3,
    .fields = (const VMStateField[]) {
#define X(NAME) VMSTATE_UINT64(NAME, ARMSPECounts),
        SPE_COUNTS(X)
#undef X
        VMSTATE_UINT64_ARRAY(stopped_list, ARMSPECounts, SPE_STOPPED_LIST),
        VMSTATE_END_OF_LIST()
    },
};

/* The guest must see the same SPU after migration. */
#define SAME(FIELD, PROPERTY) \
    VMSTATE_UINT64_EQUAL(FIELD, ARMSPEState, \
                         "both machines must have the same " PROPERTY)
#define SAME_INT(FIELD, PROPERTY) \
    VMSTATE_INT32_EQUAL(config.FIELD, ARMSPEState, \
                        "both machines must have the same " PROPERTY)

static const VMStateDescription vmstate_spe = {
    .name = "cpu/spe",
    .version_id = 6,
    .minimum_version_id = 6,
    .pre_save = pre_save,
    .pre_load = pre_load,
    .post_load = post_load,
    .fields = (const VMStateField[]) {
        SAME_INT(version, "spe-version"),
        SAME(features, "features"),
        SAME(pmsidr, "properties that PMSIDR_EL1 shows"),
        SAME(pmbidr, "properties that PMBIDR_EL1 shows"),
        SAME(config.events, "spe-events"),
        SAME_INT(order, "spe-packet-order"),
        SAME_INT(extended, "spe-headers"),
        SAME_INT(padding, "spe-padding"),
        SAME_INT(events_size, "spe-events-size"),
        SAME_INT(source_size, "spe-source-size"),
        VMSTATE_UINT64(pmscr_el1, ARMSPEState),
        VMSTATE_UINT64(pmscr_el2, ARMSPEState),
        VMSTATE_UINT64(pmsicr, ARMSPEState),
        VMSTATE_UINT64(pmsirr, ARMSPEState),
        VMSTATE_UINT64(pmsfcr, ARMSPEState),
        VMSTATE_UINT64(pmsevfr, ARMSPEState),
        VMSTATE_UINT64(pmsnevfr, ARMSPEState),
        VMSTATE_UINT64(pmslatfr, ARMSPEState),
        VMSTATE_UINT64(pmsdsfr, ARMSPEState),
        VMSTATE_UINT64(pmblimitr, ARMSPEState),
        VMSTATE_UINT64(pmbptr, ARMSPEState),
        VMSTATE_UINT64(pmbmar, ARMSPEState),
        VMSTATE_UINT64(pmbsr, ARMSPEState),
        VMSTATE_UINT64(random, ARMSPEState),
        VMSTATE_UINT64(choice, ARMSPEState),
        VMSTATE_UINT64(previous, ARMSPEState),
        VMSTATE_BOOL(previous_valid, ARMSPEState),
        VMSTATE_UINT64(format.shuffle, ARMSPEState),
        VMSTATE_BOOL(stopped, ARMSPEState),
        VMSTATE_UINT64(stopped_ops, ARMSPEState),
        VMSTATE_UINT32(injected, ARMSPEState),
        VMSTATE_BOOL(injection_refused, ARMSPEState),
        VMSTATE_UINT64(log_sequence, ARMSPEState),
        VMSTATE_UINT64(log_offset, ARMSPEState),
        VMSTATE_STRUCT(n, ARMSPEState, 1, vmstate_counts, ARMSPECounts),
        VMSTATE_END_OF_LIST()
    },
    .subsections = (const VMStateDescription * const []) {
        &vmstate_sample,
        &vmstate_injections,
        &vmstate_exc,
        &vmstate_noise,
        &vmstate_fgt2,
        NULL
    },
};

void spe_vmstate_register(ARMSPEState *s)
{
    vmstate_register_any(NULL, &vmstate_spe, s);
}
