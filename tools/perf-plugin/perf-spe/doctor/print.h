/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PERF_SPE_DOCTOR_PRINT_H
#define PERF_SPE_DOCTOR_PRINT_H

#include <stdio.h>

#include "doctor/machine.h"

void print_text(const struct machine *m, FILE *to);
/* One object.  Documentation/perf-spe/perf-spe.md lists the keys: keep their meaning. */
void print_json(const struct machine *m, FILE *to);

#endif
