/*
 * The end of the sampled operation (D17.6).
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#ifndef TARGET_ARM_SPE_SAMPLE_FINISH_H
#define TARGET_ARM_SPE_SAMPLE_FINISH_H

#include "../state/state.h"

/*
 * The operation ended, at the next boundary or, with @exception, by an
 * exception of its own.
 */
void spe_finish(CPUARMState *env, bool exception);

#endif
