/* SPDX-License-Identifier: GPL-2.0-only */
/* The value of --cpu-model: the name of a core. */
#ifndef PERF_SPE_CPU_MODEL_H
#define PERF_SPE_CPU_MODEL_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Find the core with this name, such as "neoverse-n1" or "Neoverse N1", and set
 * *midr to its MIDR_EL1 without variant and revision.  False after a message that
 * names the cores whose data sources perf-spe knows.
 */
bool cpu_model_parse(const char *verb, const char *name, uint64_t *midr);

/* The names of the cores: a word_fn */
const char *cpu_model_name(unsigned int index);

#endif
