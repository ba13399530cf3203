/* SPDX-License-Identifier: GPL-2.0-only */
/* Whether the kernel has an SPE driver, and what keeps it from being loaded. */
#ifndef PERF_SPE_DOCTOR_DRIVER_H
#define PERF_SPE_DOCTOR_DRIVER_H

#include <stdbool.h>

#include "doctor/machine.h"

/* True if the driver runs; else after a finding */
bool check_driver(struct machine *m);

/* There is a PMU: say whether other events can pause it, and why not. */
void check_pause(struct machine *m);

#endif
