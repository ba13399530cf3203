/* SPDX-License-Identifier: GPL-2.0-only */
/* The SPE device that firmware describes, and why no driver has bound it. */
#ifndef PERF_SPE_DOCTOR_DEVICE_H
#define PERF_SPE_DOCTOR_DEVICE_H

#include <stdbool.h>

#include "doctor/machine.h"
#include "doctor/madt.h"

/* What firmware tells the kernel of SPE */
struct firmware {
	char *device;			/* of the platform bus; NULL: none */
	enum madt_spe madt;
};

void firmware_read(struct firmware *f, const struct machine *m);
void firmware_free(struct firmware *f);

/* Whether firmware describes the interrupt, as far as doctor can see */
bool firmware_has_spe(const struct firmware *f);
/* Whether firmware certainly describes none; then add the finding. */
bool check_firmware(struct machine *m, const struct firmware *f);
/* The driver is there, but has no PMU: find out why it did not bind. */
void check_binding(struct machine *m, const struct firmware *f);

#endif
