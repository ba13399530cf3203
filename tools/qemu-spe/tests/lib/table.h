/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Tables of the manual, checked cell by cell.  A row holds the text of its
 * cells as printed: first the inputs, as patterns of 0, 1 and X or as !=00,
 * then the outputs.
 */

#ifndef SPE_TABLE_H
#define SPE_TABLE_H

#include <stdbool.h>
#include <stdint.h>

#define TABLE_INPUTS	9
#define TABLE_OUTPUTS	6

/* A column of inputs: a field, with as many bits as the column's patterns. */
struct column {
	const char *name;
	int bits;
	/*
	 * One bit for each reserved value.  No pattern matches a reserved
	 * value.
	 */
	unsigned int reserved;
};

struct table {
	const char *name;
	int inputs, outputs, rows;
	struct column input[TABLE_INPUTS];
	const char *output[TABLE_OUTPUTS];
	const char *const (*row)[TABLE_INPUTS + TABLE_OUTPUTS];
};

/*
 * Runs one case for each cell.  A row stands for several combinations of
 * inputs.  The case passes if, for each of them that is @possible on this
 * machine, @observe returns the text of the cell.  Cells that read "n/a", and
 * cells without a possible combination, are counted as not reachable.  @variant
 * says what the machine lacks, and is empty for the machine that has
 * everything.
 */
extern void table_check(const struct table *t, const char *variant,
			bool (*possible)(const unsigned int *v, int output),
			const char *(*observe)(const unsigned int *v,
					       int output));

/* Prints the same totals for cases that do not come from such a table. */
extern void table_sum(const char *name, const char *variant,
		      unsigned int passed, unsigned int cells,
		      unsigned int unreachable);

extern bool same(const char *a, const char *b);
/* These append to a text, and return its new end. */
extern char *append(char *end, const char *text);
extern char *append_number(char *end, uint64_t value, unsigned int base);

#endif
