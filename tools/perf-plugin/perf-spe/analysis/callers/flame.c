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

/* Which spot samples with all of this are of */
struct flame_known {
	const struct place *place;	/* NULL: empty */
	uint64_t pc;			/* as recorded: files have one place at several addresses */
	const struct caller *callers;
	uint64_t owner;			/* its process and thread */
	uint64_t how;			/* epoch of the places, for which it is valid; see how_of() */
	uint32_t number;		/* of the spot */
} __attribute__((aligned(64)));

_Static_assert(sizeof(struct flame_known) == 64, "one line of a cache");

#define KNOWN	32768			/* a power of two */

/*
 * The latest samples of a spot in one slice; the spot's parts have those before.  Time goes on, so
 * the cells of a slice are near each other, and small.
 */
struct flame_cell {
	uint64_t counts;		/* of samples, and of those with each latency: see enum lane */
	uint32_t cycles, issue, xlat;	/* have room for the most samples */
};

/* What each 16 bits of the counts are of */
enum lane { ALL, TIMED, ISSUED, TRANSLATED };

static uint64_t lane(uint64_t counts, enum lane of)
{
	return counts >> 16 * of & UINT16_MAX;
}

_Static_assert((uint64_t)UINT16_MAX * UINT16_MAX <= UINT32_MAX, "latencies have 16 bits");

#define CELLS	64			/* of spots with successive numbers */
/* More blocks of cells than these move to the parts: of few samples each, they take more memory. */
#define BLOCKS	8192

struct flame_cells {
	struct flame_cell **of;		/* CELLS each, by the spots' numbers; NULL: none yet */
	size_t room;
};

struct flame_latest {
	struct flame_known known[KNOWN];
	struct flame_cells slices[TIME_SLICES + 1];
	struct flame_cell *cell[ROW_BATCH];	/* of the rows of a batch */
	struct flame_spot **spots;		/* by their numbers */
	size_t room_spots, nr_blocks;
};

static struct flame_spot *spot_get(struct flame *f, const struct flame_spot *key)
{
	const size_t number = f->spots.count;
	struct flame_spot **slot = hash_table_add(&f->spots, &spot_table, key);

	if (!*slot) {
		*slot = xcalloc(1, sizeof(**slot));
		**slot = *key;
		(*slot)->number = (uint32_t)number;
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

static void part_add(struct flame_spot *spot, const struct flame_part *from)
{
	struct flame_part *part = part_get(spot, from->slice);

	part->count += from->count;
	part->timed += from->timed;
	part->cycles += from->cycles;
	part->issued += from->issued;
	part->issue += from->issue;
	part->translated += from->translated;
	part->xlat += from->xlat;
}

/* Move what the cell has counted to the spot. */
static void settle(struct flame_spot *spot, struct flame_cell *cell, size_t slice)
{
	const struct flame_part part = {
		.count = lane(cell->counts, ALL),
		.timed = lane(cell->counts, TIMED), .cycles = cell->cycles,
		.issued = lane(cell->counts, ISSUED), .issue = cell->issue,
		.translated = lane(cell->counts, TRANSLATED), .xlat = cell->xlat,
		.slice = (uint32_t)slice,
	};

	part_add(spot, &part);
	*cell = (struct flame_cell){ 0 };
}

static void settle_slice(struct flame_latest *l, size_t slice)
{
	struct flame_cells *cells = &l->slices[slice];
	size_t i, k;

	for (i = 0; i < cells->room; i++) {
		for (k = 0; cells->of[i] && k < CELLS; k++)
			if (cells->of[i][k].counts)
				settle(l->spots[i * CELLS + k], &cells->of[i][k], slice);
		free(cells->of[i]);
	}
	free(cells->of);
	*cells = (struct flame_cells){ 0 };
}

static void settle_all(struct flame_latest *l)
{
	size_t slice;

	for (slice = 0; slice <= TIME_SLICES; slice++)
		settle_slice(l, slice);
	l->nr_blocks = 0;
}

static struct flame_cell *cell_new(struct flame_latest *l, struct flame_cells *cells, size_t block)
{
	const size_t room = cells->room;

	if (block >= room) {
		cells->of = array_grow(cells->of, block, &cells->room, sizeof(*cells->of));
		memset(cells->of + room, 0, (cells->room - room) * sizeof(*cells->of));
	}
	l->nr_blocks++;
	return cells->of[block] = xcalloc(CELLS, sizeof(**cells->of));
}

static inline struct flame_cell *cell_get(struct flame_latest *l, unsigned int slice,
					  uint32_t number)
{
	struct flame_cells *cells = &l->slices[slice];
	const size_t block = number / CELLS;
	struct flame_cell *of = block < cells->room ? cells->of[block] : NULL;

	if (!of)
		of = cell_new(l, cells, block);
	return &of[number % CELLS];
}

/* The number of the spot of record @i, and @known is the first to know it */
static uint32_t number_of(struct flame *f, const struct row_batch *b, size_t i,
			  const struct flame_known *known)
{
	const struct owner *owner = batch_owner(b, i);
	const struct place *place = known->place;
	const struct flame_spot key = {
		.process = owner_number(*owner), .tid = owner->tid,
		.object = place->object, .symbol = place->symbol, .dso = place->dso,
		.address = place->has_address ? place_address(place, b->pc[i]) : 0,
		.pc = place->has_address ? armspe_addr_virtual(b->pc[i]) : 0,
		.callers = known->callers, .sampled = place->address,
		.is = (known->how & (FLAME_NO_CALLERS | FLAME_MISSED)) |
		      (place->has_address ? FLAME_LOCATED : 0),
	};
	struct flame_spot *spot = spot_get(f, &key);
	struct flame_latest *l = f->latest;

	if (spot->number >= l->room_spots)
		l->spots = array_grow(l->spots, spot->number, &l->room_spots, sizeof(*l->spots));
	l->spots[spot->number] = spot;
	return spot->number;
}

static inline bool known_is(const struct flame_known *known, const struct flame_known *key)
{
	return known->place == key->place && known->pc == key->pc && known->owner == key->owner &&
	       known->how == key->how && known->callers == key->callers;
}

static inline uint32_t known_number(struct flame *f, const struct row_batch *b, size_t i,
				    const struct flame_known *key)
{
	const uint64_t hash = hash_mix((uintptr_t)key->place + (uintptr_t)key->callers +
				       key->owner + key->how);
	struct flame_known *known = &f->latest->known[hash & (KNOWN - 1)];
	struct flame_known *other = &f->latest->known[(hash & (KNOWN - 1)) ^ 1];

	if (known_is(known, key))
		return known->number;
	if (known_is(other, key))
		return other->number;
	*other = *known;
	*known = *key;
	known->number = number_of(f, b, i, known);
	return known->number;
}

static inline unsigned int slice_of(const struct flame *f, size_t i)
{
	return f->slices ? f->slices->of[i] : 0;
}

/* What else tells the spots of a place apart: the epoch, and enum flame_is but FLAME_LOCATED */
static inline uint64_t how_of(const struct flame *f, const struct row_batch *b, size_t i)
{
	const bool missed = f->slices && batch_events(b, i) & PROFILE_MISS_EVENTS;

	return (uint64_t)b->rows->places->epoch << 32 | (missed ? FLAME_MISSED : 0) |
	       (b->rows->finder && b->stack[i] != STACK_FOUND ? FLAME_NO_CALLERS : 0);
}

/* Find the cells of the rows of one owner, from number @from to @to. */
static void find_cells(struct flame *f, const struct row_batch *b, size_t from, size_t to)
{
	const struct owner *owner = batch_owner(b, b->kept[from]);
	const bool stacks = b->rows->finder;
	struct flame_known key = {
		.owner = (uint64_t)owner_number(*owner) << 32 | (uint32_t)owner->tid,
	};
	size_t k;

	for (k = from; k < to; k++) {
		const size_t i = b->kept[k];

		key.place = b->place[i];
		key.pc = b->pc[i];
		key.callers = stacks ? b->callers[i] : NULL;
		key.how = how_of(f, b, i);
		f->latest->cell[k] = cell_get(f->latest, slice_of(f, i),
					      known_number(f, b, i, &key));
		__builtin_prefetch(f->latest->cell[k], 1);
	}
}

/* A full cell of the slice, which is rare: look for its spot. */
static void settle_cell(struct flame_latest *l, unsigned int slice, struct flame_cell *cell)
{
	const struct flame_cells *cells = &l->slices[slice];
	size_t i;

	for (i = 0; i < cells->room; i++)
		if (cells->of[i] && cell >= cells->of[i] && cell < cells->of[i] + CELLS)
			settle(l->spots[i * CELLS + (size_t)(cell - cells->of[i])], cell, slice);
}

static inline void cell_add(struct flame_cell *cell, const struct row_batch *b, size_t i)
{
	const uint64_t valid = b->counter_valid[i];
	const uint64_t timed = valid >> SPE_COUNTER_TOTAL & 1;
	const uint64_t issued = valid >> SPE_COUNTER_ISSUE & 1;
	const uint64_t translated = valid >> SPE_COUNTER_XLAT & 1;

	cell->counts += 1 | timed << 16 * TIMED | issued << 16 * ISSUED |
			translated << 16 * TRANSLATED;
	cell->cycles += (uint32_t)timed * b->total[i];
	cell->issue += (uint32_t)issued * b->issue[i];
	cell->xlat += (uint32_t)translated * b->xlat[i];
}

void flame_add(void *context, const struct row_batch *b)
{
	struct flame *f = context;
	size_t from, to, k;

	f->stacks |= b->rows->finder && b->nr;
	if (!f->latest)
		f->latest = xapart(sizeof(*f->latest));
	if (f->latest->nr_blocks > BLOCKS)
		settle_all(f->latest);
	for (from = 0; from < b->nr; from = to) {
		to = batch_owner_end(b, from);
		find_cells(f, b, from, to);
	}
	for (k = 0; k < b->nr; k++) {
		const size_t i = b->kept[k];
		struct flame_cell *cell = f->latest->cell[k];

		if (lane(cell->counts, ALL) == UINT16_MAX)
			settle_cell(f->latest, slice_of(f, i), cell);
		cell_add(cell, b, i);
	}
}

struct flame_spot **flame_next(struct flame *f, struct flame_spot **slot)
{
	if (!slot && f->latest)
		settle_all(f->latest);
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
		for (i = 0; i < (*slot)->nr_parts; i++)
			part_add(spot, &(*slot)->parts[i]);
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
	if (f->latest)
		free(f->latest->spots);
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
