/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Table D17-6: which level's PMBSR records an External abort.
 */

#ifndef SPE_D17_6_H
#define SPE_D17_6_H

#include "table.h"

static const char *const d17_6_rows[][TABLE_INPUTS + TABLE_OUTPUTS] = {
	/*  1 */ { "00", "X", "XX", "XX", "X", "EL1", "EL1" },
	/*  2 */ { "01", "X", "0X", "XX", "X", "EL1", "EL1" },
	/*  3 */ { "01", "X", "10", "00", "X", "EL2", "EL2" },
	/*  4 */ { "01", "X", "10", "1X", "0", "EL1", "EL2" },
	/*  5 */ { "01", "X", "10", "1X", "1", "EL2", "EL2" },
	/*  6 */ { "01", "X", "11", "XX", "X", "EL2", "EL2" },
	/*  7 */ { "10", "0", "0X", "XX", "X", "EL1", "EL1" },
	/*  8 */ { "10", "0", "10", "00", "X", "EL2", "EL2" },
	/*  9 */ { "10", "0", "10", "1X", "0", "EL1", "EL2" },
	/* 10 */ { "10", "0", "10", "1X", "1", "EL2", "EL2" },
	/* 11 */ { "10", "0", "11", "XX", "X", "EL2", "EL2" },
	/* 12 */ { "10", "1", "XX", "XX", "X", "EL3", "EL3" },
	/* 13 */ { "11", "X", "XX", "XX", "X", "EL3", "EL3" },
};

static const struct table d17_6 = {
	.name = "D17-6",
	.inputs = 5, .outputs = 2,
	.rows = sizeof(d17_6_rows) / sizeof(d17_6_rows[0]),
	.input = {
		{ "PMSEE", 2 },
		{ "SCR_EL3.EA", 1 },
		{ "PMSCR_EL2.EE", 2 },
		{ "E2PB", 2, 1u << 1 },
		{ "HCR_EL2.TEA", 1 },
	},
	.output = { "External abort stage 1", "External abort stage 2" },
	.row = d17_6_rows,
};

#endif
