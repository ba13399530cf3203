/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * PMBIDR_EL1.P, as D24.7.1 describes it: 1 if programming of the Profiling
 * Buffer is not allowed.  For each owner, the rows hold what each level below
 * EL3 reads.
 */

#ifndef SPE_PMBIDR_P_H
#define SPE_PMBIDR_P_H

#include "table.h"

static const char *const pmbidr_p_rows[][TABLE_INPUTS + TABLE_OUTPUTS] = {
	/* Secure state is the owner */
	{ "0", "0X", "XX", "0", "1", "1", "0", "n/a", "1", "1" },
	{ "0", "0X", "00", "1", "1", "1", "1", "0", "1", "1" },
	{ "0", "0X", "1X", "1", "1", "1", "0", "0", "1", "1" },
	/* Non-secure state is the owner */
	{ "0", "1X", "00", "X", "1", "0", "1", "1", "1", "1" },
	{ "0", "1X", "1X", "X", "0", "0", "1", "1", "1", "1" },
	/* Realm state is the owner */
	{ "1", "1X", "00", "X", "1", "1", "1", "1", "1", "0" },
	{ "1", "1X", "1X", "X", "1", "1", "1", "1", "0", "0" },
};

static const struct table pmbidr_p = {
	.name = "PMBIDR_EL1.P",
	.inputs = 4, .outputs = 6,
	.rows = sizeof(pmbidr_p_rows) / sizeof(pmbidr_p_rows[0]),
	.input = {
		{ "NSPBE", 1 },
		{ "NSPB", 2 },
		{ "E2PB", 2, 1u << 1 },
		{ "EEL2", 1 },
	},
	.output = { "Non-secure EL1", "Non-secure EL2", "Secure EL1",
		    "Secure EL2", "Realm EL1", "Realm EL2" },
	.row = pmbidr_p_rows,
};

#endif
