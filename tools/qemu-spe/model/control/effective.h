/*
 * The Effective values of the controls that Tables D17-2 and D17-5 to D17-10
 * use.  No other file computes them.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#ifndef TARGET_ARM_SPE_CONTROL_EFFECTIVE_H
#define TARGET_ARM_SPE_CONTROL_EFFECTIVE_H

#include "../state/state.h"

/* SPE_EE_* */
int spe_effective_pmsee(CPUARMState *env);
int spe_effective_ee_el2(CPUARMState *env);
int spe_effective_ee_el1(CPUARMState *env);

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

#endif
