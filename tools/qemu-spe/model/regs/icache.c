/*
 * What a guest that rewrites code needs: IC IVAU, and CTR_EL0.DIC.
 *
 * QEMU drops the translations of a piece of code just before a PE stores to
 * it.  Another PE that executes the code can translate it again before the
 * store, and then keeps the old instruction.  With CTR_EL0.DIC 1, software
 * relies on the store alone, and QEMU's IC IVAU is a NOP.
 *
 * So a CPU with spe=on has DIC 0, which obliges software to execute IC IVAU
 * after the store (B2.7.4.2), and IC IVAU drops the translations of its line.
 * IC IALLU and IC IALLUIS remain NOPs: KVM executes IC IALLU so often that
 * dropping all translations each time would cost too much.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "qemu/osdep.h"
#include "cpu.h"
#include "internals.h"
#include "cpregs.h"
#include "exec/cpu-common.h"
#include "exec/exec-all.h"
#include "regs.h"

/* PSTATE.PAN restricts data accesses alone (D8.4.5). */
static ARMMMUIdx index_without_pan(CPUARMState *env)
{
    ARMMMUIdx index = arm_mmu_idx(env);

    switch (index) {
    case ARMMMUIdx_E10_1_PAN:
        return ARMMMUIdx_E10_1;
    case ARMMMUIdx_E20_2_PAN:
        return ARMMMUIdx_E20_2;
    default:
        return index;
    }
}

/* An address that is not mapped, or is no memory, has no translations. */
static void ic_ivau_write(CPUARMState *env, const ARMCPRegInfo *ri,
                          uint64_t value)
{
    uint64_t line = 4 << extract32(env_archcpu(env)->ctr, 0, 4);
    ram_addr_t start;
    void *host;

    probe_access_full_mmu(env, QEMU_ALIGN_DOWN(value, line), 1, MMU_DATA_LOAD,
                          arm_to_core_mmu_idx(index_without_pan(env)), &host,
                          NULL);
    if (!host) {
        return;
    }
    start = qemu_ram_addr_from_host(host);
    if (start != RAM_ADDR_INVALID) {
        tb_invalidate_phys_range(start, start + line - 1);
    }
}

void spe_icache_realize(ARMCPU *cpu)
{
    cpu->ctr = FIELD_DP64(cpu->ctr, CTR_EL0, DIC, 0);
}

void spe_icache_define_cpreg(ARMCPU *cpu)
{
    uint32_t key = ENCODE_AA64_CP_REG(CP_REG_ARM64_SYSREG_CP, 7, 5, 1, 3, 1);
    ARMCPRegInfo *ri = g_hash_table_lookup(cpu->cp_regs,
                                           (gpointer)(uintptr_t)key);

    if (!ri) {
        return;         /* not an AArch64 CPU */
    }
    ri->type = ARM_CP_NO_RAW | ARM_CP_SUPPRESS_TB_END;
    ri->writefn = ic_ivau_write;
}
