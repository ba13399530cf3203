/*
 * Ground truth for tests of software: what each SPU did, as JSON.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#ifndef TARGET_ARM_SPE_REPORT_REPORT_H
#define TARGET_ARM_SPE_REPORT_REPORT_H

#include "../state/state.h"

/* Adds the SPU to the report. */
void spe_report_add(ARMSPEState *s);

/* Returns false with @errp set if the report's file cannot be written. */
bool spe_report_check(ARMSPEState *s, Error **errp);

char *spe_report_json(void);

#endif
