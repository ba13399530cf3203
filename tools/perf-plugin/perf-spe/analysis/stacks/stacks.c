// SPDX-License-Identifier: GPL-2.0-only
/*
 * The samples of call stacks, prepared: each chain of addresses becomes a path in the tree of
 * stack_callers.c, and each thread has its samples by time.  stack_finder.c searches them.
 */
#include <stdlib.h>
#include <string.h>

#include "analysis/stacks/stacks.h"
#include "armspe.h"
#include "input/input.h"
#include "symbols/dwarf/dwarf.h"
#include "symbols/symbols.h"
#include "util/util.h"

struct chain_slot {
	const struct call_chain *chain;
	const struct caller *leaf;
	uint64_t from;		/* since when the addresses are this code; UINT64_MAX: not known */
};

/* What is needed until all samples are prepared: of a live session as long as they last */
struct stack_builder {
	struct stack_callers callers;
	struct hash_table chains;	/* of struct chain_slot */
	struct unwinder *unwinder;	/* made when a sample needs it */
	uint64_t *raw;			/* the addresses of the chain that is added */
	size_t room;
};

static const struct hash_kind chains = {
	HASH_SLOTS(struct chain_slot, chain),
	.key = { HASH_NUMBER(struct chain_slot, chain) },
};

/* Whether the code has no frame here.  A stub ("malloc@plt") never has one, and has no .cfi that says so. */
static bool returns_by_register(const struct place *place)
{
	const size_t len = place->symbol ? strlen(place->symbol) : 0;

	return place->dso && ((len > 4 && !strcmp(place->symbol + len - 4, "@plt")) ||
			      cfi_return_in_register(place->dso, place->file_address));
}

/*
 * A chain of frame pointers begins with the caller's frame if the function has none of its own
 * yet, or never: then its return address is in the link register.  The kernel has removed the bits
 * of pointer authentication from the chain, but not from the register.
 */
static const struct caller *add_link(struct stack_builder *b, const struct call_chain *chain,
				     size_t at, size_t count, uint64_t time,
				     const struct caller *outer)
{
	const struct spot *spot;
	uint64_t lr, raw;

	if (!chain->lr || !stack_user(b->raw[at]) || (at && stack_user(b->raw[at - 1])))
		return outer;
	lr = unsigned_return(b->callers.r, chain->pid, chain->lr, armspe_addr_virtual(b->raw[at]), time);
	raw = (b->raw[at] & ~SPE_ADDR_MASK) | ((lr - 4) & SPE_ADDR_MASK);
	if (at + 1 < count && b->raw[at + 1] == raw)
		return outer;
	spot = stack_spot(&b->callers, chain->pid, b->raw[at], time);
	if (!returns_by_register(&spot->place))
		return outer;
	spot = stack_spot(&b->callers, chain->pid, raw, time);
	return spot->place.dso ? stack_caller(&b->callers, outer, spot) : outer;
}

/* The innermost place of @chain, called from @outer */
static const struct caller *add_chain(struct stack_builder *b, const struct call_chain *chain,
				      uint64_t time, const struct caller *outer)
{
	size_t count, at;

	if (chain->nr_words > b->room) {
		b->room = 2 * chain->nr_words;
		b->raw = xrealloc(b->raw, b->room * sizeof(*b->raw));
	}
	count = call_chain_addresses(chain, b->raw);
	for (at = count; at--;) {
		outer = add_link(b, chain, at, count, time, outer);
		outer = stack_caller(&b->callers, outer,
				     stack_spot(&b->callers, chain->pid, b->raw[at], time));
	}
	return outer;
}

/* The user's part is outside of what the kernel's chain has. */
static const struct caller *unwound(struct stack_builder *b, const struct call_sample *sample)
{
	uint64_t raw[UNWIND_DEPTH];
	const struct caller *outer = NULL;
	enum unwind_end end;
	size_t at;

	if (!b->unwinder)
		b->unwinder = unwinder_new(b->callers.r);
	at = unwind(b->unwinder, sample->pid, sample->time, sample->user_stack, raw, &end);
	b->callers.s->ends[end]++;
	while (at--)
		outer = stack_caller(&b->callers, outer, stack_spot(&b->callers, sample->pid, raw[at], sample->time));
	return add_chain(b, sample->chain, sample->time, outer);
}

static const struct caller *leaf_of(struct stack_builder *b, const struct call_sample *sample)
{
	const struct chain_slot key = { .chain = sample->chain };
	struct chain_slot *slot;

	if (sample->user_stack)
		return unwound(b, sample);
	slot = hash_table_add(&b->chains, &chains, &key);
	if (slot->chain && slot->from != UINT64_MAX && sample->time >= slot->from)
		return slot->leaf;
	*slot = key;
	b->callers.from = 0;
	slot->leaf = add_chain(b, sample->chain, sample->time, NULL);
	slot->from = b->callers.from;
	return slot->leaf;
}

const struct hash_kind stack_threads = {
	HASH_POINTERS, .key = { HASH_NUMBER(struct stack_thread, tid) },
};

static int time_order(const void *a, const void *b)
{
	const struct stack_sample *x = a, *y = b;

	return x->time < y->time ? -1 : x->time > y->time;
}

static struct stack_thread *thread_of(struct stacks *s, int32_t tid)
{
	const struct stack_thread key = { .tid = tid };
	struct stack_thread **slot = hash_table_add(&s->threads, &stack_threads, &key);

	if (!*slot) {
		*slot = xcalloc(1, sizeof(**slot));
		**slot = key;
	}
	return *slot;
}

/* A thread that changed its CPU may have samples in several buffers, in any order. */
static void sort_threads(struct stacks *s)
{
	struct stack_thread **slot = NULL;

	while ((slot = hash_table_next(&s->threads, &stack_threads, slot))) {
		struct stack_thread *t = *slot;

		if (t->unsorted)
			qsort(t->samples, t->nr, sizeof(*t->samples), time_order);
		t->unsorted = false;
	}
}

#define TURNS_DEPTH	4	/* frames of a stack whose functions are compared; outer ones last longer */
#define TURNS_LEAST	5	/* pairs that must be expected to differ */

/* The latest sample of a thread with a function */
struct latest_slot {
	const struct stack_thread *thread;
	uint32_t function;
	uint64_t time;
	const struct caller *frame;
};

static const struct hash_kind latest_kind = {
	HASH_SLOTS(struct latest_slot, thread),
	.key = { HASH_NUMBER(struct latest_slot, thread), HASH_NUMBER(struct latest_slot, function) },
};

/* How many samples of a function have callers with the same path */
struct path_slot {
	uint64_t path;		/* plus 1; of none 1 */
	uint32_t function;
	uint64_t samples;
};

static const struct hash_kind path_kind = {
	HASH_SLOTS(struct path_slot, path),
	.key = { HASH_NUMBER(struct path_slot, path), HASH_NUMBER(struct path_slot, function) },
};

static uint64_t path_of(const struct caller *frame)
{
	return frame->outer ? frame->outer->path + UINT64_C(2) : 1;
}

/* Compare the callers of one function with those in the thread's sample before. */
static void add_turn(struct stacks *s, const struct stack_thread *t, uint64_t time, const struct caller *frame)
{
	const struct latest_slot key = { .thread = t, .function = frame->function };
	const struct path_slot path = { .path = path_of(frame), .function = frame->function };
	struct latest_slot *latest = hash_table_add(&s->latest, &latest_kind, &key);
	struct path_slot *same = hash_table_add(&s->paths, &path_kind, &path);
	struct stack_turns *turns = &s->turns[frame->function];

	if (!same->path)
		*same = path;
	turns->samples++;
	turns->squares += 2 * same->samples++ + 1;
	if (latest->thread && time >= latest->time && time - latest->time <= s->within) {
		turns->pairs++;
		turns->differ += path_of(latest->frame) != path.path;
	}
	*latest = key;
	latest->time = time;
	latest->frame = frame;
}

static void add_turns(struct stacks *s, const struct stack_thread *t, uint64_t time, const struct caller *leaf)
{
	const struct caller *frame, *inner;
	unsigned int depth = 0;

	if (s->functions.count > s->room_turns) {
		const size_t room = 2 * s->functions.count;

		s->turns = xrealloc(s->turns, room * sizeof(*s->turns));
		memset(&s->turns[s->room_turns], 0, (room - s->room_turns) * sizeof(*s->turns));
		s->room_turns = room;
	}
	for (frame = leaf; frame && depth < TURNS_DEPTH; frame = frame->outer, depth++) {
		/* Of a function that calls itself the innermost frame counts. */
		for (inner = leaf; inner != frame && inner->function != frame->function; inner = inner->outer)
			;
		if (inner == frame)
			add_turn(s, t, time, frame);
	}
}

/*
 * If the samples' callers were drawn at random, two would differ with a probability of 1 less the sum of
 * the squares of their shares.  Where more than half as many differ, a call is not much longer than
 * the time between two samples.
 */
bool stack_function_alternates(const struct stacks *s, uint32_t function)
{
	const struct stack_turns *t = function < s->room_turns ? &s->turns[function] : NULL;
	double samples, expected;

	if (!t || !t->pairs)
		return false;
	samples = (double)t->samples;
	expected = (double)t->pairs * (1 - (double)t->squares / (samples * samples));
	return expected >= TURNS_LEAST && 2 * (double)t->differ > expected;
}

static void add_samples(struct stacks *s)
{
	const struct call_samples *calls = &s->builder->callers.r->session->calls;
	struct stack_thread *t = NULL;
	bool unsorted = false;

	for (; s->taken < calls->nr; s->taken++) {
		const struct call_sample *from = &calls->samples[s->taken];
		const struct caller *leaf = leaf_of(s->builder, from);

		if (!leaf)
			continue;
		if (!t || t->tid != from->tid)
			t = thread_of(s, from->tid);
		t->unsorted |= t->nr && t->samples[t->nr - 1].time > from->time;
		unsorted |= t->unsorted;
		t->samples = array_grow(t->samples, t->nr, &t->room, sizeof(*t->samples));
		t->samples[t->nr++] = (struct stack_sample){ from->time, leaf };
		add_turns(s, t, from->time, leaf);
		s->nr_samples++;
	}
	if (unsorted)
		sort_threads(s);
}

static void builder_free(struct stacks *s)
{
	if (!s->builder)
		return;
	unwinder_free(s->builder->unwinder);
	stack_callers_free(&s->builder->callers);
	hash_table_free(&s->builder->chains);
	free(s->builder->raw);
	free(s->builder);
	s->builder = NULL;
}

struct stacks *stacks_new(const struct resolver *r, uint64_t within)
{
	struct stacks *s = xcalloc(1, sizeof(*s));

	s->session = r->session;
	s->within = within;
	s->drops = r->session->calls.drops;
	s->builder = xcalloc(1, sizeof(*s->builder));
	s->builder->callers.s = s;
	s->builder->callers.r = r;
	add_samples(s);
	if (!r->session->live)
		builder_free(s);
	return s;
}

bool stacks_add(struct stacks *s)
{
	if (!s->builder || s->drops != s->builder->callers.r->session->calls.drops)
		return false;
	add_samples(s);
	return true;
}

void stacks_free(struct stacks *s)
{
	struct stack_thread **slot = NULL;

	if (!s)
		return;
	builder_free(s);
	while (s->nr_blocks)
		free(s->blocks[--s->nr_blocks]);
	free(s->blocks);
	while ((slot = hash_table_next(&s->threads, &stack_threads, slot))) {
		free((*slot)->samples);
		free(*slot);
	}
	hash_table_free(&s->threads);
	hash_table_free(&s->functions);
	hash_table_free(&s->latest);
	hash_table_free(&s->paths);
	free(s->turns);
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

const uint64_t *stacks_ends(const struct stacks *s)
{
	return s->ends;
}

size_t stacks_callers(const struct stacks *s)
{
	return s->nr_callers;
}
