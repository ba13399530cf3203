// SPDX-License-Identifier: GPL-2.0-only
/*
 * Compares the operands that the classifier finds in an encoding with those in
 * the assembly text: base, index, writeback, the register that a condition
 * tests, and the registers of Memory Copy and Memory Set.  predicates.c compares
 * what belongs to SVE and SME.
 */

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "host.h"
#include "insn/insn.h"

/* The number of the register whose name begins here; 31 is SP. */
static int reg(const char *at)
{
	return strncmp(at, "sp", 2) ? atoi(at + 1) : 31;
}

static bool begins(const char *text, const char *with)
{
	return !strncmp(text, with, strlen(with));
}

static const char *last_operand(const char *text)
{
	return strrchr(text, ',') + 2;
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

/* "x4, lsl #3" or "w4, sxtw #3": the index, its extension and its shift */
static bool same_index(const char *index, const SPEInsn *insn)
{
	const char *by = strchr(index, '#');
	int extend = strstr(index, "sxtw") ? 6 : strstr(index, "uxtw") ? 2 : 3;

	return insn->rm == reg(index) && insn->extend == extend &&
	       insn->shift == (by ? atoi(by + 1) : 0);
}

/* "[z4.d, x5]": what is added to each element; 31, the zero register, if none */
static int added(const char *index)
{
	return index && index[2] == 'x' ? reg(index + 2) : 31;
}

static bool same_access(const char *text, const SPEInsn *insn)
{
	const char *open = strchr(text, '['), *index;

	/* Skips the index of an element and the slice, as in "{v0.b}[3]". */
	while (open && (isdigit((unsigned char)open[1]) || open[1] == 'w'))
		open = strchr(open + 1, '[');
	if (insn->addr == SPE_ADDR_BLOCK)
		return insn->rn == reg(last_operand(text));
	if (insn->op_class != SPE_CLASS_LDST || !open)
		return true;
	if (insn->rn != reg(open + 1))
		return false;
	index = strchr(open, ',');
	if (indexed(insn) && (!index || !same_index(index + 2, insn)))
		return false;
	if (insn->addr == SPE_ADDR_VECTOR && insn->rm != added(index))
		return false;
	/* The first register of Store-Exclusive takes the status. */
	if (insn->flags & SPE_INSN_EXCL && insn->flags & SPE_INSN_ST &&
	    insn->rd != reg(strchr(text, ' ') + 1))
		return false;
	/*
	 * For an access relative to SP, writeback decides whether it is Tag
	 * Checked.  Accesses to Allocation Tags never are, so the classifier
	 * does not set it for them.
	 */
	return insn->flags & SPE_INSN_TAGS ||
	       insn->writeback == updates(strchr(open, ']'));
}

/* C1.2.4: the condition codes, by their encoding */
static int condition(const char *name)
{
	static const char names[] = "eq ne cs cc mi pl vs vc hi ls ge lt gt le al";

	return (strstr(names, name) - names) / 3;
}

static bool same_condition(const char *text, const SPEInsn *insn)
{
	bool tests_64 = strchr(text, ' ')[1] == 'x';
	int cond = SPE_COND_NONE, cc = 0, rt = 0;

	if (begins(text, "b.") || begins(text, "bc.")) {
		const char *dot = strchr(text, '.');
		char name[3] = { dot[1], dot[2] };

		cond = SPE_COND_FLAGS;
		cc = condition(name);
		tests_64 = false;
	} else if (begins(text, "cbz") || begins(text, "cbnz")) {
		cond = begins(text, "cbz") ? SPE_COND_ZERO : SPE_COND_NONZERO;
		rt = reg(strchr(text, ' ') + 1);
	} else if (begins(text, "tbz") || begins(text, "tbnz")) {
		cond = begins(text, "tbz") ? SPE_COND_BIT_CLEAR : SPE_COND_BIT_SET;
		rt = reg(strchr(text, ' ') + 1);
		cc = atoi(strchr(text, '#') + 1);
		/* The bit's number alone decides which bit is tested. */
		tests_64 = true;
	} else if (begins(text, "cs") || begins(text, "fcs") ||
		   begins(text, "ccm") || begins(text, "fccm")) {
		cond = SPE_COND_FLAGS;
		/* CSET is an alias of CSINC with the opposite condition. */
		cc = condition(last_operand(text)) ^ begins(text, "cset");
		tests_64 = false;
	} else {
		tests_64 = false;
	}
	return insn->cond == cond && insn->cc == cc && insn->rt == rt &&
	       insn->rt_64 == tests_64;
}

/* "cpyfp [x3]!, [x4]!, x5!" and "setp [x3]!, x5!, x4": @at is the first "[". */
static bool same_copy(const char *text, const SPEInsn *insn)
{
	const char *second = strchr(text, ',') + 2, *third = last_operand(text);
	bool copy = begins(text, "cpy");
	/* After "cpy", "cpyf", "set" or "setg" follows the stage. */
	char stage = text[3 + (text[3] == 'f' || text[3] == 'g')];
	static const char stages[] = "pme";

	return insn->rd == reg(strchr(text, '[') + 1) &&
	       insn->rn == reg(copy ? third : second) &&
	       insn->rm == reg(copy ? second + 1 : third) &&
	       insn->stage == strchr(stages, stage) - stages;
}

bool same_operands(const char *text, const SPEInsn *insn)
{
	if (insn->addr == SPE_ADDR_COPY || insn->addr == SPE_ADDR_SET)
		return same_copy(text, insn);
	return same_access(text, insn) && same_predicates(text, insn) &&
	       (!strchr(text, ' ') || same_condition(text, insn));
}
