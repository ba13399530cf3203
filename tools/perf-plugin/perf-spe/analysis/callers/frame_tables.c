// SPDX-License-Identifier: GPL-2.0-only
/* The functions, frames and paths of struct frames, each kept once. */
#include <stddef.h>

#include "analysis/callers/callers.h"
#include "util/util.h"

/* Slots of the tables begin with the element; number is that of the element plus 1, or 0. */
struct function_slot {
	struct frame_function function;
	uint32_t number;
};

struct frame_slot {
	struct frame frame;
	uint32_t number;
};

struct stack_slot {
	struct stack stack;
	uint32_t number;
};

static const struct hash_kind functions = {
	HASH_SLOTS(struct function_slot, number),
	.key = {
		HASH_TEXT(struct frame_function, object), HASH_TEXT(struct frame_function, name),
		HASH_TEXT(struct frame_function, file), HASH_NUMBER(struct frame_function, line),
		HASH_NUMBER(struct frame_function, is_object),
	},
};

uint32_t frames_function(struct frames *f, const struct frame_function *function)
{
	struct function_slot *slot = hash_table_add(&f->function_table, &functions, function);

	if (!slot->number) {
		f->functions = array_grow(f->functions, f->nr_functions,
					  &f->room_functions,
					  sizeof(*f->functions));
		f->functions[f->nr_functions++] = *function;
		slot->function = *function;
		slot->number = (uint32_t)f->nr_functions;
	}
	/* An address outside of the file's segments has no file. */
	if (!f->functions[slot->number - 1].dso)
		f->functions[slot->number - 1].dso = function->dso;
	return slot->number - 1;
}

static const struct hash_kind frames = {
	HASH_SLOTS(struct frame_slot, number),
	.key = {
		HASH_NUMBER(struct frame, address), HASH_NUMBER(struct frame, function),
		HASH_NUMBER(struct frame, line), HASH_NUMBER(struct frame, depth),
	},
};

uint32_t frames_frame(struct frames *f, const struct frame *frame)
{
	struct frame_slot *slot = hash_table_add(&f->frame_table, &frames, frame);

	if (!slot->number) {
		f->frames = array_grow(f->frames, f->nr_frames,
				       &f->room_frames, sizeof(*f->frames));
		f->frames[f->nr_frames++] = *frame;
		slot->frame = *frame;
		slot->number = (uint32_t)f->nr_frames;
	}
	return slot->number - 1;
}

static const struct hash_kind stacks = {
	HASH_SLOTS(struct stack_slot, number),
	.key = { HASH_NUMBER(struct stack, caller), HASH_NUMBER(struct stack, frame) },
};

uint32_t frames_path(struct frames *f, uint32_t caller, uint32_t frame)
{
	const struct stack stack = { caller, frame };
	struct stack_slot *slot = hash_table_add(&f->stack_table, &stacks, &stack);

	if (!slot->number) {
		f->stacks = array_grow(f->stacks, f->nr_stacks,
				       &f->room_stacks, sizeof(*f->stacks));
		f->stacks[f->nr_stacks++] = stack;
		slot->stack = stack;
		slot->number = (uint32_t)f->nr_stacks;
	}
	return slot->number - 1;
}
