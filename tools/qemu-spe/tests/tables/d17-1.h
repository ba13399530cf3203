/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Table D17-1: where profiling is enabled.  D means disabled; otherwise the
 * cell names the bit that enables profiling.  Cells that the manual leaves
 * empty have the value above them.
 *
 * Rows 1 and 12 are printed with {NSPBE,NSPB} = {1,0x}, which Table D17-4 and
 * MDCR_EL3 call reserved.  With a reserved value the SPU may behave as if
 * profiling were disabled, and these rows require that.
 */

#ifndef SPE_D17_1_H
#define SPE_D17_1_H

#include "table.h"

static const char *const d17_1_rows[][TABLE_INPUTS + TABLE_OUTPUTS] = {
	/*  1 */ { "0", "1", "1", "0X", "X", "X", "X", "D", "D", "D", "D" },
	/*  2 */ { "0", "1", "0", "1X", "1X", "X", "0", "D", "D", "E1SPE", "E0SPE" },
	/*  3 */ { "0", "1", "0", "1X", "1X", "X", "1", "D", "D", "n/a", "D" },
	/*  4 */ { "0", "1", "0", "1X", "00", "X", "0", "D", "E2SPE", "E1SPE", "E0SPE" },
	/*  5 */ { "0", "1", "0", "1X", "00", "X", "1", "D", "E2SPE", "n/a", "E0HSPE" },
	/*  6 */ { "0", "0", "0", "1X", "X", "X", "X", "D", "D", "D", "D" },
	/*  7 */ { "0", "0", "0", "0X", "X", "0", "X", "D", "n/a", "E1SPE", "E0SPE" },
	/*  8 */ { "0", "0", "0", "0X", "1X", "1", "0", "D", "D", "E1SPE", "E0SPE" },
	/*  9 */ { "0", "0", "0", "0X", "1X", "1", "1", "D", "D", "n/a", "D" },
	/* 10 */ { "0", "0", "0", "0X", "00", "1", "0", "D", "E2SPE", "E1SPE", "E0SPE" },
	/* 11 */ { "0", "0", "0", "0X", "00", "1", "1", "D", "E2SPE", "n/a", "E0HSPE" },
	/* 12 */ { "1", "1", "1", "0X", "X", "X", "X", "D", "D", "D", "D" },
	/* 13 */ { "1", "1", "1", "1X", "1X", "X", "0", "D", "D", "E1SPE", "E0SPE" },
	/* 14 */ { "1", "1", "1", "1X", "1X", "X", "1", "D", "D", "n/a", "D" },
	/* 15 */ { "1", "1", "1", "1X", "00", "X", "0", "D", "E2SPE", "E1SPE", "E0SPE" },
	/* 16 */ { "1", "1", "1", "1X", "00", "X", "1", "D", "E2SPE", "n/a", "E0HSPE" },
};

static const struct table d17_1 = {
	.name = "D17-1",
	.inputs = 7, .outputs = 4,
	.rows = sizeof(d17_1_rows) / sizeof(d17_1_rows[0]),
	.input = {
		{ "NSE", 1 },
		{ "NS", 1 },
		{ "NSPBE", 1 },
		{ "NSPB", 2 },
		{ "E2PB", 2, 1u << 1 },
		{ "EEL2", 1 },
		{ "TGE", 1 },
	},
	.output = { "EL3", "EL2", "EL1", "EL0" },
	.row = d17_1_rows,
};

#endif
