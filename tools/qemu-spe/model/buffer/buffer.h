/*
 * The Profiling Buffer (D17.7, D17.8).
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#ifndef TARGET_ARM_SPE_BUFFER_BUFFER_H
#define TARGET_ARM_SPE_BUFFER_BUFFER_H

#include "cpu.h"
#include "internals.h"
#include "../state/state.h"

/*
 * address.c: Whether PMBPTR_EL1 is a virtual or a physical address, and its translation.
 */

/*
 * Translates @at for a write of @len bytes in its page.  Returns false with @fi
 * set if that faults.  If the page is plain RAM, *@host is where it is, and QEMU
 * takes the bytes for written: the caller must store them before it returns.
 * Otherwise *@host is NULL, and the caller writes to the address in @res.
 */
bool spe_translate(CPUARMState *env, uint64_t at, int len,
                   GetPhysAddrResult *res, void **host, ARMMMUFaultInfo *fi);

void spe_write_record(CPUARMState *env, const SPERecord *rec);

/* Whether PMBPTR_EL1 is a position at which a record can be written (RHXSYK) */
bool spe_pointer_is_legal(ARMSPEState *s);

/* In a record at @start, the write at @at fails as @in says. */
void spe_raise_injected(CPUARMState *env, const SPEInjection *in,
                        uint64_t start, uint64_t at);

/* due.c: The injected event that a record write raises. */

/*
 * Called once for each record write.  Returns true and sets @due if an
 * injected event is due; it is then no longer queued.
 */
bool spe_injection_due(ARMSPEState *s, SPEInjection *due);

/* walk.c: Translation for an SPU without hardware updates of flags. */

/*
 * A walk for a write where PMBIDR_EL1.F is 0.  Returns false with @fi set if
 * it faults.
 */
bool spe_walk_without_updates(CPUARMState *env, uint64_t va, ARMMMUIdx idx,
                              GetPhysAddrResult *res, ARMMMUFaultInfo *fi);

#endif
