/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Tables of the manual, cell by cell.  A row is the text of its cells as
 * printed: inputs as patterns of 0, 1 and X, or !=00, then the outputs.
 */

#ifndef SPE_TABLE_H
#define SPE_TABLE_H

#include <stdbool.h>
#include <stdint.h>

#define TABLE_INPUTS	9
#define TABLE_OUTPUTS	6

/* A column of inputs: a field as wide as its column's patterns. */
struct column {
	const char *name;
	int bits;
	/* Reserved values, a bit each; a pattern never means them. */
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
 * One case for each cell, which passes if @observe answers with the cell's
 * text for every combination of inputs that its row stands for and that
 * @possible on this machine.  Cells "n/a" and those without any such
 * combination are told apart from those that pass.  @variant: which machine,
 * empty for the one that has everything.
 */
extern void table_check(const struct table *t, const char *variant,
			bool (*possible)(const unsigned int *v, int output),
			const char *(*observe)(const unsigned int *v,
					       int output));

/* The same sum for cases that are no table of this form. */
extern void table_sum(const char *name, const char *variant,
		      unsigned int passed, unsigned int cells,
		      unsigned int unreachable);

extern bool same(const char *a, const char *b);
/* A text put together of several: returns its new end. */
extern char *append(char *end, const char *text);
extern char *append_number(char *end, uint64_t value, unsigned int base);

#endif
