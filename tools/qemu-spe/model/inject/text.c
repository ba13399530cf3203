/*
 * Arm Statistical Profiling Extension: injected management events as text,
 * from the property spe-inject.
 *
 * With spe-inject-reg=on a guest can inject events, too: see regs/inject.c.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "qemu/osdep.h"
#include "qemu/cutils.h"
#include "qapi/error.h"
#include "hw/boards.h"
#include "hw/core/cpu.h"
#include "cpu.h"
#include "internals.h"
#include "inject.h"

#define MSS_UNSAID UINT32_MAX

/* The text form is FIELD,FIELD,...[;FIELD,...], as qemu-model.rst describes. */

static bool number(const char *key, const char *value, uint64_t max,
                   uint32_t *out, Error **errp)
{
    uint64_t n;

    if (!value || qemu_strtou64(value, NULL, 0, &n) || n > max) {
        error_setg(errp, "spe-inject: %s needs a number up to 0x%" PRIx64,
                   key, max);
        return false;
    }
    *out = n;
    return true;
}

static bool parse_event(const char *value, SPEInjection *in, Error **errp)
{
    g_autoptr(GString) all = g_string_new(NULL);

    for (int i = 0; i < SPE_INJECT_KINDS; i++) {
        if (value && !strcmp(value, spe_injection_kinds[i].name)) {
            in->kind = i;
            return true;
        }
        g_string_append_printf(all, "%s %s", i ? "," : "",
                               spe_injection_kinds[i].name);
    }
    error_setg(errp, "spe-inject: event must be one of%s", all->str);
    return false;
}

static bool parse_field(char *field, SPEInjection *in, uint32_t *pe,
                        Error **errp)
{
    char *value = strchr(field, '=');

    if (value) {
        *value++ = 0;
    }
    if (!strcmp(field, "event")) {
        return parse_event(value, in, errp);
    } else if (!strcmp(field, "record")) {
        return number(field, value, UINT32_MAX, &in->record, errp);
    } else if (!strcmp(field, "pe")) {
        return number(field, value, INT32_MAX, pe, errp);
    } else if (!strcmp(field, "fsc") || !strcmp(field, "mss")) {
        return number(field, value, 0xffff, &in->mss, errp);
    } else if (!strcmp(field, "mss2")) {
        return number(field, value, 0xffffff, &in->mss2, errp);
    } else if (!strcmp(field, "pointer")) {
        return number(field, value && *value == '+' ? value + 1 : value, 2047,
                      &in->pointer, errp);
    } else if (!strcmp(field, "dl") && !value) {
        in->dl = true;
        return true;
    } else if (!strcmp(field, "ea") && !value) {
        in->ea = true;
        return true;
    }
    error_setg(errp, "spe-inject: unknown field \"%s\": the fields are pe=, "
               "record=, event=, fsc=, mss=, mss2=, pointer=+, dl, ea", field);
    return false;
}

/* One injection; @pe is unchanged if the text names no PE. */
static bool parse(const char *text, SPEInjection *in, uint32_t *pe,
                  Error **errp)
{
    g_auto(GStrv) fields = g_strsplit_set(text, ",:", -1);

    *in = (SPEInjection) {
        .record = 1, .kind = SPE_INJECT_KINDS, .mss = MSS_UNSAID,
    };
    for (int i = 0; fields[i]; i++) {
        if (!parse_field(fields[i], in, pe, errp)) {
            return false;
        }
    }
    if (in->kind == SPE_INJECT_KINDS) {
        return parse_event(NULL, in, errp);
    }
    if (in->mss == MSS_UNSAID) {
        in->mss = spe_injection_kinds[in->kind].mss;
    } else if (!(spe_injection_kinds[in->kind].takes &
                 (SPE_TAKES_FSC | SPE_TAKES_MSS))) {
        error_setg(errp, "spe-inject: event %s takes neither fsc nor mss: use "
                   "fsc with stage1 and stage2, mss with imp-def",
                   spe_injection_kinds[in->kind].name);
        return false;
    }
    return true;
}

typedef struct Delivery {
    const SPEInjection *in;
    Error *err;
} Delivery;

/* The queue may be full now, if the guest has queued events as well. */
static void queue_on_cpu(CPUState *cs, run_on_cpu_data data)
{
    CPUARMState *env = cpu_env(cs);
    Delivery *d = data.host_ptr;

    spe_injection_queue(env, d->in, &d->err);
    arm_rebuild_hflags(env);
}

/* Queues an event on a PE of a machine that may be running. */
static bool deliver(uint32_t pe, SPEInjection *in, Error **errp)
{
    CPUState *cs = qemu_get_cpu(pe);
    Delivery d = { .in = in };

    if (!cs || !cpu_env(cs)->spe) {
        error_setg(errp, "spe-inject: PE %u does not exist or has no SPU", pe);
        return false;
    }
    run_on_cpu(cs, queue_on_cpu, RUN_ON_CPU_HOST_PTR(&d));
    error_propagate(errp, d.err);
    return !d.err;
}

bool spe_inject_text(CPUARMState *env, const char *text, Error **errp)
{
    ARMSPEState *s = env->spe;
    CPUState *cs = CPU(s->cpu);
    g_auto(GStrv) all = g_strsplit(text, ";", -1);
    bool running = DEVICE(s->cpu)->realized;

    for (int i = 0; all[i]; i++) {
        uint32_t pe = cs->cpu_index;
        SPEInjection in;

        if (!*all[i]) {
            continue;
        }
        if (!parse(all[i], &in, &pe, errp)) {
            return false;
        }
        if (running) {
            if (!deliver(pe, &in, errp)) {
                return false;
            }
            continue;
        }
        if (pe >= current_machine->smp.max_cpus) {
            error_setg(errp, "spe-inject: PE %u does not exist: the last PE "
                       "is %u", pe, current_machine->smp.max_cpus - 1);
            return false;
        }
        if (in.record == 0) {
            error_setg(errp, "spe-inject: record=0 raises an event at once: "
                       "set it with qom-set on a running machine");
            return false;
        }
        if (pe == cs->cpu_index && !spe_injection_queue(env, &in, errp)) {
            return false;
        }
    }
    return true;
}

char *spe_inject_list(ARMSPEState *s)
{
    GString *out = g_string_new(NULL);

    for (uint32_t i = 0; i < s->injections; i++) {
        const SPEInjection *in = &s->injection[i];
        uint32_t takes = spe_injection_kinds[in->kind].takes;

        g_string_append_printf(out, "%spe=%d,record=%u,event=%s",
                               i ? ";" : "", CPU(s->cpu)->cpu_index,
                               in->record, spe_injection_kinds[in->kind].name);
        if (takes & (SPE_TAKES_FSC | SPE_TAKES_MSS)) {
            g_string_append_printf(out, ",%s=0x%x",
                                   takes & SPE_TAKES_FSC ? "fsc" : "mss",
                                   in->mss);
        }
        if (in->mss2) {
            g_string_append_printf(out, ",mss2=0x%x", in->mss2);
        }
        if (in->pointer) {
            g_string_append_printf(out, ",pointer=+%u", in->pointer);
        }
        g_string_append(out, in->dl ? ",dl" : "");
        g_string_append(out, in->ea ? ",ea" : "");
    }
    return g_string_free(out, false);
}
