/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Table D17-4: the owning translation regime.  Cells that the manual leaves
 * empty have the value above them.
 *
 * Row 14 describes Realm state, although its text says Non-secure, and it has
 * the encoding that row 15 calls reserved.  As in Table D17-1, disabled is one
 * of the permitted behaviours.  Row 15, printed "Reserved", promises nothing
 * that a test could check.
 */

#ifndef SPE_D17_4_H
#define SPE_D17_4_H

#include "table.h"

static const char *const d17_4_rows[][TABLE_INPUTS + TABLE_OUTPUTS] = {
	/*  1 */ { "0", "X", "X", "X", "X", "XX", "XX", "X", "Disabled" },
	/*  2 */ { "1", "0", "0", "0", "0", "0X", "XX", "X", "Secure EL1&0" },
	/*  3 */ { "1", "0", "0", "1", "0", "0X", "1X", "X", "Secure EL1&0" },
	/*  4 */ { "1", "0", "0", "1", "0", "0X", "00", "0", "Secure EL2" },
	/*  5 */ { "1", "0", "0", "1", "0", "0X", "00", "1", "Secure EL2&0" },
	/*  6 */ { "1", "0", "0", "X", "0", "1X", "XX", "X", "Disabled in Secure state" },
	/*  7 */ { "1", "0", "1", "X", "0", "1X", "1X", "X", "Non-secure EL1&0" },
	/*  8 */ { "1", "0", "1", "X", "0", "1X", "00", "0", "Non-secure EL2" },
	/*  9 */ { "1", "0", "1", "X", "0", "1X", "00", "1", "Non-secure EL2&0" },
	/* 10 */ { "1", "0", "1", "X", "0", "0X", "XX", "X", "Disabled in Non-secure state" },
	/* 11 */ { "1", "1", "1", "X", "1", "1X", "1X", "X", "Realm EL1&0" },
	/* 12 */ { "1", "1", "1", "X", "1", "1X", "00", "0", "Realm EL2" },
	/* 13 */ { "1", "1", "1", "X", "1", "1X", "00", "1", "Realm EL2&0" },
	/* 14 */ { "1", "1", "1", "X", "1", "0X", "XX", "X", "Disabled in Non-secure state" },
	/* 15 */ { "X", "X", "X", "X", "1", "0X", "XX", "X", "n/a" },
};

static const struct table d17_4 = {
	.name = "D17-4",
	.inputs = 8, .outputs = 1,
	.rows = sizeof(d17_4_rows) / sizeof(d17_4_rows[0]),
	.input = {
		{ "E", 1 },
		{ "NSE", 1 },
		{ "NS", 1 },
		{ "EEL2", 1 },
		{ "NSPBE", 1 },
		{ "NSPB", 2 },
		{ "E2PB", 2, 1u << 1 },
		{ "E2H", 1 },
	},
	.output = { "regime" },
	.row = d17_4_rows,
};

#endif
