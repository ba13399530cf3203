// SPDX-License-Identifier: GPL-2.0-only
/*
 * The samples of call stacks, prepared: each chain of addresses becomes a path in a tree of
 * callers, and samples are sorted by thread and time.  stack_finder.c searches them.
 */
#include <stdlib.h>
#include <string.h>

#include "armspe.h"
#include "analysis/stacks.h"
#include "analysis/stacks_private.h"
#include "input/call_samples.h"
#include "input/ids.h"
#include "input/process.h"
#include "input/session.h"
#include "symbols/cfi.h"
#include "symbols/resolve.h"
#include "symbols/unwind.h"
#include "util/hash.h"
#include "util/hash_table.h"
#include "util/memory.h"

/* An address of a process, and what it is */
struct spot {
	int32_t pid;
	uint64_t raw;		/* as in struct call_chain */
	const struct map *map;	/* of one mapping alone; NULL: always, or see @changes */
	bool changes;		/* there is a spot for each mapping that was at the address */
	struct place place;
	uint32_t function;
};

/* A caller, and what makes it differ from others */
struct caller_slot {
	struct caller caller;
	const struct spot *spot;
};

struct number_slot {
	uint64_t key[2];
	uint32_t number;	/* plus 1 */
};

struct chain_slot {
	const struct call_chain *chain;
	const struct caller *leaf;
	bool changes;		/* the same addresses may be other code at another time */
};

/* What is needed until all samples are prepared */
struct builder {
	struct stacks *s;
	const struct resolver *r;
	struct hash_table spots;	/* struct spot * */
	struct hash_table callers;	/* struct caller_slot * */
	struct hash_table paths;	/* of struct number_slot: by outer path and function */
	struct hash_table chains;	/* of struct chain_slot */
	bool changes;			/* a spot of the chain has this set */
	struct unwinder *unwinder;	/* made when a sample needs it */
};

static uint64_t spot_hash(const struct spot *spot)
{
	return hash_add(hash_add((uint32_t)spot->pid, spot->raw), (uintptr_t)spot->map);
}

static uint64_t spot_slot_hash(const void *slot)
{
	return spot_hash(*(struct spot *const *)slot);
}

static bool same_spot(const void *slot, const void *key)
{
	const struct spot *a = *(struct spot *const *)slot, *b = key;

	return a->pid == b->pid && a->raw == b->raw && a->map == b->map;
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

static bool chain_used(const void *slot)
{
	return ((const struct chain_slot *)slot)->chain;
}

static uint64_t chain_hash(const void *slot)
{
	return hash_mix((uintptr_t)((const struct chain_slot *)slot)->chain);
}

static bool same_chain(const void *slot, const void *key)
{
	return ((const struct chain_slot *)slot)->chain == ((const struct chain_slot *)key)->chain;
}

static const struct hash_kind chains = {
	sizeof(struct chain_slot), 256, chain_used, chain_hash, same_chain,
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

static bool is_user(uint64_t raw)
{
	return !armspe_addr_el(raw);
}

static void *own(struct stacks *s, void *block)
{
	s->blocks = array_grow(s->blocks, s->nr_blocks, &s->room_blocks, sizeof(*s->blocks));
	s->blocks[s->nr_blocks++] = block;
	return block;
}

/* The spot like @key, which is added if it is new */
static struct spot *spot_add(struct builder *b, const struct spot *key, uint64_t time)
{
	const struct owner owner = { key->pid, key->pid, true };
	struct spot **slot = hash_table_add(&b->spots, &spots, spot_hash(key), key);

	if (*slot)
		return *slot;
	*slot = own(b->s, xcalloc(1, sizeof(**slot)));
	**slot = *key;
	if (key->changes)
		return *slot;
	resolve_address(b->r, owner, key->raw, time, &(*slot)->place);
	(*slot)->function = function_number(b->s, &(*slot)->place);
	return *slot;
}

/*
 * The kernel is the same in all processes.  A process that called exec, or unloaded a library,
 * had something else at the address before.
 */
static const struct spot *spot_get(struct builder *b, int32_t pid, uint64_t raw, uint64_t time)
{
	static const struct map none;
	const struct session *s = b->r->session;
	struct spot key = { .pid = is_user(raw) ? pid : NO_ID, .raw = raw };
	struct spot **slot = hash_table_find(&b->spots, &spots, spot_hash(&key), &key), *spot;
	const struct process *p = session_process(s, key.pid);

	if (!slot)
		key.changes = p && !process_map_always(p, armspe_addr_virtual(raw));
	spot = slot ? *slot : spot_add(b, &key, time);
	if (!spot->changes)
		return spot;
	b->changes = true;
	key.changes = false;
	key.map = session_map_find(s, p, armspe_addr_virtual(raw), time);
	if (!key.map)
		key.map = &none;
	return spot_add(b, &key, time);
}

static uint32_t path_number(struct builder *b, const struct caller *outer, uint32_t function)
{
	const struct number_slot key = { { outer ? outer->path + UINT64_C(1) : 0, function }, 0 };
	struct number_slot *slot = hash_table_add(&b->paths, &numbers, number_hash(&key), &key);

	if (!slot->number) {
		*slot = key;
		slot->number = (uint32_t)b->paths.count;
	}
	return slot->number - 1;
}

static const struct caller *caller_get(struct builder *b, const struct caller *outer,
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

/*
 * A chain of frame pointers begins with the caller's frame if the function has none of its own
 * yet, or never: then its return address is in the link register.  User addresses have at most
 * 48 bits where pointer authentication puts its bits above them.
 */
static const struct caller *add_link(struct builder *b, const struct call_chain *chain,
				     uint32_t at, uint64_t time, const struct caller *outer)
{
	uint64_t raw = (chain->address[at] & ~SPE_ADDR_MASK) |
		       ((chain->lr & ((UINT64_C(1) << 48) - 1)) - 4);
	const struct spot *spot;

	if (!chain->lr || !is_user(chain->address[at]) ||
	    (at && is_user(chain->address[at - 1])) ||
	    (at + 1 < chain->count && chain->address[at + 1] == raw))
		return outer;
	spot = spot_get(b, chain->pid, chain->address[at], time);
	if (!spot->place.dso ||
	    !cfi_return_in_register(spot->place.dso, spot->place.file_address))
		return outer;
	spot = spot_get(b, chain->pid, raw, time);
	return spot->place.dso ? caller_get(b, outer, spot) : outer;
}

/* The innermost place of @chain, called from @outer */
static const struct caller *add_chain(struct builder *b, const struct call_chain *chain,
				      uint64_t time, const struct caller *outer)
{
	uint32_t at;

	for (at = chain->count; at--;) {
		outer = add_link(b, chain, at, time, outer);
		outer = caller_get(b, outer, spot_get(b, chain->pid, chain->address[at], time));
	}
	return outer;
}

/* The user's part is outside of what the kernel's chain has. */
static const struct caller *unwound(struct builder *b, const struct call_sample *sample)
{
	uint64_t raw[UNWIND_DEPTH];
	const struct caller *outer = NULL;
	size_t at;

	if (!b->unwinder)
		b->unwinder = unwinder_new(b->r);
	for (at = unwind(b->unwinder, sample->pid, sample->time, sample->user_stack, raw); at--;)
		outer = caller_get(b, outer, spot_get(b, sample->pid, raw[at], sample->time));
	return add_chain(b, sample->chain, sample->time, outer);
}

static const struct caller *leaf_of(struct builder *b, const struct call_sample *sample)
{
	const struct chain_slot key = { .chain = sample->chain };
	struct chain_slot *slot;

	if (sample->user_stack)
		return unwound(b, sample);
	slot = hash_table_add(&b->chains, &chains, chain_hash(&key), &key);
	if (slot->chain && !slot->changes)
		return slot->leaf;
	*slot = key;
	b->changes = false;
	slot->leaf = add_chain(b, sample->chain, sample->time, NULL);
	slot->changes = b->changes;
	return slot->leaf;
}

static int sample_order(const void *a, const void *b)
{
	const struct stack_sample *x = a, *y = b;

	if (x->tid != y->tid)
		return x->tid < y->tid ? -1 : 1;
	return x->time < y->time ? -1 : x->time > y->time;
}

static void find_threads(struct stacks *s)
{
	size_t i, room = 0;

	for (i = 0; i < s->nr_samples; i++) {
		if (!i || s->samples[i].tid != s->samples[i - 1].tid) {
			s->threads = array_grow(s->threads, s->nr_threads, &room,
						sizeof(*s->threads));
			s->threads[s->nr_threads++] =
				(struct stack_thread){ s->samples[i].tid, i, i };
		}
		s->threads[s->nr_threads - 1].end = i + 1;
	}
}

struct stacks *stacks_new(const struct resolver *r, uint64_t within)
{
	const struct call_samples *calls = &r->session->calls;
	struct stacks *s = xcalloc(1, sizeof(*s));
	struct builder b = { .s = s, .r = r };
	size_t i;

	s->within = within;
	s->samples = xcalloc(calls->nr, sizeof(*s->samples));
	for (i = 0; i < calls->nr; i++) {
		const struct call_sample *from = &calls->samples[i];
		const struct caller *leaf = leaf_of(&b, from);

		if (leaf)
			s->samples[s->nr_samples++] =
				(struct stack_sample){ from->time, leaf, from->tid };
	}
	if (s->nr_samples)
		qsort(s->samples, s->nr_samples, sizeof(*s->samples), sample_order);
	find_threads(s);
	unwinder_free(b.unwinder);
	hash_table_free(&b.spots);
	hash_table_free(&b.callers);
	hash_table_free(&b.paths);
	hash_table_free(&b.chains);
	return s;
}

void stacks_free(struct stacks *s)
{
	if (!s)
		return;
	while (s->nr_blocks)
		free(s->blocks[--s->nr_blocks]);
	free(s->blocks);
	free(s->samples);
	free(s->threads);
	hash_table_free(&s->functions);
	free(s);
}

uint64_t stacks_within(const struct stacks *s)
{
	return s->within;
}

size_t stacks_samples(const struct stacks *s)
{
	return s->nr_samples;
}

size_t stacks_callers(const struct stacks *s)
{
	return s->nr_callers;
}
