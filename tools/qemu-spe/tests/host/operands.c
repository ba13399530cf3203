// SPDX-License-Identifier: GPL-2.0-only
/*
 * Compares the operands that the classifier finds in an encoding with those in
 * the assembly text: base, index, writeback, and the size of the elements that
 * a predicate governs.
 */

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "host.h"
#include "insn/operation.h"

/* The number of the register whose name begins here; 31 is SP. */
static int reg(const char *at)
{
	return strncmp(at, "sp", 2) ? atoi(at + 1) : 31;
}

static bool indexed(const SPEInsn *insn)
{
	return insn->addr == SPE_ADDR_REG || insn->addr == SPE_ADDR_GATHER;
}

/* Writeback is "], #16", "], x4" or "]!". */
static bool updates(const char *close)
{
	return close[1] == '!' || close[1] == ',';
}

/* log2 of the size of an element in bytes: 2 for "{z0.s". */
static int element(const char *list)
{
	static const char sizes[] = "bhsd";

	return strchr(sizes, strchr(list, '.')[1]) - sizes;
}

/* "x4, lsl #3" or "w4, sxtw #3": the index, its extension and its shift */
static bool same_index(const char *index, const SPEInsn *insn)
{
	const char *by = strchr(index, '#');
	int extend = strstr(index, "sxtw") ? 6 : strstr(index, "uxtw") ? 2 : 3;

	return insn->rm == reg(index) && insn->extend == extend &&
	       insn->shift == (by ? atoi(by + 1) : 0);
}

bool same_operands(const char *text, const SPEInsn *insn)
{
	const char *open = strchr(text, '['), *list = strstr(text, "{z"), *index;

	/* Skips the index of a vector element, as in "{v0.b}[3]". */
	while (open && isdigit((unsigned char)open[1]))
		open = strchr(open + 1, '[');
	if (insn->addr == SPE_ADDR_BLOCK)
		return insn->rn == reg(strchr(text, ',') + 2);
	if (insn->op_class != SPE_CLASS_LDST || !open)
		return true;
	if (insn->rn != reg(open + 1))
		return false;
	index = strchr(open, ',');
	if (indexed(insn) && (!index || !same_index(index + 2, insn)))
		return false;
	/*
	 * For an access relative to SP, writeback decides whether it is Tag
	 * Checked.  Accesses to Allocation Tags never are, so the classifier
	 * does not set it for them.
	 */
	if (!(insn->flags & SPE_INSN_TAGS) &&
	    insn->writeback != updates(strchr(open, ']')))
		return false;
	return !list || insn->esize == element(list);
}
