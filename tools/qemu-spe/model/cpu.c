/*
 * Arm Statistical Profiling Extension: the SPU as a part of its CPU.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "qemu/osdep.h"
#include "qapi/error.h"
#include "qom/object.h"
#include "hw/arm/bsa.h"
#include "hw/arm/fdt.h"
#include "migration/vmstate.h"
#include "system/device_tree.h"
#include "system/tcg.h"
#include "cpu.h"
#include "internals.h"
#include "spe.h"
#include "state.h"

/* The defaults of the model's choices; README.md says why. */
enum {
    SPE_VERSION = 5,            /* FEAT_SPEv1p4 */
    SPE_LOG2_SIZE = 6,          /* 64 bytes: both MaxSize and Align */
    SPE_COUNT_SIZE = 2,         /* 12-bit saturating counters */
    SPE_EA_IGNORED = 1,
};

QEMU_BUILD_BUG_ON(SPE_RECORD_MAX != 1 << SPE_LOG2_SIZE);

static uint64_t pmsidr(ARMSPEState *s)
{
    uint64_t id = 0;

    id = FIELD_DP64(id, PMSIDR, FE, 1);
    id = FIELD_DP64(id, PMSIDR, FT, 1);
    id = FIELD_DP64(id, PMSIDR, FL, 1);
    id = FIELD_DP64(id, PMSIDR, ARCHINST, 1);
    id = FIELD_DP64(id, PMSIDR, LDS, 1);
    id = FIELD_DP64(id, PMSIDR, ERND, 1);
    id = FIELD_DP64(id, PMSIDR, FNE, 1);
    id = FIELD_DP64(id, PMSIDR, FDS, 1);
    id = FIELD_DP64(id, PMSIDR, MAXSIZE, SPE_LOG2_SIZE);
    id = FIELD_DP64(id, PMSIDR, COUNTSIZE, SPE_COUNT_SIZE);
    id = FIELD_DP64(id, PMSIDR, CRR, s->has_crr);
    id = FIELD_DP64(id, PMSIDR, EFT, s->has_eft);
    id = FIELD_DP64(id, PMSIDR, FPF, s->has_fpf);
    return id;
}

static uint64_t pmbidr(void)
{
    uint64_t id = 0;

    id = FIELD_DP64(id, PMBIDR, ALIGN, SPE_LOG2_SIZE);
    id = FIELD_DP64(id, PMBIDR, F, 1);
    return FIELD_DP64(id, PMBIDR, EA, SPE_EA_IGNORED);
}

/*
 * Those of D24.7.11: E[0] has no filter, E[1] none either where nothing
 * speculative is sampled; E[17] and E[18] come with SVE.
 */
static uint64_t filterable_events(ARMCPU *cpu)
{
    uint64_t mask = SPE_EVENTS & ~(SPE_EVENT_EXCEPTION | SPE_EVENT_RETIRED);

    if (!cpu_isar_feature(aa64_sve, cpu)) {
        mask &= ~(SPE_EVENT_PARTIAL_PREDICATE | SPE_EVENT_EMPTY_PREDICATE);
    }
    return mask;
}

static int spe_pre_save(void *opaque)
{
    ARMSPEState *s = opaque;

    spe_sync_counters(&s->cpu->env);
    return 0;
}

static int spe_pre_load(void *opaque)
{
    ARMSPEState *s = opaque;

    s->n.discarded += s->in_flight;
    s->in_flight = false;
    return 0;
}

static int spe_post_load(void *opaque, int version_id)
{
    ARMSPEState *s = opaque;
    CPUARMState *env = &s->cpu->env;

    /* Nothing has run since the counters were settled for saving. */
    s->activity = SPE_IDLE;
    s->loaded = env->spe_budget = 0;
    s->stepping = false;
    /* Its record will be this report's. */
    s->n.sampled += s->in_flight;
    arm_rebuild_hflags(env);
    return 0;
}

static bool spe_sample_needed(void *opaque)
{
    ARMSPEState *s = opaque;

    return s->in_flight;
}

/* Of the instruction itself, only what its end still looks at. */
static const VMStateDescription vmstate_spe_sample = {
    .name = "cpu/spe/sample",
    .version_id = 1,
    .minimum_version_id = 1,
    .needed = spe_sample_needed,
    .fields = (const VMStateField[]) {
        VMSTATE_BOOL(in_flight, ARMSPEState),
        VMSTATE_UINT16(sample.insn.flags, ARMSPEState),
        VMSTATE_UINT8(sample.insn.op_class, ARMSPEState),
        VMSTATE_UINT8(sample.insn.cond, ARMSPEState),
        VMSTATE_UINT32(sample.rec.has, ARMSPEState),
        VMSTATE_UINT32(sample.rec.events, ARMSPEState),
        VMSTATE_UINT8(sample.rec.op_class, ARMSPEState),
        VMSTATE_UINT8(sample.rec.subclass, ARMSPEState),
        VMSTATE_UINT64(sample.rec.pc, ARMSPEState),
        VMSTATE_UINT64(sample.rec.vaddr, ARMSPEState),
        VMSTATE_UINT32(sample.rec.context1, ARMSPEState),
        VMSTATE_UINT32(sample.rec.context2, ARMSPEState),
        VMSTATE_UINT64(sample.rec.timestamp, ARMSPEState),
        VMSTATE_UINT64(sample.pc, ARMSPEState),
        VMSTATE_UINT64(sample.vaddr, ARMSPEState),
        VMSTATE_INT32(sample.el, ARMSPEState),
        VMSTATE_INT32(sample.mmu_idx, ARMSPEState),
        VMSTATE_INT32(sample.size, ARMSPEState),
        VMSTATE_BOOL(sample.taken, ARMSPEState),
        VMSTATE_BOOL(sample.collects_pa, ARMSPEState),
        VMSTATE_BOOL(sample.hides_va, ARMSPEState),
        VMSTATE_END_OF_LIST()
    },
};

/*
 * Simplification: the pretended caches and the report start anew on the
 * other side.
 */
static const VMStateDescription vmstate_spe = {
    .name = "cpu/spe",
    .version_id = 1,
    .minimum_version_id = 1,
    .pre_save = spe_pre_save,
    .pre_load = spe_pre_load,
    .post_load = spe_post_load,
    .fields = (const VMStateField[]) {
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
        VMSTATE_UINT64(pmbsr, ARMSPEState),
        VMSTATE_UINT64(random, ARMSPEState),
        VMSTATE_UINT64(choice, ARMSPEState),
        VMSTATE_BOOL(stopped, ARMSPEState),
        VMSTATE_UINT64(stopped_ops, ARMSPEState),
        VMSTATE_END_OF_LIST()
    },
    .subsections = (const VMStateDescription * const []) {
        &vmstate_spe_sample,
        NULL
    },
};

static bool get_spe(Object *obj, Error **errp)
{
    return ARM_CPU(obj)->has_spe;
}

static void set_spe(Object *obj, bool value, Error **errp)
{
    ARM_CPU(obj)->has_spe = value;
}

/* The other properties are kept in the unit, which spe=off frees again. */
static ARMSPEState *unit(Object *obj)
{
    return ARM_CPU(obj)->env.spe;
}

static void create_unit(ARMCPU *cpu)
{
    ARMSPEState *s = g_new0(ARMSPEState, 1);

    s->cpu = cpu;
    s->has_crr = true;
    s->has_fpf = true;
    cpu->env.spe = s;
}

static ARMSPEState *settable_unit(Object *obj, Error **errp)
{
    if (!unit(obj)) {
        error_setg(errp, "the CPU has no SPU: it was made with spe=off");
    }
    return unit(obj);
}

#define BOOL_PROPERTY(NAME) \
static bool get_##NAME(Object *obj, Error **errp) \
{ \
    return unit(obj) && unit(obj)->has_##NAME; \
} \
static void set_##NAME(Object *obj, bool value, Error **errp) \
{ \
    ARMSPEState *s = settable_unit(obj, errp); \
    if (s) { \
        s->has_##NAME = value; \
    } \
}

#define PATH_PROPERTY(NAME) \
static char *get_##NAME(Object *obj, Error **errp) \
{ \
    return g_strdup(unit(obj) && unit(obj)->NAME ? unit(obj)->NAME : ""); \
} \
static void set_##NAME(Object *obj, const char *value, Error **errp) \
{ \
    ARMSPEState *s = settable_unit(obj, errp); \
    if (s) { \
        g_free(s->NAME); \
        s->NAME = g_strdup(value); \
    } \
}

BOOL_PROPERTY(crr)
BOOL_PROPERTY(fpf)
BOOL_PROPERTY(eft)
PATH_PROPERTY(report_path)
PATH_PROPERTY(log_path)

static char *get_stats(Object *obj, Error **errp)
{
    return spe_report_json();
}

void arm_spe_post_init(ARMCPU *cpu)
{
    Object *obj = OBJECT(cpu);

    if (!tcg_enabled() || !arm_feature(&cpu->env, ARM_FEATURE_AARCH64)) {
        return;
    }
    create_unit(cpu);
    object_property_add_bool(obj, "spe", get_spe, set_spe);
    object_property_set_description(obj, "spe",
        "Statistical Profiling Extension (off by default)");
    object_property_add_bool(obj, "spe-crr", get_crr, set_crr);
    object_property_set_description(obj, "spe-crr",
        "FEAT_SPE_CRR: calls and returns are told apart (on by default)");
    object_property_add_bool(obj, "spe-fpf", get_fpf, set_fpf);
    object_property_set_description(obj, "spe-fpf",
        "FEAT_SPE_FPF: floating-point and SIMD are marked (on by default)");
    object_property_add_bool(obj, "spe-eft", get_eft, set_eft);
    object_property_set_description(obj, "spe-eft",
        "FEAT_SPE_EFT: filters by type have masks (off by default)");
    object_property_add_str(obj, "spe-report", get_report_path,
                            set_report_path);
    object_property_set_description(obj, "spe-report",
        "File for what the SPUs did, as JSON, written at exit");
    object_property_add_str(obj, "spe-log", get_log_path, set_log_path);
    object_property_set_description(obj, "spe-log",
        "File for each record written: PE, number, PMBPTR, bytes");
    object_property_add_str(obj, "spe-stats", get_stats, NULL);
    object_property_set_description(obj, "spe-stats",
        "What the SPUs did so far, as JSON");
}

bool arm_spe_realize(ARMCPU *cpu, Error **errp)
{
    ARMSPEState *s = cpu->env.spe;

    if (!cpu->has_spe) {
        if (s && (s->report_path || s->log_path)) {
            error_setg(errp, "spe-report and spe-log need spe=on");
            return false;
        }
        g_free(s);
        cpu->env.spe = NULL;
        return true;
    }
    cpu->isar.id_aa64dfr0 = FIELD_DP64(cpu->isar.id_aa64dfr0, ID_AA64DFR0,
                                       PMSVER, SPE_VERSION);
    s->pmsidr = pmsidr(s);
    s->pmbidr = pmbidr();
    s->event_mask = filterable_events(cpu);
    s->random = 0x9e3779b97f4a7c15ULL * (spe_report_add(s) + 1);
    s->choice = ~s->random;
    s->mem = spe_hierarchy_new();
    if ((s->report_path && !spe_report_check(s, errp)) ||
        (s->log_path && !spe_log_open(s, errp))) {
        return false;
    }
    arm_register_pre_el_change_hook(cpu, spe_pre_el_change, NULL);
    arm_register_el_change_hook(cpu, spe_el_change, NULL);
    vmstate_register_any(NULL, &vmstate_spe, s);
    return true;
}

void arm_spe_fdt_add_node(ARMCPU *cpu, void *fdt, uint32_t irqflags)
{
    if (!cpu->has_spe) {
        return;
    }
    qemu_fdt_add_subnode(fdt, "/spe-pmu");
    qemu_fdt_setprop_string(fdt, "/spe-pmu", "compatible",
                            "arm,statistical-profiling-extension-v1");
    qemu_fdt_setprop_cells(fdt, "/spe-pmu", "interrupts",
                           GIC_FDT_IRQ_TYPE_PPI, INTID_TO_PPI(ARCH_SPE_IRQ),
                           irqflags);
}
