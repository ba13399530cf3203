/*
 * Arm Statistical Profiling Extension: the queue of injected management
 * events.
 *
 * An injection names a PE, an event and a number N: the model raises the event
 * at the Nth record write of that PE from now on (0: at once).  When the event
 * is raised, buffer.c and event.c treat it as a real one.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "qemu/osdep.h"
#include "qapi/error.h"
#include "cpu.h"
#include "inject.h"
#include "../buffer/buffer.h"

#define TAKES_ABORT \
    (SPE_TAKES_FSC | SPE_TAKES_MSS2 | SPE_TAKES_POINTER | SPE_TAKES_DL | \
     SPE_TAKES_EA)

const SPEInjectionKind spe_injection_kinds[SPE_INJECT_KINDS] = {
    [SPE_INJECT_CLEAR] = { "clear" },
    [SPE_INJECT_FULL] = { "full" },
    [SPE_INJECT_STAGE1] = { "stage1", TAKES_ABORT, 0x07 },
    [SPE_INJECT_STAGE2] = { "stage2", TAKES_ABORT, 0x07 },
    [SPE_INJECT_GPC] = {
        "gpc", SPE_TAKES_POINTER | SPE_TAKES_DL | SPE_TAKES_EA
    },
    [SPE_INJECT_EXTERNAL] = {
        "external", SPE_TAKES_POINTER | SPE_TAKES_DL, 0x10
    },
    [SPE_INJECT_ASYNC] = { "external-async", 0, 0x11 },
    [SPE_INJECT_NOT_ALLOWED] = { "not-allowed" },
    [SPE_INJECT_TOO_LARGE] = { "too-large", SPE_TAKES_DL },
    [SPE_INJECT_IMP_DEF] = {
        "imp-def", SPE_TAKES_MSS | SPE_TAKES_MSS2 | SPE_TAKES_POINTER |
        SPE_TAKES_DL
    },
    [SPE_INJECT_COLLISION] = { "collision" },
};

#define RANGE(FIRST, LAST) MAKE_64BIT_MASK(FIRST, (LAST) - (FIRST) + 1)

/* The FSC values of D24.7.5, without that of an asynchronous abort */
static const uint64_t fsc_values =
    RANGE(0x00, 0x10) | RANGE(0x12, 0x17) | RANGE(0x1b, 0x1f) |
    RANGE(0x21, 0x2c) | RANGE(0x30, 0x31);

bool spe_injection_check(ARMSPEState *s, const SPEInjection *in,
                         Error **errp)
{
    const char *name = spe_injection_kinds[in->kind].name;
    uint32_t takes = spe_injection_kinds[in->kind].takes;
    int max = 1 << FIELD_EX64(s->pmsidr, PMSIDR, MAXSIZE);

    if ((takes & SPE_TAKES_FSC) &&
        (in->mss > 0x3f || !extract64(fsc_values, in->mss, 1))) {
        error_setg(errp, "spe-inject: 0x%x is not a fault status code of %s: "
                   "choose one of D24.7.5", in->mss, name);
        return false;
    }
    if (in->mss > 0xffff || in->mss2 > 0xffffff) {
        error_setg(errp, "spe-inject: value is too large: mss has 16 bits, "
                   "mss2 has 24 bits");
        return false;
    }
    /* Bits 8 to 5: TopLevel, AssuredOnly, Overlay, DirtyBit */
    if ((takes & SPE_TAKES_FSC) && (in->mss2 & ~0x1e0)) {
        error_setg(errp, "spe-inject: mss2 of an abort can have only the bits "
                   "0x100, 0x80, 0x40 and 0x20");
        return false;
    }
    if (in->pointer >= max) {
        error_setg(errp, "spe-inject: pointer must be less than %d, the "
                   "maximum size of a record", max);
        return false;
    }
    if ((in->pointer && !(takes & SPE_TAKES_POINTER)) ||
        (in->mss2 && !(takes & SPE_TAKES_MSS2)) ||
        (in->dl && !(takes & SPE_TAKES_DL)) ||
        (in->ea && !(takes & SPE_TAKES_EA))) {
        error_setg(errp, "spe-inject: besides pe and record, event %s takes:"
                   "%s%s%s%s%s%s", name,
                   takes & SPE_TAKES_FSC ? " fsc" : "",
                   takes & SPE_TAKES_MSS ? " mss" : "",
                   takes & SPE_TAKES_MSS2 ? " mss2" : "",
                   takes & SPE_TAKES_POINTER ? " pointer" : "",
                   takes & SPE_TAKES_DL ? " dl" : "",
                   takes & SPE_TAKES_EA ? " ea" : takes ? "" : " nothing");
        return false;
    }
    return true;
}

bool spe_injection_queue(CPUARMState *env, const SPEInjection *in,
                         Error **errp)
{
    ARMSPEState *s = env->spe;

    if (in->kind == SPE_INJECT_CLEAR) {
        s->injections = 0;
        return true;
    }
    if (!spe_injection_check(s, in, errp)) {
        return false;
    }
    if (in->record == 0) {
        s->injected++;
        spe_raise_injected(env, in, s->pmbptr, s->pmbptr + in->pointer);
        return true;
    }
    if (s->injections == SPE_INJECT_MAX) {
        error_setg(errp, "spe-inject: the queue is full with %d events: "
                   "wait, or empty it with event=clear",
                   SPE_INJECT_MAX);
        return false;
    }
    s->injection[s->injections++] = *in;
    return true;
}
