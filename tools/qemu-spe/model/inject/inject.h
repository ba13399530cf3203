/*
 * What the folder inject offers to others, by source.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#ifndef TARGET_ARM_SPE_INJECT_INJECT_H
#define TARGET_ARM_SPE_INJECT_INJECT_H

#include "../state/state.h"

/* queue.c: The queue of injected management events. */

/* What a kind of event takes besides the number of the record */
enum {
    SPE_TAKES_FSC = 1 << 0,
    SPE_TAKES_MSS = 1 << 1,
    SPE_TAKES_MSS2 = 1 << 2,
    SPE_TAKES_POINTER = 1 << 3,
    SPE_TAKES_DL = 1 << 4,
    SPE_TAKES_EA = 1 << 5,
};

typedef struct SPEInjectionKind {
    const char *name;
    uint32_t takes;     /* SPE_TAKES_* */
    uint32_t mss;       /* the default */
} SPEInjectionKind;

extern const SPEInjectionKind spe_injection_kinds[SPE_INJECT_KINDS];

/*
 * Returns false with @errp set if the fields of @in do not fit its kind, which
 * is one of enum SPEInjectKind.
 */
bool spe_injection_check(ARMSPEState *s, const SPEInjection *in,
                         Error **errp);

/*
 * Queues @in, or raises it at once if its record number is 0.  Returns false
 * with @errp set if its fields do not fit its kind or the queue is full.
 */
bool spe_injection_queue(CPUARMState *env, const SPEInjection *in,
                         Error **errp);

/*
 * text.c: Injected management events as the text of the property spe-inject.
 */

bool spe_inject_text(CPUARMState *env, const char *text, Error **errp);
char *spe_inject_list(ARMSPEState *s);

#endif
