/*
 * Arm Statistical Profiling Extension: the data address of the sampled
 * operation (D17.6.4).
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "qemu/osdep.h"
#include "cpu.h"
#include "internals.h"
#include "cpregs.h"
#include "capture.h"
#include "../control/control.h"
#include "../insn/insn.h"
#include "../state/state.h"

/* The index of a register-offset address (C3.2.1) */
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
 * D17.6.4.3, SPEMultiAccessSample(): a copy records its load or its store.  If
 * the filter selects one of them, that one; else a random one.  Taking turns
 * would bias a loop that runs in step with the sample interval.
 */
void spe_choose_copy_side(ARMSPEState *s, SPEInsn *insn)
{
    bool load = spe_random_byte(&s->choice) & 1;

    if (FIELD_EX64(s->pmsfcr, PMSFCR, FT) &&
        FIELD_EX64(s->pmsfcr, PMSFCR, LD) !=
        FIELD_EX64(s->pmsfcr, PMSFCR, ST)) {
        load = FIELD_EX64(s->pmsfcr, PMSFCR, LD);
    }
    insn->flags &= ~(load ? SPE_INSN_ST : SPE_INSN_LD);
    insn->subclass |= load ? 0 : SPE_SUB_LDST_STORE;
}

static uint64_t element_of(CPUARMState *env, int reg, int esize, int element)
{
    const uint64_t *d = env->vfp.zregs[reg].d;

    return esize == 3 ? d[element]
                      : extract64(d[element / 2], element % 2 * 32, 32);
}

int spe_elements(CPUARMState *env, const SPEInsn *insn)
{
    return spe_vector_bytes(env, insn) >> insn->esize;
}

bool spe_element_address(CPUARMState *env, const SPEInsn *insn, int element,
                         uint64_t *va)
{
    if (insn->addr == SPE_ADDR_VECTOR) {
        *va = element_of(env, insn->rn, insn->esize, element) +
              spe_read_x(env, insn->rm) + insn->imm;
    } else {
        *va = env->xregs[insn->rn] +
              index_of(insn, element_of(env, insn->rm, insn->esize, element));
    }
    return spe_element_active(env, insn, insn->pg, element);
}

/*
 * RMYPFF: one random element, each with the same probability; no address if
 * that element is inactive.
 */
static bool gather_address(CPUARMState *env, const SPEInsn *insn, uint64_t *va)
{
    int elements = spe_elements(env, insn);
    int chosen;

    do {
        chosen = spe_random_byte(&env->spe->choice);
    } while (chosen >= 256 / elements * elements);
    return spe_element_address(env, insn, chosen % elements, va);
}

/* LDRAA and LDRAB: the address if the signature is right */
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

/*
 * RNHSYR: a contiguous access of SVE records the address of its lowest element,
 * active or not.
 */
static bool data_address(CPUARMState *env, ARMSPESample *p, uint64_t *va)
{
    const SPEInsn *insn = &p->insn;
    uint64_t base = env->xregs[insn->rn];
    int vl = spe_vector_bytes(env, insn);
    int part = (vl >> insn->vl_shift) * insn->vl_count;

    if (spe_predicate_events(env, insn) & SPE_EVENT_EMPTY_PREDICATE) {
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
        *va = p->pc + insn->imm;
        return true;
    case SPE_ADDR_REG:
        *va = base + index_of(insn, spe_read_x(env, insn->rm));
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
        *va = QEMU_ALIGN_DOWN(spe_read_x(env, insn->rn), p->size);
        return true;
    case SPE_ADDR_GATHER:
    case SPE_ADDR_VECTOR:
        return gather_address(env, insn, va);
    case SPE_ADDR_SET:
    case SPE_ADDR_COPY:
        return spe_mops_address(env, p, va);
    default:
        return false;
    }
}

/* LDTR and STTR access memory as EL0 does. */
int spe_data_mmu_idx(CPUARMState *env, const SPEInsn *insn)
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

uint64_t spe_without_tag(CPUARMState *env, uint64_t va)
{
    int tbid = EX_TBFLAG_A64(env->hflags, TBID);

    return tbid >> extract64(va, 55, 1) & 1 ? sextract64(va, 0, 56) : va;
}

/*
 * Whether the access is Tag Checked, provided that its page is Tagged, which
 * is known only after the access.  QEMU makes no check where Tag Check Faults
 * are ignored, so such an access counts as not checked (D18.2.1, CH).
 */
static bool tag_checked(CPUARMState *env, const SPEInsn *insn, uint64_t va)
{
    bool based = insn->addr == SPE_ADDR_BASE || insn->addr == SPE_ADDR_VL ||
                 insn->addr == SPE_ADDR_PL;
    int half = extract64(va, 55, 1), tag = extract64(va, 56, 4);
    bool active = insn->flags & SPE_INSN_UNPRIV
                  ? EX_TBFLAG_A64(env->hflags, MTE0_ACTIVE)
                  : EX_TBFLAG_A64(env->hflags, MTE_ACTIVE);

    if (!active || (insn->flags & SPE_INSN_TAGS) ||
        insn->addr == SPE_ADDR_PC ||
        (based && insn->rn == 31 && !insn->writeback) ||
        !(EX_TBFLAG_A64(env->hflags, TBID) >> half & 1)) {
        return false;
    }
    /* TCMA: tag 0xf in the upper half, 0 in the lower half */
    return !(EX_TBFLAG_A64(env->hflags, TCMA) >> half & 1) ||
           tag != (half ? 0xf : 0);
}

#define PMBSR_EL1 ENCODE_AA64_CP_REG(CP_REG_ARM64_SYSREG_CP, 9, 10, 3, 0, 3)

/*
 * Whether FEAT_NV2 turns an access to the register @key into an access to
 * memory; if so, @offset is set.
 */
static bool nv2_redirects(CPUARMState *env, uint32_t key, uint32_t *offset)
{
    const ARMCPRegInfo *ri = get_arm_cp_reginfo(env_archcpu(env)->cp_regs,
                                                key);

    if (!ri) {
        return false;
    }
    if (key == PMBSR_EL1 && env->spe->config.exc &&
        spe_pmbsr_el1_in_memory(env)) {
        *offset = SPE_NV2_PMBSR_EL1;
        return true;
    }
    *offset = ri->nv2_redirect_offset & ~NV2_REDIR_FLAG_MASK;
    if (ri->nv2_redirect_offset & NV2_REDIR_NV1) {
        return EX_TBFLAG_A64(env->hflags, NV1);
    }
    if (ri->nv2_redirect_offset & NV2_REDIR_NO_NV1) {
        return !EX_TBFLAG_A64(env->hflags, NV1);
    }
    return ri->nv2_redirect_offset;
}

/* D17.6.4.2: MRS and MSR at EL1 that access memory at VNCR_EL2 */
static bool transformed_access(CPUARMState *env, ARMSPESample *p,
                               uint32_t insn)
{
    bool read = spe_bits(insn, 21, 21);
    uint32_t key, offset;

    if ((insn & 0xffd00000) != 0xd5100000 ||
        !EX_TBFLAG_A64(env->hflags, NV2)) {
        return false;
    }
    key = ENCODE_AA64_CP_REG(CP_REG_ARM64_SYSREG_CP, spe_bits(insn, 15, 12),
                             spe_bits(insn, 11, 8), spe_bits(insn, 20, 19),
                             spe_bits(insn, 18, 16), spe_bits(insn, 7, 5));
    if (!nv2_redirects(env, key, &offset)) {
        return false;
    }
    p->insn.op_class = SPE_CLASS_LDST;
    p->insn.subclass = SPE_SUB_LDST_NV_SYSREG |
                       (read ? 0 : SPE_SUB_LDST_STORE);
    p->insn.flags = read ? SPE_INSN_LD : SPE_INSN_ST;
    p->size = 8;
    p->vaddr = env->cp15.vncr_el2 + offset;
    p->mmu_idx = arm_to_core_mmu_idx(EX_TBFLAG_A64(env->hflags, NV2_MEM_E20)
                                     ? ARMMMUIdx_E20_2 : ARMMMUIdx_E2);
    p->hides_address = spe_owning_el(env) != 2 ||
                       !FIELD_EX64(env->spe->pmscr_el2, PMSCR, E1SPE);
    return true;
}

static bool is_store_exclusive(const SPEInsn *insn)
{
    return (insn->flags & SPE_INSN_EXCL) && (insn->flags & SPE_INSN_ST);
}

bool spe_find_access(CPUARMState *env, ARMSPESample *p, uint32_t insn,
                     uint64_t *va)
{
    if (transformed_access(env, p, insn)) {
        *va = p->vaddr;
        return true;
    }
    if (!data_address(env, p, va)) {
        return false;
    }
    p->vaddr = spe_without_tag(env, *va);
    p->mmu_idx = spe_data_mmu_idx(env, &p->insn);
    p->tag_checked = tag_checked(env, &p->insn, *va);
    p->monitor_lost = is_store_exclusive(&p->insn) &&
                      env->exclusive_addr != p->vaddr;
    return true;
}

/*
 * A failed Store-Exclusive has accessed nothing.  If its status register is
 * XZR, only the address of the monitor shows the failure.
 */
bool spe_store_failed(CPUARMState *env, const ARMSPESample *p)
{
    return is_store_exclusive(&p->insn) &&
           (p->insn.rd == 31 ? p->monitor_lost : env->xregs[p->insn.rd] != 0);
}
