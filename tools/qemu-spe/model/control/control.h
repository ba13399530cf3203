/*
 * What the folder control offers to others, by source.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#ifndef TARGET_ARM_SPE_CONTROL_CONTROL_H
#define TARGET_ARM_SPE_CONTROL_CONTROL_H

#include "../state/state.h"

/*
 * effective.c: The Effective values of the controls that Tables D17-2 and D17-5 to D17-10
 * use.  No other file computes them.
 */

/* SPE_EE_* */
int spe_effective_pmsee(CPUARMState *env);
int spe_effective_ee_el2(CPUARMState *env);

bool spe_effective_tge(CPUARMState *env);

/* The Exception level takes part in reporting: its PMBSR_ELx is used. */
bool spe_el3_reports(CPUARMState *env);
bool spe_el2_reports(CPUARMState *env);
bool spe_el1_reports(CPUARMState *env);

uint64_t *spe_pmbsr(ARMSPEState *s, int el);

/* PMBSR_ELx.S: a management event is recorded there. */
bool spe_service(ARMSPEState *s, int el);

/* Profiling is stopped (D17.4). */
bool spe_stopped(CPUARMState *env);

/* Where VNCR_EL2 points, PMBSR_EL1 is at this offset. */
#define SPE_NV2_PMBSR_EL1 0x820

/*
 * With FEAT_SPE_EXC: FEAT_NV2 turns an access to PMBSR_EL1 at the current
 * Exception level into an access to memory.
 */
bool spe_pmbsr_el1_in_memory(CPUARMState *env);

/*
 * event.c: Where a management event is recorded, and the interrupt or exception that
 * reports it (D17.8).
 */

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

/*
 * interval.c: The sample interval (D17.3), and what the executed operations are charged to.
 */

/* Brings PMSICR_EL1 and the counts up to date with env->spe_budget. */
void spe_sync_counters(CPUARMState *env);

/* From here on, operations are charged to @activity. */
void spe_set_activity(CPUARMState *env, enum ARMSPEActivity activity);

void spe_set_pmsicr(CPUARMState *env, uint64_t value);
void spe_set_pmsirr(CPUARMState *env, uint64_t value);

/*
 * Counts one member of the sample population for which the counters do more
 * than decrement.  Returns true if it is selected.
 */
bool spe_count_operation(ARMSPEState *s);

/*
 * Gives env->spe_budget the operations that only decrement the counters; the
 * counters must be up to date, and the activity SPE_PROFILING.
 */
void spe_load_interval(CPUARMState *env);

/*
 * owner.c: Who owns the Profiling Buffer, and where profiling is enabled (D17.4,
 * D17.7.5).
 */

int spe_owning_el(CPUARMState *env);

bool spe_in_owning_security_state(CPUARMState *env, int el);
bool spe_buffer_enabled(CPUARMState *env);
bool spe_profiling_enabled(CPUARMState *env, int el);

/* MDCR_EL3.{NSPBE, NSPB} trap accesses at the current Exception level. */
bool spe_nspb_traps(CPUARMState *env);

/* The Effective value of PMSCR_EL2.EnVM (D24.7.9) */
bool spe_effective_envm(CPUARMState *env);

/* NS and NSE in an Address packet for an address of @space */
uint64_t spe_packet_space(ARMSecuritySpace space);

/* The translation regime of writes to the buffer */
ARMMMUIdx spe_buffer_mmu_idx(CPUARMState *env);

#endif
