/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Table D17-9: PMBSR_EL2.S is 1.  The letters are those of Table D17-8.
 */

#ifndef SPE_D17_9_H
#define SPE_D17_9_H

#include "table.h"

static const char *const d17_9_rows[][TABLE_INPUTS + TABLE_OUTPUTS] = {
	/*  1 */ { "00", "XX", "X", "0", "X", "None", "None", "None", "None" },
	/*  2 */ { "00", "XX", "X", "1", "X", "None", "n/a", "None", "None" },
	/*  3 */ { "!=00", "0X", "X", "0", "X", "None", "None", "None", "None" },
	/*  4 */ { "!=00", "0X", "X", "1", "X", "None", "n/a", "None", "None" },
	/*  5 */ { "!=00", "10", "X", "0", "X", "EL2", "EL2", "C", "C" },
	/*  6 */ { "!=00", "10", "X", "1", "X", "EL2", "n/a", "C", "C" },
	/*  7 */ { "!=00", "11", "0", "0", "X", "EL2", "EL2", "C", "C" },
	/*  8 */ { "!=00", "11", "0", "1", "X", "EL2", "n/a", "C", "C" },
	/*  9 */ { "!=00", "11", "1", "0", "0", "EL2", "EL2", "EL2", "C" },
	/* 10 */ { "!=00", "11", "1", "0", "1", "EL2", "EL2", "B", "C" },
	/* 11 */ { "!=00", "11", "1", "1", "0", "EL2", "n/a", "EL2", "C" },
	/* 12 */ { "!=00", "11", "1", "1", "1", "EL2", "n/a", "B", "C" },
};

static const struct table d17_9 = {
	.name = "D17-9",
	.inputs = 5, .outputs = 4,
	.rows = sizeof(d17_9_rows) / sizeof(d17_9_rows[0]),
	.input = {
		{ "PMSEE", 2 },
		{ "PMSCR_EL2.EE", 2 },
		{ "KE", 1 },
		{ "TGE", 1 },
		{ "PM", 1 },
	},
	.output = { "EL0", "EL1", "EL2", "EL3" },
	.row = d17_9_rows,
};

#endif
