// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>
#include <string.h>

#include "armspe.h"
#include "analysis/pages.h"

/* Whose and which address a row accessed; false where it has none. */
static bool row_address(const struct pages *p, const struct row *row,
			int32_t *pid, uint64_t *address)
{
	const struct armspe_record *rec = row->rec;
	unsigned int index = p->physical ? SPE_ADDR_DATA_PA : SPE_ADDR_DATA_VA;

	if (!(rec->addr_valid >> index & 1))
		return false;
	*address = p->physical ? armspe_addr_physical(rec->addr[index]) :
				 armspe_addr_virtual(rec->addr[index]);
	*pid = p->physical || *address >> 63 ? NO_ID : row->owner.pid;
	return true;
}

static size_t page_slot(const struct pages *p, int32_t pid, uint64_t address)
{
	uint64_t hash = (address + (uint32_t)pid) * 0x9e3779b97f4a7c15ULL;
	size_t mask = p->room_table - 1, slot = (hash >> 20) & mask;

	while (p->table[slot] && (p->table[slot]->address != address ||
				  p->table[slot]->pid != pid))
		slot = (slot + 1) & mask;
	return slot;
}

struct page *pages_find(const struct pages *p, int32_t pid, uint64_t address)
{
	address &= ~(uint64_t)(PAGE_BYTES - 1);
	return p->room_table ? p->table[page_slot(p, pid, address)] : NULL;
}

static void table_grow(struct pages *p)
{
	struct page **old = p->table;
	size_t i, room = p->room_table;

	p->room_table = room ? 2 * room : 4096;
	p->table = xcalloc(p->room_table, sizeof(*p->table));
	for (i = 0; i < room; i++)
		if (old[i])
			p->table[page_slot(p, old[i]->pid, old[i]->address)] =
				old[i];
	free(old);
}

static struct page *page_get(struct pages *p, int32_t pid, uint64_t address)
{
	struct page *page;
	size_t slot;

	if (2 * p->nr_table >= p->room_table)
		table_grow(p);
	slot = page_slot(p, pid, address);
	if (!p->table[slot]) {
		page = xcalloc(1, sizeof(*page));
		page->pid = pid;
		page->address = address;
		page->node = NODE_UNKNOWN;
		p->table[slot] = page;
		p->nr_table++;
	}
	return p->table[slot];
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
	int32_t pid;

	if (!row_address(p, row, &pid, &address))
		return;
	page = page_get(p, pid, address & ~(uint64_t)(PAGE_BYTES - 1));
	page->lines |= UINT64_C(1) << (address / 64 % 64);
	if (row->op.flags & ARMSPE_OPF_STORE)
		page->touched.stores++;
	else
		page->touched.loads++;
	page->touched.timed += row->rec->counter_valid >> SPE_COUNTER_TOTAL & 1;
	page->touched.cycles += row_cycles(row);
	nodes_add(&p->nodes, row);
	add_node(p, page, row);
	add_time(p, row);
	p->samples++;
}

bool pages_touch(struct pages *p, const struct row *row, struct touch *t)
{
	uint64_t time;

	if (!row_address(p, row, &t->pid, &t->address))
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

	if (x->pid != y->pid)
		return x->pid < y->pid ? -1 : 1;
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
	if (x->pid != y->pid)
		return x->pid < y->pid ? -1 : 1;
	return x->start < y->start ? -1 : x->start > y->start;
}

/* Of pages sorted by address */
static void regions_add(struct pages *p, const struct page *page)
{
	struct region *r = p->nr_regions ? &p->regions[p->nr_regions - 1] :
					   NULL;

	if (!r || r->pid != page->pid || page->address - r->end > REGION_GAP) {
		p->regions = array_grow(p->regions, p->nr_regions,
					&p->room_regions, sizeof(*r));
		r = &p->regions[p->nr_regions++];
		memset(r, 0, sizeof(*r));
		r->pid = page->pid;
		r->start = page->address;
	}
	/* The last page has no end that is a number. */
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
	return a->pid == b->pid &&
	       a->address / HUGE_BYTES == b->address / HUGE_BYTES;
}

void pages_finish(struct pages *p)
{
	const struct page *before = NULL;
	size_t i, n = 0;

	nodes_finish(&p->nodes);
	p->by_address = xcalloc(p->nr_table, sizeof(*p->by_address));
	for (i = 0; i < p->room_table; i++)
		if (p->table[i])
			p->by_address[n++] = p->table[i];
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

	for (i = 0; i < p->nr_table; i++) {
		if (held * 100 >= p->samples * percent)
			break;
		held += pages_touches(&p->hot[i]->touched);
	}
	return i;
}

void pages_free(struct pages *p)
{
	size_t i;

	for (i = 0; i < p->room_table; i++)
		free(p->table[i]);
	free(p->table);
	free(p->by_address);
	free(p->hot);
	free(p->regions);
	nodes_free(&p->nodes);
	memset(p, 0, sizeof(*p));
}
