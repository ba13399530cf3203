/*
 * Arm Statistical Profiling Extension: whether the state that a stream has
 * loaded is one that the model can have saved.
 *
 * A snapshot or the source of a migration may be damaged or hostile.  The
 * model uses some of the fields as indexes, sizes or numbers of bits, so it
 * must refuse a stream with a value that it would never save.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "qemu/osdep.h"
#include "qemu/error-report.h"
#include "qapi/error.h"
#include "cpu.h"
#include "internals.h"
#include "machine.h"
#include "../inject/inject.h"

/* The largest access: a block of DC ZVA or four vectors; both are smaller. */
#define MAX_ACCESS 2048

/* The greatest value of spe-collision-window, which may differ */
#define MAX_WINDOW 65536

/* The packets of data accesses, which no branch has */
#define DATA_PACKETS \
    (SPE_HAS_VADDR | SPE_HAS_PADDR | SPE_HAS_TRANSLATION | SPE_HAS_SOURCE)

/* Returns @good, and says which field is wrong if it is false. */
static bool field_is(bool good, const char *field, int64_t value)
{
    if (!good) {
        error_report("cpu/spe: the stream is damaged: %s = %" PRId64
                     " is impossible; save the machine again", field, value);
    }
    return good;
}

/* The translation regimes that spe_data_mmu_idx() and NV2 accesses choose */
static bool is_data_regime(CPUARMState *env, int core_idx)
{
    static const ARMMMUIdx el2[] = {
        ARMMMUIdx_E2, ARMMMUIdx_E20_0, ARMMMUIdx_E20_2, ARMMMUIdx_E20_2_PAN,
    };
    static const ARMMMUIdx el1[] = {
        ARMMMUIdx_E10_0, ARMMMUIdx_E10_1, ARMMMUIdx_E10_1_PAN,
    };

    for (int i = 0; i < ARRAY_SIZE(el1); i++) {
        if (core_idx == arm_to_core_mmu_idx(el1[i])) {
            return true;
        }
    }
    for (int i = 0; i < ARRAY_SIZE(el2); i++) {
        if (core_idx == arm_to_core_mmu_idx(el2[i])) {
            return arm_feature(env, ARM_FEATURE_EL2);
        }
    }
    return false;
}

/*
 * A record with other packets than spe_largest_record() counts could be longer
 * than PMSIDR_EL1.MaxSize.
 */
static bool packets_fit(ARMSPEState *s)
{
    const ARMSPESample *p = &s->sample;
    const SPEConfig *c = &s->config;
    uint32_t possible = SPE_HAS_CONTEXT1 | SPE_HAS_CONTEXT2 |
                        SPE_HAS_TIMESTAMP | SPE_HAS_TARGET | SPE_HAS_VADDR |
                        SPE_HAS_PADDR | SPE_HAS_TRANSLATION |
                        (c->lds ? SPE_HAS_SOURCE : 0) |
                        (c->pbt ? SPE_HAS_PREVIOUS : 0) |
                        (c->altclk ? SPE_HAS_ALT_ISSUE : 0) |
                        (c->imp_packets ?
                         SPE_HAS_IMP_ADDRESS | SPE_HAS_IMP_COUNTER : 0);
    bool branch = (p->insn.flags & SPE_INSN_BR) ||
                  (p->rec.has & SPE_HAS_TARGET);

    return !(p->rec.has & ~possible) &&
           !(branch && (p->rec.has & DATA_PACKETS));
}

static bool sample_is_sound(ARMSPEState *s)
{
    const ARMSPESample *p = &s->sample;

    if (!s->in_flight && !s->pending) {
        return true;
    }
    return field_is(!s->in_flight || !s->pending, "in_flight", s->in_flight) &&
           field_is(s->pending_left >= 0 && s->pending_left <= MAX_WINDOW,
                    "pending_left", s->pending_left) &&
           field_is(p->insn.op_class <= SPE_CLASS_BRANCH,
                    "sample.insn.op_class", p->insn.op_class) &&
           field_is(p->rec.op_class <= SPE_CLASS_BRANCH,
                    "sample.rec.op_class", p->rec.op_class) &&
           field_is(p->insn.cond <= SPE_COND_BIT_SET, "sample.insn.cond",
                    p->insn.cond) &&
           field_is(p->insn.rd <= 31, "sample.insn.rd", p->insn.rd) &&
           field_is(p->el >= 0 && p->el <= 2, "sample.el", p->el) &&
           field_is(is_data_regime(&s->cpu->env, p->mmu_idx),
                    "sample.mmu_idx", p->mmu_idx) &&
           field_is(p->size >= 0 && p->size <= MAX_ACCESS, "sample.size",
                    p->size) &&
           field_is(packets_fit(s), "sample.rec.has", p->rec.has);
}

static bool injections_are_sound(ARMSPEState *s)
{
    if (!field_is(s->injections <= SPE_INJECT_MAX, "injections",
                  s->injections)) {
        return false;
    }
    for (uint32_t i = 0; i < s->injections; i++) {
        const SPEInjection *in = &s->injection[i];
        Error *err = NULL;

        if (!field_is(in->kind > SPE_INJECT_CLEAR &&
                      in->kind < SPE_INJECT_KINDS, "injection.kind",
                      in->kind) ||
            !field_is(in->record > 0, "injection.record", in->record)) {
            return false;
        }
        if (!spe_injection_check(s, in, &err)) {
            error_reportf_err(err, "cpu/spe: the stream is damaged: "
                              "injection.mss, mss2, pointer, dl or ea: ");
            return false;
        }
    }
    return true;
}

/* A generator whose state is zero yields zeros for ever. */
static bool generators_are_sound(ARMSPEState *s)
{
    return field_is(s->random, "random", s->random) &&
           field_is(s->choice, "choice", s->choice) &&
           field_is(s->noise, "noise", s->noise) &&
           field_is(s->format.shuffle, "format.shuffle", s->format.shuffle);
}

bool spe_stream_is_sound(ARMSPEState *s)
{
    if (sample_is_sound(s) && injections_are_sound(s) &&
        generators_are_sound(s)) {
        return true;
    }
    /* The process may continue after a loadvm that failed. */
    s->in_flight = s->pending = false;
    s->injections = 0;
    s->random = s->random ?: 1;
    s->choice = s->choice ?: 1;
    s->noise = s->noise ?: 1;
    s->format.shuffle = s->format.shuffle ?: 1;
    return false;
}
