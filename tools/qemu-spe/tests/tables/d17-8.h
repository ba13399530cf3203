/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Table D17-8: PMBSR_EL1.S is 1.  B means masked by PSTATE.PM, and C means
 * masked regardless of PSTATE.PM.  In both cases the exception remains
 * pending.  None means that the exception is disabled.
 */

#ifndef SPE_D17_8_H
#define SPE_D17_8_H

#include "table.h"

static const char *const d17_8_rows[][TABLE_INPUTS + TABLE_OUTPUTS] = {
	/*  1 */ { "00", "XX", "0", "XX", "X", "X", "HIGH", "None", "None", "None", "None" },
	/*  2 */ { "00", "XX", "1", "XX", "X", "X", "HIGH", "None", "n/a", "None", "None" },
	/*  3 */ { "!=00", "00", "0", "XX", "X", "X", "HIGH", "None", "None", "None", "None" },
	/*  4 */ { "!=00", "00", "1", "XX", "X", "X", "HIGH", "None", "n/a", "None", "None" },
	/*  5 */ { "!=00", "!=00", "0", "0X", "X", "X", "HIGH", "None", "None", "None", "None" },
	/*  6 */ { "!=00", "!=00", "0", "1X", "0", "X", "LOW", "EL1", "C", "C", "C" },
	/*  7 */ { "!=00", "!=00", "0", "1X", "1", "0", "LOW", "EL1", "EL1", "C", "C" },
	/*  8 */ { "!=00", "!=00", "0", "1X", "1", "1", "LOW", "EL1", "B", "C", "C" },
	/*  9 */ { "!=00", "!=00", "1", "0X", "X", "X", "HIGH", "None", "n/a", "None", "None" },
	/* 10 */ { "!=00", "!=00", "1", "1X", "X", "X", "LOW", "EL2", "n/a", "C", "C" },
};

static const struct table d17_8 = {
	.name = "D17-8",
	.inputs = 6, .outputs = 5,
	.rows = sizeof(d17_8_rows) / sizeof(d17_8_rows[0]),
	.input = {
		{ "PMSEE", 2 },
		{ "PMSCR_EL2.EE", 2 },
		{ "TGE", 1 },
		{ "PMSCR_EL1.EE", 2 },
		{ "KE", 1 },
		{ "PM", 1 },
	},
	.output = { "IRQ", "EL0", "EL1", "EL2", "EL3" },
	.row = d17_8_rows,
};

#endif
