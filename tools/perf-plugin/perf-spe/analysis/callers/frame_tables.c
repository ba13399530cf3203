// SPDX-License-Identifier: GPL-2.0-only
/* The functions, frames and paths of struct frames, each kept once. */
#include <stddef.h>

#include "analysis/callers/callers.h"
#include "util/util.h"

/* Slots of the tables; number is that of the element plus 1, 0 in unused slots. */
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

static bool function_used(const void *slot)
{
	return ((const struct function_slot *)slot)->number;
}

static uint64_t function_hash(const struct frame_function *f)
{
	uint64_t hash = hash_string(f->object);

	hash = hash_add(hash, f->name ? hash_string(f->name) : 0);
	hash = hash_add(hash, f->file ? hash_string(f->file) : 0);
	return hash_add(hash, (uint64_t)f->line * 2 + f->is_object);
}

static uint64_t function_slot_hash(const void *slot)
{
	return function_hash(&((const struct function_slot *)slot)->function);
}

static bool same_function(const void *slot, const void *key)
{
	const struct frame_function *a = slot, *b = key;

	return a->line == b->line && a->is_object == b->is_object &&
	       same_string(a->object, b->object) &&
	       same_string(a->name, b->name) && same_string(a->file, b->file);
}

static const struct hash_kind functions = {
	sizeof(struct function_slot), 256, function_used, function_slot_hash,
	same_function,
};

uint32_t frames_function(struct frames *f, const struct frame_function *function)
{
	struct function_slot *slot = hash_table_add(&f->function_table,
						    &functions,
						    function_hash(function),
						    function);

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

static bool frame_used(const void *slot)
{
	return ((const struct frame_slot *)slot)->number;
}

static uint64_t frame_hash(const struct frame *frame)
{
	uint64_t hash = hash_add(frame->address, frame->function);

	return hash_add(hash, (uint64_t)frame->line << 32 | frame->depth);
}

static uint64_t frame_slot_hash(const void *slot)
{
	return frame_hash(&((const struct frame_slot *)slot)->frame);
}

static bool same_frame(const void *slot, const void *key)
{
	const struct frame *a = slot, *b = key;

	return a->address == b->address && a->function == b->function &&
	       a->line == b->line && a->depth == b->depth;
}

static const struct hash_kind frames = {
	sizeof(struct frame_slot), 1024, frame_used, frame_slot_hash,
	same_frame,
};

uint32_t frames_frame(struct frames *f, const struct frame *frame)
{
	struct frame_slot *slot = hash_table_add(&f->frame_table, &frames,
						 frame_hash(frame), frame);

	if (!slot->number) {
		f->frames = array_grow(f->frames, f->nr_frames,
				       &f->room_frames, sizeof(*f->frames));
		f->frames[f->nr_frames++] = *frame;
		slot->frame = *frame;
		slot->number = (uint32_t)f->nr_frames;
	}
	return slot->number - 1;
}

static bool stack_used(const void *slot)
{
	return ((const struct stack_slot *)slot)->number;
}

static uint64_t stack_hash(const struct stack *stack)
{
	return hash_mix((uint64_t)stack->caller << 32 | stack->frame);
}

static uint64_t stack_slot_hash(const void *slot)
{
	return stack_hash(&((const struct stack_slot *)slot)->stack);
}

static bool same_stack(const void *slot, const void *key)
{
	const struct stack *a = slot, *b = key;

	return a->caller == b->caller && a->frame == b->frame;
}

static const struct hash_kind stacks = {
	sizeof(struct stack_slot), 1024, stack_used, stack_slot_hash,
	same_stack,
};

uint32_t frames_path(struct frames *f, uint32_t caller, uint32_t frame)
{
	const struct stack stack = { caller, frame };
	struct stack_slot *slot = hash_table_add(&f->stack_table, &stacks,
						 stack_hash(&stack), &stack);

	if (!slot->number) {
		f->stacks = array_grow(f->stacks, f->nr_stacks,
				       &f->room_stacks, sizeof(*f->stacks));
		f->stacks[f->nr_stacks++] = stack;
		slot->stack = stack;
		slot->number = (uint32_t)f->nr_stacks;
	}
	return slot->number - 1;
}
