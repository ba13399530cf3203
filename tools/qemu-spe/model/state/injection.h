/*
 * Arm Statistical Profiling Extension: injected management events, with which
 * tests check how software handles them.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#ifndef TARGET_ARM_SPE_STATE_INJECTION_H
#define TARGET_ARM_SPE_STATE_INJECTION_H

#include <stdbool.h>
#include <stdint.h>

/* The values of SPEINJ_EL1.KIND: see Documentation/qemu-model.rst */
enum SPEInjectKind {
    SPE_INJECT_CLEAR,           /* no event: empties the queue */
    SPE_INJECT_FULL,
    SPE_INJECT_STAGE1,
    SPE_INJECT_STAGE2,
    SPE_INJECT_GPC,
    SPE_INJECT_EXTERNAL,        /* on the write itself, synchronous */
    SPE_INJECT_ASYNC,           /* on the write itself, asynchronous */
    SPE_INJECT_NOT_ALLOWED,
    SPE_INJECT_TOO_LARGE,
    SPE_INJECT_IMP_DEF,
    SPE_INJECT_COLLISION,
    SPE_INJECT_KINDS,
};

typedef struct SPEInjection {
    uint32_t record;    /* 1: at the next record write; 0: now */
    uint32_t kind;      /* enum SPEInjectKind */
    uint32_t mss;       /* FSC; for imp-def all of PMBSR_ELx.MSS */
    uint32_t mss2;
    uint32_t pointer;   /* bytes of the record before the failing one */
    bool dl;
    bool ea;
} SPEInjection;

#define SPE_INJECT_MAX 32

#endif
