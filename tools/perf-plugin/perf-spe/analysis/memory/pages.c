// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>
#include <string.h>

#include "analysis/memory/memory.h"
#include "analysis/rows/rows.h"
#include "armspe.h"
#include "input/input.h"
#include "util/util.h"

/* The process and the address that a row accessed; false if it has no address. */
static bool row_address(const struct pages *p, const struct row *row,
			uint32_t *whose, uint64_t *address)
{
	const struct armspe_record *rec = row->rec;
	unsigned int index = p->physical ? SPE_ADDR_DATA_PA : SPE_ADDR_DATA_VA;

	if (!(rec->addr_valid >> index & 1))
		return false;
	*address = p->physical ? armspe_addr_physical(rec->addr[index]) :
				 armspe_addr_virtual(rec->addr[index]);
	*whose = p->physical || *address >> 63 ? 0 : owner_number(row->owner);
	return true;
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

static void add_time(struct pages *p, const struct row *row)
{
	uint64_t time = 0;

	if (!p->samples)
		p->timed = true;
	if (p->timed && row->session &&
	    row->rec->valid & ARMSPE_HAS_TIMESTAMP &&
	    session_time(row->session, row->rec->timestamp, &time)) {
		if (!p->samples)
			p->first = p->last = time;
		if (time < p->first)
			p->first = time;
		if (time > p->last)
			p->last = time;
		return;
	}
	p->timed = false;
	p->first = 0;
	p->last = p->samples;
}

static uint64_t row_cycles(const struct row *row)
{
	return row->rec->counter_valid >> SPE_COUNTER_TOTAL & 1 ?
		row->rec->counter[SPE_COUNTER_TOTAL] : 0;
}

static void add_node(struct pages *p, struct page *page, const struct row *row)
{
	int32_t node = nodes_of_row(&p->nodes, row);

	if (page->node == NODE_UNKNOWN)
		page->node = node;
	else if (node != NODE_UNKNOWN && node != page->node)
		page->node = NODE_SEVERAL;
}

void pages_add(void *context, const struct row *row)
{
	struct pages *p = context;
	struct page *page;
	uint64_t address;
	uint32_t whose;

	if (!row_address(p, row, &whose, &address))
		return;
	page = page_get(p, whose, address & ~(uint64_t)(PAGE_BYTES - 1));
	page->lines |= UINT64_C(1) << (address / 64 % 64);
	if (row->op.flags & ARMSPE_OPF_STORE)
		page->touched.stores++;
	else
		page->touched.loads++;
	page->touched.timed += row->rec->counter_valid >> SPE_COUNTER_TOTAL & 1;
	page->touched.cycles += row_cycles(row);
	p->cycles += row_cycles(row);
	nodes_add(&p->nodes, row);
	add_node(p, page, row);
	add_time(p, row);
	p->samples++;
}

bool pages_touch(struct pages *p, const struct row *row, struct touch *t)
{
	uint64_t time;

	if (!row_address(p, row, &t->whose, &t->address))
		return false;
	if (!p->timed || !session_time(row->session, row->rec->timestamp, &time))
		time = p->walked;
	p->walked++;
	t->time = time - p->first;
	t->cycles = row_cycles(row);
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
	r->touched.loads += page->touched.loads;
	r->touched.stores += page->touched.stores;
	r->touched.timed += page->touched.timed;
	r->touched.cycles += page->touched.cycles;
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

void pages_free(struct pages *p)
{
	struct page **slot = NULL;

	while ((slot = hash_table_next(&p->table, &page_table, slot)))
		free(*slot);
	hash_table_free(&p->table);
	free(p->by_address);
	free(p->hot);
	free(p->regions);
	nodes_free(&p->nodes);
	memset(p, 0, sizeof(*p));
}
