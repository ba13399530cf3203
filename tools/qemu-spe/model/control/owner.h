/*
 * Who owns the Profiling Buffer, and where profiling is enabled (D17.4,
 * D17.7.5).
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#ifndef TARGET_ARM_SPE_CONTROL_OWNER_H
#define TARGET_ARM_SPE_CONTROL_OWNER_H

#include "../state/state.h"

int spe_owning_el(CPUARMState *env);

/* EL2 is implemented and enabled in the owning Security state. */
bool spe_owner_has_el2(CPUARMState *env);

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
