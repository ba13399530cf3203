/* SPDX-License-Identifier: GPL-2.0-only */
/* Clouds and hypervisors: how to recognize them, and which machines of theirs have SPE. */
#ifndef PERF_SPE_DOCTOR_PLATFORMS_H
#define PERF_SPE_DOCTOR_PLATFORMS_H

#include <stdbool.h>

#include "doctor/report.h"

/* What firmware says of the machine (SMBIOS, as /sys/class/dmi/id has it); "" if nothing */
struct dmi {
	const char *vendor;		/* sys_vendor */
	const char *product;		/* product_name */
	const char *asset_tag;		/* chassis_asset_tag */
};

/* What the kernel's log says about the Exception level at which it started */
enum started {
	STARTED_UNKNOWN,
	STARTED_EL1,
	STARTED_EL2,
};

struct platform {
	const char *id;			/* in --json */
	const char *name;
	struct remedy absent;		/* no SPE in a virtual machine of this platform */
};

/*
 * The platform that these strings name; *is_virtual tells whether the machine is a
 * virtual one.  NULL if no row fits: the machine counts as a real one.
 */
const struct platform *platform_find(const struct dmi *dmi, enum started started,
				     bool *is_virtual);
/* For a kernel that a hypervisor runs, of which the firmware's strings say nothing */
const struct platform *platform_of_log(const char *log, enum started started);

#endif
