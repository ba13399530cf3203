/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Features of a perf.data header, which describe the machine and the recording.
 * tools/perf/Documentation/perf.data-file-format.txt defines them.
 */
#ifndef PERF_SPE_FEATURE_H
#define PERF_SPE_FEATURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "input/cursor.h"
#include "input/perfdata.h"

/* Put the cursor on the bytes of @feature; false if the file does not have it. */
bool feature_begin(struct cursor *r, const struct perfdata *pd,
		   unsigned int feature);
/* The string at the cursor, inside the mapped file, "" if it is damaged */
const char *feature_string(struct cursor *r);

/* As text, for the caller to free; NULL if the file has no such feature */
char *feature_hostname(const struct perfdata *pd);
char *feature_cpu(const struct perfdata *pd);
char *feature_memory(const struct perfdata *pd);
char *feature_command(const struct perfdata *pd);
/* The name of the PMU of this type, inside the mapped file, or NULL */
const char *feature_pmu(const struct perfdata *pd, uint32_t type);

/* The name of event @attr as given to perf record, inside the mapped file */
const char *feature_event(const struct perfdata *pd, size_t attr);

#endif
