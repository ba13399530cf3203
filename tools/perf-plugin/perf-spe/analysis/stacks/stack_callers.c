// SPDX-License-Identifier: GPL-2.0-only
/* Addresses of processes, their functions, and the callers that these make, each kept once. */
#include <stdlib.h>
#include <string.h>

#include "analysis/stacks/stacks.h"
#include "armspe.h"
#include "input/input.h"
#include "symbols/symbols.h"
#include "util/util.h"

/* A caller, and what makes it differ from others */
struct caller_slot {
	struct caller caller;
	const struct spot *spot;
};

struct number_slot {
	uint64_t outer;		/* its path plus 1; 0: none */
	uint32_t function;
	uint32_t number;	/* plus 1 */
};

static const struct hash_kind spots = {
	HASH_POINTERS,
	.key = {
		HASH_NUMBER(struct spot, process), HASH_NUMBER(struct spot, raw),
		HASH_NUMBER(struct spot, map),
	},
};

static const struct hash_kind callers = {
	HASH_POINTERS,
	.key = {
		HASH_NUMBER(struct caller_slot, caller.outer),
		HASH_NUMBER(struct caller_slot, spot),
	},
};

static const struct hash_kind numbers = {
	HASH_SLOTS(struct number_slot, number),
	.key = {
		HASH_NUMBER(struct number_slot, outer), HASH_NUMBER(struct number_slot, function),
	},
};

const struct hash_kind stack_functions = {
	HASH_SLOTS(struct stack_function, object),
	.key = {
		HASH_TEXT(struct stack_function, object), HASH_TEXT(struct stack_function, symbol),
	},
};

/* Places without a symbol count as one function for each object. */
static uint32_t function_number(struct stacks *s, const struct place *place)
{
	struct stack_function key = { place->object, place->symbol, 0 }, *slot;

	slot = hash_table_add(&s->functions, &stack_functions, &key);
	if (!slot->object) {
		key.number = (uint32_t)s->functions.count - 1;
		*slot = key;
	}
	return slot->number;
}

static void *own(struct stacks *s, void *block)
{
	s->blocks = array_grow(s->blocks, s->nr_blocks, &s->room_blocks, sizeof(*s->blocks));
	s->blocks[s->nr_blocks++] = block;
	return block;
}

/* The spot like @key, which is added if it is new */
static struct spot *spot_add(struct stack_callers *b, const struct spot *key,
			     struct owner owner, uint64_t time)
{
	struct spot **slot = hash_table_add(&b->spots, &spots, key);

	if (*slot)
		return *slot;
	*slot = own(b->s, xcalloc(1, sizeof(**slot)));
	**slot = *key;
	if (key->changes)
		return *slot;
	resolve_address(b->r, owner, key->raw, time < key->from ? key->from : time,
			&(*slot)->place);
	(*slot)->function = function_number(b->s, &(*slot)->place);
	return *slot;
}

/*
 * The kernel is the same in all processes.  A pid may name several processes one after another,
 * and a process that unloaded a library had something else at the address before.
 */
const struct spot *stack_spot(struct stack_callers *b, int32_t pid, uint64_t raw, uint64_t time)
{
	static const struct map none;
	const struct processes *all = &b->r->session->processes;
	const bool user = stack_user(raw);
	const struct process *p = user ? processes_at(all, pid, time) : NULL;
	const struct owner owner = { .pid = pid, .tid = pid, .sure = true, .process = p };
	struct spot key = { .process = user ? owner_number(owner) : 0, .raw = raw };
	struct spot **slot = hash_table_find(&b->spots, &spots, &key), *spot;
	uint64_t from;

	if (user && !processes_one(all, pid))
		b->from = UINT64_MAX;
	if (!slot && p) {
		key.changes = !process_code_always(p, armspe_addr_virtual(raw), &from);
		key.from = key.changes ? 0 : from;
	}
	spot = slot ? *slot : spot_add(b, &key, owner, time);
	if (!spot->changes && time >= spot->from) {
		b->from = b->from > spot->from ? b->from : spot->from;
		return spot;
	}
	b->from = UINT64_MAX;
	key.changes = false;
	key.from = 0;
	key.map = process_code_at(p, armspe_addr_virtual(raw), time);
	if (!key.map)
		key.map = &none;
	return spot_add(b, &key, owner, time);
}

static uint32_t path_number(struct stack_callers *b, const struct caller *outer, uint32_t function)
{
	const struct number_slot key = { outer ? outer->path + UINT64_C(1) : 0, function, 0 };
	struct number_slot *slot = hash_table_add(&b->paths, &numbers, &key);

	if (!slot->number) {
		*slot = key;
		slot->number = (uint32_t)b->paths.count;
	}
	return slot->number - 1;
}

const struct caller *stack_caller(struct stack_callers *b, const struct caller *outer,
				  const struct spot *spot)
{
	const struct caller_slot key = { .caller.outer = outer, .spot = spot };
	struct caller_slot **slot = hash_table_add(&b->callers, &callers, &key);
	struct stacks *s = b->s;

	if (*slot)
		return &(*slot)->caller;
	*slot = own(s, xcalloc(1, sizeof(**slot)));
	**slot = key;
	(*slot)->caller.place = &spot->place;
	(*slot)->caller.function = spot->function;
	(*slot)->caller.path = path_number(b, outer, spot->function);
	(*slot)->caller.number = (uint32_t)s->nr_callers++;
	return &(*slot)->caller;
}

void stack_callers_free(struct stack_callers *b)
{
	hash_table_free(&b->spots);
	hash_table_free(&b->callers);
	hash_table_free(&b->paths);
}
