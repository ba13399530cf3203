/*
 * Arm Statistical Profiling Extension: the properties that choose what an SPU
 * has, one row each (A2, D24.7.1, D24.7.14).
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "qemu/osdep.h"
#include "qemu/units.h"
#include "qapi/error.h"
#include "qapi/visitor.h"
#include "hw/qdev-properties.h"
#include "cpu.h"
#include "properties.h"

static const SPEWord versions[] = {
    { "v1", SPE_V1 }, { "v1p1", SPE_V1P1 }, { "v1p2", SPE_V1P2 },
    { "v1p3", SPE_V1P3 }, { "v1p4", SPE_V1P4 }, { "v1p5", SPE_V1P5 }, { }
};

/* PMSIDR_EL1.MaxSize; implementations may not have 16 or 32 bytes. */
static const SPEWord max_sizes[] = {
    { "64", 6 }, { "128", 7 }, { "256", 8 }, { "512", 9 }, { "1024", 10 },
    { "2048", 11 }, { }
};

static const SPEWord alignments[] = {
    { "1", 0 }, { "2", 1 }, { "4", 2 }, { "8", 3 }, { "16", 4 }, { "32", 5 },
    { "64", 6 }, { "128", 7 }, { "256", 8 }, { "512", 9 }, { "1024", 10 },
    { "2048", 11 }, { }
};

/* PMSIDR_EL1.Interval */
static const SPEWord intervals[] = {
    { "256", 0 }, { "512", 2 }, { "768", 3 }, { "1024", 4 }, { "1536", 5 },
    { "2048", 6 }, { "3072", 7 }, { "4096", 8 }, { }
};

/* PMSIDR_EL1.CountSize */
static const SPEWord count_sizes[] = { { "12", 2 }, { "16", 3 }, { } };

static const SPEWord paddings[] = {
    { "after", SPE_PAD_AFTER }, { "before", SPE_PAD_BEFORE },
    { "max", SPE_PAD_MAX }, { }
};

static const SPEWord orders[] = {
    { "canonical", SPE_ORDER_CANONICAL }, { "reversed", SPE_ORDER_REVERSED },
    { "shuffled", SPE_ORDER_SHUFFLED }, { }
};

static const SPEWord headers[] = { { "short", 0 }, { "extended", 1 }, { } };

static const SPEWord external_aborts[] = {
    { "ignored", SPE_ABORT_IGNORED }, { "sync", SPE_ABORT_SYNC },
    { "async", SPE_ABORT_ASYNC }, { }
};

static const SPEWord event_sizes[] = {
    { "1", 1 }, { "2", 2 }, { "4", 4 }, { "8", 8 }, { }
};

static const SPEWord source_sizes[] = { { "1", 1 }, { "2", 2 }, { } };

#define AT(FIELD) .offset = offsetof(SPEConfig, FIELD)

/* Features: see A2.2, where "is implemented" says which others they need. */
const SPEOption spe_options[] = {
    [OPT_VERSION] = { "spe-version", "FEAT_SPEv1 to FEAT_SPEv1p5: v1, v1p1, "
      "v1p2, v1p3, v1p4 (default) or v1p5",
      CHOICE, AT(version), .words = versions },
    [OPT_LDS] = { "spe-lds", "FEAT_SPE_LDS: Data Source packets",
      FEATURE, R_PMSIDR_LDS_SHIFT, AT(lds), .since = SPE_V1,
      .always = SPE_NEVER, .usual = SPE_V1 },
    [OPT_FDS] = { "spe-fds", "FEAT_SPE_FDS: filter records by data source",
      FEATURE, R_PMSIDR_FDS_SHIFT, AT(fds), .since = SPE_V1P4,
      .always = SPE_NEVER, .usual = SPE_V1P4, .needs = 1 << OPT_LDS },
    [OPT_FPF] = { "spe-fpf",
      "FEAT_SPE_FPF: records show floating-point and SIMD operations",
      FEATURE, R_PMSIDR_FPF_SHIFT, AT(fpf), .since = SPE_V1,
      .always = SPE_NEVER, .usual = SPE_V1P4, .needs = 1 << OPT_EFT },
    [OPT_EFT] = { "spe-eft", "FEAT_SPE_EFT: filters by type with masks",
      FEATURE, R_PMSIDR_EFT_SHIFT, AT(eft), .since = SPE_V1,
      .always = SPE_NEVER, .usual = SPE_V1P4, .needs = 1 << OPT_FPF },
    [OPT_SME] = { "spe-sme",
      "FEAT_SPE_SME: records show SME operations (default off)",
      FEATURE, R_PMSIDR_SME_SHIFT, AT(sme), .since = SPE_V1P1,
      .always = SPE_NEVER, .usual = SPE_NEVER },
    [OPT_EXC] = { "spe-exc",
      "FEAT_SPE_EXC: management events as exceptions (default from v1p5)",
      FEATURE, 0, AT(exc), .since = SPE_V1P5,
      .always = SPE_V1P5, .usual = SPE_V1P5 },
    [OPT_MAX_SIZE] = { "spe-max-size",
      "PMSIDR_EL1.MaxSize in bytes: 64 to 2048 (default: as records need)",
      CHOICE, AT(max_size), .words = max_sizes },
    [OPT_ALIGN] = { "spe-align",
      "PMBIDR_EL1.Align in bytes: 1 to 2048 (default: spe-max-size)",
      CHOICE, AT(align), .words = alignments },
    [OPT_EVENTS] = { "spe-events",
      "Mask of the optional events that the SPU has",
      NUMBER, AT(events) },
    [OPT_EVENTS_SIZE] = { "spe-events-size",
      "Bytes of an Events payload: 1, 2, 4 or 8 (default: at least 4)",
      CHOICE, AT(events_size), .words = event_sizes },
    { "spe-ernd",
      "FEAT_SPE_ERnd: random offset after the interval, not before it",
      FEATURE, R_PMSIDR_ERND_SHIFT, AT(ernd), .since = SPE_V1,
      .always = SPE_NEVER, .usual = SPE_V1 },
    { "spe-fne", "FEAT_SPE_FnE: inverted event filter",
      FEATURE, R_PMSIDR_FNE_SHIFT, AT(fne), .since = SPE_V1P2,
      .always = SPE_V1P2, .usual = SPE_V1P2 },
    { "spe-discard", "Discard mode and PMBLIMITR_EL1.PMFZ",
      FEATURE, 0, AT(discard), .since = SPE_V1P2,
      .always = SPE_V1P2, .usual = SPE_V1P2 },
    { "spe-pbt", "FEAT_SPE_PBT: previous branch target (default off)",
      FEATURE, R_PMSIDR_PBT_SHIFT, AT(pbt), .since = SPE_V1P2,
      .always = SPE_NEVER, .usual = SPE_NEVER },
    { "spe-crr", "FEAT_SPE_CRR: records show calls and returns",
      FEATURE, R_PMSIDR_CRR_SHIFT, AT(crr), .since = SPE_V1P4,
      .always = SPE_V1P5, .usual = SPE_V1P4 },
    { "spe-altclk", "FEAT_SPE_ALTCLK: issue latency in the clock of the "
      "streaming mode compute unit (default off)",
      FEATURE, R_PMSIDR_ALTCLK_SHIFT, AT(altclk), .since = SPE_V1,
      .always = SPE_NEVER, .usual = SPE_NEVER, .needs = 1 << OPT_SME },
    { "spe-ebep",
      "FEAT_EBEP, but only its accessors of PSTATE.PM (default off)",
      FEATURE, 0, AT(ebep), .since = SPE_V1P5,
      .always = SPE_NEVER, .usual = SPE_NEVER, .needs = 1 << OPT_EXC },
    { "spe-optional-filters",
      "Before v1p4: filters by events 2, 4, 8, 9 and 10",
      FEATURE, 0, AT(optional_filters), .since = SPE_V1,
      .always = SPE_V1P4, .usual = SPE_V1 },
    { "spe-flag-updates",
      "PMBIDR_EL1.F: writes to the buffer update Access flag and dirty state",
      FEATURE, 0, AT(flag_updates), .since = SPE_V1,
      .always = SPE_V1P3, .usual = SPE_V1 },
    { "spe-imp-def-packets",
      "IMPLEMENTATION DEFINED address and counter packets (default off)",
      FEATURE, 0, AT(imp_packets), .since = SPE_V1,
      .always = SPE_NEVER, .usual = SPE_NEVER },
    { "spe-nvm", "FEAT_SPE_nVM: buffers at physical addresses (default from "
      "v1p5)",
      FEATURE, 0, AT(nvm), .since = SPE_V1P4,
      .always = SPE_V1P5, .usual = SPE_V1P5 },
    { "spe-external-abort", "External aborts on writes to the buffer: ignored "
      "(default), or before v1p3 sync or async",
      CHOICE, AT(external_abort), .words = external_aborts },
    { "spe-collision-window", "Operations for which a sample stays in flight: "
      "0 (default) to 65536",
      NUMBER, AT(window) },
    { "spe-inject-reg",
      "SPEINJ_EL1 (S3_0_C15_C9_0), which injects events (default off)",
      FEATURE, 0, AT(inject_reg), .since = SPE_V1,
      .always = SPE_NEVER, .usual = SPE_NEVER },
    { "spe-ignore-writes", "Ignore and report writes of the buffer's registers "
      "while the buffer is enabled (default off)",
      FEATURE, 0, AT(ignore_writes), .since = SPE_V1,
      .always = SPE_NEVER, .usual = SPE_NEVER },
    { "spe-log-rejected", "Log rejected records as well, and the filters in "
      "each line (default off)",
      FEATURE, 0, AT(log_rejected), .since = SPE_V1,
      .always = SPE_NEVER, .usual = SPE_NEVER },
    { "spe-min-interval",
      "PMSIDR_EL1.Interval in operations: 256 (default) to 4096",
      CHOICE, AT(interval), .words = intervals },
    { "spe-count-size", "Bits of latency counters: 12 (default) or 16",
      CHOICE, AT(count_size), .words = count_sizes },
    { "spe-padding", "Where padding aligns a record: after (default), before, "
      "or max: after it, up to spe-max-size",
      CHOICE, AT(padding), .words = paddings },
    { "spe-packet-order", "Order of packets: canonical (default), reversed or "
      "shuffled",
      CHOICE, AT(order), .words = orders },
    { "spe-headers",
      "Headers of Address and Counter packets: short (default) or extended",
      CHOICE, AT(extended), .words = headers },
    { "spe-source-size", "Bytes of a Data Source payload: 1 (default) or 2",
      CHOICE, AT(source_size), .words = source_sizes },
    { "spe-seed", "Seed of the random numbers (default 0)", NUMBER, AT(seed) },
    { "spe-unknown-seed", "Seed of the random values of fields that reset to "
      "UNKNOWN values (default 0: they reset to 0)", NUMBER, AT(unknown_seed) },
    { "spe-log-limit", "Bytes that the file of spe-log has at most (default 1G)",
      SIZE, AT(log_limit) },
    { }
};

QEMU_BUILD_BUG_ON(ARRAY_SIZE(spe_options) > 65);

static const SPEConfig defaults = {
    .count_size = 2, .events_size = 4, .source_size = 1,
    .log_limit = 1 * GiB,
};

static int *choice(SPEConfig *c, const SPEOption *o)
{
    return (int *)((char *)c + o->offset);
}

static uint64_t *number(SPEConfig *c, const SPEOption *o)
{
    return (uint64_t *)((char *)c + o->offset);
}

const char *spe_word_of(const SPEWord *words, int value)
{
    while (words->word && words->value != value) {
        words++;
    }
    return words->word ?: "";
}

static bool parse_word(const SPEOption *o, const char *text, int *value,
                       Error **errp)
{
    g_autoptr(GString) allowed = g_string_new(NULL);

    for (const SPEWord *w = o->words; w->word; w++) {
        if (!strcmp(w->word, text)) {
            *value = w->value;
            return true;
        }
        g_string_append_printf(allowed, "%s%s", w == o->words ? "" : ", ",
                               w->word);
    }
    error_setg(errp, "%s=%s is not possible: choose one of %s", o->name, text,
               allowed->str);
    return false;
}

static void get_option(Object *obj, Visitor *v, const char *name,
                       void *opaque, Error **errp)
{
    const SPEOption *o = opaque;
    ARMSPEState *s = ARM_CPU(obj)->env.spe;
    SPEConfig none = defaults, *c = s ? &s->config : &none;
    char *word;

    switch (o->kind) {
    case FEATURE:
        visit_type_bool(v, name, spe_feature(c, o), errp);
        break;
    case CHOICE:
        word = g_strdup(spe_word_of(o->words, *choice(c, o)));
        visit_type_str(v, name, &word, errp);
        g_free(word);
        break;
    case NUMBER:
        visit_type_uint64(v, name, number(c, o), errp);
        break;
    case SIZE:
        visit_type_size(v, name, number(c, o), errp);
        break;
    }
}

static void set_option(Object *obj, Visitor *v, const char *name,
                       void *opaque, Error **errp)
{
    const SPEOption *o = opaque;
    ARMSPEState *s = ARM_CPU(obj)->env.spe;
    g_autofree char *word = NULL;
    bool done = false;

    if (DEVICE(obj)->realized) {
        qdev_prop_set_after_realize(DEVICE(obj), name, errp);
        return;
    }
    switch (o->kind) {
    case FEATURE:
        done = visit_type_bool(v, name, spe_feature(&s->config, o), errp);
        break;
    case CHOICE:
        done = visit_type_str(v, name, &word, errp) &&
               parse_word(o, word, choice(&s->config, o), errp);
        break;
    case NUMBER:
        done = visit_type_uint64(v, name, number(&s->config, o), errp);
        break;
    case SIZE:
        done = visit_type_size(v, name, number(&s->config, o), errp);
        break;
    }
    if (done) {
        s->options_given |= 1ULL << (o - spe_options);
    }
}

void spe_config_init(ARMSPEState *s)
{
    static const char * const types[] = { "bool", "str", "uint64", "size" };

    s->config = defaults;
    SPE_OPTION_FOREACH(o) {
        object_property_add(OBJECT(s->cpu), o->name, types[o->kind],
                            get_option, set_option, NULL, (void *)o);
        object_property_set_description(OBJECT(s->cpu), o->name, o->help);
    }
}

bool spe_config_unused(ARMSPEState *s, Error **errp)
{
    if (s->options_given) {
        error_setg(errp, "%s needs spe=on",
                   spe_options[ctz64(s->options_given)].name);
        return false;
    }
    return true;
}
