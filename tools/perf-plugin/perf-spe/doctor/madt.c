// SPDX-License-Identifier: GPL-2.0-only
#include "doctor/doctor.h"

/* ACPI 6.5, 5.2.12 (MADT) and 5.2.12.14 (GICC structure) */
#define MADT_HEADER	44		/* then the structures */
#define GICC_TYPE	0x0b
#define GICC_SPE	78		/* 16 bits; ACPI 6.3 added them */

enum madt_spe madt_spe(const uint8_t *table, size_t size)
{
	enum madt_spe spe = MADT_UNKNOWN;
	size_t at, len;

	for (at = MADT_HEADER; at + 2 <= size; at += len) {
		const uint8_t *entry = table + at;

		len = entry[1];
		if (len < 2 || len > size - at)
			return MADT_UNKNOWN;
		if (entry[0] != GICC_TYPE)
			continue;
		if (len < GICC_SPE + 2)
			spe = spe < MADT_TOO_OLD ? MADT_TOO_OLD : spe;
		else if (entry[GICC_SPE] || entry[GICC_SPE + 1])
			spe = MADT_SOME;
		else
			spe = spe < MADT_NONE ? MADT_NONE : spe;
	}
	return spe;
}
