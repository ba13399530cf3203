/*
 * Arm Statistical Profiling Extension: the sampled operation before it
 * executes (D17.6), when its registers still hold the operands.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "qemu/osdep.h"
#include "cpu.h"
#include "internals.h"
#include "capture.h"
#include "../control/control.h"
#include "../insn/insn.h"
#include "../trace.h"

void spe_capture(CPUARMState *env, uint32_t insn)
{
    ARMSPEState *s = env->spe;
    ARMSPESample *p = &s->sample;
    SPERecord *rec = &p->rec;
    uint64_t va;
    bool accesses;

    memset(p, 0, sizeof(*p));
    spe_insn_decode(insn, &p->insn);
    if (p->insn.addr == SPE_ADDR_COPY) {
        spe_choose_copy_side(s, &p->insn);
    }
    p->pc = env->pc;
    p->el = arm_current_el(env);
    p->taken = spe_condition_passes(env, &p->insn);
    accesses = spe_find_access(env, p, insn, &va);

    rec->op_class = p->insn.op_class;
    rec->subclass = p->insn.subclass;
    rec->pc = spe_instruction_address(p->pc, p->el, false) |
              spe_packet_space(arm_security_space(env));
    rec->events = SPE_EVENT_RETIRED;
    if (p->insn.cond != SPE_COND_NONE && !p->taken) {
        rec->events |= SPE_EVENT_NOT_TAKEN;
    }
    if (s->config.sme && EX_TBFLAG_A64(env->hflags, PSTATE_SM)) {
        rec->events |= SPE_EVENT_STREAMING;
        p->on_smcu = s->config.altclk &&
                     (p->insn.flags & (SPE_INSN_FP | SPE_INSN_SIMD));
        rec->events |= p->on_smcu ? SPE_EVENT_SMCU : 0;
    }
    spe_collect_timestamp(env, rec);
    spe_collect_contexts(env, rec, p->el);
    spe_capture_sve(env, p);
    if (accesses) {
        rec->vaddr = va;
        rec->has |= SPE_HAS_VADDR;
        p->collects_pa = spe_collects_physical_address(env);
    }
    if (s->previous_valid) {
        rec->previous = s->previous;
        rec->has |= SPE_HAS_PREVIOUS;
    }
    trace_spe_sample(CPU(s->cpu)->cpu_index, p->pc, insn);
}
