// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>
#include <string.h>

#include "analysis/callers/callers.h"
#include "analysis/rows/rows.h"
#include "analysis/stacks/stacks.h"
#include "symbols/dwarf/dwarf.h"
#include "symbols/elf/elf.h"
#include "symbols/symbols.h"
#include "util/util.h"

struct known_place {
	struct place place;
	bool called;		/* the place of a call, not of a sample */
	uint32_t number;	/* in f->known */
	size_t first, count;	/* in of_places; count is 0 until a stack has the place */
};

static const struct hash_kind places = {
	HASH_POINTERS,
	.key = {
		HASH_NUMBER(struct known_place, place.object),
		HASH_NUMBER(struct known_place, place.symbol),
		HASH_NUMBER(struct known_place, place.dso),
		HASH_NUMBER(struct known_place, place.address),
		HASH_NUMBER(struct known_place, place.file_address),
		HASH_NUMBER(struct known_place, called),
	},
};

static void add_of_place(struct frames *f, const struct frame *frame)
{
	f->of_places = array_grow(f->of_places, f->nr_of_places,
				  &f->room_of_places, sizeof(*f->of_places));
	f->of_places[f->nr_of_places++] = frames_frame(f, frame);
}

/*
 * A line belongs to the function's file.  If it is in another one, for example one
 * that the function includes, the file of the line is what readers shall open.
 */
static void put_line(struct frame_function *function, struct frame *frame,
		     const char *file, int line)
{
	if (!file || line <= 0)
		return;
	if (!same_string(function->file, file)) {
		function->file = file;
		function->line = 0;
	}
	frame->line = line;
}

/* The frames of a place, the innermost last */
static void find_frames(struct frames *f, const struct place *place, bool called)
{
	struct inline_frame in[INLINE_DEPTH];
	const char *file[INLINE_DEPTH];
	int line[INLINE_DEPTH];
	size_t count = 0, i;

	memset(in, 0, sizeof(in[0]));
	file[0] = NULL;
	line[0] = 0;
	if (place->dso) {
		count = inline_find(place->dso, place->file_address, in,
				    INLINE_DEPTH);
		if (!srcline_find(place->dso, place->file_address, &file[0],
				  &line[0]))
			file[0] = NULL;
	}
	for (i = 1; i < count; i++) {
		file[i] = in[i - 1].call_file;
		line[i] = in[i - 1].call_line;
	}
	for (i = count ? count : 1; i--;) {
		bool outer = i + 1 >= count;
		struct frame_function function = {
			/* The symbol is what all reports show. */
			.name = outer ? place->symbol : in[i].name,
			.object = place->object, .dso = place->dso,
			.file = in[i].file, .line = in[i].line,
		};
		struct frame frame = { 0 };

		if (f->flags & FRAMES_LINES ||
		    (f->flags & FRAMES_LEAF_LINE && !i && !called))
			put_line(&function, &frame, file[i], line[i]);
		if (f->flags & (FRAMES_LINES | FRAMES_ADDRESSES))
			frame.depth = (uint32_t)(count ? count - 1 - i : 0);
		if (f->flags & FRAMES_ADDRESSES)
			frame.address = place->dso ? place->file_address :
						     place->address;
		frame.function = frames_function(f, &function);
		add_of_place(f, &frame);
	}
}

static struct known_place *place_get(struct frames *f, const struct place *place, bool called)
{
	const struct known_place key = { .place = *place, .called = called };
	struct known_place **slot = hash_table_add(&f->place_table, &places, &key);
	struct known_place *known = *slot;

	if (known)
		return known;
	known = *slot = xcalloc(1, sizeof(*known));
	*known = key;
	known->number = (uint32_t)f->nr_known;
	f->known = array_grow(f->known, f->nr_known, &f->room_known, sizeof(*f->known));
	f->known[f->nr_known++] = known;
	return known;
}

static uint32_t add_object(struct frames *f, uint32_t stack,
			   const struct place *place)
{
	const struct frame_function object = {
		.object = place->object, .dso = place->dso, .is_object = true,
	};
	const struct frame frame = { .function = frames_function(f, &object) };

	return frames_path(f, stack, frames_frame(f, &frame));
}

/* The stack @outer with @known, which a function of the object @within called */
static uint32_t add_place(struct frames *f, uint32_t outer, const char *within,
			  struct known_place *known)
{
	size_t i;

	if (f->flags & FRAMES_OBJECTS && !same_string(known->place.object, within))
		outer = add_object(f, outer, &known->place);
	if (!known->count) {
		known->first = f->nr_of_places;
		find_frames(f, &known->place, known->called);
		known->count = f->nr_of_places - known->first;
	}
	for (i = 0; i < known->count; i++)
		outer = frames_path(f, outer, f->of_places[known->first + i]);
	return outer;
}

static uint32_t no_stack(struct frames *f)
{
	const struct frame_function function = { .name = FRAMES_NO_STACK,
						 .object = "[unknown]" };
	const struct frame frame = { .function = frames_function(f, &function) };

	return frames_path(f, NO_STACK, frames_frame(f, &frame));
}

static uint32_t *of_caller(struct frames *f, const struct caller *c)
{
	size_t old = f->room_of_callers;

	if (c->number >= old) {
		f->room_of_callers = c->number < old + old / 2 ? old + old / 2 : c->number + 64;
		f->of_callers = xrealloc(f->of_callers,
					 f->room_of_callers * sizeof(*f->of_callers));
		memset(f->of_callers + old, 0,
		       (f->room_of_callers - old) * sizeof(*f->of_callers));
	}
	return &f->of_callers[c->number];
}

/* The stack of a caller, after the stacks of those that called it */
static uint32_t callers_stack(struct frames *f, const struct caller *c)
{
	const struct caller **todo = NULL, *at;
	size_t count = 0, room = 0;
	uint32_t stack;

	for (at = c; at && !*of_caller(f, at); at = at->outer) {
		todo = array_grow(todo, count, &room, sizeof(*todo));
		todo[count++] = at;
	}
	stack = at ? *of_caller(f, at) - 1 : NO_STACK;
	while (count--) {
		at = todo[count];
		stack = add_place(f, stack, at->outer ? at->outer->place->object : NULL,
				  place_get(f, at->place, true));
		*of_caller(f, at) = stack + 1;
	}
	free(todo);
	return stack;
}

/* A sample's place, whose number the hint keeps if there is one */
static struct known_place *sampled_place(struct frames *f, const struct place *place,
					 uint32_t *hint)
{
	struct known_place *known;

	if (hint && *hint)
		return f->known[*hint - 1];
	known = place_get(f, place, false);
	if (hint)
		*hint = known->number + 1;
	return known;
}

static uint32_t new_stack(struct frames *f, const struct place_list *list,
			  struct known_place *known)
{
	const struct caller *callers = list->callers;

	if (callers)
		return add_place(f, callers_stack(f, callers), callers->place->object, known);
	return add_place(f, list->no_stack ? no_stack(f) : NO_STACK, NULL, known);
}

uint32_t frames_stack_add(struct frames *f, const struct place_list *list, uint32_t *hint)
{
	struct known_place *known = sampled_place(f, list->place, hint);
	uint32_t *stack = stack_memory_at(&f->memory, frames_callers_key(list), known->number);

	if (!*stack)
		*stack = new_stack(f, list, known) + 1;
	return *stack - 1;
}

void frames_forget_callers(struct frames *f)
{
	free(f->of_callers);
	f->of_callers = NULL;
	f->room_of_callers = 0;
	stack_memory_forget(&f->memory);
}

void frames_free(struct frames *f)
{
	while (f->nr_known)
		free(f->known[--f->nr_known]);
	free(f->known);
	free(f->functions);
	free(f->frames);
	free(f->stacks);
	free(f->of_places);
	free(f->of_callers);
	stack_memory_free(&f->memory);
	hash_table_free(&f->function_table);
	hash_table_free(&f->frame_table);
	hash_table_free(&f->stack_table);
	hash_table_free(&f->place_table);
	memset(f, 0, sizeof(*f));
}

/* Enough for a million places with their callers, in 4 MiB */
#define MOST_BLOCKS	65536

struct block_slot {
	uint64_t key;
	uint32_t number;	/* of the block, plus 1; 0: unused */
};

static const struct hash_kind blocks = {
	HASH_SLOTS(struct block_slot, number),
	.key = { HASH_NUMBER(struct block_slot, key) },
};

uint32_t *stack_memory_block(struct stack_memory *m, uint64_t key)
{
	struct block_slot *slot;

	if (m->nr_blocks == MOST_BLOCKS)
		stack_memory_forget(m);
	slot = hash_table_add(&m->table, &blocks, &key);
	if (!slot->number) {
		m->blocks = array_grow(m->blocks, m->nr_blocks, &m->room_blocks,
				       sizeof(*m->blocks));
		memset(m->blocks[m->nr_blocks], 0, sizeof(*m->blocks));
		slot->key = key;
		slot->number = (uint32_t)++m->nr_blocks;
	}
	m->last_key = key;
	m->last = m->blocks[slot->number - 1];
	return m->last;
}

void stack_memory_forget(struct stack_memory *m)
{
	hash_table_clear(&m->table, &blocks);
	m->nr_blocks = 0;
	m->last = NULL;
}

void stack_memory_free(struct stack_memory *m)
{
	free(m->blocks);
	hash_table_free(&m->table);
	memset(m, 0, sizeof(*m));
}
