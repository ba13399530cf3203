/*
 * Arm Statistical Profiling Extension: the condition of an operation that is
 * about to execute.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "qemu/osdep.h"
#include "cpu.h"
#include "capture.h"

/* ConditionHolds() */
static bool flags_pass(CPUARMState *env, int cc)
{
    bool n = env->NF >> 31, z = env->ZF == 0, c = env->CF, v = env->VF >> 31;
    const bool holds[] = { z, c, n, v, c && !z, n == v, n == v && !z, true };

    /* The low bit inverts the condition, except that NV means always, as AL. */
    return cc == 15 || holds[cc >> 1] != (cc & 1);
}

bool spe_condition_passes(CPUARMState *env, const SPEInsn *insn)
{
    uint64_t value = spe_read_x(env, insn->rt);

    if (!insn->rt_64) {
        value = (uint32_t)value;
    }
    switch (insn->cond) {
    case SPE_COND_FLAGS:
        return flags_pass(env, insn->cc);
    case SPE_COND_ZERO:
        return value == 0;
    case SPE_COND_NONZERO:
        return value != 0;
    case SPE_COND_BIT_CLEAR:
        return !(value >> insn->cc & 1);
    case SPE_COND_BIT_SET:
        return value >> insn->cc & 1;
    default:
        return true;
    }
}
