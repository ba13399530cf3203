/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Table D17-3: which timestamp is recorded, with FEAT_ECV.  In the first
 * column, "EL2 enabled", 0 is FALSE and 1 is TRUE.  In the second, "owning EL",
 * 0 is EL1 and 1 is EL2.  Cells that the manual leaves empty have the value
 * above them.  PCT 10 is reserved.
 */

#ifndef SPE_D17_3_H
#define SPE_D17_3_H

#include "table.h"

static const char *const d17_3_rows[][TABLE_INPUTS + TABLE_OUTPUTS] = {
	/*  1 */ { "X", "0", "XX", "X", "XX", "0", "None" },
	/*  2 */ { "X", "0", "XX", "X", "00", "1", "PhysicalCountInt() - virtual offset" },
	/*  3 */ { "0", "0", "XX", "X", "01", "1", "PhysicalCountInt()" },
	/*  4 */ { "0", "0", "XX", "X", "11", "1", "PhysicalCountInt() - physical offset" },
	/*  5 */ { "1", "0", "00", "X", "XX", "1", "PhysicalCountInt() - virtual offset" },
	/*  6 */ { "1", "0", "01", "X", "01", "1", "PhysicalCountInt()" },
	/*  7 */ { "1", "0", "01", "X", "11", "1", "PhysicalCountInt() - physical offset" },
	/*  8 */ { "1", "0", "11", "X", "01", "1", "PhysicalCountInt() - physical offset" },
	/*  9 */ { "1", "0", "11", "X", "11", "1", "PhysicalCountInt() - physical offset" },
	/* 10 */ { "1", "1", "XX", "0", "XX", "X", "None" },
	/* 11 */ { "1", "1", "00", "1", "XX", "X", "PhysicalCountInt() - virtual offset" },
	/* 12 */ { "1", "1", "01", "1", "XX", "X", "PhysicalCountInt()" },
	/* 13 */ { "1", "1", "11", "1", "XX", "X", "PhysicalCountInt() - physical offset" },
};

static const struct table d17_3 = {
	.name = "D17-3",
	.inputs = 6, .outputs = 1,
	.rows = sizeof(d17_3_rows) / sizeof(d17_3_rows[0]),
	.input = {
		{ "EL2_enabled", 1 },
		{ "owner_EL2", 1 },
		{ "PMSCR_EL2.PCT", 2, 1u << 2 },
		{ "PMSCR_EL2.TS", 1 },
		{ "PMSCR_EL1.PCT", 2, 1u << 2 },
		{ "PMSCR_EL1.TS", 1 },
	},
	.output = { "timestamp" },
	.row = d17_3_rows,
};

#endif
