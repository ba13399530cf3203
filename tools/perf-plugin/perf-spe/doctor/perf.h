/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PERF_SPE_DOCTOR_PERF_H
#define PERF_SPE_DOCTOR_PERF_H

#include "doctor/machine.h"

/* Whether perf is installed, for this kernel, and knows the PMU's attributes */
void check_perf(struct machine *m);

#endif
