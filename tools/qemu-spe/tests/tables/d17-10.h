/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Table D17-10: PMBSR_EL3.S is 1.  The letters are those of Table D17-8.
 */

#ifndef SPE_D17_10_H
#define SPE_D17_10_H

#include "table.h"

static const char *const d17_10_rows[][TABLE_INPUTS + TABLE_OUTPUTS] = {
	/*  1 */ { "0X", "0", "None", "None", "None", "None" },
	/*  2 */ { "0X", "1", "None", "n/a", "None", "None" },
	/*  3 */ { "10", "0", "EL3", "EL3", "EL3", "C" },
	/*  4 */ { "10", "1", "EL3", "n/a", "EL3", "C" },
	/*  5 */ { "11", "0", "EL3", "EL3", "EL3", "C" },
	/*  6 */ { "11", "1", "EL3", "n/a", "EL3", "C" },
};

static const struct table d17_10 = {
	.name = "D17-10",
	.inputs = 2, .outputs = 4,
	.rows = sizeof(d17_10_rows) / sizeof(d17_10_rows[0]),
	.input = {
		{ "PMSEE", 2 },
		{ "TGE", 1 },
	},
	.output = { "EL0", "EL1", "EL2", "EL3" },
	.row = d17_10_rows,
};

#endif
