/*
 * Arm Statistical Profiling Extension: the PMU events of the SPU (D14.2), for
 * the event table of QEMU's PMU.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#ifndef TARGET_ARM_SPE_PMU_H
#define TARGET_ARM_SPE_PMU_H

#include "spe.h"

#define ARM_SPE_PM_EVENTS(X) \
    X(0x4000, POP) \
    X(0x4001, FEED) \
    X(0x4002, FILTRATE) \
    X(0x4003, COLLISION) \
    X(0x8122, FEED_DS) \
    X(0x8123, BUFFER_FULL) \
    X(0x812a, FEED_BR) \
    X(0x812b, FEED_LD) \
    X(0x812c, FEED_ST) \
    X(0x812d, FEED_OP) \
    X(0x812e, FEED_EVENT) \
    X(0x812f, FEED_LAT) \
    X(0x8348, FEED_FP) \
    X(0x8349, FEED_SIMD)

enum {
#define X(NUMBER, NAME) SPE_PM_##NAME,
    ARM_SPE_PM_EVENTS(X)
#undef X
    SPE_PM_EVENTS,
};

bool arm_spe_pm_supported(CPUARMState *env);

/* How often the event has occurred */
#define X(NUMBER, NAME) uint64_t arm_spe_pm_##NAME(CPUARMState *env);
ARM_SPE_PM_EVENTS(X)
#undef X

/* The bit of an event in PMCEID<n>_EL0; 0 if it has none */
static inline uint64_t arm_spe_pmceid(uint16_t number)
{
    if (number >= 0x4040) {
        return 0;
    }
    return 1ULL << (number & 0x1f) << (number >= 0x4000 ? 32 : 0);
}

#define ARM_SPE_PM_ROW(NUMBER, NAME) \
    { .number = NUMBER, .supported = arm_spe_pm_supported, \
      .get_count = arm_spe_pm_##NAME, .ns_per_count = zero_event_ns_per },

#ifdef ARM_SPE_MODEL
#define ARM_SPE_PM_ROWS ARM_SPE_PM_EVENTS(ARM_SPE_PM_ROW)
#else
#define ARM_SPE_PM_ROWS
#endif

#endif
