/*
 * Arm Statistical Profiling Extension: management events on demand.
 *
 * An injection says on which record write from now a PE has which event.  It
 * comes from the property spe-inject or, with spe-inject-reg=on, from a guest
 * that writes the IMPLEMENTATION DEFINED register SPEINJ_EL1.  What follows
 * is the business of buffer.c and event.c, as for an event that is real.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "qemu/osdep.h"
#include "qemu/cutils.h"
#include "qemu/log.h"
#include "qapi/error.h"
#include "hw/boards.h"
#include "hw/core/cpu.h"
#include "cpu.h"
#include "internals.h"
#include "cpregs.h"
#include "spe.h"
#include "state.h"

FIELD(SPEINJ, RECORD, 0, 12)
FIELD(SPEINJ, KIND, 12, 4)
FIELD(SPEINJ, FSC, 16, 6)
FIELD(SPEINJ, DL, 22, 1)
FIELD(SPEINJ, EA, 23, 1)
FIELD(SPEINJ, POINTER, 24, 8)   /* in units of 8 bytes */
FIELD(SPEINJ, MSS2, 32, 24)

/* As it reads. */
FIELD(SPEINJ, QUEUED, 0, 12)
FIELD(SPEINJ, REFUSED, 31, 1)
FIELD(SPEINJ, RAISED, 32, 32)

/* What can be said of a kind of event besides the number of the record. */
enum {
    TAKES_FSC = 1 << 0,
    TAKES_MSS = 1 << 1,
    TAKES_MSS2 = 1 << 2,
    TAKES_POINTER = 1 << 3,
    TAKES_DL = 1 << 4,
    TAKES_EA = 1 << 5,
};

#define TAKES_ABORT \
    (TAKES_FSC | TAKES_MSS2 | TAKES_POINTER | TAKES_DL | TAKES_EA)

static const struct {
    const char *name;
    uint32_t takes;
    uint32_t mss;       /* if nothing is said */
} kinds[SPE_INJECT_KINDS] = {
    [SPE_INJECT_CLEAR] = { "clear" },
    [SPE_INJECT_FULL] = { "full" },
    [SPE_INJECT_STAGE1] = { "stage1", TAKES_ABORT, 0x07 },
    [SPE_INJECT_STAGE2] = { "stage2", TAKES_ABORT, 0x07 },
    [SPE_INJECT_GPC] = { "gpc", TAKES_POINTER | TAKES_DL | TAKES_EA },
    [SPE_INJECT_EXTERNAL] = { "external", TAKES_POINTER | TAKES_DL, 0x10 },
    [SPE_INJECT_ASYNC] = { "external-async", 0, 0x11 },
    [SPE_INJECT_NOT_ALLOWED] = { "not-allowed" },
    [SPE_INJECT_TOO_LARGE] = { "too-large", TAKES_DL },
    [SPE_INJECT_IMP_DEF] = {
        "imp-def", TAKES_MSS | TAKES_MSS2 | TAKES_POINTER | TAKES_DL
    },
    [SPE_INJECT_COLLISION] = { "collision" },
};

#define MSS_UNSAID UINT32_MAX

#define RANGE(FIRST, LAST) MAKE_64BIT_MASK(FIRST, (LAST) - (FIRST) + 1)

/* The FSC values of D24.7.5, but for that of an asynchronous abort. */
static const uint64_t fsc_values =
    RANGE(0x00, 0x10) | RANGE(0x12, 0x17) | RANGE(0x1b, 0x1f) |
    RANGE(0x21, 0x2c) | RANGE(0x30, 0x31);

static bool check(ARMSPEState *s, const SPEInjection *in, Error **errp)
{
    const char *name = kinds[in->kind].name;
    uint32_t takes = kinds[in->kind].takes;
    int max = 1 << FIELD_EX64(s->pmsidr, PMSIDR, MAXSIZE);

    if ((takes & TAKES_FSC) &&
        (in->mss > 0x3f || !extract64(fsc_values, in->mss, 1))) {
        error_setg(errp, "spe-inject: 0x%x is no fault status code of %s: "
                   "D24.7.5 lists them", in->mss, name);
        return false;
    }
    if (in->mss > 0xffff || in->mss2 > 0xffffff) {
        error_setg(errp, "spe-inject: mss has 16 bits, mss2 24");
        return false;
    }
    /* Bits 8 to 5: TopLevel, AssuredOnly, Overlay, DirtyBit */
    if ((takes & TAKES_FSC) && (in->mss2 & ~0x1e0)) {
        error_setg(errp, "spe-inject: mss2 of an abort is made of 0x100, "
                   "0x80, 0x40 and 0x20");
        return false;
    }
    if (in->pointer >= max) {
        error_setg(errp, "spe-inject: pointer must be less than the "
                   "%d bytes of a record", max);
        return false;
    }
    if ((in->pointer && !(takes & TAKES_POINTER)) ||
        (in->mss2 && !(takes & TAKES_MSS2)) ||
        (in->dl && !(takes & TAKES_DL)) || (in->ea && !(takes & TAKES_EA))) {
        error_setg(errp, "spe-inject: %s takes%s%s%s%s%s%s", name,
                   takes & TAKES_FSC ? " fsc" : "",
                   takes & TAKES_MSS ? " mss" : "",
                   takes & TAKES_MSS2 ? " mss2" : "",
                   takes & TAKES_POINTER ? " pointer" : "",
                   takes & TAKES_DL ? " dl" : "",
                   takes & TAKES_EA ? " ea" : takes ? "" : " only record");
        return false;
    }
    return true;
}

static bool queue(CPUARMState *env, const SPEInjection *in, Error **errp)
{
    ARMSPEState *s = env->spe;

    if (in->kind == SPE_INJECT_CLEAR) {
        s->injections = 0;
        return true;
    }
    if (!check(s, in, errp)) {
        return false;
    }
    if (in->record == 0) {
        s->injected++;
        spe_raise_injected(env, in, s->pmbptr, s->pmbptr + in->pointer);
        return true;
    }
    if (s->injections == SPE_INJECT_MAX) {
        error_setg(errp, "spe-inject: %d events are queued, no more fit",
                   SPE_INJECT_MAX);
        return false;
    }
    s->injection[s->injections++] = *in;
    return true;
}

/* Of several that are due, one is raised and the others wait. */
bool spe_injection_due(ARMSPEState *s, SPEInjection *due)
{
    uint32_t kept = 0;
    bool found = false;

    for (uint32_t i = 0; i < s->injections; i++) {
        SPEInjection in = s->injection[i];

        if (in.record == 1 && !found) {
            *due = in;
            found = true;
            continue;
        }
        in.record -= in.record > 1;
        s->injection[kept++] = in;
    }
    s->injections = kept;
    s->injected += found;
    return found;
}

/* The text form: FIELD,FIELD,...[;FIELD,...], as the manual page has it. */

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
        if (value && !strcmp(value, kinds[i].name)) {
            in->kind = i;
            return true;
        }
        g_string_append_printf(all, "%s %s", i ? "," : "", kinds[i].name);
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
    error_setg(errp, "spe-inject: \"%s\": the fields are pe=, record=, "
               "event=, fsc=, mss=, mss2=, pointer=+, dl, ea", field);
    return false;
}

/* One injection; @pe is left alone where the text names none. */
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
        in->mss = kinds[in->kind].mss;
    } else if (!(kinds[in->kind].takes & (TAKES_FSC | TAKES_MSS))) {
        error_setg(errp, "spe-inject: fsc is for stage1 and stage2, mss for "
                   "imp-def, not for %s", kinds[in->kind].name);
        return false;
    }
    return true;
}

typedef struct Delivery {
    const SPEInjection *in;
    Error *err;
} Delivery;

/* By now the guest may have filled the queue with events of its own. */
static void queue_on_cpu(CPUState *cs, run_on_cpu_data data)
{
    CPUARMState *env = cpu_env(cs);
    Delivery *d = data.host_ptr;

    queue(env, d->in, &d->err);
    arm_rebuild_hflags(env);
}

/* Given to one PE of a machine that may be running. */
static bool deliver(uint32_t pe, SPEInjection *in, Error **errp)
{
    CPUState *cs = qemu_get_cpu(pe);
    Delivery d = { .in = in };

    if (!cs || !cpu_env(cs)->spe) {
        error_setg(errp, "spe-inject: there is no PE %u with an SPU", pe);
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
            error_setg(errp, "spe-inject: there is no PE %u: the last one "
                       "is %u", pe, current_machine->smp.max_cpus - 1);
            return false;
        }
        if (in.record == 0) {
            error_setg(errp, "spe-inject: record=0, which is at once, is "
                       "for a machine that runs");
            return false;
        }
        if (pe == cs->cpu_index && !queue(env, &in, errp)) {
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
        uint32_t takes = kinds[in->kind].takes;

        g_string_append_printf(out, "%spe=%d,record=%u,event=%s",
                               i ? ";" : "", CPU(s->cpu)->cpu_index,
                               in->record, kinds[in->kind].name);
        if (takes & (TAKES_FSC | TAKES_MSS)) {
            g_string_append_printf(out, ",%s=0x%x",
                                   takes & TAKES_FSC ? "fsc" : "mss",
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

/* SPEINJ_EL1, S3_0_C15_C9_0 */

static uint64_t speinj_read(CPUARMState *env, const ARMCPRegInfo *ri)
{
    ARMSPEState *s = env->spe;
    uint64_t value = 0;

    value = FIELD_DP64(value, SPEINJ, QUEUED, s->injections);
    value = FIELD_DP64(value, SPEINJ, REFUSED, s->injection_refused);
    return FIELD_DP64(value, SPEINJ, RAISED, s->injected);
}

static void speinj_write(CPUARMState *env, const ARMCPRegInfo *ri,
                         uint64_t value)
{
    ARMSPEState *s = env->spe;
    Error *err = NULL;
    SPEInjection in = {
        .record = FIELD_EX64(value, SPEINJ, RECORD),
        .kind = FIELD_EX64(value, SPEINJ, KIND),
        .mss = FIELD_EX64(value, SPEINJ, FSC),
        .mss2 = FIELD_EX64(value, SPEINJ, MSS2),
        .pointer = FIELD_EX64(value, SPEINJ, POINTER) * 8,
        .dl = FIELD_EX64(value, SPEINJ, DL),
        .ea = FIELD_EX64(value, SPEINJ, EA),
    };

    s->injection_refused = in.kind >= SPE_INJECT_KINDS;
    if (!s->injection_refused) {
        if (!(kinds[in.kind].takes & (TAKES_FSC | TAKES_MSS))) {
            in.mss = kinds[in.kind].mss;
        }
        s->injection_refused = !queue(env, &in, &err);
    }
    if (s->injection_refused) {
        qemu_log_mask(LOG_GUEST_ERROR, "SPEINJ_EL1 = 0x%" PRIx64 ": %s\n",
                      value, err ? error_get_pretty(err) : "unknown KIND");
        error_free(err);
    }
}

static const ARMCPRegInfo speinj_cpreg = {
    .name = "SPEINJ_EL1", .state = ARM_CP_STATE_AA64, .type = ARM_CP_NO_RAW,
    .opc0 = 3, .opc1 = 0, .crn = 15, .crm = 9, .opc2 = 0, .access = PL1_RW,
    .readfn = speinj_read, .writefn = speinj_write,
};

void spe_inject_define_cpreg(ARMCPU *cpu)
{
    if (cpu->env.spe->config.inject_reg) {
        define_one_arm_cp_reg(cpu, &speinj_cpreg);
    }
}
