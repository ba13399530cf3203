// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>
#include <string.h>

#include "armspe.h"
#include "analysis/lines.h"

/* Events that another cache had to do with (D18.2.6) */
#define SNOOPS ((UINT64_C(1) << SPE_EVENT_DATA_SNOOPED) | \
		(UINT64_C(1) << SPE_EVENT_DATA_MODIFIED) | \
		(UINT64_C(1) << SPE_EVENT_REMOTE_ACCESS))

static bool is_snooped(const struct row *row)
{
	const struct armspe_record *rec = row->rec;
	struct armspe_source source;
	uint64_t midr;

	if (rec->valid & ARMSPE_HAS_EVENTS && rec->events & SNOOPS)
		return true;
	/* A store's SOURCE says nothing. */
	return row->session && rec->valid & ARMSPE_HAS_SOURCE &&
	       !(row->op.flags & ARMSPE_OPF_STORE) &&
	       session_midr(row->session, row->piece->cpu, &midr) &&
	       armspe_source_decode(midr, rec->source, &source) &&
	       source.flags & (ARMSPE_SOURCE_PEER | ARMSPE_SOURCE_MODIFIED);
}

static size_t line_slot(const struct lines *l, const struct line *key)
{
	uint64_t hash = (key->address + (uint32_t)key->pid + key->physical) *
			0x9e3779b97f4a7c15ULL;
	size_t mask = l->room_table - 1, slot = (hash >> 20) & mask;

	while (l->table[slot] && (l->table[slot]->address != key->address ||
				  l->table[slot]->pid != key->pid ||
				  l->table[slot]->physical != key->physical))
		slot = (slot + 1) & mask;
	return slot;
}

static void table_grow(struct lines *l)
{
	struct line **old = l->table;
	size_t i, room = l->room_table;

	l->room_table = room ? 2 * room : 4096;
	l->table = xcalloc(l->room_table, sizeof(*l->table));
	for (i = 0; i < room; i++)
		if (old[i])
			l->table[line_slot(l, old[i])] = old[i];
	free(old);
}

static struct line *line_get(struct lines *l, const struct line *key)
{
	size_t slot;

	if (2 * l->nr_table >= l->room_table)
		table_grow(l);
	slot = line_slot(l, key);
	if (!l->table[slot]) {
		l->table[slot] = xcalloc(1, sizeof(*key));
		*l->table[slot] = *key;
		l->nr_table++;
	}
	return l->table[slot];
}

/* A thread where it is known, and else a CPU */
static uint64_t sharer(const struct access *a)
{
	return a->tid != NO_ID ? (uint32_t)a->tid :
				 UINT64_C(1) << 32 | (uint32_t)a->cpu;
}

static bool same_access(const struct access *a, const struct access *b)
{
	return a->offset == b->offset && a->store == b->store &&
	       a->tid == b->tid && a->cpu == b->cpu && a->pid == b->pid &&
	       a->symbol == b->symbol && a->object == b->object &&
	       a->pc == b->pc;
}

static size_t access_slot(const struct lines *l, const struct line *line,
			  const struct access *a)
{
	uint64_t hash = (uintptr_t)line ^ (uintptr_t)a->symbol * 3 ^ a->pc ^
			sharer(a) * 977 ^ a->offset * 131u ^ a->store;
	size_t mask = l->room_accesses - 1, slot;

	hash *= 0x9e3779b97f4a7c15ULL;
	slot = (hash >> 20) & mask;
	while (l->accesses[slot].line &&
	       (l->accesses[slot].line != line ||
		!same_access(&line->accesses[l->accesses[slot].at], a)))
		slot = (slot + 1) & mask;
	return slot;
}

static void accesses_grow(struct lines *l)
{
	struct access_at *old = l->accesses;
	size_t i, room = l->room_accesses;

	l->room_accesses = room ? 2 * room : 4096;
	l->accesses = xcalloc(l->room_accesses, sizeof(*l->accesses));
	for (i = 0; i < room; i++)
		if (old[i].line)
			l->accesses[access_slot(l, old[i].line,
						&old[i].line->accesses[old[i].at])] =
				old[i];
	free(old);
}

static struct access *access_get(struct lines *l, struct line *line,
				 const struct access *key)
{
	struct access_at *at;

	if (2 * l->nr_accesses >= l->room_accesses)
		accesses_grow(l);
	at = &l->accesses[access_slot(l, line, key)];
	if (!at->line) {
		line->accesses = array_grow(line->accesses, line->nr_accesses,
					    &line->room_accesses, sizeof(*key));
		*at = (struct access_at){ line, line->nr_accesses };
		line->accesses[line->nr_accesses++] = *key;
		l->nr_accesses++;
	}
	return &line->accesses[at->at];
}

/*
 * Which line: by physical address where it was recorded, as processes may
 * map one page at several places.  A virtual one means something within its
 * process, or, in the kernel's half, everywhere.
 */
static bool line_key(const struct lines *l, const struct row *row,
		     struct line *key, uint8_t *offset)
{
	const struct armspe_record *rec = row->rec;
	uint64_t address;

	if (rec->addr_valid >> SPE_ADDR_DATA_PA & 1) {
		address = armspe_addr_physical(rec->addr[SPE_ADDR_DATA_PA]);
		key->physical = true;
	} else if (rec->addr_valid >> SPE_ADDR_DATA_VA & 1) {
		address = armspe_addr_virtual(rec->addr[SPE_ADDR_DATA_VA]);
	} else {
		return false;
	}
	key->pid = key->physical || address >> 63 ? NO_ID : row->owner.pid;
	key->address = address & ~((uint64_t)l->bytes - 1);
	*offset = (uint8_t)(address - key->address);
	return true;
}

static void access_add(struct line *line, struct access *a,
		       const struct row *row)
{
	const struct armspe_record *rec = row->rec;
	bool snooped = is_snooped(row);

	a->count++;
	a->snooped += snooped;
	line->snooped += snooped;
	if (a->store)
		line->stores++;
	else
		line->loads++;
	if (rec->counter_valid >> SPE_COUNTER_TOTAL & 1) {
		a->timed++;
		line->timed++;
		a->cycles += rec->counter[SPE_COUNTER_TOTAL];
		line->cycles += rec->counter[SPE_COUNTER_TOTAL];
	}
}

void lines_add(void *context, const struct row *row)
{
	struct access access = {
		.tid = row->owner.tid, .pid = row->owner.pid,
		.cpu = row->piece->cpu, .object = row->place.object,
		.symbol = row->place.symbol,
	};
	struct lines *l = context;
	struct line key = { 0 }, *line;

	if (!(row->op.flags & (ARMSPE_OPF_LOAD | ARMSPE_OPF_STORE)) ||
	    !line_key(l, row, &key, &access.offset))
		return;
	access.store = row->op.flags & ARMSPE_OPF_STORE;
	if (!access.symbol && row->rec->addr_valid >> SPE_ADDR_PC & 1)
		access.pc = armspe_addr_virtual(row->rec->addr[SPE_ADDR_PC]);
	l->samples++;
	l->physical += key.physical;
	line = line_get(l, &key);
	access_add(line, access_get(l, line, &access), row);
}

static int by_cpu(const void *a, const void *b)
{
	const struct access *x = a, *y = b;

	return x->cpu < y->cpu ? -1 : x->cpu > y->cpu;
}

static int by_sharer(const void *a, const void *b)
{
	return sharer(a) < sharer(b) ? -1 : sharer(a) > sharer(b);
}

static int by_offset(const void *a, const void *b)
{
	const struct access *x = a, *y = b;

	return x->offset != y->offset ? x->offset - y->offset : by_sharer(a, b);
}

static void line_sort(struct line *line,
		      int (*order)(const void *, const void *))
{
	qsort(line->accesses, line->nr_accesses, sizeof(*line->accesses), order);
}

/* Whether no offset that one sharer stores to is used by another */
static bool is_disjoint(struct line *line)
{
	const struct access *a = line->accesses;
	size_t i, first = 0;
	bool store = false;

	line_sort(line, by_offset);
	for (i = 0; i < line->nr_accesses; i++) {
		if (a[i].offset != a[first].offset) {
			first = i;
			store = false;
		}
		store |= a[i].store;
		if (store && sharer(&a[i]) != sharer(&a[first]))
			return false;
	}
	return true;
}

static void line_judge(struct line *line)
{
	const struct access *a = line->accesses;
	size_t i;

	line_sort(line, by_sharer);
	for (i = 0; i < line->nr_accesses; i++)
		line->sharers += !i || sharer(&a[i]) != sharer(&a[i - 1]);
	line_sort(line, by_cpu);
	for (i = 0; i < line->nr_accesses; i++)
		line->cpus += a[i].cpu != NO_ID &&
			      (!i || a[i].cpu != a[i - 1].cpu);
	line->disjoint = is_disjoint(line);
}

static int line_order(const void *a, const void *b)
{
	const struct line *x = *(struct line *const *)a;
	const struct line *y = *(struct line *const *)b;
	uint64_t m = x->loads + x->stores, n = y->loads + y->stores;

	if (x->snooped != y->snooped)
		return x->snooped > y->snooped ? -1 : 1;
	/* Threads of one CPU do not take it from each other. */
	if ((x->cpus > 1) != (y->cpus > 1))
		return x->cpus > 1 ? -1 : 1;
	if (m != n)
		return m > n ? -1 : 1;
	if (x->address != y->address)
		return x->address < y->address ? -1 : 1;
	return x->pid < y->pid ? -1 : x->pid > y->pid;
}

static int access_order(const void *a, const void *b)
{
	const struct access *x = a, *y = b;

	if (x->count != y->count)
		return x->count > y->count ? -1 : 1;
	if (x->offset != y->offset)
		return x->offset < y->offset ? -1 : 1;
	if (x->tid != y->tid)
		return x->tid < y->tid ? -1 : 1;
	if (x->cpu != y->cpu)
		return x->cpu < y->cpu ? -1 : 1;
	return x->store - y->store;
}

void lines_finish(struct lines *l)
{
	size_t i;

	l->sorted = xcalloc(l->nr_table, sizeof(*l->sorted));
	for (i = 0; i < l->room_table; i++) {
		struct line *line = l->table[i];

		if (!line || !line->stores)
			continue;
		line_judge(line);
		if (line->sharers < 2)
			continue;
		line_sort(line, access_order);
		l->sorted[l->nr_sorted++] = line;
	}
	if (l->nr_sorted)
		qsort(l->sorted, l->nr_sorted, sizeof(*l->sorted), line_order);
}

void lines_free(struct lines *l)
{
	size_t i;

	for (i = 0; i < l->room_table; i++) {
		if (l->table[i])
			free(l->table[i]->accesses);
		free(l->table[i]);
	}
	free(l->table);
	free(l->accesses);
	free(l->sorted);
	memset(l, 0, sizeof(*l));
}
