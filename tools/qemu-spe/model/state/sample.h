/*
 * The sampled operation.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#ifndef TARGET_ARM_SPE_STATE_SAMPLE_H
#define TARGET_ARM_SPE_STATE_SAMPLE_H

#include <stdbool.h>
#include <stdint.h>
#include "../insn/operation.h"
#include "../record/record.h"

/* Filled in from the capture of the operation to its end */
typedef struct ARMSPESample {
    SPEInsn insn;
    SPERecord rec;
    uint64_t pc;
    uint64_t vaddr;         /* as it is translated: without its tag */
    int el;
    int mmu_idx;            /* translation regime of its data access */
    int size;               /* bytes accessed */
    bool taken;             /* a branch that is taken */
    bool collects_pa;
    bool hides_address;     /* its virtual address is EL2's: D17.6.4.2 */
    bool monitor_lost;      /* a Store-Exclusive that must fail */
    bool tag_checked;       /* provided that the page is Tagged */
    bool on_smcu;           /* executes in the alternate clock domain */
} ARMSPESample;

#endif
