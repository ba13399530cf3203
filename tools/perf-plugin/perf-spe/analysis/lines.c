// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>
#include <string.h>

#include "armspe.h"
#include "analysis/fields.h"
#include "analysis/lines.h"
#include "input/ids.h"
#include "util/hash.h"
#include "util/hash_table.h"
#include "util/memory.h"

/* Events in which another cache takes part (D18.2.6) */
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
	/* The data source packet of a store has no meaning. */
	return rec->valid & ARMSPE_HAS_SOURCE &&
	       !(row->op.flags & ARMSPE_OPF_STORE) && row_midr(row, &midr) &&
	       armspe_source_decode(midr, rec->source, &source) &&
	       source.flags & (ARMSPE_SOURCE_PEER | ARMSPE_SOURCE_MODIFIED);
}

static uint64_t line_hash(const struct line *line)
{
	return hash_mix(line->address + (uint32_t)line->pid + line->physical);
}

static uint64_t line_slot_hash(const void *slot)
{
	return line_hash(*(struct line *const *)slot);
}

static bool same_line(const void *slot, const void *key)
{
	const struct line *a = *(struct line *const *)slot, *b = key;

	return a->address == b->address && a->pid == b->pid &&
	       a->physical == b->physical;
}

static const struct hash_kind line_table = {
	sizeof(struct line *), 4096, hash_pointer_used, line_slot_hash,
	same_line,
};

static struct line *line_get(struct lines *l, const struct line *key)
{
	struct line **slot =
		hash_table_add(&l->table, &line_table, line_hash(key), key);

	if (!*slot) {
		*slot = xcalloc(1, sizeof(*key));
		**slot = *key;
	}
	return *slot;
}

/* The thread of an access, or its CPU if the thread is unknown */
static uint64_t sharer(const struct access *a)
{
	return a->tid != NO_ID ? (uint32_t)a->tid :
				 UINT64_C(1) << 32 | (uint32_t)a->cpu;
}

static uint64_t access_hash(const struct line *line, const struct access *a)
{
	uint64_t code = (uintptr_t)a->symbol ^ a->pc;
	uint64_t hash = hash_add(hash_add((uintptr_t)line, code), sharer(a));

	return hash_add(hash, a->offset * 2u + a->store);
}

static const struct access *access_of(const struct access_at *at)
{
	return &at->line->accesses[at->at];
}

static bool access_used(const void *slot)
{
	return ((const struct access_at *)slot)->line;
}

static uint64_t access_slot_hash(const void *slot)
{
	const struct access_at *at = slot;

	return access_hash(at->line, access_of(at));
}

struct access_key {
	const struct line *line;
	const struct access *access;
};

static bool same_access(const void *slot, const void *key)
{
	const struct access_at *at = slot;
	const struct access_key *k = key;
	const struct access *a, *b = k->access;

	if (at->line != k->line)
		return false;
	a = access_of(at);
	return a->offset == b->offset && a->store == b->store &&
	       a->tid == b->tid && a->cpu == b->cpu && a->pid == b->pid &&
	       a->symbol == b->symbol && a->object == b->object &&
	       a->pc == b->pc;
}

static const struct hash_kind access_table = {
	sizeof(struct access_at), 4096, access_used, access_slot_hash,
	same_access,
};

static struct access *access_get(struct lines *l, struct line *line,
				 const struct access *access)
{
	struct access_key key = { line, access };
	struct access_at *at =
		hash_table_add(&l->accesses, &access_table,
			       access_hash(line, access), &key);

	if (!at->line) {
		line->accesses = array_grow(line->accesses, line->nr_accesses,
					    &line->room_accesses,
					    sizeof(*access));
		*at = (struct access_at){ line, line->nr_accesses };
		line->accesses[line->nr_accesses++] = *access;
	}
	return &line->accesses[at->at];
}

/*
 * Identify a line by physical address if it was recorded, because processes may
 * map one page at several addresses.  A virtual address belongs to its process,
 * or, in the kernel's half, to all.
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

/* Names the memory of a new access.  All accesses that are counted with it have the same. */
static void access_name(struct access *a, const struct row *row)
{
	uint64_t address;

	if (!row_data(row, &a->data)) {
		a->data = (struct data_place){ 0 };
		return;
	}
	address = armspe_addr_virtual(row->rec->addr[SPE_ADDR_DATA_VA]);
	a->data.base -= address - a->offset;
}

static void access_add(struct line *line, struct access *a,
		       const struct row *row)
{
	const struct armspe_record *rec = row->rec;
	bool snooped = is_snooped(row);
	bool atomic = row->op.flags & (ARMSPE_OPF_AT | ARMSPE_OPF_EXCL);

	if (!a->count)
		access_name(a, row);
	a->count++;
	a->snooped += snooped;
	line->snooped += snooped;
	if (a->store)
		line->stores++;
	else
		line->loads++;
	a->atomics += atomic;
	/* An atomic operation is a load in its packet if it returns what was there. */
	if (a->store || row->op.flags & ARMSPE_OPF_AT) {
		a->writes++;
		line->writes++;
	}
	if (rec->counter_valid >> SPE_COUNTER_TOTAL & 1) {
		if (atomic)
			stake_add(&a->atomic, rec->counter[SPE_COUNTER_TOTAL]);
		a->timed++;
		line->timed++;
		a->cycles += rec->counter[SPE_COUNTER_TOTAL];
		a->squares += (double)rec->counter[SPE_COUNTER_TOTAL] *
			      rec->counter[SPE_COUNTER_TOTAL];
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
	if (row->rec->counter_valid >> SPE_COUNTER_TOTAL & 1)
		l->cycles += row->rec->counter[SPE_COUNTER_TOTAL];
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

/* Whether no sharer accesses an offset that another one stores to */
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
		store |= a[i].writes;
		if (store && sharer(&a[i]) != sharer(&a[first]))
			return false;
	}
	return true;
}

/* What one sharer did with the line */
struct side {
	uint64_t samples, writes;
	int32_t cpu;			/* of all samples; NO_ID: several, or unknown */
};

/* Add up the accesses from @first on that have one sharer, and return their end. */
static size_t side_of(const struct line *line, size_t first, struct side *side)
{
	const struct access *a = line->accesses;
	size_t i;

	*side = (struct side){ .cpu = a[first].cpu };
	for (i = first; i < line->nr_accesses &&
	     sharer(&a[i]) == sharer(&a[first]); i++) {
		side->samples += a[i].count;
		side->writes += a[i].writes;
		if (a[i].cpu != side->cpu)
			side->cpu = NO_ID;
	}
	return i;
}

/*
 * The verdict on a line without a common byte, whose accesses are sorted by
 * sharer.  Threads whose samples all come from one CPU never wait for the line.
 * Where CPUs are not known, as with a buffer for each thread, each thread counts
 * as a CPU of its own.
 */
static enum line_verdict judge_sides(const struct line *line)
{
	struct side *sides = xcalloc(line->sharers, sizeof(*sides));
	enum line_verdict verdict = line->cpus == 1 ? LINE_ONE_CPU : LINE_FEW;
	size_t i, j, at = 0, count = 0;

	while (at < line->nr_accesses) {
		at = side_of(line, at, &sides[count]);
		count += sides[count].samples >= LINES_ENOUGH;
	}
	for (i = 0; i < count && verdict != LINE_FALSE_SHARING; i++)
		for (j = 0; sides[i].writes && j < count; j++)
			if (j != i && (sides[i].cpu != sides[j].cpu ||
				       sides[i].cpu == NO_ID))
				verdict = LINE_FALSE_SHARING;
	free(sides);
	return verdict;
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
	line->verdict = LINE_COMMON;
	if (!is_disjoint(line))
		return;
	line_sort(line, by_sharer);
	line->verdict = judge_sides(line);
}

static int line_order(const void *a, const void *b)
{
	const struct line *x = *(struct line *const *)a;
	const struct line *y = *(struct line *const *)b;
	uint64_t m = x->loads + x->stores, n = y->loads + y->stores;

	if (x->snooped != y->snooped)
		return x->snooped > y->snooped ? -1 : 1;
	/* Threads on one CPU share its cache, so they cost nothing. */
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

	/* The same order as that of lines: the most snooped samples come first. */
	if (x->snooped != y->snooped)
		return x->snooped > y->snooped ? -1 : 1;
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
	struct line **slot = NULL;

	l->sorted = xcalloc(l->table.count, sizeof(*l->sorted));
	while ((slot = hash_table_next(&l->table, &line_table, slot))) {
		struct line *line = *slot;

		if (!line->writes)
			continue;
		line_judge(line);
		if (line->sharers < 2)
			continue;
		line_sort(line, access_order);
		l->shared_samples += line->loads + line->stores;
		l->shared_snooped += line->snooped;
		l->sorted[l->nr_sorted++] = line;
	}
	if (l->nr_sorted)
		qsort(l->sorted, l->nr_sorted, sizeof(*l->sorted), line_order);
}

void lines_free(struct lines *l)
{
	struct line **slot = NULL;

	while ((slot = hash_table_next(&l->table, &line_table, slot))) {
		free((*slot)->accesses);
		free(*slot);
	}
	hash_table_free(&l->table);
	hash_table_free(&l->accesses);
	free(l->sorted);
	memset(l, 0, sizeof(*l));
}
