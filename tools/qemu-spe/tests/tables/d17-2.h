/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Table D17-2: whether profiling is stopped.
 *
 * These are the printed values, which are inverted.  RTWFRY says that profiling
 * is stopped if PMBSR_EL1.S is 1, and SPEProfilingStopped() computes the same.
 * The table, however, says False there, and True where no S counts.  The test
 * follows the text: t-d17-enabling.c reads True as "not stopped".
 */

#ifndef SPE_D17_2_H
#define SPE_D17_2_H

#include "table.h"

static const char *const d17_2_rows[][TABLE_INPUTS + TABLE_OUTPUTS] = {
	/*  1 */ { "0", "00", "X", "XX", "X", "True" },
	/*  2 */ { "0", "01", "X", "0X", "X", "True" },
	/*  3 */ { "0", "01", "X", "1X", "0", "True" },
	/*  4 */ { "0", "01", "X", "1X", "1", "False" },
	/*  5 */ { "0", "1X", "0", "0X", "X", "True" },
	/*  6 */ { "0", "1X", "0", "1X", "0", "True" },
	/*  7 */ { "0", "1X", "0", "1X", "1", "False" },
	/*  8 */ { "0", "1X", "1", "XX", "X", "False" },
	/*  9 */ { "1", "XX", "X", "XX", "X", "False" },
};

static const struct table d17_2 = {
	.name = "D17-2",
	.inputs = 5, .outputs = 1,
	.rows = sizeof(d17_2_rows) / sizeof(d17_2_rows[0]),
	.input = {
		{ "PMBSR_EL1.S", 1 },
		{ "PMSEE", 2 },
		{ "PMBSR_EL3.S", 1 },
		{ "PMSCR_EL2.EE", 2 },
		{ "PMBSR_EL2.S", 1 },
	},
	.output = { "stopped" },
	.row = d17_2_rows,
};

#endif
