/*
 * The operation that the SPU samples.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#ifndef TARGET_ARM_SPE_STATE_SAMPLE_H
#define TARGET_ARM_SPE_STATE_SAMPLE_H

#include <stdbool.h>
#include <stdint.h>
#include "../insn/operation.h"
#include "../record/record.h"

/* The sampled operation from its capture to its end. */
typedef struct ARMSPESample {
    SPEInsn insn;
    SPERecord rec;
    uint64_t pc;
    uint64_t vaddr;         /* without its tag, as it is translated */
    int el;
    int mmu_idx;            /* regime of its data access */
    int size;               /* bytes accessed */
    bool taken;             /* branch */
    bool collects_pa;
    bool hides_address;     /* its virtual address is EL2's: D17.6.4.2 */
    bool monitor_lost;      /* a Store-Exclusive to another address */
    bool tag_checked;       /* if the page is Tagged */
    bool on_smcu;           /* executes in the alternate clock domain */
} ARMSPESample;

#endif
