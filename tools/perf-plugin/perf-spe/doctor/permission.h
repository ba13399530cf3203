/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PERF_SPE_DOCTOR_PERMISSION_H
#define PERF_SPE_DOCTOR_PERMISSION_H

#include "doctor/machine.h"

/* Who may use perf events */
void check_permission(struct machine *m);

#endif
