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
	uint64_t key[2];
	uint32_t number;	/* plus 1 */
};

static uint64_t spot_hash(const struct spot *spot)
{
	return hash_add(hash_add(spot->process, spot->raw), (uintptr_t)spot->map);
}

static uint64_t spot_slot_hash(const void *slot)
{
	return spot_hash(*(struct spot *const *)slot);
}

static bool same_spot(const void *slot, const void *key)
{
	const struct spot *a = *(struct spot *const *)slot, *b = key;

	return a->process == b->process && a->raw == b->raw && a->map == b->map;
}

static const struct hash_kind spots = {
	sizeof(struct spot *), 1024, hash_pointer_used, spot_slot_hash, same_spot,
};

static uint64_t caller_hash(const struct caller *outer, const struct spot *spot)
{
	return hash_add((uintptr_t)outer, (uintptr_t)spot);
}

static uint64_t caller_slot_hash(const void *slot)
{
	const struct caller_slot *c = *(struct caller_slot *const *)slot;

	return caller_hash(c->caller.outer, c->spot);
}

static bool same_caller(const void *slot, const void *key)
{
	const struct caller_slot *a = *(struct caller_slot *const *)slot, *b = key;

	return a->caller.outer == b->caller.outer && a->spot == b->spot;
}

static const struct hash_kind callers = {
	sizeof(struct caller_slot *), 1024, hash_pointer_used, caller_slot_hash, same_caller,
};

static bool number_used(const void *slot)
{
	return ((const struct number_slot *)slot)->number;
}

static uint64_t number_hash(const void *slot)
{
	const struct number_slot *n = slot;

	return hash_add(n->key[0], n->key[1]);
}

static bool same_number(const void *slot, const void *key)
{
	return !memcmp(slot, key, sizeof(((struct number_slot *)0)->key));
}

static const struct hash_kind numbers = {
	sizeof(struct number_slot), 256, number_used, number_hash, same_number,
};

static uint64_t function_slot_hash(const void *slot)
{
	const struct stack_function *f = slot;

	return stack_function_hash(f->object, f->symbol);
}

static bool function_used(const void *slot)
{
	return ((const struct stack_function *)slot)->object;
}

static bool same_function(const void *slot, const void *key)
{
	const struct stack_function *a = slot, *b = key;

	return !strcmp(a->object, b->object) &&
	       (a->symbol == b->symbol ||
		(a->symbol && b->symbol && !strcmp(a->symbol, b->symbol)));
}

const struct hash_kind stack_functions = {
	sizeof(struct stack_function), 256, function_used, function_slot_hash, same_function,
};

uint64_t stack_function_hash(const char *object, const char *symbol)
{
	return hash_add(hash_string(object), symbol ? hash_string(symbol) : 0);
}

/* Places without a symbol count as one function for each object. */
static uint32_t function_number(struct stacks *s, const struct place *place)
{
	struct stack_function key = { place->object, place->symbol, 0 }, *slot;

	slot = hash_table_add(&s->functions, &stack_functions,
			      stack_function_hash(key.object, key.symbol), &key);
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
	struct spot **slot = hash_table_add(&b->spots, &spots, spot_hash(key), key);

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
	struct spot **slot = hash_table_find(&b->spots, &spots, spot_hash(&key), &key), *spot;
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
	const struct number_slot key = { { outer ? outer->path + UINT64_C(1) : 0, function }, 0 };
	struct number_slot *slot = hash_table_add(&b->paths, &numbers, number_hash(&key), &key);

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
	struct caller_slot **slot = hash_table_add(&b->callers, &callers,
						   caller_hash(outer, spot), &key);
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
