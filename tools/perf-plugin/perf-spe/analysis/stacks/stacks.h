/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PERF_SPE_ANALYSIS_STACKS_STACKS_H
#define PERF_SPE_ANALYSIS_STACKS_STACKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "armspe.h"
#include "symbols/symbols.h"
#include "util/util.h"

/* The callers of a record's function, and why a record has none: see stacks.h. */

struct place;

/* A caller of a function: the place of the call, and who called this function */
struct caller {
	const struct caller *outer;	/* NULL: none */
	const struct place *place;
	uint32_t number;	/* of all callers, from 0; outer's is smaller */
	uint32_t function;	/* equal for places in the same function */
	uint32_t path;		/* equal if these functions are all the way out */
};

/* Why a record has a stack, or none */
enum stack_status {
	STACK_FOUND,
	STACK_NO_KEY,		/* the record has no time, thread or function */
	STACK_NO_SAMPLE,	/* no sample of the thread is near enough */
	STACK_NOT_IN,		/* its function is in no near sample's stack */
	STACK_DIFFER,		/* the samples before and after have other callers */
	STACK_ALTERNATE,	/* its function's callers take turns faster than the samples come */
	NR_STACK_STATUS
};

/*
 * stack_callers.c: The tree of callers, as stacks.c makes it of chains of addresses. Its nodes
 * belong to struct
 * stacks; the tables in which they are found are needed only until the last chain.
 */

struct caller;
struct map;
struct stacks;

/* An address of a process, and what it is */
struct spot {
	uint32_t process;	/* owner_number(); 0: the kernel's */
	uint64_t raw;		/* as in struct call_chain */
	const struct map *map;	/* of one mapping alone; NULL: always, or see @changes */
	bool changes;		/* there is a spot for each mapping that was at the address */
	uint64_t from;		/* if not: ns of perf's clock, since when it holds */
	struct place place;
	uint32_t function;
};

struct stack_callers {
	struct stacks *s;
	const struct resolver *r;
	uint64_t from;			/* stack_spot() increases it to the spot's; UINT64_MAX: */
					/* it depends on the time */
	/* Private */
	struct hash_table spots;	/* struct spot * */
	struct hash_table callers;	/* struct caller_slot * */
	struct hash_table paths;	/* of struct number_slot: by outer path and function */
};

/* Whether an address in the form of SPE's is a user's */
static inline bool stack_user(uint64_t raw)
{
	return !armspe_addr_el(raw);
}

/* What was at the address @raw of process @pid at @time */
const struct spot *stack_spot(struct stack_callers *b, int32_t pid, uint64_t raw, uint64_t time);
/* The place @spot, called from @outer (NULL: it has no callers) */
const struct caller *stack_caller(struct stack_callers *b, const struct caller *outer,
				  const struct spot *spot);
void stack_callers_free(struct stack_callers *b);

/*
 * stacks.c: Call stacks of records. SPE records have none, so they are joined with the samples
 * of an
 * event that runs beside (call_samples.c): by thread and time.
 *
 *   samples of a thread      s1           s2           s3          s4
 *   what it was in           f<a<main     f<a<main     g<main      f<b<main
 *   records in f                   r1            r2          r3
 *
 * A record has the stack of the nearest sample, before or after it, whose stack contains the
 * record's function, if that sample is not further away than the limit.  If both neighbours
 * contain it, and it was called by other functions there, the record has no stack (r2, r3: s2
 * and s4 differ), because nothing tells which one is right.  The record r1 is in f<a<main.
 *
 * Two neighbours that agree say nothing if one sample's callers do not tell those of the next: then
 * records of a rare caller are mostly between two of a frequent one.  So all samples of a function are
 * compared with the one before, see stack_function_alternates().
 */

struct stacks;

/* The most time between a record and the sample whose stack it gets, without --stack-within */
#define STACKS_WITHIN_MS 10

/*
 * Prepare the samples of the session of @r, which has some; symbols are open.  @within: the
 * limit in ns.  After this @stacks is constant, and several threads may use it.
 */
struct stacks *stacks_new(const struct resolver *r, uint64_t within);
/*
 * Add what a live session has got since; mappings must be the same as before.  Callers stay what
 * they are, but finders do not work any more.  False if the session has dropped samples: then
 * prepare all of them anew.
 */
bool stacks_add(struct stacks *s);
void stacks_free(struct stacks *s);
/* The limit, and the samples that have a stack */
uint64_t stacks_within(const struct stacks *s);
size_t stacks_samples(const struct stacks *s);
/* How many copied stacks ended where, by enum unwind_end */
const uint64_t *stacks_ends(const struct stacks *s);
/* Callers that there are: each number is smaller. */
size_t stacks_callers(const struct stacks *s);

/* stack_finder.c: Finds the stack of a record among the samples that stacks.h prepared. */

/* What one thread remembers of its last searches */
struct stack_finder;

struct stack_finder *stack_finder_new(const struct stacks *s);
void stack_finder_free(struct stack_finder *f);
/*
 * The stack of a record of @owner in @place, at @time in ns of perf's clock.  With STACK_FOUND
 * *callers is set, to NULL if the function has none; otherwise it is NULL.
 */
enum stack_status stack_find(struct stack_finder *f, struct owner owner, const struct place *place,
			     uint64_t time, const struct caller **callers);
/* Whether this is the first call for @caller */
bool stack_meet(struct stack_finder *f, const struct caller *caller);
/*
 * The functions of a stack, as "leaf|caller|main", with those that the compiler inlined.
 * Valid until the next call.
 */
const char *stack_text(struct stack_finder *f, const struct place *place,
		       const struct caller *callers);

/* What stacks.c prepares and stack_finder.c searches. */

struct session;

struct stack_sample {
	uint64_t time;			/* ns of perf's clock */
	const struct caller *leaf;	/* the sampled place, as the innermost caller */
};

struct stack_thread {
	int32_t tid;
	bool unsorted;			/* while samples are added */
	struct stack_sample *samples;	/* by time */
	size_t nr, room;
};

/* A function that is in any stack */
struct stack_function {
	const char *object, *symbol;
	uint32_t number;
};

/* How the callers of a function follow one another in the samples of a thread */
struct stack_turns {
	uint64_t pairs, differ;		/* successive samples; those with other callers */
	/* Samples, and the sum of the squares of the numbers of those with the same callers */
	uint64_t samples, squares;
};

struct stacks {
	const struct session *session;
	uint64_t within;
	struct hash_table threads;	/* struct stack_thread * */
	size_t nr_samples;		/* of all threads */
	uint64_t ends[NR_UNWIND_ENDS];
	struct hash_table functions;	/* of struct stack_function */
	struct stack_turns *turns;	/* by the number of the function; @room_turns of them */
	size_t room_turns;
	struct hash_table latest, paths;	/* for these, see stacks.c */
	size_t nr_callers;
	void **blocks;			/* owned: places and callers */
	size_t nr_blocks, room_blocks;
	struct stack_builder *builder;	/* for stacks_add(); NULL: no sample will follow */
	size_t taken;			/* of the session's call samples */
	uint64_t drops;			/* of the session when this was made */
};

extern const struct hash_kind stack_functions, stack_threads;

/* Whether the callers of a function in one sample tell nothing of those in the next */
bool stack_function_alternates(const struct stacks *s, uint32_t function);

#endif
