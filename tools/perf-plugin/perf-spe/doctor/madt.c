// SPDX-License-Identifier: GPL-2.0-only
#include "doctor/doctor.h"

/* ACPI 6.5, 5.2.12 (MADT) and 5.2.12.14 (GICC structure) */
#define MADT_HEADER	44		/* then the structures */
#define GICC_TYPE	0x0b
#define GICC_SPE	78		/* 16 bits; ACPI 6.3 added them */

/* Firmware may list CPUs that a machine does not have: their flags have neither bit. */
#define GICC_FLAGS	12		/* 32 bits: 0 enabled, 3 online capable */
#define GICC_PRESENT	0x09

enum madt_spe madt_spe(const uint8_t *table, size_t size, unsigned int *with, unsigned int *all)
{
	bool has_field = false;
	size_t at, len;

	*with = *all = 0;
	for (at = MADT_HEADER; at + 2 <= size; at += len) {
		const uint8_t *entry = table + at;

		len = entry[1];
		if (len < 2 || len > size - at)
			return MADT_UNKNOWN;
		if (entry[0] != GICC_TYPE)
			continue;
		if (len > GICC_FLAGS && !(entry[GICC_FLAGS] & GICC_PRESENT))
			continue;
		++*all;
		if (len < GICC_SPE + 2)
			continue;
		has_field = true;
		*with += entry[GICC_SPE] || entry[GICC_SPE + 1];
	}
	if (!*all)
		return MADT_UNKNOWN;
	if (!*with)
		return has_field ? MADT_NONE : MADT_TOO_OLD;
	return *with < *all ? MADT_PART : MADT_ALL;
}
