/*
 * Arm Statistical Profiling Extension: vector lengths and predicates of a
 * sampled SVE or SME operation (D17.6.6).
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "qemu/osdep.h"
#include "cpu.h"
#include "internals.h"
#include "capture.h"

int spe_vector_bytes(CPUARMState *env, const SPEInsn *insn)
{
    int quads = insn->flags & SPE_INSN_SME ? EX_TBFLAG_A64(env->hflags, SVL)
                                           : EX_TBFLAG_A64(env->hflags, VL);

    return (quads + 1) * 16;
}

bool spe_element_active(CPUARMState *env, const SPEInsn *insn, int pg,
                        int element)
{
    int bit = element << insn->esize;

    return env->vfp.pregs[pg].p[bit / 64] >> (bit % 64) & 1;
}

/* The binary logarithm of @n, rounded up */
static int log2_up(uint64_t n)
{
    return n > 1 ? 64 - clz64(n - 1) : 0;
}

/*
 * EVL: 0 is 32 bits, 7 is more than 2048 bits.  With FEAT_SPE_SME the length
 * of all vectors counts (RMDBYZ, RMJQCL, RJCLMP).
 */
static uint8_t evl(ARMSPEState *s, const SPEInsn *insn, int vl)
{
    int bits = vl * 8 * (s->config.sme ? insn->vl_count : 1);

    return MIN(log2_up(bits) - 5, 7) << 4;
}

/*
 * ETS: 0 is at most 128 bits, so also ZERO of no tile; 15 is the whole of ZA.
 * A 64-bit tile is an eighth of ZA.  Bit 0 of the field is separate from the
 * other bits (D18.2.7, SPEEncodeETS()).
 */
static uint8_t ets(const SPEInsn *insn, int svl)
{
    bool slice = insn->za_eighths == SPE_ZA_SLICE;
    int bits = slice ? svl * 8 : svl * svl * insn->za_eighths;
    int size = insn->za_eighths == 8 ? 15 : MAX(log2_up(bits), 7) - 7;

    return size >> 1 << 4 | (size & 1) << 2;
}

static void look_at(CPUARMState *env, const SPEInsn *insn, int pg,
                    bool *any, bool *all)
{
    int elements = spe_vector_bytes(env, insn) >> insn->esize;

    for (int i = 0; i < elements && pg != 0xff; i++) {
        bool active = spe_element_active(env, insn, pg, i);

        *any |= active;
        *all &= active;
    }
}

uint64_t spe_predicate_events(CPUARMState *env, const SPEInsn *insn)
{
    bool any = false, all = true;

    if (insn->pg == 0xff) {
        return 0;
    }
    look_at(env, insn, insn->pg, &any, &all);
    look_at(env, insn, insn->pg2, &any, &all);
    return (all ? 0 : SPE_EVENT_PARTIAL_PREDICATE) |
           (any ? 0 : SPE_EVENT_EMPTY_PREDICATE);
}

/*
 * Without FEAT_SPE_SME, data processing on ZA is Other (RCYBGV, RLQXZR).
 * Loads and stores access unspecified registers, which is one of the two
 * permitted forms.
 */
static void forget_sme(SPERecord *rec, const SPEInsn *insn)
{
    if (insn->op_class == SPE_CLASS_LDST) {
        rec->subclass = SPE_SUB_LDST_UNSPECIFIED |
                        (insn->subclass & SPE_SUB_LDST_STORE);
    } else {
        rec->subclass = SPE_SUB_OTHER |
                        (insn->flags & SPE_INSN_FP ? SPE_SUB_OTHER_FP : 0);
    }
}

void spe_capture_sve(CPUARMState *env, ARMSPESample *p)
{
    const SPEInsn *insn = &p->insn;
    int vl = spe_vector_bytes(env, insn);

    if (!(insn->flags & SPE_INSN_SVE)) {
        return;
    }
    if ((insn->flags & SPE_INSN_SME) && !env->spe->config.sme) {
        forget_sme(&p->rec, insn);
    } else if ((insn->flags & SPE_INSN_SME) &&
               insn->op_class == SPE_CLASS_OTHER) {
        p->rec.subclass |= ets(insn, vl);
    } else {
        p->rec.subclass |= evl(env->spe, insn, vl);
    }
    p->rec.events |= spe_predicate_events(env, insn);
}
