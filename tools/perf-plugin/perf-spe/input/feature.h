/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a perf.data file's header says of the machine and the recording, as
 * tools/perf/Documentation/perf.data-file-format.txt defines it.
 */
#ifndef PERF_SPE_FEATURE_H
#define PERF_SPE_FEATURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "input/perfdata.h"

/* Reads on; behind the end there are zeros, and @bad is set. */
struct feature_reader {
	const uint8_t *at;
	size_t left;
	bool bad;
};

/* False where the file does not have it. */
bool feature_begin(struct feature_reader *r, const struct perfdata *pd,
		   unsigned int feature);
uint32_t feature_u32(struct feature_reader *r);
uint64_t feature_u64(struct feature_reader *r);
/* A string inside the file, "" where there is none. */
const char *feature_string(struct feature_reader *r);

/* As text, for the caller to free; NULL where the file does not tell. */
char *feature_hostname(const struct perfdata *pd);
char *feature_cpu(const struct perfdata *pd);
char *feature_memory(const struct perfdata *pd);
char *feature_command(const struct perfdata *pd);
/* The name of the PMU of this type, inside the file, or NULL. */
const char *feature_pmu(const struct perfdata *pd, uint32_t type);

/* The name of the file's event @attr, as it was asked for; inside the file. */
const char *feature_event(const struct perfdata *pd, size_t attr);

#endif
