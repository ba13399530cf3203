/*
 * Arm Statistical Profiling Extension: direct writes of the Profiling Buffer's
 * registers that a PE might ignore (R24557 of the known issues in the Arm ARM),
 * with the property spe-ignore-writes.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "qemu/osdep.h"
#include "qemu/log.h"
#include "cpu.h"
#include "internals.h"
#include "cpregs.h"
#include "exec/helper-proto.h"
#include "regs.h"
#include "../buffer/buffer.h"
#include "../control/control.h"
#include "../trace.h"

bool spe_orders_writes;

/*
 * The buffer is live while it is enabled and profiling is neither stopped nor
 * in Discard mode.  A PE might ignore a write of PMBPTR_EL1, PMBSR_EL1 or
 * PMBLIMITR_EL1 while the buffer is live, except a write of PMBLIMITR_EL1 that
 * clears E.  PMBPTR_EL1 must be a legal position for a record all that time.
 *
 * A direct write of one register is certain to affect a later write of another
 * register only after a Context synchronization event (D24.1.2).  So until the
 * next such event:
 *
 * - The buffer still counts as live after a write that clears E.
 * - A write that makes the buffer live may take effect before an earlier write
 *   of another register does.  The model reports this, but carries out both
 *   writes, because a later write must not affect an earlier instruction.
 */
static bool enabled(ARMSPEState *s)
{
    return FIELD_EX64(s->pmblimitr, PMBLIMITR, E) &&
           FIELD_EX64(s->pmblimitr, PMBLIMITR, FM) != SPE_FM_DISCARD;
}

static bool live(CPUARMState *env)
{
    return enabled(env->spe) && !spe_stopped(env);
}

static bool clears_enable(enum SPEBufferReg reg, uint64_t value)
{
    return reg == SPE_REG_LIMIT && !(value & R_PMBLIMITR_E_MASK);
}

static void complain(CPUARMState *env, const ARMCPRegInfo *ri, uint64_t value,
                     uint64_t *count, const char *what)
{
    int cpu = env_cpu(env)->cpu_index;

    (*count)++;
    trace_spe_register_misuse(cpu, ri->name, value, what);
    qemu_log_mask(LOG_GUEST_ERROR, "SPE: PE %d at 0x%" PRIx64 ": %s = 0x%"
                  PRIx64 ": %s (R24557)\n", cpu, env->pc, ri->name, value,
                  what);
}

bool spe_write_begins(CPUARMState *env, const ARMCPRegInfo *ri,
                      enum SPEBufferReg reg, uint64_t value)
{
    ARMSPEState *s = env->spe;

    if (!s->config.ignore_writes) {
        return true;
    }
    if (clears_enable(reg, value)) {
        s->closing = enabled(s) ? spe_stopped(env) ? SPE_CLOSING_STOPPED
                                                   : SPE_CLOSING_LIVE
                                : s->closing;
        return true;
    }
    if (live(env)) {
        complain(env, ri, value, &s->n.ignored_writes,
                 "ignored: the buffer is enabled and profiling is not stopped");
        return false;
    }
    if (reg != SPE_REG_LIMIT && s->closing == SPE_CLOSING_LIVE) {
        complain(env, ri, value, &s->n.ignored_writes,
                 "ignored: no ISB since PMBLIMITR_EL1.E was cleared");
        return false;
    }
    if (reg == SPE_REG_STATUS && s->closing == SPE_CLOSING_STOPPED &&
        !(value & R_PMBSR_S_MASK)) {
        complain(env, ri, value, &s->n.unordered_writes,
                 "no ISB since PMBLIMITR_EL1.E was cleared, so profiling may "
                 "resume for a moment");
    }
    return true;
}

void spe_write_ends(CPUARMState *env, const ARMCPRegInfo *ri,
                    enum SPEBufferReg reg, uint64_t value)
{
    ARMSPEState *s = env->spe;

    if (!s->config.ignore_writes) {
        return;
    }
    if (live(env)) {
        if (s->unordered & ~reg) {
            complain(env, ri, value, &s->n.unordered_writes,
                     "no ISB since another register of the buffer was written");
        }
        if (!spe_pointer_is_legal(s)) {
            complain(env, ri, value, &s->n.illegal_pointers,
                     "PMBPTR_EL1 leaves no room for a record");
        }
    }
    s->unordered |= reg;
}

void spe_context_synchronized(ARMSPEState *s)
{
    s->unordered = 0;
    s->closing = SPE_CLOSING_NOT;
}

/* Translated code calls it before each ISB, also on PEs without an SPU. */
void HELPER(spe_isb)(CPUARMState *env)
{
    if (env->spe) {
        spe_context_synchronized(env->spe);
    }
}
