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

bool line_snooped(const struct row_batch *b, size_t i)
{
	struct armspe_source source;
	uint64_t midr;

	if (batch_events(b, i) & SNOOPS)
		return true;
	/* The data source packet of a store has no meaning. */
	return b->valid[i] & ARMSPE_HAS_SOURCE &&
	       !(batch_op(b, i)->flags & ARMSPE_OPF_STORE) && batch_midr(b, &midr) &&
	       armspe_source_decode(midr, b->source[i], &source) &&
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

/* The access of @line like @access, whose position in the array @line->accesses may change */
static struct access *access_get(struct lines *l, struct line *line, const struct access *access)
{
	struct access_key key = { (uint32_t)access_hash(line, access), line, access };
	struct access_at *at = hash_table_add(&l->accesses, &access_table, &key);

	if (!at->line) {
		line->accesses = array_grow(line->accesses, line->nr_accesses,
					    &line->room_accesses,
					    sizeof(*access));
		*at = (struct access_at){ key.hash, (uint32_t)line->nr_accesses, line };
		line->accesses[line->nr_accesses] = *access;
		line->accesses[line->nr_accesses].order = (uint32_t)line->nr_accesses;
		line->nr_accesses++;
	}
	return &line->accesses[at->at];
}

/*
 * Identify a line by physical address if it was recorded, because processes may
 * map one page at several addresses.  A virtual address belongs to its process,
 * or, in the kernel's half, to all.
 */
static bool line_key(const struct lines *l, const struct row_batch *b, size_t i,
		     struct line *key, uint8_t *offset)
{
	const struct owner *owner = batch_owner(b, i);
	uint64_t address;

	if (b->addr_valid[i] >> SPE_ADDR_DATA_PA & 1) {
		address = armspe_addr_physical(b->pa[i]);
		key->physical = true;
	} else if (b->addr_valid[i] >> SPE_ADDR_DATA_VA & 1) {
		address = armspe_addr_virtual(b->va[i]);
	} else {
		return false;
	}
	key->pid = NO_ID;
	if (!key->physical && !(address >> 63)) {
		/* Accesses of unknown processes may be of different ones. */
		if (b->rows->resolver.session && !owner->process)
			return false;
		key->pid = owner->pid;
		key->process = owner_number(*owner);
	}
	key->address = address & ~((uint64_t)l->bytes - 1);
	*offset = (uint8_t)(address - key->address);
	return true;
}

static void access_add(struct line *line, struct access *a, const struct row_batch *b, size_t i)
{
	const uint32_t flags = batch_op(b, i)->flags;
	bool snooped = line_snooped(b, i);
	bool atomic = flags & (ARMSPE_OPF_AT | ARMSPE_OPF_EXCL);

	line_name_add(line, a, b, i);
	if (b->valid[i] & ARMSPE_HAS_TIMESTAMP)
		time_windows_add(&a->when, b->timestamp[i]);
	a->count++;
	a->snooped += snooped;
	line->snooped += snooped;
	if (a->store)
		line->stores++;
	else
		line->loads++;
	a->atomics += atomic;
	/* An atomic operation is a load in its packet if it returns what was there. */
	if (a->store || flags & ARMSPE_OPF_AT) {
		a->writes++;
		line->writes++;
	}
	if (batch_has(b, i, SPE_COUNTER_TOTAL)) {
		const uint16_t cycles = b->total[i];

		if (atomic)
			stake_add(&a->atomic, cycles);
		a->timed++;
		line->timed++;
		a->cycles += cycles;
		a->squares += (double)cycles * cycles;
		line->cycles += cycles;
	}
}

/* The bytes of the line that an access uses.  One byte is sure where the code is not known. */
static uint16_t bytes_of(struct lines *l, const struct place *place, unsigned int offset)
{
	unsigned int bytes = access_size(&l->sizes, place);

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

static void name_access(struct lines *l, const struct row_batch *b, size_t i,
			struct access *access)
{
	struct row row = batch_row(b);

	batch_row_at(b, i, &row);
	if (l->types)
		name_type(l, &row, access);
	if (l->name)
		l->name(l->context, &row, access);
}

/* What identifies the line and the access of a record; false if it is none */
static bool identify(struct lines *l, const struct row_batch *b, size_t i, struct line *key,
		     struct access *access)
{
	const uint32_t flags = batch_op(b, i)->flags;
	const struct owner *owner = batch_owner(b, i);
	const struct place *place = b->place[i];
	uint8_t offset;

	if (!(flags & (ARMSPE_OPF_LOAD | ARMSPE_OPF_STORE)))
		return false;
	*key = (struct line){ 0 };
	if (!line_key(l, b, i, key, &offset))
		return false;
	*access = (struct access){
		.offset = offset, .tid = owner->tid, .process = owner_number(*owner),
		.comm = owner->comm, .first = b->piece,
		.cpu = b->piece->cpu, .object = place->object, .symbol = place->symbol,
	};
	access->store = flags & ARMSPE_OPF_STORE;
	access->bytes = bytes_of(l, place, access->offset);
	if (!access->symbol && b->addr_valid[i] >> SPE_ADDR_PC & 1)
		access->pc = armspe_addr_virtual(b->pc[i]);
	if (l->types || l->name)
		name_access(l, b, i, access);
	return true;
}

struct line *lines_find(struct lines *l, const struct row_batch *b, size_t i,
			struct access *access)
{
	struct line key, **slot;

	if (!identify(l, b, i, &key, access))
		return NULL;
	slot = hash_table_find(&l->table, &line_table, &key);
	return slot ? *slot : NULL;
}

/* A table has one name for a thread. */
static void name_thread(struct access *access, const struct row_batch *b, const struct owner *owner)
{
	const struct session *s = b->rows->resolver.session;
	const char *last = s ? processes_last_name(&s->processes, access->tid, owner->process) :
			   NULL;

	if (last)
		access->comm = last;
}

static void add(struct lines *l, const struct row_batch *b, size_t i)
{
	struct access access, *to;
	struct line key, *line;

	if (!identify(l, b, i, &key, &access)) {
		l->unknown += batch_op(b, i)->flags & (ARMSPE_OPF_LOAD | ARMSPE_OPF_STORE) &&
			      b->addr_valid[i] >> SPE_ADDR_DATA_VA & 1;
		return;
	}
	l->samples++;
	l->physical += key.physical;
	l->cycles += batch_cycles(b, i);
	line = line_get(l, &key);
	to = access_get(l, line, &access);
	if (!to->count)
		name_thread(to, b, batch_owner(b, i));
	access_add(line, to, b, i);
}

void lines_add(void *context, const struct row_batch *b)
{
	size_t k;

	for (k = 0; k < b->nr; k++)
		add(context, b, b->kept[k]);
}

static void merge_access(struct lines *l, struct line *line, struct line *from,
			 const struct access *a)
{
	struct access key = *a, *to;
	size_t had = line->nr_accesses;

	key.type = a->type ? string_set_add(&l->texts, a->type) : NULL;
	key.field = a->field ? string_set_add(&l->texts, a->field) : NULL;
	key.name = a->name ? line_name_of(line, &from->names[a->name - 1].place) : 0;
	to = access_get(l, line, &key);
	if (line->nr_accesses > had) {
		to->order = a->order;
		return;
	}
	if (first_order(a->first, a->order, to->first, to->order) < 0) {
		to->first = a->first;
		to->order = a->order;
		to->comm = a->comm;
		to->name = key.name;
	}
	time_windows_merge(&to->when, &a->when);
	to->count += a->count;
	to->snooped += a->snooped;
	to->timed += a->timed;
	to->cycles += a->cycles;
	to->squares += a->squares;
	to->writes += a->writes;
	to->atomics += a->atomics;
	stake_merge(&to->atomic, &a->atomic);
}

static void merge_line(struct lines *l, struct line *from)
{
	const struct line key = { .pid = from->pid, .process = from->process,
				  .physical = from->physical, .address = from->address };
	struct line *line = line_get(l, &key);
	size_t i;

	line->loads += from->loads;
	line->stores += from->stores;
	line->writes += from->writes;
	line->snooped += from->snooped;
	line->timed += from->timed;
	line->cycles += from->cycles;
	line_names_merge(line, from);
	for (i = 0; i < from->nr_accesses; i++)
		merge_access(l, line, from, &from->accesses[i]);
}

static void part_merge(void *whole, void *part)
{
	struct lines *l = whole, *from = part;
	struct line **slot = NULL;

	l->samples += from->samples;
	l->physical += from->physical;
	l->unknown += from->unknown;
	l->cycles += from->cycles;
	l->merged = true;
	while ((slot = hash_table_next(&from->table, &line_table, slot)))
		merge_line(l, *slot);
}

static void part_begin(void *part, const void *like)
{
	const struct lines *options = like;
	const unsigned int bytes = options->bytes;
	const bool types = options->types;
	struct lines *l = part;

	lines_free(l);
	l->bytes = bytes;
	l->types = types;
}

static void part_free(void *part)
{
	lines_free(part);
}

const struct row_parts lines_parts = {
	sizeof(struct lines), part_begin, part_merge, part_free,
};

static int by_first(const void *a, const void *b)
{
	const struct access *x = a, *y = b;

	return first_order(x->first, x->order, y->first, y->order);
}

/* The order in which one thread would have found accesses and names, which decides ties */
static void in_order(struct line *line)
{
	qsort(line->accesses, line->nr_accesses, sizeof(*line->accesses), by_first);
	line_names_in_order(line);
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
		if (l->merged)
			in_order(line);
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
