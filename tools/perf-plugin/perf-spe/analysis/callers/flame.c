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

/* The samples of one instruction in one thread and one slice of time */
struct flame_place {
	uint32_t process;		/* owner_number() */
	int32_t tid;
	const char *object, *symbol;
	struct dso *dso;
	uint64_t address;		/* the file's own; 0 without a file */
	const struct caller *callers;
	uint16_t when;			/* twice the slice of time, 0 without slices; see NO_CALLERS */
	uint64_t count, cycles;
};

/* In flame_place.when: the callers are not known, though those of others are */
#define NO_CALLERS	1u

/* Equal names with different pointers become one node in flame_finish(). */
static const struct hash_kind spot_table = {
	HASH_POINTERS,
	.key = {
		HASH_NUMBER(struct flame_place, address), HASH_NUMBER(struct flame_place, process),
		HASH_NUMBER(struct flame_place, tid), HASH_NUMBER(struct flame_place, object),
		HASH_NUMBER(struct flame_place, symbol), HASH_NUMBER(struct flame_place, callers),
		HASH_NUMBER(struct flame_place, when),
	},
};

/* The spot of samples with the same place, thread, slice and callers as an earlier one */
struct flame_known {
	const struct place *place;	/* NULL: empty */
	uint32_t epoch;			/* valid only if it is that of the places */
	struct flame_place *spot;
};

#define KNOWN	4096			/* a power of two */

static struct flame_place *spot_get(struct flame *f, const struct flame_place *key)
{
	struct flame_place **slot = hash_table_add(&f->spots, &spot_table, key);

	if (!*slot) {
		*slot = xcalloc(1, sizeof(**slot));
		**slot = *key;
	}
	return *slot;
}

static struct flame_place *spot_of(struct flame *f, const struct row_batch *b, size_t i)
{
	const bool stacks = b->rows->finder;
	const struct owner *owner = batch_owner(b, i);
	const struct place *place = b->place[i];
	const struct flame_place key = {
		.process = owner_number(*owner), .tid = owner->tid,
		.object = place->object, .symbol = place->symbol,
		.dso = place->dso,
		.address = place->dso ? place->file_address : 0,
		.callers = stacks ? b->callers[i] : NULL,
		.when = (uint16_t)((f->slices ? 2 * slices_at(f->slices, b, i) : 0) |
				   (stacks && b->stack[i] != STACK_FOUND ? NO_CALLERS : 0)),
	};
	struct flame_known *known = &f->known[hash_mix((uintptr_t)place + (uintptr_t)key.callers) &
					      (KNOWN - 1)];
	const struct flame_place *spot = known->spot;

	if (known->place != place || known->epoch != b->rows->places->epoch ||
	    spot->process != key.process || spot->tid != key.tid ||
	    spot->callers != key.callers || spot->when != key.when)
		*known = (struct flame_known){ place, b->rows->places->epoch, spot_get(f, &key) };
	return known->spot;
}

void flame_add(void *context, const struct row_batch *b)
{
	struct flame *f = context;
	size_t k;

	f->stacks |= b->rows->finder && b->nr;
	if (!f->known)
		f->known = xcalloc(KNOWN, sizeof(*f->known));
	for (k = 0; k < b->nr; k++) {
		struct flame_place *spot = spot_of(f, b, b->kept[k]);

		spot->count++;
		spot->cycles += batch_cycles(b, b->kept[k]);
	}
}

void flame_merge(struct flame *f, const struct flame *from)
{
	struct flame_place **slot = NULL;

	f->stacks |= from->stacks;
	while ((slot = hash_table_next(&from->spots, &spot_table, slot))) {
		struct flame_place key = **slot, *spot;

		key.count = key.cycles = 0;
		spot = spot_get(f, &key);
		spot->count += (*slot)->count;
		spot->cycles += (*slot)->cycles;
	}
}

static const struct hash_kind node_table = {
	HASH_POINTERS,
	.key = {
		HASH_NUMBER(struct flame_node, parent), HASH_NUMBER(struct flame_node, kind),
		HASH_NUMBER(struct flame_node, id), HASH_TEXT(struct flame_node, name),
	},
};

static void node_add(const struct flame *f, struct flame_node *node, const struct flame_place *spot)
{
	const unsigned int slice = spot->when / 2;

	if (f->adds_old) {
		node->old.count += spot->count;
		node->old.cycles += spot->cycles;
		return;
	}
	node->count += spot->count;
	node->cycles += spot->cycles;
	if (!f->slices || slice == TIME_SLICES)
		return;
	if (!node->slices)
		node->slices = xcalloc(TIME_SLICES, sizeof(*node->slices));
	node->slices[slice].count += spot->count;
	node->slices[slice].cycles += spot->cycles;
}

/* The child of @parent that is like @key, with the samples of @spot added */
static struct flame_node *descend(struct flame *f, struct flame_node *parent,
				  struct flame_node key, const struct flame_place *spot)
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
				       const struct flame_place *spot)
{
	return descend(f, parent, (struct flame_node){
		.kind = kind, .id = NO_ID, .name = name }, spot);
}

static struct flame_node *descend_id(struct flame *f, struct flame_node *parent,
				     enum flame_kind kind, int32_t id,
				     const struct flame_place *spot)
{
	return descend(f, parent, (struct flame_node){ .kind = kind, .id = id },
		       spot);
}

/* The functions inlined at an address, below the one that has a symbol */
static struct flame_node *add_inlined(struct flame *f, struct flame_node *at, struct dso *dso,
				      uint64_t address, const struct flame_place *spot)
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
				       const struct flame_place *spot)
{
	if (!within || strcmp(within, object))
		at = descend_name(f, at, FLAME_OBJECT, f->compares ? path_short(object) : object,
				  spot);
	return descend(f, at, (struct flame_node){ .kind = FLAME_FUNCTION, .id = NO_ID,
						   .name = symbol, .object = object }, spot);
}

/* All callers, the outermost first */
static struct flame_node *add_callers(struct flame *f, struct flame_node *at,
				      const struct flame_place *spot)
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
				    const struct flame_place *spot)
{
	const struct process *p = f->compares && names ?
		processes_numbered(&names->processes, spot->process) : NULL;
	struct flame_node *at = f->all;

	if (f->compares)
		return descend_name(f, at, FLAME_PROCESS, p && p->comm ? p->comm :
				    "(process not known)", spot);
	at = descend_id(f, at, FLAME_PROCESS, (int32_t)spot->process, spot);
	return spot->tid == NO_ID ? at : descend_id(f, at, FLAME_THREAD, spot->tid, spot);
}

/* @names has those of processes; NULL: they keep their numbers */
static void add_spot(struct flame *f, const struct session *names, const struct flame_place *spot)
{
	struct flame_node *at = f->all;

	node_add(f, at, spot);
	at = add_owner(f, names, spot);
	if (spot->when & NO_CALLERS)
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
	struct flame_place **slot = NULL;

	while ((slot = hash_table_next(&f->spots, &spot_table, slot)))
		free(*slot);
	hash_table_free(&f->spots);
	free(f->known);
	f->known = NULL;
}

static void add_spots(struct flame *f, const struct flame *from, const struct session *names)
{
	struct flame_place **slot = NULL;

	while ((slot = hash_table_next(&from->spots, &spot_table, slot)))
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
