/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PERF_SPE_DOCTOR_EXAMINE_H
#define PERF_SPE_DOCTOR_EXAMINE_H

#include "doctor/machine.h"

/*
 * Run all checks.  The report's first problem is the one to solve first: checks of what
 * makes others pointless, such as a hypervisor without SPE, come before these.
 */
void examine(struct machine *m);

#endif
