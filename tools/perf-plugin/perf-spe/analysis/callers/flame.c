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
		HASH_NUMBER(struct flame_spot, address), HASH_NUMBER(struct flame_spot, process),
		HASH_NUMBER(struct flame_spot, tid), HASH_NUMBER(struct flame_spot, object),
		HASH_NUMBER(struct flame_spot, symbol), HASH_NUMBER(struct flame_spot, callers),
		HASH_NUMBER(struct flame_spot, no_callers),
		HASH_NUMBER(struct flame_spot, has_address),
	},
};

/* The spot of samples with the same place, thread and callers as an earlier one */
struct flame_known {
	const struct place *place;	/* NULL: empty */
	uint32_t epoch;			/* valid only if it is that of the places */
	struct flame_spot *spot;
};

#define KNOWN	4096			/* a power of two */

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
static inline struct flame_part *part_get(struct flame_spot *spot, uint32_t slice)
{
	size_t i;

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

/* The spot of record @i, with the process and the thread of @from */
static struct flame_spot *spot_of(struct flame *f, const struct row_batch *b, size_t i,
				  const struct flame_spot *from)
{
	const bool stacks = b->rows->finder;
	const struct caller *callers = stacks ? b->callers[i] : NULL;
	const bool no_callers = stacks && b->stack[i] != STACK_FOUND;
	const struct place *place = b->place[i];
	struct flame_known *known = &f->known[hash_mix((uintptr_t)place + (uintptr_t)callers) &
					      (KNOWN - 1)];
	const struct flame_spot *spot = known->spot;
	struct flame_spot key;

	if (known->place == place && known->epoch == b->rows->places->epoch &&
	    spot->process == from->process && spot->tid == from->tid &&
	    spot->callers == callers && spot->no_callers == no_callers)
		return known->spot;
	key = (struct flame_spot){
		.process = from->process, .tid = from->tid,
		.object = place->object, .symbol = place->symbol, .dso = place->dso,
		.address = place->has_address ? place_address(place, b->pc[i]) : 0,
		.callers = callers, .no_callers = no_callers,
		.has_address = place->has_address, .sampled = place->address,
	};
	*known = (struct flame_known){ place, b->rows->places->epoch, spot_get(f, &key) };
	return known->spot;
}

void flame_add(void *context, const struct row_batch *b)
{
	const struct owner *owner = NULL;
	struct flame_spot from = { 0 };
	struct flame *f = context;
	size_t k;

	f->stacks |= b->rows->finder && b->nr;
	if (!f->known)
		f->known = xcalloc(KNOWN, sizeof(*f->known));
	for (k = 0; k < b->nr; k++) {
		const size_t i = b->kept[k];
		struct flame_part *part;

		if (batch_owner(b, i) != owner) {
			owner = batch_owner(b, i);
			from.process = owner_number(*owner);
			from.tid = owner->tid;
		}
		part = part_get(spot_of(f, b, i, &from), f->slices ? f->slices->of[i] : 0);
		part->count++;
		part->timed += batch_has(b, i, SPE_COUNTER_TOTAL);
		part->cycles += batch_cycles(b, i);
	}
}

struct flame_spot **flame_next(const struct flame *f, struct flame_spot **slot)
{
	return hash_table_next(&f->spots, &spot_table, slot);
}

void flame_merge(struct flame *f, const struct flame *from)
{
	struct flame_spot **slot = NULL;
	size_t i;

	f->stacks |= from->stacks;
	while ((slot = flame_next(from, slot))) {
		struct flame_spot key = **slot, *spot;

		key.parts = NULL;
		key.nr_parts = key.room_parts = key.latest = 0;
		spot = spot_get(f, &key);
		for (i = 0; i < (*slot)->nr_parts; i++) {
			const struct flame_part *other = &(*slot)->parts[i];
			struct flame_part *part = part_get(spot, other->slice);

			part->count += other->count;
			part->timed += other->timed;
			part->cycles += other->cycles;
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
	if (spot->no_callers)
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
	free(f->known);
	f->known = NULL;
}

static void add_spots(struct flame *f, const struct flame *from, const struct session *names)
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

void flame_compare(struct flame *f, const struct flame *old, const struct session *old_names,
		   const struct flame *new, const struct session *new_names)
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
