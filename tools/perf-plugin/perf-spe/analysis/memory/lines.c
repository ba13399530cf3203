// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>
#include <string.h>

#include "analysis/memory/memory.h"
#include "analysis/rows/rows.h"
#include "armspe.h"
#include "input/input.h"
#include "symbols/types/types.h"
#include "util/util.h"

/*
 * Events in which another cache takes part (D18.2.6).  "Cache data modified" is none: the data
 * may be modified in the CPU's own cache.
 */
#define SNOOPS ((UINT64_C(1) << SPE_EVENT_DATA_SNOOPED) | \
		(UINT64_C(1) << SPE_EVENT_REMOTE_ACCESS))

bool line_snooped(const struct row *row)
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

static const struct hash_kind line_table = {
	HASH_POINTERS,
	.key = {
		HASH_NUMBER(struct line, address), HASH_NUMBER(struct line, process),
		HASH_NUMBER(struct line, physical),
	},
};

static struct line *line_get(struct lines *l, const struct line *key)
{
	struct line **slot = hash_table_add(&l->table, &line_table, key);

	if (!*slot) {
		*slot = xcalloc(1, sizeof(*key));
		**slot = *key;
	}
	return *slot;
}

static uint64_t access_hash(const struct line *line, const struct access *a)
{
	uint64_t code = (uintptr_t)a->symbol ^ a->pc;
	uint64_t hash = hash_add(hash_add((uintptr_t)line, code), access_sharer(a));

	return hash_add(hash, (a->bytes * 256u + a->offset) * 2u + a->store);
}

struct access_key {
	uint32_t hash;		/* as in struct access_at */
	const struct line *line;
	const struct access *access;
};

static bool same_access(const void *slot, const void *key)
{
	const struct access_at *at = slot;
	const struct access_key *k = key;

	return at->line == k->line && access_same(&at->line->accesses[at->at], k->access);
}

static const struct hash_kind access_table = {
	HASH_SLOTS(struct access_at, line),
	.hashed = true, .key = { HASH_NUMBER(struct access_at, hash) }, .same = same_access,
};

static struct access *access_get(struct lines *l, struct line *line, const struct row *row,
				 const struct access *access)
{
	struct access_key key = { (uint32_t)access_hash(line, access), line, access };
	const char *last = NULL;
	struct access_at *at = hash_table_add(&l->accesses, &access_table, &key);

	if (!at->line) {
		line->accesses = array_grow(line->accesses, line->nr_accesses,
					    &line->room_accesses,
					    sizeof(*access));
		*at = (struct access_at){ key.hash, (uint32_t)line->nr_accesses, line };
		line->accesses[line->nr_accesses] = *access;
		/* A table has one name for a thread. */
		if (row->session)
			last = processes_last_name(&row->session->processes, access->tid,
						   row->owner.process);
		if (last)
			line->accesses[line->nr_accesses].comm = last;
		line->nr_accesses++;
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
	key->pid = NO_ID;
	if (!key->physical && !(address >> 63)) {
		/* Accesses of unknown processes may be of different ones. */
		if (row->session && !row->owner.process)
			return false;
		key->pid = row->owner.pid;
		key->process = owner_number(row->owner);
	}
	key->address = address & ~((uint64_t)l->bytes - 1);
	*offset = (uint8_t)(address - key->address);
	return true;
}

static void access_add(struct line *line, struct access *a,
		       const struct row *row)
{
	const struct armspe_record *rec = row->rec;
	bool snooped = line_snooped(row);
	bool atomic = row->op.flags & (ARMSPE_OPF_AT | ARMSPE_OPF_EXCL);

	line_name_add(line, a, row);
	if (rec->valid & ARMSPE_HAS_TIMESTAMP)
		time_windows_add(&a->when, rec->timestamp);
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

/* The bytes of the line that an access uses.  One byte is sure where the code is not known. */
static uint16_t bytes_of(struct lines *l, const struct row *row, unsigned int offset)
{
	unsigned int bytes = access_size(&l->sizes, row->place);

	if (!bytes)
		return 1;
	return (uint16_t)(bytes < l->bytes - offset ? bytes : l->bytes - offset);
}

static void name_type(struct lines *l, const struct row *row, struct access *access)
{
	struct instance instance;

	if (!row_instance(row, &instance))
		return;
	access->type = string_set_add(&l->texts, instance.type->name);
	if (instance.field[0])
		access->field = string_set_add(&l->texts, instance.field);
}

/* What identifies the line and the access of a row; false if it is none */
static bool identify(struct lines *l, const struct row *row, struct line *key,
		     struct access *access)
{
	uint8_t offset;

	if (!(row->op.flags & (ARMSPE_OPF_LOAD | ARMSPE_OPF_STORE)))
		return false;
	*key = (struct line){ 0 };
	if (!line_key(l, row, key, &offset))
		return false;
	*access = (struct access){
		.offset = offset,
		.tid = row->owner.tid, .process = owner_number(row->owner),
		.comm = row->owner.comm,
		.cpu = row->piece->cpu, .object = row->place->object,
		.symbol = row->place->symbol,
	};
	access->store = row->op.flags & ARMSPE_OPF_STORE;
	access->bytes = bytes_of(l, row, access->offset);
	if (!access->symbol && row->rec->addr_valid >> SPE_ADDR_PC & 1)
		access->pc = armspe_addr_virtual(row->rec->addr[SPE_ADDR_PC]);
	if (l->types)
		name_type(l, row, access);
	if (l->name)
		l->name(l->context, row, access);
	return true;
}

struct line *lines_find(struct lines *l, const struct row *row, struct access *access)
{
	struct line key, **slot;

	if (!identify(l, row, &key, access))
		return NULL;
	slot = hash_table_find(&l->table, &line_table, &key);
	return slot ? *slot : NULL;
}

void lines_add(void *context, const struct row *row)
{
	struct lines *l = context;
	struct access access;
	struct line key, *line;

	if (!identify(l, row, &key, &access)) {
		l->unknown += row->op.flags & (ARMSPE_OPF_LOAD | ARMSPE_OPF_STORE) &&
			      row->rec->addr_valid >> SPE_ADDR_DATA_VA & 1;
		return;
	}
	l->samples++;
	l->physical += key.physical;
	if (row->rec->counter_valid >> SPE_COUNTER_TOTAL & 1)
		l->cycles += row->rec->counter[SPE_COUNTER_TOTAL];
	line = line_get(l, &key);
	access_add(line, access_get(l, line, row, &access), row);
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
	return x->process < y->process ? -1 : x->process > y->process;
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
		line_names_sort(line);
		line->shared = true;
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
		free((*slot)->names);
		free((*slot)->pairs);
		free(*slot);
	}
	hash_table_free(&l->table);
	hash_table_free(&l->accesses);
	free(l->sorted);
	access_sizes_free(&l->sizes);
	string_set_free(&l->texts);
	memset(l, 0, sizeof(*l));
}
