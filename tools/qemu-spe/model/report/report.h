/*
 * Ground truth for tests of software: what each SPU did, as JSON.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#ifndef TARGET_ARM_SPE_REPORT_REPORT_H
#define TARGET_ARM_SPE_REPORT_REPORT_H

#include "../state/state.h"

/*
 * log.c: Ground truth for tests of software: each record that was written.
 */

bool spe_log_open(ARMSPEState *s, Error **errp);
void spe_log_close(void);
void spe_log_rejected(ARMSPEState *s, const SPERecord *rec);
void spe_log_record(ARMSPEState *s, uint64_t ptr, const uint8_t *bytes,
                    int len);

/* How much has been logged when a machine is saved */
void spe_log_position(ARMSPEState *s, uint64_t *sequence, uint64_t *offset);

/* Back to that position when it is loaded */
void spe_log_rewind(ARMSPEState *s, uint64_t sequence, uint64_t offset);

/* Adds the SPU to the report. */
void spe_report_add(ARMSPEState *s);

/* Returns false with @errp set if the report's file cannot be written. */
bool spe_report_check(ARMSPEState *s, Error **errp);

char *spe_report_json(void);

#endif
