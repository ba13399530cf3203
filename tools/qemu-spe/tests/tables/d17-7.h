/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Table D17-7: which level's PMBSR records all other events.  COLL follows the
 * last column.
 */

#ifndef SPE_D17_7_H
#define SPE_D17_7_H

#include "table.h"

static const char *const d17_7_rows[][TABLE_INPUTS + TABLE_OUTPUTS] = {
	/*  1 */ { "00", "XX", "XX", "EL1", "EL1", "EL1" },
	/*  2 */ { "01", "0X", "XX", "EL1", "EL1", "EL1" },
	/*  3 */ { "01", "10", "00", "EL2", "EL2", "EL1" },
	/*  4 */ { "01", "10", "1X", "EL1", "EL2", "EL1" },
	/*  5 */ { "01", "11", "XX", "EL2", "EL2", "EL2" },
	/*  6 */ { "10", "0X", "XX", "EL1", "EL1", "EL1" },
	/*  7 */ { "10", "10", "00", "EL2", "EL2", "EL1" },
	/*  8 */ { "10", "10", "1X", "EL1", "EL2", "EL1" },
	/*  9 */ { "10", "11", "XX", "EL2", "EL2", "EL2" },
	/* 10 */ { "11", "XX", "XX", "EL3", "EL3", "EL3" },
};

static const struct table d17_7 = {
	.name = "D17-7",
	.inputs = 3, .outputs = 3,
	.rows = sizeof(d17_7_rows) / sizeof(d17_7_rows[0]),
	.input = {
		{ "PMSEE", 2 },
		{ "PMSCR_EL2.EE", 2 },
		{ "E2PB", 2, 1u << 1 },
	},
	.output = { "other abort stage 1", "other abort stage 2", "other event" },
	.row = d17_7_rows,
};

#endif
