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
#include "hw/qdev-properties.h"
#include "system/device_tree.h"
#include "system/tcg.h"
#include "cpu.h"
#include "internals.h"
#include "machine.h"
#include "../capture/capture.h"
#include "../inject/inject.h"
#include "../properties/properties.h"
#include "../regs/regs.h"
#include "../report/report.h"
#include "../sample/sample.h"
#include "../spe.h"
#include "../version.h" /* tools/setup/qemu writes it */

static bool get_spe(Object *obj, Error **errp)
{
    return ARM_CPU(obj)->has_spe;
}

/* The other properties are in the SPU, which spe=off frees again. */
static ARMSPEState *unit(Object *obj)
{
    return ARM_CPU(obj)->env.spe;
}

static void create_unit(ARMCPU *cpu)
{
    ARMSPEState *s = g_new0(ARMSPEState, 1);

    s->cpu = cpu;
    spe_memory_defaults(&s->mem_config);
    cpu->env.spe = s;
}

static ARMSPEState *settable_unit(Object *obj, Error **errp)
{
    if (!unit(obj)) {
        error_setg(errp, "the CPU has no SPU: create it with spe=on");
    }
    return unit(obj);
}

/* Properties cannot change once the CPU is realized. */
static bool can_change(Object *obj, const char *name, Error **errp)
{
    if (DEVICE(obj)->realized) {
        qdev_prop_set_after_realize(DEVICE(obj), name, errp);
    }
    return !DEVICE(obj)->realized;
}

static void set_spe(Object *obj, bool value, Error **errp)
{
    if (can_change(obj, "spe", errp)) {
        ARM_CPU(obj)->has_spe = value;
    }
}

#define TEXT_PROPERTY(NAME, PROPERTY) \
static char *get_##NAME(Object *obj, Error **errp) \
{ \
    return g_strdup(unit(obj) && unit(obj)->NAME ? unit(obj)->NAME : ""); \
} \
static void set_##NAME(Object *obj, const char *value, Error **errp) \
{ \
    ARMSPEState *s = settable_unit(obj, errp); \
    if (s && can_change(obj, PROPERTY, errp)) { \
        g_free(s->NAME); \
        s->NAME = g_strdup(value); \
    } \
}

TEXT_PROPERTY(report_path, "spe-report")
TEXT_PROPERTY(log_path, "spe-log")
TEXT_PROPERTY(unlike, "spe-unlike")

static char *get_inject(Object *obj, Error **errp)
{
    return unit(obj) ? spe_inject_list(unit(obj)) : g_strdup("");
}

/* The number and limits of a CPU are known once it is realized. */
static void set_inject(Object *obj, const char *value, Error **errp)
{
    ARMSPEState *s = settable_unit(obj, errp);

    if (s && DEVICE(obj)->realized) {
        spe_inject_text(&s->cpu->env, value, errp);
    } else if (s) {
        g_free(s->inject);
        s->inject = g_strdup(value);
    }
}

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
        "The CPU has FEAT_SPE (default off); model " ARM_SPE_VERSION);
    spe_config_init(cpu->env.spe);
    spe_memory_add_properties(obj);
    object_property_add_str(obj, "spe-report", get_report_path,
                            set_report_path);
    object_property_set_description(obj, "spe-report",
        "File to which QEMU writes the counts of all SPUs at exit, as JSON");
    object_property_add_str(obj, "spe-log", get_log_path, set_log_path);
    object_property_set_description(obj, "spe-log",
        "File that gets a line for each record: PE, number, address, bytes");
    object_property_add_str(obj, "spe-unlike", get_unlike, set_unlike);
    object_property_set_description(obj, "spe-unlike",
        "Properties of single PEs, such as pe=1:spe-lds=off;pe=2:spe=off");
    object_property_add_str(obj, "spe-inject", get_inject, set_inject);
    object_property_set_description(obj, "spe-inject",
        "Events to inject, such as event=stage1,record=3,fsc=0x07;event=full");
    object_property_add_str(obj, "spe-stats", get_stats, NULL);
    object_property_set_description(obj, "spe-stats",
        "The counts of all SPUs so far, as JSON");
}

/* With spe=off, none of the other properties may be set. */
static bool unused(ARMSPEState *s, Error **errp)
{
    if (!s) {
        return true;
    }
    if (s->report_path || s->log_path || s->inject || s->unlike) {
        error_setg(errp, "spe-report, spe-log, spe-inject and spe-unlike need "
                   "spe=on");
        return false;
    }
    return spe_config_unused(s, errp) &&
           spe_memory_unused(&s->mem_config, errp);
}

bool arm_spe_realize(ARMCPU *cpu, Error **errp)
{
    ARMSPEState *s = cpu->env.spe;
    unsigned pe = CPU(cpu)->cpu_index;

    if (!cpu->has_spe && !unused(s, errp)) {
        return false;
    }
    if (cpu->has_spe) {
        /* also for a PE from which spe-unlike then takes the SPU */
        spe_icache_realize(cpu);
    }
    if (s && s->unlike && !spe_config_unlike(s, errp)) {
        return false;
    }
    if (!cpu->has_spe) {
        g_free(s);
        cpu->env.spe = NULL;
        return true;
    }
    spe_report_add(s);
    if (!spe_config_realize(s, pe, errp)) {
        return false;
    }
    cpu->isar.id_aa64dfr0 = FIELD_DP64(cpu->isar.id_aa64dfr0, ID_AA64DFR0,
                                       PMSVER, s->config.version);
    cpu->isar.id_aa64dfr1 = deposit64(cpu->isar.id_aa64dfr1, 48, 4,
                                      s->config.ebep);
    spe_fgt2_realize(s);
    arm_spe_tells_branches |= s->config.pbt;
    spe_orders_writes |= s->config.ignore_writes;
    if (!spe_memory_check(&s->mem_config, errp) ||
        !spe_feed_realize(s, pe, errp)) {
        return false;
    }
    if ((s->report_path && !spe_report_check(s, errp)) ||
        (s->log_path && !spe_log_open(s, errp)) ||
        (s->inject && !spe_inject_text(&cpu->env, s->inject, errp))) {
        return false;
    }
    arm_register_pre_el_change_hook(cpu, spe_pre_el_change, NULL);
    arm_register_el_change_hook(cpu, spe_el_change, NULL);
    spe_vmstate_register(s);
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
