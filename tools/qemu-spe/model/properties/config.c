/*
 * Arm Statistical Profiling Extension: completes and checks the properties,
 * and sets the ID registers.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "qemu/osdep.h"
#include "qapi/error.h"
#include "cpu.h"
#include "cpu-features.h"
#include "properties.h"

/* A feature was set to on that needs the feature in @row. */
static bool implied(ARMSPEState *s, int row)
{
    SPE_OPTION_FOREACH(o) {
        if ((o->needs >> row & 1) && spe_given(s, o - spe_options) &&
            *spe_feature(&s->config, o)) {
            return true;
        }
    }
    return false;
}

/* A feature was set to off that the feature in @o needs. */
static bool hindered(ARMSPEState *s, const SPEOption *o)
{
    for (int i = 0; i < 32; i++) {
        if ((o->needs >> i & 1) && spe_given(s, i) &&
            !*spe_feature(&s->config, &spe_options[i])) {
            return true;
        }
    }
    return false;
}

static bool has_el2(ARMSPEState *s)
{
    return arm_feature(&s->cpu->env, ARM_FEATURE_EL2);
}

/* FEAT_FGT2 needs FEAT_FGT, which only QEMU can provide. */
static bool can_have_fgt2(ARMSPEState *s)
{
    return !has_el2(s) || cpu_isar_feature(aa64_fgt, s->cpu);
}

/*
 * Sets what was not given.  The version is the default, or the oldest later
 * one that has all features set to on.  The features are the usual ones of the
 * version.
 */
static void complete_features(ARMSPEState *s)
{
    SPEConfig *c = &s->config;

    if (!spe_given(s, OPT_VERSION)) {
        c->version = SPE_V1P4;
        SPE_OPTION_FOREACH(o) {
            if (o->kind == FEATURE && spe_given(s, o - spe_options) &&
                *spe_feature(c, o)) {
                c->version = MAX(c->version, o->since);
            }
        }
    }
    SPE_OPTION_FOREACH(o) {
        int row = o - spe_options;

        if (o->kind == FEATURE && !spe_given(s, row)) {
            *spe_feature(c, o) = c->version >= o->always || implied(s, row) ||
                                 (c->version >= o->usual && !hindered(s, o));
        }
    }
    if (!spe_given(s, OPT_FDS) && !can_have_fgt2(s)) {
        c->fds = false;
    }
}

static const char *version_name(int version)
{
    return spe_word_of(spe_options[OPT_VERSION].words, version);
}

static bool check_missing(SPEConfig *c, const SPEOption *o, Error **errp)
{
    if (!*spe_feature(c, o) && c->version >= o->always) {
        error_setg(errp, "%s=off is not possible with spe-version=%s, which "
                   "requires it: choose a version before %s", o->name,
                   version_name(c->version), version_name(o->always));
        return false;
    }
    return true;
}

static bool check_present(SPEConfig *c, const SPEOption *o, Error **errp)
{
    if (!*spe_feature(c, o)) {
        return true;
    }
    if (c->version < o->since) {
        error_setg(errp, "%s=on is not possible with spe-version=%s: "
                   "choose %s or later", o->name, version_name(c->version),
                   version_name(o->since));
        return false;
    }
    for (int i = 0; i < 32; i++) {
        if ((o->needs >> i & 1) && !*spe_feature(c, &spe_options[i])) {
            error_setg(errp, "%s=on needs %s=on", o->name,
                       spe_options[i].name);
            return false;
        }
    }
    return true;
}

/* ID_AA64DFR0_EL1.PMUVer; 0 is no PMU, 0xf is a PMU other than FEAT_PMUv3 */
enum { PMUVER_V3P1 = 4, PMUVER_IMP_DEF = 0xf };

/* A2.2: FEAT_SPE with FEAT_PMUv3 needs FEAT_PMUv3p1. */
static bool check_pmu(ARMSPEState *s, Error **errp)
{
    int version = FIELD_EX64(s->cpu->isar.id_aa64dfr0, ID_AA64DFR0, PMUVER);

    if (version == 0 || version == PMUVER_IMP_DEF || version >= PMUVER_V3P1) {
        return true;
    }
    error_setg(errp, "spe=on needs FEAT_PMUv3p1, but the PMU of this CPU is "
               "older: choose another CPU, or pmu=off");
    return false;
}

/* With EL2, these features need FEAT_FGT2 (A2.2, A2.3). */
static bool complete_fgt2(ARMSPEState *s, Error **errp)
{
    SPEConfig *c = &s->config;

    s->fgt2 = has_el2(s) && (c->fds || c->nvm || c->ebep);
    if (s->fgt2 && !can_have_fgt2(s)) {
        error_setg(errp, "%s=on with EL2 needs FEAT_FGT2: choose a CPU with "
                   "FEAT_FGT", c->fds ? "spe-fds" : c->nvm ? "spe-nvm"
                                                           : "spe-ebep");
        return false;
    }
    return true;
}

static bool check_features(ARMSPEState *s, Error **errp)
{
    SPEConfig *c = &s->config;

    SPE_OPTION_FOREACH(o) {
        if (o->kind == FEATURE && !check_present(c, o, errp)) {
            return false;
        }
    }
    SPE_OPTION_FOREACH(o) {
        if (o->kind == FEATURE && !check_missing(c, o, errp)) {
            return false;
        }
    }
    if (c->sme && !cpu_isar_feature(aa64_sme, s->cpu)) {
        error_setg(errp, "spe-sme=on needs a CPU with SME");
        return false;
    }
    if (c->version < SPE_V1P2 && cpu_isar_feature(aa64_rme, s->cpu)) {
        error_setg(errp, "spe-version=%s is not possible with FEAT_RME: "
                   "choose v1p2 or later", version_name(c->version));
        return false;
    }
    return true;
}

static bool check_choices(SPEConfig *c, Error **errp)
{
    if (c->external_abort != SPE_ABORT_IGNORED && c->version >= SPE_V1P3) {
        error_setg(errp, "spe-external-abort=%s is not possible with "
                   "spe-version=%s: choose a version before v1p3",
                   c->external_abort == SPE_ABORT_SYNC ? "sync" : "async",
                   version_name(c->version));
        return false;
    }
    if (c->window > 65536) {
        error_setg(errp, "spe-collision-window=%" PRIu64 " is too large: "
                   "choose 0 to 65536 operations", c->window);
        return false;
    }
    return true;
}

static bool complete_events(ARMSPEState *s, Error **errp)
{
    SPEConfig *c = &s->config;
    uint64_t optional = spe_events_optional(c);
    int needed;

    if (!spe_given(s, OPT_EVENTS)) {
        c->events = SPE_EVENTS & optional;
        if (c->altclk) {
            c->events |= SPE_EVENT_SMCU;
        }
    } else if (c->events & ~optional) {
        error_setg(errp, "spe-events=0x%" PRIx64 " has events that are not "
                   "optional with these features: choose from 0x%" PRIx64,
                   c->events, optional);
        return false;
    }
    spe_settle_events(c);
    needed = pow2ceil(DIV_ROUND_UP(64 - clz64(c->known_events), 8));
    if (!spe_given(s, OPT_EVENTS_SIZE)) {
        c->events_size = MAX(c->events_size, needed);
    } else if (c->events_size < needed) {
        error_setg(errp, "spe-events-size=%d has no room for event %d: "
                   "choose %d or more", c->events_size,
                   63 - clz64(c->known_events), needed);
        return false;
    }
    return true;
}

static bool complete_sizes(ARMSPEState *s, Error **errp)
{
    SPEConfig *c = &s->config;
    size_t largest = spe_largest_record(c, &s->format);

    if (!spe_given(s, OPT_MAX_SIZE)) {
        c->max_size = MAX(6, ctz64(pow2ceil(largest)));
        if (spe_given(s, OPT_ALIGN)) {
            c->max_size = MAX(c->max_size, c->align);
        }
    } else if (largest > 1 << c->max_size) {
        error_setg(errp, "spe-max-size=%d is too small: with these features "
                   "records have up to %zu bytes", 1 << c->max_size, largest);
        return false;
    }
    if (!spe_given(s, OPT_ALIGN)) {
        c->align = c->max_size;
    } else if (c->align > c->max_size) {
        error_setg(errp, "spe-align=%d is greater than spe-max-size=%d",
                   1 << c->align, 1 << c->max_size);
        return false;
    }
    s->format.align = 1 << c->align;
    s->format.max_size = 1 << c->max_size;
    return true;
}

/* D24.7.14; FE, FT, FL and ArchInst are always set. */
static uint64_t pmsidr(SPEConfig *c)
{
    uint64_t id = R_PMSIDR_FE_MASK | R_PMSIDR_FT_MASK | R_PMSIDR_FL_MASK |
                  R_PMSIDR_ARCHINST_MASK;

    id = FIELD_DP64(id, PMSIDR, INTERVAL, c->interval);
    id = FIELD_DP64(id, PMSIDR, MAXSIZE, c->max_size);
    id = FIELD_DP64(id, PMSIDR, COUNTSIZE, c->count_size);
    SPE_OPTION_FOREACH(o) {
        if (o->id_bit) {
            id |= (uint64_t)*spe_feature(c, o) << o->id_bit;
        }
    }
    return id;
}

/* D24.7.1: EA cannot describe that an abort is reported to the SPU. */
static uint64_t pmbidr(SPEConfig *c)
{
    uint64_t id = 0;

    id = FIELD_DP64(id, PMBIDR, ALIGN, c->align);
    id = FIELD_DP64(id, PMBIDR, F, c->flag_updates);
    return FIELD_DP64(id, PMBIDR, EA, c->external_abort == SPE_ABORT_IGNORED
                                      ? SPE_EA_IGNORED : SPE_EA_NOT_DESCRIBED);
}

/* splitmix64: a different number for each seed, PE and use; never zero */
static uint64_t generator(uint64_t seed, int pe, int use)
{
    uint64_t z = seed + (pe * 4 + use + 1) * 0x9e3779b97f4a7c15ULL;

    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ z >> 27) * 0x94d049bb133111ebULL;
    return (z ^ z >> 31) ?: 1;
}

bool spe_config_realize(ARMSPEState *s, int pe, Error **errp)
{
    SPEConfig *c = &s->config;

    c->sve = cpu_isar_feature(aa64_sve, s->cpu) ||
             cpu_isar_feature(aa64_sme, s->cpu);
    complete_features(s);
    if (!check_pmu(s, errp) || !check_features(s, errp) ||
        !complete_fgt2(s, errp) || !check_choices(c, errp) ||
        !complete_events(s, errp)) {
        return false;
    }
    s->format = (SPEFormat) {
        .counter_max = c->count_size == 3 ? 0xffff : 0xfff,
        .events_size = c->events_size,
        .source_size = c->source_size,
        .extended = c->extended,
        .order = c->order,
        .padding = c->padding,
        .shuffle = generator(c->seed, pe, 2),
    };
    if (!complete_sizes(s, errp)) {
        return false;
    }
    s->random = generator(c->seed, pe, 0);
    s->choice = generator(c->seed, pe, 1);
    s->noise = generator(c->unknown_seed, pe, 3);
    s->pmsidr = pmsidr(c);
    s->pmbidr = pmbidr(c);
    s->event_mask = spe_events_filterable(c);
    SPE_OPTION_FOREACH(o) {
        if (o->kind == FEATURE) {
            s->features |= (uint64_t)*spe_feature(c, o) << (o - spe_options);
        }
    }
    return true;
}
