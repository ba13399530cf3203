// SPDX-License-Identifier: GPL-2.0-only
#include <string.h>

#include "input/input.h"
#include "symbols/data/data.h"
#include "symbols/elf/elf.h"
#include "symbols/kernel/kernel.h"
#include "symbols/symbols.h"

/*
 * The recorded machine's page: the largest that divides all mappings of processes.  The
 * vDSO has one or two pages, and each process has it.
 */
static uint64_t page_of(const struct session *s)
{
	uint64_t bits = 0;
	bool vdso = false;
	size_t i, k;

	for (k = 0; k < s->processes.nr; k++) {
		const struct process *p = s->processes.all[k];

		for (i = 0; i < p->nr_maps; i++) {
			bits |= p->maps[i].start | p->maps[i].end;
			vdso |= !strcmp(p->maps[i].file, "[vdso]");
		}
	}
	return vdso ? bits & -bits : 0;
}

/* KASAN takes a part of the linear map's addresses for its shadow memory. */
static bool has_kasan(const struct symtab *t)
{
	size_t i;

	for (i = 0; i < t->count; i++)
		if (!strcmp(t->symbols[i].name, "kasan_report"))
			return true;
	return false;
}

static void prepare(struct data_kernel *k, const struct resolver *r)
{
	const struct session *s = r->session;
	struct kernel *kernel = &r->symbols->kernel;
	uint64_t text = s ? s->kernel_text : 0;

	k->ready = true;
	elf_lock();
	kernel_data_load(kernel);
	elf_unlock();
	if (kernel_data_image(kernel, &k->start, &k->end) && !text)
		text = k->start;
	if (s && !has_kasan(&kernel->symtab))
		kernel_layout_init(&k->layout, text, page_of(s), s->pd.osrelease);
}

static void name_range(const struct data_kernel *k, uint64_t address,
		       struct data_place *place)
{
	static const struct {
		enum data_kind kind;
		const char *object;
	} names[] = {
		[KERNEL_UNKNOWN] = { DATA_UNKNOWN, NULL },
		[KERNEL_LINEAR] = { DATA_LINEAR, "[linear map]" },
		[KERNEL_VMALLOC] = { DATA_VMALLOC, "[vmalloc]" },
		[KERNEL_VMEMMAP] = { DATA_VMEMMAP, "[vmemmap]" },
		[KERNEL_PCI_IO] = { DATA_PCI_IO, "[pci io]" },
		[KERNEL_FIXMAP] = { DATA_FIXMAP, "[fixmap]" },
	};
	enum kernel_range range = kernel_layout_find(&k->layout, address);

	place->kind = names[range].kind;
	place->object = names[range].object;
}

bool data_kernel_find(struct data_kernel *k, const struct resolver *r,
		      uint64_t address, uint64_t *low, uint64_t *high,
		      struct data_place *place)
{
	struct kernel *kernel = &r->symbols->kernel;
	const struct symbol *symbol;
	const struct map *map = NULL;

	if (!k->ready)
		prepare(k, r);
	kernel_use(kernel);
	symbol = kernel_data_find(kernel, address);
	if (r->session)
		map = kernel_map(r->session, address);
	if (symbol && r->session && !kernel_applies(kernel, r->session, symbol, map))
		symbol = NULL;
	if (symbol) {
		place->kind = symbol->module ? DATA_MODULE : DATA_KERNEL;
		place->object = symbol->module ? symbol->module : "[kernel]";
		place->symbol = symtab_name(&kernel->data, symbol);
		place->has_base = true;
		place->base = symbol->start + kernel->slide;
		*low = place->base;
		*high = symbol->end + kernel->slide;
		return true;
	}
	if (address >= k->start && address < k->end) {
		place->kind = DATA_KERNEL;
		place->object = "[kernel]";
		return true;
	}
	if (map && strncmp(map->file, "[kernel", 7)) {
		place->kind = DATA_MODULE;
		place->object = map->file;
		return true;
	}
	name_range(k, address, place);
	/* Ranges begin at pages, and modules' symbols are told apart above. */
	if (place->kind == DATA_LINEAR) {
		*low = 0;
		*high = UINT64_MAX;
	}
	return true;
}
