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

#include "input/perfdata.h"

/* A cursor in a feature.  Reading past the end returns zeros and sets @bad. */
struct feature_reader {
	const uint8_t *at;
	size_t left;
	bool bad;
};

/* False if the file does not have @feature */
bool feature_begin(struct feature_reader *r, const struct perfdata *pd,
		   unsigned int feature);
uint32_t feature_u32(struct feature_reader *r);
uint64_t feature_u64(struct feature_reader *r);
/* A string inside the mapped file, "" if it is damaged */
const char *feature_string(struct feature_reader *r);

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
