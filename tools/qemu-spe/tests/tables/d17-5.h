/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Table D17-5: which level's PMBSR records a fault of the granule protection
 * check.  The last column is for a Granule Protection Check fault other than a
 * GPF, EC 0x1E.
 */

#ifndef SPE_D17_5_H
#define SPE_D17_5_H

#include "table.h"

static const char *const d17_5_rows[][TABLE_INPUTS + TABLE_OUTPUTS] = {
	/*  1 */ { "00", "X", "XX", "XX", "X", "EL1", "EL1", "EL1" },
	/*  2 */ { "01", "X", "0X", "XX", "X", "EL1", "EL1", "EL1" },
	/*  3 */ { "01", "X", "10", "00", "X", "EL2", "EL2", "EL2" },
	/*  4 */ { "01", "X", "10", "1X", "0", "EL1", "EL2", "EL2" },
	/*  5 */ { "01", "X", "10", "1X", "1", "EL2", "EL2", "EL2" },
	/*  6 */ { "01", "X", "11", "XX", "X", "EL2", "EL2", "EL2" },
	/*  7 */ { "10", "0", "0X", "XX", "X", "EL1", "EL1", "EL3" },
	/*  8 */ { "10", "0", "10", "00", "X", "EL2", "EL2", "EL3" },
	/*  9 */ { "10", "0", "10", "1X", "0", "EL1", "EL2", "EL3" },
	/* 10 */ { "10", "0", "10", "1X", "1", "EL2", "EL2", "EL3" },
	/* 11 */ { "10", "0", "11", "XX", "X", "EL2", "EL2", "EL3" },
	/* 12 */ { "10", "1", "XX", "XX", "X", "EL3", "EL3", "EL3" },
	/* 13 */ { "11", "X", "XX", "XX", "X", "EL3", "EL3", "EL3" },
};

static const struct table d17_5 = {
	.name = "D17-5",
	.inputs = 5, .outputs = 3,
	.rows = sizeof(d17_5_rows) / sizeof(d17_5_rows[0]),
	.input = {
		{ "PMSEE", 2 },
		{ "SCR_EL3.GPF", 1 },
		{ "PMSCR_EL2.EE", 2 },
		{ "E2PB", 2, 1u << 1 },
		{ "HCR_EL2.GPF", 1 },
	},
	.output = { "GPF stage 1", "GPF stage 2", "GPC fault" },
	.row = d17_5_rows,
};

#endif
