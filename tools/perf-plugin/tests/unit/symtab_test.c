// SPDX-License-Identifier: GPL-2.0-only
#include "test.h"
#include "symbols/elf/symtab.h"

static void add(struct symtab *t, uint64_t start, uint64_t size,
		const char *name, uint8_t rank)
{
	struct symbol s = { start, start + size, name, NULL, rank };

	symtab_add(t, &s);
}

static void expect(const struct symtab *t, uint64_t address, const char *name)
{
	const struct symbol *s = symtab_find(t, address);

	CHECK_STR(s ? s->name : "(none)", name);
}

static void lookup(void)
{
	struct symtab t = { 0 };

	add(&t, 0x2000, 0x10, "local_alias", 2);
	add(&t, 0x1000, 0x100, "first", 0);
	add(&t, 0x2000, 0x10, "global", 0);
	add(&t, 0x2000, 0x10, "weak", 1);
	add(&t, 0x2000, 0x10, "__global", 0);
	add(&t, 0x3000, 0, "sizeless", 0);
	add(&t, 0x3080, 0x40, "after", 2);
	symtab_finish(&t);
	CHECK_EQ(t.count, 4);
	expect(&t, 0xfff, "(none)");
	expect(&t, 0x1000, "first");
	expect(&t, 0x10ff, "first");
	expect(&t, 0x1100, "(none)");
	expect(&t, 0x2008, "global");
	expect(&t, 0x2010, "(none)");
	expect(&t, 0x307f, "sizeless");
	expect(&t, 0x30bf, "after");
	expect(&t, 0x30c0, "(none)");
	expect(&t, UINT64_MAX, "(none)");
	symtab_free(&t);
}

static void aliases(void)
{
	struct symtab t = { 0 };

	add(&t, 0x1000, 0x10, "__memset", RANK_GLOBAL);
	add(&t, 0x1000, 0x10, "memset", RANK_WEAK);
	add(&t, 0x2000, 0x10, "bcmp", RANK_WEAK);
	add(&t, 0x2000, 0x10, "memcmp", RANK_GLOBAL);
	add(&t, 0x3000, 0x10, "step", RANK_LOCAL);
	add(&t, 0x3000, 0x10, "__step", RANK_WEAK);
	symtab_finish(&t);
	expect(&t, 0x1000, "memset");
	expect(&t, 0x2000, "memcmp");
	expect(&t, 0x3000, "__step");
	symtab_free(&t);
}

static void empty(void)
{
	struct symtab t = { 0 };

	symtab_finish(&t);
	expect(&t, 0, "(none)");
	symtab_free(&t);
}

const struct test_case symtab_cases[] = {
	{ "symtab: aliases, sizes, gaps", lookup },
	{ "symtab: of several names the best known", aliases },
	{ "symtab: empty", empty },
	{ 0 },
};
