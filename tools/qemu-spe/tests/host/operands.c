// SPDX-License-Identifier: GPL-2.0-only
/*
 * What the classifier says of an access's operands is what the assembly says, which
 * the assembler encoded: base, index, their update, and the size of the elements
 * that a predicate governs.
 */

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "host.h"
#include "insn.h"

/* The number of the register that begins here; 31 is SP. */
static int reg(const char *at)
{
	return strncmp(at, "sp", 2) ? atoi(at + 1) : 31;
}

static bool indexed(const SPEInsn *insn)
{
	return insn->addr == SPE_ADDR_REG || insn->addr == SPE_ADDR_GATHER;
}

/* "], #16", "], x4" and "]!" */
static bool updates(const char *close)
{
	return close[1] == '!' || close[1] == ',';
}

/* log2 of the bytes of an element: of "{z0.s" 2. */
static int element(const char *list)
{
	static const char sizes[] = "bhsd";

	return strchr(sizes, strchr(list, '.')[1]) - sizes;
}

/* "x4, lsl #3", "w4, sxtw #3": the index, its extension and its shift */
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

	/* An element of a vector is "{v0.b}[3]". */
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
	/* It decides whether the access is checked; those of tags never are. */
	if (!(insn->flags & SPE_INSN_TAGS) &&
	    insn->writeback != updates(strchr(open, ']')))
		return false;
	return !list || insn->esize == element(list);
}
