// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>
#include <string.h>

#include "symbols/elf/elf.h"
#include "symbols/kernel/kernel.h"

/* The smallest page that arm64 has: modules' sections begin on pages of their own. */
#define PAGE UINT64_C(4096)

static bool same_module(const struct symbol *a, const struct symbol *b)
{
	return a->module == b->module ||
	       (a->module && b->module && !strcmp(a->module, b->module));
}

/*
 * Variables of kallsyms have no size, so each ends where the next begins.  The last
 * one of a module must not reach to the next module: let it end with its page.
 */
static void end_modules(struct symtab *t)
{
	size_t i;

	for (i = 0; i < t->count; i++) {
		struct symbol *s = &t->symbols[i];
		uint64_t page = (s->start / PAGE + 1) * PAGE;

		if (i + 1 < t->count && same_module(s, &t->symbols[i + 1]))
			continue;
		if (s->end > page)
			s->end = page;
	}
}

static void load_from_kallsyms(struct kernel *k)
{
	struct symtab *t = &k->data;
	size_t i, to = 0;

	if (kallsyms_load(k->path, t, true, k->guest, NULL) < 0)
		return;
	for (i = 0; i < t->count; i++) {
		const struct symbol *s = &t->symbols[i];

		if (!s->module && !strcmp(s->name, "_end"))
			k->end = s->start;
		/* Of another boot modules are elsewhere; see kernel.c. */
		if (!s->module || !k->slide)
			t->symbols[to++] = *s;
	}
	t->count = to;
	symtab_finish(t);
	end_modules(t);
	/* What follows "_end" is not the kernel's. */
	for (i = 0; i < t->count; i++)
		if (k->end && !t->symbols[i].module && t->symbols[i].start == k->end)
			t->symbols[i].end = k->end;
}

static void load_from_vmlinux(struct kernel *k)
{
	const char *why;
	size_t i;

	elf_load_data(k->path, &k->data, &why);
	symtab_finish(&k->data);
	for (i = 0; i < k->data.count; i++)
		if (k->data.symbols[i].end > k->end)
			k->end = k->data.symbols[i].end;
}

void kernel_data_load(struct kernel *k)
{
	if (k->data_loaded || !k->path)
		return;
	k->data_loaded = true;
	k->data.mangled_names = k->symtab.mangled_names;
	if (k->file.path)
		load_from_vmlinux(k);
	else
		load_from_kallsyms(k);
}

const struct symbol *kernel_data_find(const struct kernel *k, uint64_t address)
{
	return symtab_find(&k->data, address - k->slide);
}

bool kernel_data_image(const struct kernel *k, uint64_t *start, uint64_t *end)
{
	size_t i;

	for (i = 0; i < k->symtab.count; i++)
		if (!k->symtab.symbols[i].module)
			break;
	if (i == k->symtab.count || k->end <= k->symtab.symbols[i].start)
		return false;
	*start = k->symtab.symbols[i].start + k->slide;
	*end = k->end + k->slide;
	return true;
}
