/*
 * The simulated branch predictor: see predict.h.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "qemu/osdep.h"
#include "qemu/error-report.h"
#include "migration/vmstate.h"
#include "predict.h"

enum { BRANCHES = 1024 };

struct SPEPredictor {
    uint8_t history[BRANCHES];
    uint32_t last_target[BRANCHES];
};

/* The counters have two bits. */
static int predictor_post_load(void *opaque, int version_id)
{
    SPEPredictor *p = opaque;

    for (int i = 0; i < BRANCHES; i++) {
        if (p->history[i] > 3) {
            error_report("cpu/spe/predictor: the stream is damaged: "
                         "history[%d] = %d is impossible; save the machine "
                         "again", i, p->history[i]);
            return -EINVAL;
        }
    }
    return 0;
}

static const VMStateDescription vmstate_predictor = {
    .name = "cpu/spe/predictor",
    .version_id = 1,
    .minimum_version_id = 1,
    .post_load = predictor_post_load,
    .fields = (const VMStateField[]) {
        VMSTATE_UINT8_ARRAY(history, SPEPredictor, BRANCHES),
        VMSTATE_UINT32_ARRAY(last_target, SPEPredictor, BRANCHES),
        VMSTATE_END_OF_LIST()
    },
};

SPEPredictor *spe_predictor_new(void)
{
    SPEPredictor *p = g_new0(SPEPredictor, 1);

    vmstate_register_any(NULL, &vmstate_predictor, p);
    return p;
}

/*
 * Only the low half of a target is compared, because the high half of the
 * pointer may still have its signature.
 */
bool spe_mispredicted(SPEPredictor *p, uint64_t pc, bool conditional,
                      bool indirect, bool taken, uint64_t target)
{
    uint32_t slot = (pc >> 2) % BRANCHES;
    bool wrong = false;

    if (conditional) {
        uint8_t *state = &p->history[slot];

        wrong = (*state >= 2) != taken;
        if (taken && *state < 3) {
            (*state)++;
        } else if (!taken && *state > 0) {
            (*state)--;
        }
    } else if (indirect) {
        wrong = p->last_target[slot] != (uint32_t)target;
        p->last_target[slot] = target;
    }
    return wrong;
}
