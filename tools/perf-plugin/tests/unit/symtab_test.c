// SPDX-License-Identifier: GPL-2.0-only
/* Tables of symbols: look-ups, aliases, and maps behind symbolic links. */
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "symbols/elf/elf.h"
#include "symbols/symbols.h"
#include "test.h"
#include "util/util.h"

static void add(struct symtab *t, uint64_t start, uint64_t size,
		const char *name, uint8_t rank)
{
	struct symbol s = { .start = start, .end = start + size, .name = name, .rank = rank };

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

#define MANY	1500u

/* Addresses of all magnitudes, the first @sorted in order, and for each third an alias with a better name */
static void many_of(size_t sorted)
{
	static char names[MANY][16];
	static uint64_t starts[MANY];
	struct test_random r = { 7 };
	struct symtab t = { 0 };
	size_t i;

	for (i = 0; i < MANY; i++) {
		/* The low bits make the addresses differ. */
		starts[i] = (i < sorted ? i << 40 : test_random(&r) >> test_random_below(&r, 53)) << 11 | i;
		snprintf(names[i], sizeof(names[i]), "__name%zu", i);
		add(&t, starts[i], 1, names[i], RANK_LOCAL);
	}
	for (i = 0; i < MANY; i += 3)
		add(&t, starts[i], 1, names[i] + 2, RANK_GLOBAL);
	symtab_finish(&t);
	CHECK_EQ(t.count, MANY);
	for (i = 1; i < t.count; i++)
		CHECK(t.symbols[i - 1].start < t.symbols[i].start);
	for (i = 0; i < MANY; i++)
		expect(&t, starts[i], i % 3 ? names[i] : names[i] + 2);
	symtab_free(&t);
}

static void many(void)
{
	many_of(0);
	many_of(MANY / 2);
	many_of(MANY);
}

static void empty(void)
{
	struct symtab t = { 0 };

	symtab_finish(&t);
	expect(&t, 0, "(none)");
	symtab_free(&t);
}

/* Another user may have put a link there that leads to a file of this user. */
static void map_behind_link(void)
{
	char dir[] = "/tmp/perf-spe-map-XXXXXX", *real, *file, *link, *folder, *inside;
	uid_t me = geteuid(), other = me + 1;
	struct symtab t = { 0 };
	FILE *f;

	CHECK(mkdtemp(dir) != NULL);
	real = xformat("%s/real", dir);
	folder = xformat("%s/folder", dir);
	file = xformat("%s/real/perf-1.map", dir);
	link = xformat("%s/real/perf-2.map", dir);
	inside = xformat("%s/folder/perf-1.map", dir);
	CHECK_EQ(mkdir(real, 0700), 0);
	f = fopen(file, "w");
	CHECK(f && fputs("1000 100 compiled\n", f) >= 0 && !fclose(f));
	CHECK_EQ(symlink(file, link), 0);
	CHECK_EQ(symlink(real, folder), 0);
	jit_load(link, &me, &t);
	jit_load(inside, &me, &t);
	if (me)
		jit_load(file, &other, &t);
	CHECK_EQ(t.count, 0);
	jit_load(file, &me, &t);
	expect(&t, 0x1000, "compiled");
	symtab_free(&t);
	t = (struct symtab){ 0 };
	jit_load(link, NULL, &t);
	expect(&t, 0x1000, "compiled");
	symtab_free(&t);
	unlink(link);
	unlink(folder);
	unlink(file);
	rmdir(real);
	rmdir(dir);
	free(real);
	free(folder);
	free(file);
	free(link);
	free(inside);
}

const struct test_case symtab_cases[] = {
	{ "symtab: aliases, sizes, gaps", lookup },
	{ "symtab: of several names the best known", aliases },
	{ "symtab: many addresses in no order, or some", many },
	{ "symtab: empty", empty },
	{ "symtab: a map of compiled code behind a symbolic link", map_behind_link },
	{ 0 },
};
