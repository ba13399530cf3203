// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>
#include <string.h>

#include "analysis/layout/layout.h"
#include "armspe.h"
#include "symbols/elf/elf.h"
#include "symbols/types/types.h"
#include "util/util.h"

struct known {
	const struct data_type *type;
	struct layout_type *of;		/* NULL: a number, a pointer, ... */
};

static const struct hash_kind known_table = {
	HASH_SLOTS(struct known, type),
	.key = { HASH_NUMBER(struct known, type) },
};

static void add_object(struct layout_type *type, const struct dso *dso)
{
	size_t i;

	for (i = 0; i < type->nr_objects; i++)
		if (type->objects[i] == dso)
			return;
	type->objects = array_grow(type->objects, type->nr_objects, &type->room_objects,
				   sizeof(*type->objects));
	type->objects[type->nr_objects++] = dso;
}

struct layout_type *layout_types_put(struct layout_types *t, Dwarf_Die *die, const char *name,
				     const struct dso *dso)
{
	struct layout *layout = layout_new(die, name);
	struct layout_type *type = NULL;
	size_t i;

	for (i = 0; i < t->nr && !type; i++)
		if (layout_same(t->all[i]->layout, layout))
			type = t->all[i];
	if (type) {
		layout_free(layout);
	} else {
		type = xcalloc(1, sizeof(*type));
		type->layout = layout;
		t->all = array_grow(t->all, t->nr, &t->room, sizeof(*t->all));
		t->all[t->nr++] = type;
	}
	add_object(type, dso);
	return type;
}

static struct layout_type *type_of_instance(struct layout_types *t, const struct instance *i)
{
	struct known *known = hash_table_add(&t->known, &known_table, &i->type);
	Dwarf_Die die = i->type->die;

	if (known->type)
		return known->of;
	known->type = i->type;
	if ((i->type->class == CLASS_RECORD || i->type->class == CLASS_UNION) && i->type->size) {
		elf_lock();
		known->of = layout_types_put(t, &die, i->type->name, i->dso);
		elf_unlock();
	}
	return known->of;
}

struct layout_type *layout_types_of(const struct layout_types *t, const struct data_type *type)
{
	const struct known *known = hash_table_find(&t->known, &known_table, &type);

	return known ? known->of : NULL;
}

/* What samples of a place access that is no variable of a file */
struct typed_place {
	const struct place *place;	/* NULL: empty */
	uint32_t epoch;			/* valid only if it is that of the places */
	bool typed;
	struct layout_type *of;		/* as struct known has it */
};

#define PLACES	4096			/* a power of two */

static void type_place(struct layout_types *t, const struct place *place, uint32_t epoch,
		       struct typed_place *known)
{
	struct instance instance;

	*known = (struct typed_place){ place, epoch, false, NULL };
	known->typed = place_instance(place, &instance);
	known->of = known->typed ? type_of_instance(t, &instance) : NULL;
}

static void count(struct layout_types *t, struct layout_type *type)
{
	t->typed++;
	if (!type)
		return;
	type->samples++;
	t->samples++;
}

/* Most samples access no variable, and then need no room for one. */
static bool add_variable(struct layout_types *t, const struct row_batch *b, size_t i)
{
	struct instance variable;

	if (!batch_variable(b, i, &variable))
		return false;
	count(t, type_of_instance(t, &variable));
	return true;
}

void layout_types_add_one(struct layout_types *t, const struct row_batch *b, size_t i)
{
	const struct place *place = b->place[i];
	const uint32_t epoch = b->rows->places->epoch;
	struct typed_place *known;

	if (b->addr_valid[i] >> SPE_ADDR_DATA_VA & 1) {
		t->addresses++;
		if (add_variable(t, b, i))
			return;
	}
	if (!place->dso)
		return;
	if (!t->places)
		t->places = xcalloc(PLACES, sizeof(*t->places));
	known = &t->places[hash_mix((uintptr_t)place) & (PLACES - 1)];
	if (known->place != place || known->epoch != epoch)
		type_place(t, place, epoch, known);
	if (known->typed)
		count(t, known->of);
}

void layout_types_add(void *context, const struct row_batch *b)
{
	struct layout_types *t = context;
	size_t k;

	for (k = 0; k < b->nr; k++)
		layout_types_add_one(t, b, b->kept[k]);
}

static int type_order(const void *a, const void *b)
{
	const struct layout_type *x = *(struct layout_type *const *)a;
	const struct layout_type *y = *(struct layout_type *const *)b;
	int order = strcmp(x->layout->name, y->layout->name);

	if (x->samples != y->samples)
		return x->samples > y->samples ? -1 : 1;
	if (order)
		return order;
	return x->layout->size < y->layout->size ? -1 : x->layout->size > y->layout->size;
}

void layout_types_sort(struct layout_types *t)
{
	if (t->nr)
		qsort(t->all, t->nr, sizeof(*t->all), type_order);
}

void layout_types_free(struct layout_types *t)
{
	size_t i;

	for (i = 0; i < t->nr; i++) {
		layout_free(t->all[i]->layout);
		free(t->all[i]->objects);
		free(t->all[i]);
	}
	free(t->all);
	free(t->places);
	hash_table_free(&t->known);
	memset(t, 0, sizeof(*t));
}
