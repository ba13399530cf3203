/*
 * The sample interval (D17.3), and what the executed operations are charged to.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#ifndef TARGET_ARM_SPE_CONTROL_INTERVAL_H
#define TARGET_ARM_SPE_CONTROL_INTERVAL_H

#include "../state/state.h"

/* Brings PMSICR_EL1 and the counts up to date with env->spe_budget. */
void spe_sync_counters(CPUARMState *env);

/* From here on, operations are charged to @activity. */
void spe_set_activity(CPUARMState *env, enum ARMSPEActivity activity);

void spe_set_pmsicr(CPUARMState *env, uint64_t value);
void spe_set_pmsirr(CPUARMState *env, uint64_t value);

/*
 * Counts one member of the sample population for which the counters do more
 * than decrement.  Returns true if it is selected.
 */
bool spe_count_operation(ARMSPEState *s);

/*
 * Gives env->spe_budget the operations that only decrement the counters; the
 * counters must be up to date, and the activity SPE_PROFILING.
 */
void spe_load_interval(CPUARMState *env);

#endif
