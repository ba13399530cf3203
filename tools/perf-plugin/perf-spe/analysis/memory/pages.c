// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>
#include <string.h>

#include "analysis/memory/memory.h"
#include "analysis/rows/rows.h"
#include "armspe.h"
#include "input/input.h"
#include "util/util.h"

/* The process and the address that a record accessed; false if it has no address. */
static bool row_address(const struct pages *p, const struct row_batch *b, size_t i,
			uint32_t *whose, uint64_t *address)
{
	const struct owner *owner = batch_owner(b, i);

	if (!(b->addr_valid[i] >> (p->physical ? SPE_ADDR_DATA_PA : SPE_ADDR_DATA_VA) & 1))
		return false;
	*address = p->physical ? armspe_addr_physical(b->pa[i]) : armspe_addr_virtual(b->va[i]);
	*whose = p->physical || (*address >> 63 && !owner->guest) ? 0 : owner_number(*owner);
	/* A guest has processes that the host does not know, and a kernel of its own. */
	return p->physical || !owner->guest || (*address >> 63 && owner->pid != NO_ID);
}

static const struct hash_kind page_table = {
	HASH_POINTERS,
	.key = { HASH_NUMBER(struct page, address), HASH_NUMBER(struct page, whose) },
};

struct page *pages_find(const struct pages *p, uint32_t whose, uint64_t address)
{
	const struct page key = {
		.whose = whose, .address = address & ~(uint64_t)(PAGE_BYTES - 1),
	};
	struct page **slot = hash_table_find(&p->table, &page_table, &key);

	return slot ? *slot : NULL;
}

static struct page *page_get(struct pages *p, uint32_t whose, uint64_t address)
{
	const struct page key = { .whose = whose, .address = address, .node = NODE_UNKNOWN };
	struct page **slot = hash_table_add(&p->table, &page_table, &key);

	if (!*slot) {
		*slot = xcalloc(1, sizeof(**slot));
		**slot = key;
	}
	return *slot;
}

static void add_time(struct pages *p, const struct row_batch *b, size_t i)
{
	uint64_t time = 0;

	if (!p->samples)
		p->timed = true;
	if (p->timed && batch_time(b, i, &time)) {
		if (!p->samples)
			p->first = p->last = time;
		if (time < p->first)
			p->first = time;
		if (time > p->last)
			p->last = time;
		return;
	}
	p->timed = false;
}

static void add_node(struct page *page, int32_t node)
{
	if (page->node == NODE_UNKNOWN)
		page->node = node;
	else if (node != NODE_UNKNOWN && node != page->node)
		page->node = NODE_SEVERAL;
}

static void add(struct pages *p, const struct row_batch *b, size_t i)
{
	struct page *page;
	uint64_t address;
	uint32_t whose;

	if (!row_address(p, b, i, &whose, &address)) {
		p->guests += !p->physical && batch_guest(b, i) && b->addr_valid[i] >> SPE_ADDR_DATA_VA & 1;
		return;
	}
	page = page_get(p, whose, address & ~(uint64_t)(PAGE_BYTES - 1));
	page->lines |= UINT64_C(1) << (address / 64 % 64);
	if (batch_op(b, i)->flags & ARMSPE_OPF_STORE)
		page->touched.stores++;
	else
		page->touched.loads++;
	page->touched.timed += batch_has(b, i, SPE_COUNTER_TOTAL);
	page->touched.cycles += batch_cycles(b, i);
	p->cycles += batch_cycles(b, i);
	add_node(page, nodes_add(&p->nodes, b, i));
	add_time(p, b, i);
	p->samples++;
}

void pages_add(void *context, const struct row_batch *b)
{
	size_t k;

	for (k = 0; k < b->nr; k++)
		add(context, b, b->kept[k]);
}

static void touched_add(struct touched *to, const struct touched *t)
{
	to->loads += t->loads;
	to->stores += t->stores;
	to->timed += t->timed;
	to->cycles += t->cycles;
}

bool pages_touch(const struct pages *p, const struct row_batch *b, size_t i, uint64_t *walked,
		 struct touch *t)
{
	uint64_t time;

	if (!row_address(p, b, i, &t->whose, &t->address))
		return false;
	if (!p->timed || !batch_time(b, i, &time))
		time = *walked;
	++*walked;
	t->time = time - p->first;
	t->cycles = batch_cycles(b, i);
	return true;
}

uint64_t pages_touches(const struct touched *t)
{
	return t->loads + t->stores;
}

static int by_address(const void *a, const void *b)
{
	const struct page *x = *(struct page *const *)a;
	const struct page *y = *(struct page *const *)b;

	if (x->whose != y->whose)
		return x->whose < y->whose ? -1 : 1;
	return x->address < y->address ? -1 : x->address > y->address;
}

static int by_heat(const void *a, const void *b)
{
	const struct page *x = *(struct page *const *)a;
	const struct page *y = *(struct page *const *)b;
	uint64_t m = pages_touches(&x->touched), n = pages_touches(&y->touched);

	return m != n ? (m > n ? -1 : 1) : by_address(a, b);
}

static int region_order(const void *a, const void *b)
{
	const struct region *x = a, *y = b;
	uint64_t m = pages_touches(&x->touched), n = pages_touches(&y->touched);

	if (m != n)
		return m > n ? -1 : 1;
	if (x->whose != y->whose)
		return x->whose < y->whose ? -1 : 1;
	return x->start < y->start ? -1 : x->start > y->start;
}

/* Of pages sorted by address */
static void regions_add(struct pages *p, const struct page *page)
{
	struct region *r = p->nr_regions ? &p->regions[p->nr_regions - 1] :
					   NULL;

	if (!r || r->whose != page->whose || page->address - r->end > REGION_GAP) {
		p->regions = array_grow(p->regions, p->nr_regions,
					&p->room_regions, sizeof(*r));
		r = &p->regions[p->nr_regions++];
		memset(r, 0, sizeof(*r));
		r->whose = page->whose;
		r->start = page->address;
	}
	/* The end of the last page does not fit into 64 bits. */
	r->end = page->address + PAGE_BYTES ? page->address + PAGE_BYTES :
					      UINT64_MAX;
	r->pages++;
	r->lines += (uint64_t)__builtin_popcountll(page->lines);
	touched_add(&r->touched, &page->touched);
}

bool pages_same_huge(const struct page *a, const struct page *b)
{
	return a->whose == b->whose &&
	       a->address / HUGE_BYTES == b->address / HUGE_BYTES;
}

void pages_finish(struct pages *p)
{
	const struct page *before = NULL;
	struct page **slot = NULL;
	size_t i, n = 0;

	nodes_finish(&p->nodes);
	/* The numbers of samples take the place of their times. */
	if (!p->timed) {
		p->first = 0;
		p->last = p->samples ? p->samples - 1 : 0;
	}
	p->by_address = xcalloc(p->table.count, sizeof(*p->by_address));
	while ((slot = hash_table_next(&p->table, &page_table, slot)))
		p->by_address[n++] = *slot;
	if (!n)
		return;
	qsort(p->by_address, n, sizeof(*p->by_address), by_address);
	for (i = 0; i < n; i++) {
		const struct page *page = p->by_address[i];

		regions_add(p, page);
		p->lines += (uint64_t)__builtin_popcountll(page->lines);
		p->huge += !before || !pages_same_huge(before, page);
		before = page;
	}
	p->hot = xcalloc(n, sizeof(*p->hot));
	memcpy(p->hot, p->by_address, n * sizeof(*p->hot));
	qsort(p->hot, n, sizeof(*p->hot), by_heat);
	qsort(p->regions, p->nr_regions, sizeof(*p->regions), region_order);
}

size_t pages_holding(const struct pages *p, unsigned int percent)
{
	uint64_t held = 0;
	size_t i;

	for (i = 0; i < p->table.count; i++) {
		if (held * 100 >= p->samples * percent)
			break;
		held += pages_touches(&p->hot[i]->touched);
	}
	return i;
}

/* Add everything but the nodes of CPUs and memory. */
static void free_samples(void *pages)
{
	struct pages *p = pages;
	struct page **slot = NULL;

	while ((slot = hash_table_next(&p->table, &page_table, slot)))
		free(*slot);
	hash_table_free(&p->table);
	free(p->by_address);
	free(p->hot);
	free(p->regions);
	free(p->nodes.shares);
	p->nodes.shares = NULL;
}

static void part_begin(void *part, const void *like)
{
	const struct pages *of = like;
	const struct pages options = {
		.physical = of->physical,
		.nodes = { .cpus = of->nodes.cpus, .memory = of->nodes.memory },
	};

	free_samples(part);
	*(struct pages *)part = options;
}

static void part_merge(void *whole, void *part)
{
	const struct pages *from = part;
	struct pages *p = whole;
	struct page **slot = NULL;

	while ((slot = hash_table_next(&from->table, &page_table, slot))) {
		const struct page *other = *slot;
		struct page *page = page_get(p, other->whose, other->address);

		page->lines |= other->lines;
		touched_add(&page->touched, &other->touched);
		add_node(page, other->node);
	}
	nodes_merge(&p->nodes, &from->nodes);
	p->cycles += from->cycles;
	p->guests += from->guests;
	if (!from->samples)
		return;
	if (!p->samples || from->first < p->first)
		p->first = from->first;
	if (!p->samples || from->last > p->last)
		p->last = from->last;
	p->timed = (!p->samples || p->timed) && from->timed;
	p->samples += from->samples;
}

const struct row_parts pages_parts = {
	sizeof(struct pages), part_begin, part_merge, free_samples,
};

void pages_free(struct pages *p)
{
	free_samples(p);
	nodes_free(&p->nodes);
	memset(p, 0, sizeof(*p));
}
