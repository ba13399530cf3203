/* SPDX-License-Identifier: GPL-2.0-only */
/* Reasons for which a driver did not bind, as it writes them to the kernel's log. */
#ifndef PERF_SPE_DOCTOR_REASONS_H
#define PERF_SPE_DOCTOR_REASONS_H

#include "doctor/report.h"

/*
 * The advice for the last such line of the log, NULL if it has none.  *line is a copy
 * of the line without the kernel's timestamp, for the caller to free.
 */
const struct remedy *reason_find(const char *log, char **line);

/* Reasons that doctor also finds without the log */
extern const struct remedy reason_no_interrupt, reason_page_tables, reason_other_driver,
			   reason_no_cpu_online;

#endif
