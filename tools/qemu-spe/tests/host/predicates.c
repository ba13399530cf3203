// SPDX-License-Identifier: GPL-2.0-only
/*
 * Compares what the classifier finds in an encoding of SVE or SME with the
 * assembly text: governing predicates, the size of the elements that they
 * govern, the number of vectors, and the tiles of ZA.
 */

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "host.h"
#include "insn/insn.h"

static const char sizes[] = "bhsdq";

/* log2 of the size in bytes: 2 for "z0.s", of which @at is the dot. */
static int element(const char *at)
{
	return strchr(sizes, at[1]) - sizes;
}

/* The dot of a size, as in "z0.s" and "za0h.s", and not that of "b.ne". */
static const char *next_size(const char *at)
{
	for (at = strpbrk(at, " "); at && (at = strchr(at, '.')); at++)
		if (at[1] && strchr(sizes, at[1]) && !isalnum((unsigned char)at[2]))
			return at;
	return NULL;
}

/* The second and the third operand: "p1/m", "p1" or another. */
static int predicate(const char *text, int nth)
{
	while ((text = strstr(text, ", p")))
		if (text += 3, !nth--)
			return atoi(text);
	return 0xff;
}

/*
 * The size of the elements of which each has a bit in the predicate: the wider
 * one of a conversion, the source of an outer product, the result otherwise.
 */
static int governed_size(const char *text, const SPEInsn *insn)
{
	bool conversion = strstr(text, "cvt");
	const char *at = next_size(text);
	int size = at ? element(at) : 0;

	while (at && (at = next_size(at + 1)))
		if (insn->flags & SPE_INSN_SME || (conversion && element(at) > size))
			size = element(at);
	return size;
}

/* "{z0.s-z2.s}": the number of vectors; 1 without such a list */
static int vectors_of(const char *text)
{
	const char *dash = strstr(text, "-z");

	return dash ? atoi(dash + 2) - atoi(strstr(text, "{z") + 2) + 1 : 1;
}

static bool same_contiguous(const char *text, const SPEInsn *insn)
{
	/* "ld1sw": the size in memory is the last letter before the blank. */
	const char *blank = strchr(text, ' ');
	int memory = strchr("bhwdq", blank[-1]) - "bhwdq";

	return insn->esize - insn->vl_shift == memory;
}

/* Eighths of ZA: "{za}" is all of it, "za0.d" one.  "za0h.d" is a slice. */
static int eighths_of(const char *text, bool access)
{
	const char *at = strstr(text, "za");
	int sum = 0;

	if (strstr(text, "{za}"))
		return 8;
	if (!access && at && strchr("hv", at[2 + strspn(at + 2, "0123456789")]))
		return SPE_ZA_SLICE;
	for (; at; at = strstr(at + 1, "za"))
		if (at[3] == '.')
			sum += 8 >> element(at + 3);
	return sum;
}

bool same_predicates(const char *text, const SPEInsn *insn)
{
	bool sve = insn->flags & SPE_INSN_SVE, sme = insn->flags & SPE_INSN_SME;
	/* Without this bit SVE does not count the predicate as governing. */
	bool governed = sme || (sve && insn->subclass & SPE_SUB_SVE_PRED);
	int pg = governed ? predicate(text, 0) : 0xff;
	int pg2 = sme && insn->op_class == SPE_CLASS_OTHER ? predicate(text, 1) : 0xff;

	if (insn->pg != pg || insn->pg2 != pg2 || insn->vl_count != (sve ? vectors_of(text) : 0) ||
	    insn->za_eighths != (sme ? eighths_of(text, insn->op_class == SPE_CLASS_LDST) : 0))
		return false;
	if (pg == 0xff)
		return true;
	if (insn->op_class == SPE_CLASS_LDST && !insn->size && !same_contiguous(text, insn))
		return false;
	return insn->esize == governed_size(text, insn);
}
