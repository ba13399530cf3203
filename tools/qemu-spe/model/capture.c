/*
 * Arm Statistical Profiling Extension: the sampled operation before it
 * executes (D17.6), when its registers still hold the operands.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "qemu/osdep.h"
#include "cpu.h"
#include "internals.h"
#include "cpregs.h"
#include "state.h"
#include "trace.h"

/* An X register, or XZR. */
static uint64_t read_x(CPUARMState *env, int reg)
{
    return reg == 31 ? 0 : env->xregs[reg];
}

/* ConditionHolds() */
static bool flags_pass(CPUARMState *env, int cc)
{
    bool n = env->NF >> 31, z = env->ZF == 0, c = env->CF, v = env->VF >> 31;
    const bool holds[] = { z, c, n, v, c && !z, n == v, n == v && !z, true };

    /* The low bit inverts, but NV means always, as AL does. */
    return cc == 15 || holds[cc >> 1] != (cc & 1);
}

static bool condition_passes(CPUARMState *env, const SPEInsn *insn)
{
    uint64_t value = read_x(env, insn->rt);

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

/* The index of a register-offset address, C3.2.1. */
static uint64_t index_of(const SPEInsn *insn, uint64_t value)
{
    switch (insn->extend) {
    case 2:
        value = (uint32_t)value;
        break;
    case 6:
        value = (int32_t)value;
        break;
    }
    return value << insn->shift;
}

/*
 * Memory Copy and Set: the prologue has the plain addresses; after it QEMU,
 * with the architecture's option A, counts a forward operation's length up
 * to zero from below, relative to the end of the buffers.
 */
static void mops_address(CPUARMState *env, ARMSPESample *p, uint64_t *va)
{
    uint64_t length = read_x(env, p->insn.rn);
    uint64_t base = read_x(env, p->insn.rd);

    if (p->insn.addr == SPE_ADDR_COPY && (p->insn.flags & SPE_INSN_LD)) {
        base = read_x(env, p->insn.rm);
    }
    if ((int64_t)length < 0) {
        base += length;
        length = -length;
    }
    *va = base;
    p->size = MIN(length, SPE_LINE_SIZE);
}

/*
 * D17.6.4.3: a copy records its load or its store; where filters choose one
 * that one, else turn about, which is free of bias.
 */
static void choose_copy_side(ARMSPEState *s, SPEInsn *insn)
{
    bool load = s->n.sampled & 1;

    if (FIELD_EX64(s->pmsfcr, PMSFCR, FT) &&
        FIELD_EX64(s->pmsfcr, PMSFCR, LD) !=
        FIELD_EX64(s->pmsfcr, PMSFCR, ST)) {
        load = FIELD_EX64(s->pmsfcr, PMSFCR, LD);
    }
    insn->flags &= ~(load ? SPE_INSN_ST : SPE_INSN_LD);
    insn->subclass |= load ? 0 : SPE_SUB_LDST_STORE;
}

static int vector_bytes(CPUARMState *env)
{
    return (EX_TBFLAG_A64(env->hflags, VL) + 1) * 16;
}

static bool element_active(CPUARMState *env, const SPEInsn *insn, int element)
{
    int bit = element << insn->esize;

    return env->vfp.pregs[insn->pg].p[bit / 64] >> (bit % 64) & 1;
}

static uint64_t element_of(CPUARMState *env, int reg, int esize, int element)
{
    const uint64_t *d = env->vfp.zregs[reg].d;

    return esize == 3 ? d[element]
                      : extract64(d[element / 2], element % 2 * 32, 32);
}

/*
 * RMYPFF: one element at random, each with the same chance, and no address
 * if it is inactive.
 */
static bool gather_address(CPUARMState *env, const SPEInsn *insn, uint64_t *va)
{
    int elements = vector_bytes(env) >> insn->esize;
    int chosen;

    do {
        chosen = spe_random_byte(&env->spe->choice);
    } while (chosen >= 256 / elements * elements);
    chosen %= elements;
    if (insn->addr == SPE_ADDR_VECTOR) {
        *va = element_of(env, insn->rn, insn->esize, chosen) +
              read_x(env, insn->rm) + insn->imm;
    } else {
        *va = env->xregs[insn->rn] +
              index_of(insn, element_of(env, insn->rm, insn->esize, chosen));
    }
    return element_active(env, insn, chosen);
}

/* LDRAA and LDRAB: the address that a good signature gives. */
static uint64_t authenticated(CPUARMState *env, const SPEInsn *insn,
                              uint64_t base)
{
    uint64_t enable = insn->flags & SPE_INSN_AUTH_DA ? SCTLR_EnDA : SCTLR_EnDB;
    ARMVAParameters param;
    uint64_t mask;

    if (!(arm_sctlr(env, arm_current_el(env)) & enable)) {
        return base;
    }
    param = aa64_va_parameters(env, base, arm_stage1_mmu_idx(env), true, false);
    mask = pauth_ptr_mask(param);
    return extract64(base, 55, 1) ? base | mask : base & ~mask;
}

static bool data_address(CPUARMState *env, ARMSPESample *p, uint64_t *va)
{
    const SPEInsn *insn = &p->insn;
    uint64_t base = env->xregs[insn->rn];
    int vl = vector_bytes(env);
    int part = (vl >> insn->vl_shift) * insn->vl_count;

    if (p->rec.events & SPE_EVENT_EMPTY_PREDICATE) {
        return false;       /* D17.6.6: nothing is accessed */
    }
    if (insn->flags & (SPE_INSN_AUTH_DA | SPE_INSN_AUTH_DB)) {
        base = authenticated(env, insn, base);
    }
    p->size = insn->size;
    switch (insn->addr) {
    case SPE_ADDR_BASE:
        *va = base + insn->imm;
        return true;
    case SPE_ADDR_GRANULE:
        *va = QEMU_ALIGN_DOWN(base + insn->imm, 16);
        return true;
    case SPE_ADDR_PC:
        *va = env->pc + insn->imm;
        return true;
    case SPE_ADDR_REG:
        *va = base + index_of(insn, read_x(env, insn->rm));
        p->size = insn->size ? insn->size : part;
        return true;
    case SPE_ADDR_VL:
        *va = base + insn->imm * part;
        p->size = part;
        return true;
    case SPE_ADDR_PL:
        *va = base + insn->imm * (vl / 8);
        p->size = vl / 8;
        return true;
    case SPE_ADDR_BLOCK:
        p->size = 4 << env_archcpu(env)->dcz_blocksize;
        *va = QEMU_ALIGN_DOWN(read_x(env, insn->rn), p->size);
        return true;
    case SPE_ADDR_GATHER:
    case SPE_ADDR_VECTOR:
        return gather_address(env, insn, va);
    case SPE_ADDR_SET:
    case SPE_ADDR_COPY:
        mops_address(env, p, va);
        return p->size != 0;
    default:
        return false;
    }
}

/* The regime of the access, which LDTR and STTR make at EL0. */
static int data_mmu_idx(CPUARMState *env, const SPEInsn *insn)
{
    ARMMMUIdx idx = arm_mmu_idx_el(env, arm_current_el(env));

    if ((insn->flags & SPE_INSN_UNPRIV) &&
        EX_TBFLAG_A64(env->hflags, UNPRIV)) {
        switch (idx) {
        case ARMMMUIdx_E10_1:
        case ARMMMUIdx_E10_1_PAN:
            idx = ARMMMUIdx_E10_0;
            break;
        case ARMMMUIdx_E20_2:
        case ARMMMUIdx_E20_2_PAN:
            idx = ARMMMUIdx_E20_0;
            break;
        default:
            break;
        }
    }
    return arm_to_core_mmu_idx(idx);
}

static uint64_t without_tag(CPUARMState *env, uint64_t va)
{
    int tbid = EX_TBFLAG_A64(env->hflags, TBID);

    return tbid >> extract64(va, 55, 1) & 1 ? sextract64(va, 0, 56) : va;
}

/* Table D17-3; CollectTimeStamp() */
static void add_timestamp(CPUARMState *env, SPERecord *rec)
{
    ARMSPEState *s = env->spe;
    bool el2 = spe_owning_el(env) == 2;
    int pct_el2 = FIELD_EX64(s->pmscr_el2, PMSCR, PCT);
    int pct = FIELD_EX64(s->pmscr_el1, PMSCR, PCT);
    uint64_t now;

    if (!FIELD_EX64(el2 ? s->pmscr_el2 : s->pmscr_el1, PMSCR, TS)) {
        return;
    }
    if (el2) {
        pct = pct_el2;
    } else if (arm_is_el2_enabled(env)) {
        if (pct_el2 == 0) {
            pct = 0;
        } else if (pct_el2 == 3 && pct == 1) {
            pct = 3;
        }
    }
    now = gt_get_countervalue(env);
    switch (pct) {
    case 0:
        now -= gt_direct_access_timer_offset(env, GTIMER_VIRT);
        break;
    case 3:
        if ((env->cp15.cnthctl_el2 & R_CNTHCTL_ECV_MASK) &&
            (!arm_feature(env, ARM_FEATURE_EL3) ||
             (env->cp15.scr_el3 & SCR_ECVEN))) {
            now -= env->cp15.cntpoff_el2;
        }
        break;
    }
    rec->timestamp = now;
    rec->has |= SPE_HAS_TIMESTAMP;
}

/* CollectContextIDR1(), CollectContextIDR2() */
static void add_contexts(CPUARMState *env, SPERecord *rec, int el)
{
    ARMSPEState *s = env->spe;
    bool el2 = arm_is_el2_enabled(env);

    if (FIELD_EX64(s->pmscr_el1, PMSCR, CX) && el != 2 &&
        !(el2 && (env->cp15.hcr_el2 & HCR_TGE))) {
        rec->context1 = env->cp15.contextidr_el[1];
        rec->has |= SPE_HAS_CONTEXT1;
    }
    if (FIELD_EX64(s->pmscr_el2, PMSCR, CX) && el2) {
        rec->context2 = env->cp15.contextidr_el[2];
        rec->has |= SPE_HAS_CONTEXT2;
    }
}

/* CollectPhysicalAddress() */
static bool collects_physical_address(CPUARMState *env)
{
    ARMSPEState *s = env->spe;
    bool pa1 = FIELD_EX64(s->pmscr_el1, PMSCR, PA);

    if (!arm_is_el2_enabled(env)) {
        return pa1;
    }
    return FIELD_EX64(s->pmscr_el2, PMSCR, PA) &&
           (spe_owning_el(env) == 2 || pa1);
}

/*
 * EVL, and E[17], E[18] of the governing predicate.  Simplification: the
 * element size is known of loads and stores only; of others, eight bytes of
 * the vector count as one element, active if any of their bits is set.
 */
static void add_sve(CPUARMState *env, ARMSPESample *p)
{
    int vl = vector_bytes(env);
    bool ldst = p->insn.op_class == SPE_CLASS_LDST;
    int elements = vl >> (ldst ? p->insn.esize : 3);

    if (!(p->insn.flags & SPE_INSN_SVE)) {
        return;
    }
    /* 0 is 32 bits, rounded up to a power of two */
    p->rec.subclass |= (32 - clz32(vl * 8 - 1) - 5) << 4;
    if (p->insn.pg != 0xff) {
        const uint64_t *pred = env->vfp.pregs[p->insn.pg].p;
        bool any = false, all = true;

        for (int i = 0; i < elements; i++) {
            bool active = ldst ? element_active(env, &p->insn, i)
                               : (pred[i / 8] >> (i % 8 * 8) & 0xff) != 0;

            any |= active;
            all &= active;
        }
        p->rec.events |= all ? 0 : SPE_EVENT_PARTIAL_PREDICATE;
        p->rec.events |= any ? 0 : SPE_EVENT_EMPTY_PREDICATE;
    }
}

/* What the packet leaves out where a feature is not implemented. */
static uint8_t recorded_subclass(ARMSPEState *s, const SPEInsn *insn)
{
    uint8_t subclass = insn->subclass;

    if (insn->op_class == SPE_CLASS_BRANCH && !s->has_crr) {
        subclass &= ~SPE_SUB_BRANCH_CR;
    }
    if (insn->op_class == SPE_CLASS_OTHER && !(insn->flags & SPE_INSN_SVE) &&
        !s->has_fpf) {
        subclass &= ~(SPE_SUB_OTHER_FP | SPE_SUB_OTHER_ASE);
    }
    return subclass;
}

/* Where FEAT_NV2 turns the access to @ri into one of memory. */
static bool nv2_redirects(CPUARMState *env, const ARMCPRegInfo *ri)
{
    if (!ri || !ri->nv2_redirect_offset) {
        return false;
    }
    if (ri->nv2_redirect_offset & NV2_REDIR_NV1) {
        return EX_TBFLAG_A64(env->hflags, NV1);
    }
    if (ri->nv2_redirect_offset & NV2_REDIR_NO_NV1) {
        return !EX_TBFLAG_A64(env->hflags, NV1);
    }
    return true;
}

/* D17.6.4.2: MRS and MSR at EL1 that load and store at VNCR_EL2 instead. */
static bool transformed_access(CPUARMState *env, ARMSPESample *p,
                               uint32_t insn)
{
    bool read = spe_bits(insn, 21, 21);
    const ARMCPRegInfo *ri;
    uint32_t key;

    if ((insn & 0xffd00000) != 0xd5100000 ||
        !EX_TBFLAG_A64(env->hflags, NV2)) {
        return false;
    }
    key = ENCODE_AA64_CP_REG(CP_REG_ARM64_SYSREG_CP, spe_bits(insn, 15, 12),
                             spe_bits(insn, 11, 8), spe_bits(insn, 20, 19),
                             spe_bits(insn, 18, 16), spe_bits(insn, 7, 5));
    ri = get_arm_cp_reginfo(env_archcpu(env)->cp_regs, key);
    if (!nv2_redirects(env, ri)) {
        return false;
    }
    p->insn.op_class = SPE_CLASS_LDST;
    p->insn.subclass = SPE_SUB_LDST_NV_SYSREG |
                       (read ? 0 : SPE_SUB_LDST_STORE);
    p->insn.flags = read ? SPE_INSN_LD : SPE_INSN_ST;
    p->size = 8;
    p->vaddr = env->cp15.vncr_el2 +
               (ri->nv2_redirect_offset & ~NV2_REDIR_FLAG_MASK);
    p->mmu_idx = arm_to_core_mmu_idx(EX_TBFLAG_A64(env->hflags, NV2_MEM_E20)
                                     ? ARMMMUIdx_E20_2 : ARMMMUIdx_E2);
    p->hides_va = spe_owning_el(env) != 2 ||
                  !FIELD_EX64(env->spe->pmscr_el2, PMSCR, E1SPE);
    return true;
}

void spe_capture(CPUARMState *env, uint32_t insn)
{
    ARMSPEState *s = env->spe;
    ARMSPESample *p = &s->sample;
    SPERecord *rec = &p->rec;
    bool transformed;
    uint64_t va;

    memset(p, 0, sizeof(*p));
    spe_insn_decode(insn, &p->insn);
    if (p->insn.addr == SPE_ADDR_COPY) {
        choose_copy_side(s, &p->insn);
    }
    p->pc = env->pc;
    p->el = arm_current_el(env);
    p->taken = condition_passes(env, &p->insn);
    transformed = transformed_access(env, p, insn);

    rec->op_class = p->insn.op_class;
    rec->subclass = recorded_subclass(s, &p->insn);
    rec->pc = spe_instruction_address(p->pc, p->el, !arm_is_secure(env));
    rec->events = SPE_EVENT_RETIRED;
    if (p->insn.cond != SPE_COND_NONE && !p->taken) {
        rec->events |= SPE_EVENT_NOT_TAKEN;
    }
    add_timestamp(env, rec);
    add_contexts(env, rec, p->el);
    add_sve(env, p);
    if (transformed) {
        rec->vaddr = p->vaddr;
        rec->has |= SPE_HAS_VADDR;
        p->collects_pa = collects_physical_address(env);
    } else if (data_address(env, p, &va)) {
        rec->vaddr = va;
        rec->has |= SPE_HAS_VADDR;
        p->vaddr = without_tag(env, va);
        p->mmu_idx = data_mmu_idx(env, &p->insn);
        p->collects_pa = collects_physical_address(env);
    }
    trace_spe_sample(CPU(s->cpu)->cpu_index, p->pc, insn);
}
