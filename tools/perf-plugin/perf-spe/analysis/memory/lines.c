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

const struct lines_source *lines_source(struct lines *l, const struct row_batch *b, size_t i)
{
	const uint16_t number = b->source[i];
	struct lines_source *known = &l->sources[number & (LINES_SOURCES - 1)];
	struct armspe_source source;
	uint64_t midr;

	if (!(b->valid[i] & ARMSPE_HAS_SOURCE))
		return NULL;
	if (!known->used || known->source != number || known->cpu != b->piece->cpu) {
		*known = (struct lines_source){ .used = true, .source = number, .cpu = b->piece->cpu };
		known->named = batch_midr(b, &midr) && armspe_source_decode(midr, number, &source);
		known->flags = known->named ? source.flags : 0;
	}
	return known->named ? known : NULL;
}

bool lines_snooped(struct lines *l, const struct row_batch *b, size_t i)
{
	const struct lines_source *source;

	if (batch_events(b, i) & SNOOPS)
		return true;
	/* The packet of a store has no meaning. */
	if (batch_op(b, i)->flags & ARMSPE_OPF_STORE)
		return false;
	source = lines_source(l, b, i);
	return source && source->flags & (ARMSPE_SOURCE_PEER | ARMSPE_SOURCE_MODIFIED);
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
		(*slot)->pid = key->pid;
		(*slot)->process = key->process;
		(*slot)->physical = key->physical;
		(*slot)->address = key->address;
	}
	return *slot;
}

static uint64_t access_hash(const struct line *line, const struct access *a)
{
	uint64_t code = (uintptr_t)a->symbol ^ a->pc, at = (a->bytes * 256u + a->offset) * 2u + a->store;

	return hash_mix(hash_mix(hash_mix((uintptr_t)line + code) + access_sharer(a)) + at);
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

static struct access access_new(const struct line *line, const struct access *key)
{
	return (struct access){
		.offset = key->offset, .bytes = key->bytes, .store = key->store, .tid = key->tid,
		.cpu = key->cpu, .process = key->process, .object = key->object,
		.symbol = key->symbol, .pc = key->pc, .type = key->type, .field = key->field,
		.order = (uint32_t)line->nr_accesses,
	};
}

/* The access of @line like @access; it may move when the line gets another one. */
static struct access *access_get(struct lines *l, struct line *line, const struct access *access)
{
	struct access_key key = { (uint32_t)access_hash(line, access), line, access };
	struct access_at *at = hash_table_add(&l->accesses, &access_table, &key);

	if (!at->line) {
		line->accesses = array_grow(line->accesses, line->nr_accesses,
					    &line->room_accesses,
					    sizeof(*access));
		*at = (struct access_at){ key.hash, (uint32_t)line->nr_accesses, line };
		line->accesses[line->nr_accesses] = access_new(line, access);
		line->nr_accesses++;
	}
	return &line->accesses[at->at];
}

/*
 * Identify a line by physical address if it was recorded, because processes may
 * map one page at several addresses.  A virtual address belongs to its process,
 * or, in the kernel's half, to all.  A guest has a kernel of its own, and its processes are not known.
 */
static bool line_key(const struct lines *l, const struct row_batch *b, size_t i,
		     struct line *key, uint8_t *offset)
{
	const struct owner *owner = batch_owner(b, i);
	uint64_t address;

	key->physical = b->addr_valid[i] >> SPE_ADDR_DATA_PA & 1;
	if (key->physical) {
		address = armspe_addr_physical(b->pa[i]);
	} else if (b->addr_valid[i] >> SPE_ADDR_DATA_VA & 1) {
		address = armspe_addr_virtual(b->va[i]);
	} else {
		return false;
	}
	key->pid = NO_ID;
	key->process = 0;
	if (!key->physical && (owner->guest || !(address >> 63))) {
		/* Accesses of unknown processes, as those of guests, may be of different ones. */
		if (b->rows->resolver.session && !owner->process && !(owner->vm && address >> 63))
			return false;
		key->pid = owner->pid;
		key->process = owner_number(*owner);
	}
	key->address = address & ~((uint64_t)l->bytes - 1);
	*offset = (uint8_t)(address - key->address);
	return true;
}

/* The bytes of the line that an access uses.  One byte is sure where the code is not known. */
static uint16_t bytes_of(struct lines *l, const struct place *place, unsigned int offset)
{
	unsigned int bytes = access_size(&l->sizes, place);

	if (!bytes)
		return 1;
	return (uint16_t)(bytes < l->bytes - offset ? bytes : l->bytes - offset);
}

static void name_type(struct lines *l, const struct row_batch *b, size_t i, struct access *access)
{
	struct instance instance;

	if (!batch_instance(b, i, &instance))
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
	l->name(l->context, &row, access);
}

/*
 * What identifies the line and the access of a record; false if the record is no access.  Sets no
 * other members, because that would take much of the time.
 */
static bool identify(struct lines *l, const struct row_batch *b, size_t i, struct line *key,
		     struct access *access)
{
	const uint32_t flags = batch_op(b, i)->flags;
	const struct owner *owner = batch_owner(b, i);
	const struct place *place = b->place[i];
	uint8_t offset;

	if (!(flags & (ARMSPE_OPF_LOAD | ARMSPE_OPF_STORE)))
		return false;
	if (!line_key(l, b, i, key, &offset))
		return false;
	access->offset = offset;
	access->bytes = bytes_of(l, place, offset);
	access->store = flags & ARMSPE_OPF_STORE;
	access->tid = owner->tid;
	access->process = owner_number(*owner);
	access->cpu = b->piece->cpu;
	access->object = place->object;
	access->symbol = place->symbol;
	access->pc = !place->symbol && b->addr_valid[i] >> SPE_ADDR_PC & 1 ?
		armspe_addr_virtual(b->pc[i]) : 0;
	access->type = access->field = NULL;
	if (l->types)
		name_type(l, b, i, access);
	if (l->name)
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

bool lines_id(const struct lines *l, const struct row_batch *b, size_t i, struct line_id *id)
{
	struct line key;
	uint8_t offset;

	if (!line_key(l, b, i, &key, &offset))
		return false;
	*id = (struct line_id){ key.address, key.process, key.physical };
	return true;
}

const struct line *lines_with(const struct lines *l, const struct line_id *id)
{
	const struct line key = {
		.address = id->address, .process = id->process, .physical = id->physical,
	};
	struct line **slot = hash_table_find(&l->table, &line_table, &key);

	return slot ? *slot : NULL;
}

static uint64_t *shared_word(uint64_t *bits, uint64_t address, uint64_t *bit)
{
	const uint64_t at = hash_mix(address) & (LINES_BITS - 1);

	*bit = UINT64_C(1) << at % 64;
	return &bits[at / 64];
}

bool lines_shared(struct lines *l, const struct row_batch *b, size_t i, const struct line **line)
{
	struct line key, **slot;
	uint8_t offset;
	uint64_t bit;

	*line = NULL;
	if (!(batch_op(b, i)->flags & (ARMSPE_OPF_LOAD | ARMSPE_OPF_STORE)) ||
	    !line_key(l, b, i, &key, &offset))
		return false;
	/* Most lines are not shared. */
	if (!(*shared_word(l->shared_bits, key.address, &bit) & bit))
		return true;
	slot = hash_table_find(&l->table, &line_table, &key);
	*line = slot && (*slot)->shared ? *slot : NULL;
	return true;
}

/* Fill in what the first sample says about an access; a table has one name for a thread. */
static void access_begin(struct access *access, const struct row_batch *b, size_t i)
{
	const struct owner *owner = batch_owner(b, i);
	const struct session *s = b->rows->resolver.session;
	const char *last = s ? processes_last_name(&s->processes, access->tid, owner_process(owner)) :
			   NULL;

	access->first = b->piece;
	access->comm = last ? last : owner->comm;
}

/* The access of a record and its line; NULL if the record is no access */
static struct access *access_of(struct lines *l, const struct row_batch *b, size_t i,
				struct line **line)
{
	struct access access, *to;
	struct line key;

	if (!identify(l, b, i, &key, &access))
		return NULL;
	*line = line_get(l, &key);
	to = access_get(l, *line, &access);
	if (to->first)
		return to;
	access_begin(to, b, i);
	if (!l->blocks)
		line_name_find(*line, to, b, i);
	return to;
}

/* Count the samples.  Line and access lie in several cache lines, which is slow for each sample. */
static void settle(struct lines *l, const struct lines_known *k)
{
	struct line *line = k->line;
	struct access *a = &line->accesses[k->at];

	l->physical += line->physical ? k->count : 0;
	l->cycles += k->cycles;
	line->snooped += k->snooped;
	line->timed += k->timed;
	line->cycles += k->cycles;
	if (a->store)
		line->stores += k->count;
	else
		line->loads += k->count;
	if (a->name && !l->blocks)
		line->names[a->name - 1].count += k->count;
	a->count += k->count;
	a->snooped += k->snooped;
	a->timed += k->timed;
	a->cycles += k->cycles;
	a->squares += (double)k->squares;
	time_windows_merge(&a->when, &k->when);
	/* An atomic operation is a load in its packet if it returns what was there. */
	if (a->store || k->key.flags & ARMSPE_OPF_AT) {
		a->writes += k->count;
		line->writes += k->count;
	}
	if (k->key.flags & (ARMSPE_OPF_AT | ARMSPE_OPF_EXCL)) {
		a->atomics += k->count;
		a->atomic.count += k->timed;
		a->atomic.cycles += (double)k->cycles;
		a->atomic.squares += (double)k->squares;
	}
}

static const struct hash_kind known_table;

static void settle_all(struct lines *l)
{
	uint32_t i;

	for (i = 0; i < l->nr_known; i++)
		settle(l, &l->known[i]);
	hash_table_clear(&l->known_at, &known_table);
	l->nr_known = 0;
	l->waiting = 0;
}

static void count(struct lines *l, struct lines_known *k, const struct row_batch *b, size_t i)
{
	struct access *access;

	if (l->blocks) {
		access = &k->line->accesses[k->at];
		line_name_find(k->line, access, b, i);
		if (access->name)
			k->line->names[access->name - 1].count++;
	}
	if (b->valid[i] & ARMSPE_HAS_TIMESTAMP)
		time_windows_add(&k->when, b->timestamp[i]);
	k->count++;
	k->snooped += lines_snooped(l, b, i);
	if (batch_has(b, i, SPE_COUNTER_TOTAL)) {
		const uint64_t cycles = b->total[i];

		k->timed++;
		k->cycles += cycles;
		k->squares += cycles * cycles;
		if (l->hits && lines_is_hit(batch_events(b, i)) &&
		    !(k->key.flags & (ARMSPE_OPF_AT | ARMSPE_OPF_EXCL)))
			stake_add(&k->line->accesses[k->at].hit, (double)cycles);
	}
}

struct known_key {
	uint32_t hash;		/* as in struct known_at */
	const struct lines_known *known;
	const struct lines_key *key;
};

static bool same_known(const void *slot, const void *key)
{
	const struct known_at *at = slot;
	const struct known_key *k = key;
	const struct lines_key *x = &k->known[at->number - 1].key, *y = k->key;

	return x->place == y->place && x->address == y->address && x->pc == y->pc &&
	       x->process == y->process && x->tid == y->tid && x->cpu == y->cpu &&
	       x->flags == y->flags && x->physical == y->physical;
}

static const struct hash_kind known_table = {
	HASH_SLOTS(struct known_at, number),
	.hashed = true, .key = { HASH_NUMBER(struct known_at, hash) }, .same = same_known,
};

/* Set what record @i has of its own. */
static uint32_t known_key(const struct row_batch *b, size_t i, struct lines_key *key)
{
	const struct place *place = b->place[i];
	const uint32_t has = b->addr_valid[i];

	key->place = place;
	key->physical = has >> SPE_ADDR_DATA_PA & 1;
	key->address = key->physical ? b->pa[i] : b->va[i];
	key->pc = place->symbol || !(has >> SPE_ADDR_PC & 1) ? 0 : b->pc[i];
	key->flags = batch_op(b, i)->flags;
	return (uint32_t)hash_mix(hash_mix((uintptr_t)place + key->address) + (uint32_t)key->tid);
}

/* The samples like record @i; NULL if it is no access */
static struct lines_known *known_get(struct lines *l, const struct row_batch *b, size_t i,
				     struct lines_key *key)
{
	const struct known_key k = { known_key(b, i, key), l->known, key };
	struct known_at *at = hash_table_find(&l->known_at, &known_table, &k);
	struct access *access;
	struct line *line;

	if (at)
		return &l->known[at->number - 1];
	access = access_of(l, b, i, &line);
	if (!access)
		return NULL;
	if (l->nr_known == LINES_KNOWN)
		settle_all(l);
	at = hash_table_add(&l->known_at, &known_table, &k);
	*at = (struct known_at){ k.hash, l->nr_known + 1 };
	l->known[l->nr_known] = (struct lines_known){
		.key = *key, .line = line, .at = (uint32_t)(access - line->accesses),
	};
	return &l->known[l->nr_known++];
}

/* Count records of one owner, from @from on. */
static void add_known(struct lines *l, const struct row_batch *b, const uint16_t *from,
		      const uint16_t *to)
{
	const struct owner *owner = batch_owner(b, *from);
	struct lines_key key = {
		.process = owner_number(*owner), .tid = owner->tid, .cpu = b->piece->cpu,
	};
	struct lines_known *known;

	for (; from < to; from++) {
		known = known_get(l, b, *from, &key);
		if (!known) {
			l->unknown += b->addr_valid[*from] >> SPE_ADDR_DATA_VA & 1;
			continue;
		}
		l->samples++;
		count(l, known, b, *from);
	}
}

static void add(struct lines *l, const struct row_batch *b, size_t i)
{
	struct lines_known one = { .key.flags = batch_op(b, i)->flags };
	struct access *access = access_of(l, b, i, &one.line);

	if (!access) {
		l->unknown += b->addr_valid[i] >> SPE_ADDR_DATA_VA & 1;
		return;
	}
	one.at = (uint32_t)(access - one.line->accesses);
	l->samples++;
	count(l, &one, b, i);
	settle(l, &one);
}

/* Loads and stores with an address; branches for each row would be hard to predict. */
static size_t find_accesses(const struct row_batch *b, uint16_t *to)
{
	const uint32_t data = 1u << SPE_ADDR_DATA_VA | 1u << SPE_ADDR_DATA_PA;
	const uint32_t memory = ARMSPE_OPF_LOAD | ARMSPE_OPF_STORE;
	size_t k, nr = 0;

	for (k = 0; k < b->nr; k++) {
		const uint16_t i = b->kept[k];

		to[nr] = i;
		nr += !!(b->addr_valid[i] & data) & !!(batch_op(b, i)->flags & memory);
	}
	return nr;
}

static void begin_batch(struct lines *l, const struct row_batch *b)
{
	const bool blocks = rows_have_blocks(b->rows);

	if (!l->known && !l->types && !l->name)
		l->known = xapart(LINES_KNOWN * sizeof(*l->known));
	if (l->blocks != blocks || l->epoch != b->rows->places->epoch || l->waiting + b->nr > UINT32_MAX)
		settle_all(l);
	l->blocks = blocks;
	l->epoch = b->rows->places->epoch;
	l->waiting += b->nr;
}

void lines_add(void *context, const struct row_batch *b)
{
	struct lines *l = context;
	uint16_t accesses[ROW_BATCH];
	const size_t nr = find_accesses(b, accesses);
	size_t k, end;

	begin_batch(l, b);
	for (k = 0; k < nr; k = end) {
		end = k + 1;
		if (l->types || l->name) {
			add(l, b, accesses[k]);
			continue;
		}
		while (end < nr && b->owner[accesses[end]] == b->owner[accesses[k]])
			end++;
		add_known(l, b, &accesses[k], &accesses[end]);
	}
}

struct line **lines_next(const struct lines *l, struct line **slot)
{
	return hash_table_next(&l->table, &line_table, slot);
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
		*to = *a;
		to->type = key.type;
		to->field = key.field;
		to->name = key.name;
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
	stake_merge(&to->hit, &a->hit);
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

	settle_all(l);
	settle_all(from);
	l->samples += from->samples;
	l->physical += from->physical;
	l->unknown += from->unknown;
	l->cycles += from->cycles;
	l->merged = true;
	l->blocks |= from->blocks;
	while ((slot = hash_table_next(&from->table, &line_table, slot)))
		merge_line(l, *slot);
}

static void part_begin(void *part, const void *like)
{
	const struct lines *options = like;
	const unsigned int bytes = options->bytes;
	const bool types = options->types, hits = options->hits;
	struct lines *l = part;

	lines_free(l);
	l->bytes = bytes;
	l->types = types;
	l->hits = hits;
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

/* Order accesses and names as one thread would have found them: this decides ties. */
static void in_order(const struct lines *l, struct line *line)
{
	qsort(line->accesses, line->nr_accesses, sizeof(*line->accesses), by_first);
	line_names_in_order(line, l->blocks);
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
	uint64_t bit;
	size_t i;

	settle_all(l);
	l->sorted = xcalloc(l->table.count, sizeof(*l->sorted));
	while ((slot = hash_table_next(&l->table, &line_table, slot))) {
		struct line *line = *slot;

		if (!line->writes)
			continue;
		if (l->merged)
			in_order(l, line);
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
	for (i = 0; i < l->nr_sorted; i++) {
		l->sorted[i]->rank = i;
		*shared_word(l->shared_bits, l->sorted[i]->address, &bit) |= bit;
	}
}

bool lines_written(const struct lines *l)
{
	struct line **line = NULL;

	while ((line = lines_next(l, line)))
		if ((*line)->writes)
			return true;
	return false;
}

enum lines_reach lines_reach(const struct lines *l)
{
	bool threads = false, cpus = false;
	const struct access *first = NULL;
	struct line **line = NULL;
	size_t i;

	while ((line = lines_next(l, line)))
		for (i = 0; i < (*line)->nr_accesses; i++) {
			const struct access *a = &(*line)->accesses[i];

			first = first ? first : a;
			threads |= first->tid != a->tid || (a->tid == NO_ID && first->cpu != a->cpu);
			cpus |= a->cpu == NO_ID || first->cpu != a->cpu;
			if (threads && cpus)
				return LINES_SEVERAL;
		}
	return threads ? LINES_ONE_CPU : LINES_ONE_THREAD;
}

bool lines_know_sharers(const struct lines *l)
{
	struct line **line = NULL;
	size_t i;

	while ((line = lines_next(l, line)))
		for (i = 0; i < (*line)->nr_accesses; i++)
			if ((*line)->accesses[i].tid != NO_ID || (*line)->accesses[i].cpu != NO_ID)
				return true;
	return false;
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
	free(l->known);
	hash_table_free(&l->known_at);
	access_sizes_free(&l->sizes);
	string_set_free(&l->texts);
	memset(l, 0, sizeof(*l));
}
