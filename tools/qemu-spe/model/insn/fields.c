/*
 * A64 instructions as the Statistical Profiling Unit sees them: what several
 * decoders share.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#ifdef SPE_HOST_TEST
#include <stddef.h>
#else
#include "qemu/osdep.h"
#endif
#include "insn.h"

void spe_access(SPEInsn *out, uint32_t subclass, uint32_t flags, int size)
{
    out->op_class = SPE_CLASS_LDST;
    /* LDST is 0 for operations that return a memory value to the PE. */
    out->subclass = subclass | (flags & SPE_INSN_LD ? 0 : SPE_SUB_LDST_STORE);
    out->flags = flags;
    out->size = size;
}

/* D17.6.5 recommends that selects and compares count as conditional. */
void spe_insn_conditional(uint32_t insn, SPEInsn *out)
{
    out->subclass |= SPE_SUB_OTHER_COND;
    out->cond = SPE_COND_FLAGS;
    out->cc = spe_bits(insn, 15, 12);
}
