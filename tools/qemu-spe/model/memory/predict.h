/*
 * The simulated branch predictor: two bits of history for each of 1024
 * addresses, and the last target of an indirect branch.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#ifndef TARGET_ARM_SPE_MEMORY_PREDICT_H
#define TARGET_ARM_SPE_MEMORY_PREDICT_H

#include <stdbool.h>
#include <stdint.h>

typedef struct SPEPredictor SPEPredictor;

SPEPredictor *spe_predictor_new(void);

/*
 * Tells the predictor how a branch went.  Returns true if it had predicted
 * something else.
 */
bool spe_mispredicted(SPEPredictor *p, uint64_t pc, bool conditional,
                      bool indirect, bool taken, uint64_t target);

#endif
