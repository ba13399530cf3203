// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>
#include <string.h>

#include "analysis/callers/callers.h"
#include "analysis/rows/rows.h"
#include "analysis/stacks/stacks.h"
#include "armspe.h"
#include "input/input.h"
#include "symbols/dwarf/dwarf.h"
#include "symbols/symbols.h"
#include "util/util.h"

/* Equal names with different pointers become one node in flame_finish(). */
static const struct hash_kind spot_table = {
	HASH_POINTERS,
	.key = {
		HASH_NUMBER(struct flame_spot, address), HASH_NUMBER(struct flame_spot, pc),
		HASH_NUMBER(struct flame_spot, process), HASH_NUMBER(struct flame_spot, tid),
		HASH_NUMBER(struct flame_spot, object), HASH_NUMBER(struct flame_spot, symbol),
		HASH_NUMBER(struct flame_spot, callers), HASH_NUMBER(struct flame_spot, is),
	},
};

/*
 * The latest samples of a spot, which have all of this.  They are added to the spot's parts later and
 * together: each slice has a part in another line of a cache, so each addition alone would miss it.
 */
struct flame_known {
	const struct place *place;	/* NULL: empty */
	uint64_t pc;			/* as recorded: files have one place at several addresses */
	const struct caller *callers;
	uint32_t process;
	int32_t tid;
	uint32_t epoch;			/* valid only if it is that of the places */
	uint8_t is;			/* enum flame_is */
	uint8_t slice;
	struct flame_spot *spot;
	uint32_t count, timed;		/* count 0: the parts have them all */
	uint64_t cycles;
} __attribute__((aligned(64)));

_Static_assert(sizeof(struct flame_known) == 64, "one line of a cache");

#define KNOWN	16384			/* a power of two */
#define WAITING	32

/* Samples to add to a part once its line is in a cache */
struct flame_waiting {
	struct flame_spot *spot;
	uint32_t slice;
	uint32_t count, timed;
	uint64_t cycles;
};

struct flame_latest {
	struct flame_known known[KNOWN];
	struct flame_waiting waiting[WAITING];
	size_t nr_waiting;
};

static struct flame_spot *spot_get(struct flame *f, const struct flame_spot *key)
{
	struct flame_spot **slot = hash_table_add(&f->spots, &spot_table, key);

	if (!*slot) {
		*slot = xcalloc(1, sizeof(**slot));
		**slot = *key;
	}
	return *slot;
}

/* Time goes on, so mostly the latest part has the slice, or else the one behind it. */
static struct flame_part *part_get(struct flame_spot *spot, uint32_t slice)
{
	uint32_t i;

	for (i = 0; i < spot->nr_parts; i++) {
		if (spot->parts[spot->latest].slice == slice)
			return &spot->parts[spot->latest];
		spot->latest = spot->latest + 1 < spot->nr_parts ? spot->latest + 1 : 0;
	}
	spot->parts = array_grow(spot->parts, i, &spot->room_parts, sizeof(*spot->parts));
	spot->parts[i] = (struct flame_part){ .slice = slice };
	spot->latest = spot->nr_parts++;
	return &spot->parts[i];
}

static void part_add(struct flame_spot *spot, uint32_t slice, uint64_t count, uint64_t timed,
		     uint64_t cycles)
{
	struct flame_part *part = part_get(spot, slice);

	part->count += count;
	part->timed += timed;
	part->cycles += cycles;
}

static void drain(struct flame_latest *l)
{
	size_t i;

	for (i = 0; i < l->nr_waiting; i++) {
		const struct flame_spot *spot = l->waiting[i].spot;

		if (spot->parts)
			__builtin_prefetch(&spot->parts[spot->latest]);
	}
	for (i = 0; i < l->nr_waiting; i++) {
		const struct flame_waiting *w = &l->waiting[i];

		part_add(w->spot, w->slice, w->count, w->timed, w->cycles);
	}
	l->nr_waiting = 0;
}

static inline void settle(struct flame_latest *l, struct flame_known *known)
{
	if (!known->count)
		return;
	l->waiting[l->nr_waiting++] = (struct flame_waiting){
		known->spot, known->slice, known->count, known->timed, known->cycles,
	};
	__builtin_prefetch(&known->spot->parts);
	known->count = known->timed = 0;
	known->cycles = 0;
	if (l->nr_waiting == WAITING)
		drain(l);
}

/* The spot of @known, of which record @i is the first one */
static struct flame_spot *spot_of(struct flame *f, const struct row_batch *b, size_t i,
				  const struct flame_known *known)
{
	const struct place *place = known->place;
	const struct flame_spot key = {
		.process = known->process, .tid = known->tid,
		.object = place->object, .symbol = place->symbol, .dso = place->dso,
		.address = place->has_address ? place_address(place, b->pc[i]) : 0,
		.pc = place->has_address ? armspe_addr_virtual(b->pc[i]) : 0,
		.callers = known->callers, .is = known->is, .sampled = place->address,
	};

	return spot_get(f, &key);
}

static inline struct flame_known *known_get(struct flame *f, const struct row_batch *b, size_t i,
					    const struct flame_known *key)
{
	const uint64_t hash = hash_mix((uintptr_t)key->place + (uintptr_t)key->callers +
				       (uint32_t)key->tid + key->is);
	struct flame_known *known = &f->latest->known[hash & (KNOWN - 1)];

	if (known->place != key->place || known->pc != key->pc || known->process != key->process ||
	    known->tid != key->tid || known->callers != key->callers ||
	    known->epoch != key->epoch || known->is != key->is) {
		settle(f->latest, known);
		*known = *key;
		known->spot = spot_of(f, b, i, known);
	} else if (known->slice != key->slice || known->count == UINT32_MAX) {
		settle(f->latest, known);
		known->slice = key->slice;
	}
	return known;
}

static unsigned int is_of(const struct flame *f, const struct row_batch *b, size_t i)
{
	const bool missed = f->slices && batch_events(b, i) & PROFILE_MISS_EVENTS;

	return (b->place[i]->has_address ? FLAME_LOCATED : 0) | (missed ? FLAME_MISSED : 0) |
	       (b->rows->finder && b->stack[i] != STACK_FOUND ? FLAME_NO_CALLERS : 0);
}

/* The rows of one owner, from number @from to @to */
static void add_owner_rows(struct flame *f, const struct row_batch *b, size_t from, size_t to)
{
	const struct owner *owner = batch_owner(b, b->kept[from]);
	const uint32_t process = owner_number(*owner);
	const bool stacks = b->rows->finder;
	size_t k;

	for (k = from; k < to; k++) {
		const size_t i = b->kept[k];
		const struct flame_known key = {
			.place = b->place[i], .pc = b->pc[i], .process = process, .tid = owner->tid,
			.callers = stacks ? b->callers[i] : NULL, .epoch = b->rows->places->epoch,
			.is = (uint8_t)is_of(f, b, i), .slice = f->slices ? f->slices->of[i] : 0,
		};
		struct flame_known *known = known_get(f, b, i, &key);

		known->count++;
		known->timed += batch_has(b, i, SPE_COUNTER_TOTAL);
		known->cycles += batch_cycles(b, i);
	}
}

void flame_add(void *context, const struct row_batch *b)
{
	struct flame *f = context;
	size_t from, to;

	f->stacks |= b->rows->finder && b->nr;
	if (!f->latest)
		f->latest = xapart(sizeof(*f->latest));
	for (from = 0; from < b->nr; from = to) {
		to = batch_owner_end(b, from);
		add_owner_rows(f, b, from, to);
	}
}

struct flame_spot **flame_next(struct flame *f, struct flame_spot **slot)
{
	size_t i;

	for (i = 0; !slot && f->latest && i < KNOWN; i++)
		settle(f->latest, &f->latest->known[i]);
	if (!slot && f->latest)
		drain(f->latest);
	return hash_table_next(&f->spots, &spot_table, slot);
}

void flame_merge(struct flame *f, struct flame *from)
{
	struct flame_spot **slot = NULL;
	size_t i;

	f->stacks |= from->stacks;
	while ((slot = flame_next(from, slot))) {
		struct flame_spot key = **slot, *spot;

		key.parts = NULL;
		key.nr_parts = key.latest = 0;
		key.room_parts = 0;
		spot = spot_get(f, &key);
		for (i = 0; i < (*slot)->nr_parts; i++) {
			const struct flame_part *part = &(*slot)->parts[i];

			part_add(spot, part->slice, part->count, part->timed, part->cycles);
		}
	}
}

static const struct hash_kind node_table = {
	HASH_POINTERS,
	.key = {
		HASH_NUMBER(struct flame_node, parent), HASH_NUMBER(struct flame_node, kind),
		HASH_NUMBER(struct flame_node, id), HASH_TEXT(struct flame_node, name),
	},
};

static void node_add_part(const struct flame *f, struct flame_node *node,
			  const struct flame_part *part)
{
	if (f->adds_old) {
		node->old.count += part->count;
		node->old.cycles += part->cycles;
		return;
	}
	node->count += part->count;
	node->cycles += part->cycles;
	if (!f->slices || part->slice == TIME_SLICES)
		return;
	if (!node->slices)
		node->slices = xcalloc(TIME_SLICES, sizeof(*node->slices));
	node->slices[part->slice].count += part->count;
	node->slices[part->slice].cycles += part->cycles;
}

static void node_add(const struct flame *f, struct flame_node *node, const struct flame_spot *spot)
{
	size_t i;

	for (i = 0; i < spot->nr_parts; i++)
		node_add_part(f, node, &spot->parts[i]);
}

/* The child of @parent that is like @key, with the samples of @spot added */
static struct flame_node *descend(struct flame *f, struct flame_node *parent,
				  struct flame_node key, const struct flame_spot *spot)
{
	struct flame_node **slot, *node;

	key.parent = parent;
	slot = hash_table_add(&f->nodes, &node_table, &key);
	node = *slot;
	if (!node) {
		node = *slot = xcalloc(1, sizeof(*node));
		*node = key;
		node->next = parent->child;
		parent->child = node;
	}
	node_add(f, node, spot);
	return node;
}

static struct flame_node *descend_name(struct flame *f, struct flame_node *parent,
				       enum flame_kind kind, const char *name,
				       const struct flame_spot *spot)
{
	return descend(f, parent, (struct flame_node){
		.kind = kind, .id = NO_ID, .name = name }, spot);
}

static struct flame_node *descend_id(struct flame *f, struct flame_node *parent,
				     enum flame_kind kind, int32_t id,
				     const struct flame_spot *spot)
{
	return descend(f, parent, (struct flame_node){ .kind = kind, .id = id },
		       spot);
}

/* The functions inlined at an address, below the one that has a symbol */
static struct flame_node *add_inlined(struct flame *f, struct flame_node *at, struct dso *dso,
				      uint64_t address, const struct flame_spot *spot)
{
	struct inline_frame frames[INLINE_DEPTH];
	size_t i = dso ? inline_find(dso, address, frames, INLINE_DEPTH) : 0;

	/* The last frame is the function itself. */
	while (i-- > 1)
		at = descend_name(f, at, FLAME_INLINE, frames[i - 1].name ?
				  frames[i - 1].name : "(inlined)", spot);
	return at;
}

/* A function below one of the object @within */
static struct flame_node *add_function(struct flame *f, struct flame_node *at, const char *within,
				       const char *object, const char *symbol,
				       const struct flame_spot *spot)
{
	if (!within || strcmp(within, object))
		at = descend_name(f, at, FLAME_OBJECT, f->compares ? path_short(object) : object,
				  spot);
	return descend(f, at, (struct flame_node){ .kind = FLAME_FUNCTION, .id = NO_ID,
						   .name = symbol, .object = object }, spot);
}

/* All callers, the outermost first */
static struct flame_node *add_callers(struct flame *f, struct flame_node *at,
				      const struct flame_spot *spot)
{
	const struct caller **list = NULL, *c;
	size_t count = 0, room = 0;

	for (c = spot->callers; c; c = c->outer) {
		list = array_grow(list, count, &room, sizeof(*list));
		list[count++] = c;
	}
	while (count--) {
		c = list[count];
		at = add_function(f, at, c->outer ? c->outer->place->object : NULL,
				  c->place->object, c->place->symbol, spot);
		at = add_inlined(f, at, c->place->dso, c->place->file_address, spot);
	}
	free(list);
	return at;
}

/* The process of a spot, and its thread; of two recordings, the name of the process */
static struct flame_node *add_owner(struct flame *f, const struct session *names,
				    const struct flame_spot *spot)
{
	const struct process *p = f->compares && names ?
		processes_numbered(&names->processes, owner_host(spot->process)) : NULL;
	struct flame_node *at = f->all;

	if (f->compares)
		return descend_name(f, at, FLAME_PROCESS, owner_is_guest(spot->process) ? "(guests)" :
				    p && p->comm ? p->comm : "(process not known)", spot);
	at = descend_id(f, at, FLAME_PROCESS, (int32_t)spot->process, spot);
	return spot->tid == NO_ID ? at : descend_id(f, at, FLAME_THREAD, spot->tid, spot);
}

/* @names has those of processes; NULL: they keep their numbers */
static void add_spot(struct flame *f, const struct session *names, const struct flame_spot *spot)
{
	struct flame_node *at = f->all;

	node_add(f, at, spot);
	at = add_owner(f, names, spot);
	if (spot->is & FLAME_NO_CALLERS)
		at = descend_name(f, at, FLAME_OBJECT, "[no stack]", spot);
	at = add_callers(f, at, spot);
	at = add_function(f, at, spot->callers ? spot->callers->place->object : NULL,
			  spot->object, spot->symbol, spot);
	add_inlined(f, at, spot->dso, spot->address, spot);
}

/* Most cycles first, then most samples */
static int heavier(const void *a, const void *b)
{
	const struct flame_node *x = *(struct flame_node *const *)a;
	const struct flame_node *y = *(struct flame_node *const *)b;

	if (x->cycles != y->cycles)
		return x->cycles > y->cycles ? -1 : 1;
	if (x->count != y->count)
		return x->count > y->count ? -1 : 1;
	if (x->name && y->name)
		return strcmp(x->name, y->name);
	return x->id < y->id ? -1 : x->id > y->id;
}

static void sort_children(struct flame_node *n)
{
	struct flame_node **list, *child;
	size_t count = 0, i = 0;

	for (child = n->child; child; child = child->next)
		count++;
	if (!count)
		return;
	list = xcalloc(count, sizeof(*list));
	for (child = n->child; child; child = child->next)
		list[i++] = child;
	qsort(list, count, sizeof(*list), heavier);
	for (i = 0; i < count; i++) {
		list[i]->next = i + 1 < count ? list[i + 1] : NULL;
		sort_children(list[i]);
	}
	n->child = list[0];
	free(list);
}

static void free_spots(struct flame *f)
{
	struct flame_spot **slot = NULL;

	while ((slot = flame_next(f, slot))) {
		free((*slot)->parts);
		free(*slot);
	}
	hash_table_free(&f->spots);
	free(f->latest);
	f->latest = NULL;
}

static void add_spots(struct flame *f, struct flame *from, const struct session *names)
{
	struct flame_spot **slot = NULL;

	while ((slot = flame_next(from, slot)))
		add_spot(f, names, *slot);
}

void flame_finish(struct flame *f)
{
	f->all = xcalloc(1, sizeof(*f->all));
	f->all->id = NO_ID;
	add_spots(f, f, NULL);
	sort_children(f->all);
	free_spots(f);
}

void flame_compare(struct flame *f, struct flame *old, const struct session *old_names,
		   struct flame *new, const struct session *new_names)
{
	f->compares = true;
	f->stacks = old->stacks || new->stacks;
	f->all = xcalloc(1, sizeof(*f->all));
	f->all->id = NO_ID;
	add_spots(f, new, new_names);
	f->adds_old = true;
	add_spots(f, old, old_names);
	f->adds_old = false;
	sort_children(f->all);
}

void flame_free(struct flame *f)
{
	struct flame_node **slot = NULL;

	while ((slot = hash_table_next(&f->nodes, &node_table, slot))) {
		free((*slot)->slices);
		free(*slot);
	}
	hash_table_free(&f->nodes);
	free_spots(f);
	if (f->all)
		free(f->all->slices);
	free(f->all);
	memset(f, 0, sizeof(*f));
}
