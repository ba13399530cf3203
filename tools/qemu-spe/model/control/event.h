/*
 * Where a management event is recorded, and the interrupt or exception that
 * reports it (D17.8).
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#ifndef TARGET_ARM_SPE_CONTROL_EVENT_H
#define TARGET_ARM_SPE_CONTROL_EVENT_H

#include "../state/state.h"

/* The kinds of management events: the columns of Tables D17-5 to D17-7 */
enum SPECause {
    SPE_CAUSE_OTHER,            /* no abort: full, not allowed, ... */
    SPE_CAUSE_STAGE1,           /* EC 0x24, other than GPF and External abort */
    SPE_CAUSE_STAGE2,           /* EC 0x25, other than GPF and External abort */
    SPE_CAUSE_STAGE1_GPF,       /* EC 0x24, FSC a Granule Protection Fault */
    SPE_CAUSE_STAGE2_GPF,
    SPE_CAUSE_GPC,              /* EC 0x1e */
    SPE_CAUSE_STAGE1_EXTERNAL,  /* EC 0x24, FSC an External abort */
    SPE_CAUSE_STAGE2_EXTERNAL,
};

/* What PMBSR_ELx records of an event; false leaves a bit unchanged. */
typedef struct SPESyndrome {
    uint8_t ec;
    uint16_t mss;
    uint32_t mss2;
    bool dl;
    bool ea;
} SPESyndrome;

/* 1, 2 or 3: the ELx of the PMBSR_ELx that would record such an event now */
int spe_event_el(CPUARMState *env, enum SPECause cause);

void spe_report_event(CPUARMState *env, enum SPECause cause,
                      const SPESyndrome *syn);

/* The operation at env->pc was chosen while a sample was in flight. */
void spe_report_collision(CPUARMState *env);

/* Where the SPE Profiling exception is taken to now; 0 if it is not. */
int spe_exception_el(CPUARMState *env);

/* After a change of anything that PMBIRQ and the exception depend on */
void spe_update_irq(CPUARMState *env);

/* The same, for callers after which usually nothing changes */
void spe_recheck_irq(CPUARMState *env);

#endif
