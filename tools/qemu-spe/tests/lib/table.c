// SPDX-License-Identifier: GPL-2.0-only
/* Checks tables of the manual, cell by cell: see table.h. */

#include "table.h"
#include "test.h"

bool same(const char *a, const char *b)
{
	while (*a && *a == *b)
		a++, b++;
	return *a == *b;
}

char *append(char *end, const char *text)
{
	while (*text)
		*end++ = *text++;
	*end = 0;
	return end;
}

char *append_number(char *end, uint64_t value, unsigned int base)
{
	char digits[64];
	int n = 0;

	do {
		digits[n++] = "0123456789abcdef"[value % base];
		value /= base;
	} while (value);
	while (n)
		*end++ = digits[--n];
	*end = 0;
	return end;
}

/*
 * Compares @value with @pattern, whose first digit is the most significant
 * bit.  X matches any bit, and a lone X matches any value.
 */
static bool matches(const char *pattern, unsigned int value, int bits)
{
	if (pattern[0] == '!')
		return value != 0;
	if (same(pattern, "X"))
		return true;
	for (int i = 0; i < bits; i++) {
		unsigned int bit = value >> (bits - 1 - i) & 1;

		if (pattern[i] != 'X' && (unsigned int)(pattern[i] - '0') != bit)
			return false;
	}
	return true;
}

static char *append_inputs(char *p, const struct table *t,
			   const char *const *cells, const unsigned int *v)
{
	for (int i = 0; i < t->inputs; i++) {
		p = append(p, i ? " " : "");
		p = append(p, t->input[i].name);
		p = append(p, "=");
		if (cells)
			p = append(p, cells[i]);
		for (int bit = t->input[i].bits - 1; !cells && bit >= 0; bit--)
			p = append(p, v[i] >> bit & 1 ? "1" : "0");
	}
	return p;
}

static void tell_difference(const struct table *t, const unsigned int *v,
			    const char *got, const char *want)
{
	char text[256], *p = append_inputs(text, t, NULL, v);

	p = append(p, ": observed ");
	p = append(p, got);
	p = append(p, ", the table has ");
	p = append(p, want);
	say(text);
}

/* Moves on to the next combination of inputs that the row describes. */
static bool advance(const struct table *t, const char *const *row,
		    unsigned int *v)
{
	for (int i = t->inputs - 1; i >= 0; i--) {
		while (++v[i] < 1u << t->input[i].bits)
			if (!(t->input[i].reserved >> v[i] & 1) &&
			    matches(row[i], v[i], t->input[i].bits))
				return true;
		for (v[i] = 0; (t->input[i].reserved >> v[i] & 1) ||
		     !matches(row[i], v[i], t->input[i].bits);)
			v[i]++;
	}
	return false;
}

static void say_unreachable(const char *name)
{
	char text[280];

	append(append(text, "not reachable: "), name);
	say(text);
}

enum verdict { UNREACHABLE, FAILED, PASSED };

static enum verdict check_cell(const struct table *t, const char *const *row,
			       int output,
			       bool (*possible)(const unsigned int *, int),
			       const char *(*observe)(const unsigned int *, int))
{
	enum verdict verdict = UNREACHABLE;
	unsigned int v[TABLE_INPUTS] = { 0 };
	const char *want = row[t->inputs + output];

	for (int i = 0; i < t->inputs; i++)
		while ((t->input[i].reserved >> v[i] & 1) ||
		       !matches(row[i], v[i], t->input[i].bits))
			v[i]++;
	do {
		const char *got;

		if (!possible(v, output))
			continue;
		got = observe(v, output);
		if (same(got, want)) {
			verdict = verdict == FAILED ? FAILED : PASSED;
		} else if (verdict != FAILED) {
			tell_difference(t, v, got, want);
			verdict = FAILED;
		}
	} while (advance(t, row, v));
	return verdict;
}

static void name_cell(char *p, const struct table *t, int row, int output)
{
	p = append(p, t->name);
	p = append(p, " row ");
	p = append_number(p, row + 1, 10);
	if (*t->output[output]) {
		p = append(p, " ");
		p = append(p, t->output[output]);
	}
	p = append(p, ": ");
	append_inputs(p, t, t->row[row], NULL);
}

void table_sum(const char *name, const char *variant, unsigned int passed,
	       unsigned int cells, unsigned int unreachable)
{
	char text[128], *p = append(text, "cells ");

	if (!cells)
		return;
	p = append(p, name);
	if (*variant) {
		p = append(p, " ");
		p = append(p, variant);
	}
	p = append(p, ": ");
	p = append_number(p, passed, 10);
	p = append(p, "/");
	p = append_number(p, cells, 10);
	p = append(p, " cells");
	if (unreachable) {
		p = append(p, ", ");
		p = append_number(p, unreachable, 10);
		p = append(p, " not reachable");
	}
	say(text);
}

void table_check(const struct table *t, const char *variant,
		 bool (*possible)(const unsigned int *, int),
		 const char *(*observe)(const unsigned int *, int))
{
	unsigned int passed = 0, cells = 0, unreachable = 0;

	for (int row = 0; row < t->rows; row++) {
		for (int output = 0; output < t->outputs; output++) {
			enum verdict verdict = UNREACHABLE;
			char name[256];

			name_cell(name, t, row, output);
			if (!same(t->row[row][t->inputs + output], "n/a"))
				verdict = check_cell(t, t->row[row], output,
						     possible, observe);
			if (verdict == UNREACHABLE) {
				unreachable++;
				if (!*variant)
					say_unreachable(name);
				continue;
			}
			cells++;
			passed += verdict == PASSED;
			ok(verdict == PASSED, name);
		}
	}
	table_sum(t->name, variant, passed, cells, unreachable);
}
