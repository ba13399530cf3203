/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Stacks of frames, each stored once: functions, frames in them, and a tree of
 * frames in which a stack is a path from the root.
 */
#ifndef PERF_SPE_FRAMES_H
#define PERF_SPE_FRAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analysis/stacks/caller.h"
#include "analysis/rows/fields.h"
#include "analysis/callers/stack_memory.h"
#include "symbols/elf/dso.h"
#include "symbols/resolve.h"
#include "util/hash_table.h"

/* What is a frame, or makes frames differ */
enum {
	FRAMES_OBJECTS = 1,	/* an object, around those of its functions */
	FRAMES_LEAF_LINE = 2,	/* the line of the sampled instruction */
	FRAMES_LINES = 4,	/* the line in each function */
	FRAMES_ADDRESSES = 8,	/* the address of each instruction */
};

#define NO_STACK	UINT32_MAX

struct frame_function {
	const char *name;	/* NULL: no symbol; of an object: NULL */
	const char *object;	/* as in struct place */
	const struct dso *dso;	/* NULL: not known */
	const char *file;	/* NULL: not known */
	int line;		/* of its declaration in the file, 0: not known */
	bool is_object;		/* the object itself */
};

struct frame {
	uint64_t address;	/* the file's own; without a file the sampled one, or 0 */
	uint32_t function;
	int line;		/* in the function's file, 0: none */
	uint32_t depth;		/* 0: has a symbol; more: inlined so often */
};

/* A path from the root: the last frame, and the stack without it */
struct stack {
	uint32_t caller;	/* smaller than its own number, or NO_STACK */
	uint32_t frame;
};

/* The places of a sample: of the instruction, and of its callers */
struct place_list {
	const struct place *place;
	const struct caller *callers;	/* NULL: none */
	bool no_stack;		/* the callers are not known, though those of other samples are */
};

/* The outermost frame of samples with no_stack, which is in the object "[unknown]" */
#define FRAMES_NO_STACK	"[no stack]"

struct frames {
	unsigned int flags;
	struct frame_function *functions;
	struct frame *frames;
	struct stack *stacks;
	size_t nr_functions, nr_frames, nr_stacks;
	/* Private */
	size_t room_functions, room_frames, room_stacks;
	struct hash_table function_table, frame_table, stack_table;
	struct hash_table place_table;	/* frames of places that were seen */
	struct known_place **known;	/* these places, by number */
	size_t nr_known, room_known;
	uint32_t *of_places;		/* frame numbers, from the outermost */
	size_t nr_of_places, room_of_places;
	uint32_t *of_callers;		/* stack numbers plus 1, by number of the caller */
	size_t room_of_callers;
	struct stack_memory memory;	/* of samples that were seen */
};

/* What is known of the row's callers */
static inline struct place_list frames_places(const struct row *row)
{
	return (struct place_list){
		.place = &row->place, .callers = row->callers,
		.no_stack = row->stacks && row->stack != STACK_FOUND,
	};
}

/* Equal for lists whose callers are the same, which then have the same stack in a place */
static inline uint32_t frames_callers_key(const struct place_list *list)
{
	if (list->callers)
		return list->callers->number + 1;
	return list->no_stack ? UINT32_MAX : 0;
}

/* For frames_stack(), if it does not remember the stack; do not call it. */
uint32_t frames_stack_add(struct frames *f, const struct place_list *list, uint32_t *hint);
/*
 * The number of the stack of @list, which is added if it is new.  *@hint, if it is
 * not NULL, belongs to the list's place: see place_cache_resolve().
 */
static inline uint32_t frames_stack(struct frames *f, const struct place_list *list,
				    uint32_t *hint)
{
	uint32_t stack = 0;

	if (hint && *hint)
		stack = *stack_memory_at(&f->memory, frames_callers_key(list), *hint - 1);
	return stack ? stack - 1 : frames_stack_add(f, list, hint);
}

/* The callers of the next lists are others than before, though they may have the same numbers. */
void frames_forget_callers(struct frames *f);
void frames_free(struct frames *f);

#endif
