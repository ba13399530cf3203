/* SPDX-License-Identifier: GPL-2.0-only */
/* ACPI's MADT, in which firmware describes the interrupt of SPE for each CPU. */
#ifndef PERF_SPE_DOCTOR_MADT_H
#define PERF_SPE_DOCTOR_MADT_H

#include <stddef.h>
#include <stdint.h>

enum madt_spe {
	MADT_UNKNOWN,			/* no table, or a damaged one */
	MADT_TOO_OLD,			/* its GICC entries end before the field */
	MADT_NONE,			/* the field is 0 in each entry */
	MADT_SOME,			/* at least one CPU has an interrupt */
};

enum madt_spe madt_spe(const uint8_t *table, size_t size);

#endif
