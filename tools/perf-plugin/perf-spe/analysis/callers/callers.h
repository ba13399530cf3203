/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PERF_SPE_ANALYSIS_CALLERS_CALLERS_H
#define PERF_SPE_ANALYSIS_CALLERS_CALLERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "analysis/rows/rows.h"
#include "analysis/stacks/stacks.h"
#include "analysis/stats/stats.h"
#include "input/input.h"
#include "symbols/elf/elf.h"
#include "symbols/symbols.h"
#include "util/util.h"

/*
 * frames.c: Remembers which stack samples of a place have with the same callers.
 *
 * Consecutive samples mostly have the same callers and are in few places.  These places have
 * numbers near each other, as they were seen first one after the other.  So a block has the
 * stacks of neighbouring places for one list of callers: consecutive samples need few blocks,
 * however often their callers take turns.
 */

#define STACK_BLOCK	16		/* places; with 4 bytes each they fill a line of a cache */

struct stack_memory {
	/* Private */
	uint32_t (*blocks)[STACK_BLOCK];
	size_t nr_blocks, room_blocks;
	struct hash_table table;	/* number of the block, by callers and first place */
	uint64_t last_key;		/* of the block used last, if there is one */
	uint32_t *last;
};

/* For stack_memory_at(); do not call it. */
uint32_t *stack_memory_block(struct stack_memory *m, uint64_t key);

/*
 * Where the user keeps the stack of samples in @place with @callers, which are numbers of the
 * user's own.  It holds 0 if nothing was put there yet, or if it was dropped, because only so many
 * are kept.  Valid until the next call.
 */
static inline uint32_t *stack_memory_at(struct stack_memory *m, uint32_t callers, uint32_t place)
{
	uint64_t key = (uint64_t)callers << 32 | place / STACK_BLOCK;
	uint32_t *block = m->last && m->last_key == key ? m->last : stack_memory_block(m, key);

	return &block[place % STACK_BLOCK];
}

/* Numbers of callers or places have another meaning from now on. */
void stack_memory_forget(struct stack_memory *m);
void stack_memory_free(struct stack_memory *m);

/*
 * frames.c: Stacks of frames, each stored once: functions, frames in them, and a tree of
 * frames in which a stack is a path from the root.
 */

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

/* What is known of the callers of the batch's record @i */
static inline struct place_list frames_places(const struct row_batch *b, size_t i)
{
	const struct stack_finder *finder = b->rows->finder;

	return (struct place_list){
		.place = b->place[i], .callers = finder ? b->callers[i] : NULL,
		.no_stack = finder && b->stack[i] != STACK_FOUND,
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
 * not NULL, belongs to the list's place: see places.c.
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

/*
 * call_tree.c: Samples as a tree of calls: from the outermost functions to all that they
 * called, or from
 * functions to their callers.  Functions that the compiler inlined are nodes too.  Memory
 * depends on how many different stacks there are, not on the number of samples.
 *
 *	struct call_tree t = { 0 }, *one = &t;
 *	rows_take(rows, &taker, &t, &totals);	(with .take = call_tree_add; rows->stacks is set)
 *	struct call_node *all = call_tree_build(&one, 1, CALLS_CALLEES, NULL);
 */

struct call_sum {
	uint64_t count, cycles;		/* samples, and their total latency */
};

struct call_tree {
	struct frames frames;
	struct call_sum *sums;		/* by number of the stack */
	size_t room;
	struct call_sum all;
};

enum call_order {
	CALLS_CALLERS,		/* functions, below each its callers */
	CALLS_CALLEES,		/* outermost functions, below each what it called */
};

struct call_node {
	const char *name;		/* NULL: a function without a name */
	const char *object;
	struct call_sum sum;		/* with all that is below */
	struct call_sum own;		/* of samples whose path ends here */
	struct call_node *parent;	/* NULL: the root, which is no function */
	struct call_node *child;	/* the one with most cycles first */
	struct call_node *next;		/* of the same parent */
	bool open;			/* for the caller */
};

/* A row_batch_fn, of rows with their stack; @context is the struct call_tree.  Uses the places' hints. */
void call_tree_add(void *context, const struct row_batch *b);
/* Add record @i alone; @hint is that of frames_stack(). */
void call_tree_add_one(struct call_tree *t, const struct row_batch *b, size_t i, uint32_t *hint);
/* Keep the samples, but the callers of the next rows are others: see rows_restack(). */
void call_tree_forget_callers(struct call_tree *t);
#define CALL_UNNAMED ""			/* as the symbol of a function without one */
/*
 * The nodes of @count collectors, for call_nodes_free().  With @symbol only samples whose stack
 * has this function, and paths that begin with it: of a function that calls itself, with the
 * innermost for callers and the outermost for callees.
 */
struct call_node *call_tree_build(struct call_tree *const *trees, size_t count,
				  enum call_order order, const char *symbol);
void call_nodes_free(struct call_node *root);
void call_tree_free(struct call_tree *t);

/*
 * flame.c: Samples as a tree: process, thread, object, function, and the functions that the
 * compiler inlined into it.  Of samples with a call stack, the callers are between the thread
 * and the function, with an object wherever it is another one.  Memory depends on how many
 * instructions of how many threads and stacks were sampled in which slices of time, not on the
 * number of samples.
 */

enum flame_kind {
	FLAME_ALL, FLAME_PROCESS, FLAME_THREAD, FLAME_OBJECT, FLAME_FUNCTION,
	FLAME_INLINE,
};

struct flame_node {
	enum flame_kind kind;
	int32_t id;			/* owner_number() of a process, or a tid; NO_ID: not known */
	const char *name;		/* others; NULL: a function without a name */
	const char *object;		/* of a function */
	uint64_t count, cycles;		/* samples, and their total latency */
	struct call_sum *slices;	/* of these TIME_SLICES of time; NULL: flame.slices is */
	struct call_sum old;		/* after flame_compare(): in the old recording */
	struct flame_node *parent;
	struct flame_node *child;	/* after flame_finish(): the one with most cycles */
	struct flame_node *next;	/* of the same parent */
};

/* Samples of a spot in one slice of time */
struct flame_part {
	uint64_t count, timed, cycles;	/* samples; with a total latency; their sum */
	uint64_t issued, issue, translated, xlat;	/* the same of the other two latencies */
	uint32_t slice;			/* of flame.slices; 0 without */
};

enum flame_is {
	FLAME_LOCATED = 1 << 0,		/* the samples have a PC */
	FLAME_NO_CALLERS = 1 << 1,	/* no stack was found, though the recording has stacks */
	FLAME_MISSED = 1 << 2,		/* with flame.slices: they have one of PROFILE_MISS_EVENTS */
};

/* One instruction in one thread */
struct flame_spot {
	uint32_t process;		/* owner_number() */
	int32_t tid;
	const char *object, *symbol;
	struct dso *dso;
	uint64_t address;		/* the file's own; without a file the sampled one */
	uint64_t pc;			/* the sampled one */
	const struct caller *callers;
	uint32_t is;			/* enum flame_is */
	uint64_t sampled;		/* the address of the place: in no known object @address, else 0 */
	size_t room_parts;
	struct flame_part *parts;	/* in no order */
	uint32_t nr_parts, latest;	/* latest: of the parts */
	uint32_t number;		/* which spot of the flame was the first, the second ... */
};

struct flame_latest;

struct flame {
	bool stacks;			/* the recording has call stacks */
	const struct slices *slices;	/* NULL: do not tell times apart */
	bool compares;			/* flame_compare() has made it */
	bool adds_old;			/* while that adds the old recording */
	struct hash_table spots;	/* instructions of threads */
	struct flame_latest *latest;	/* samples that are in no part yet */
	struct hash_table nodes;	/* struct flame_node *, by parent and name */
	struct flame_node *all;		/* after flame_finish() */
};

/* A row_batch_fn, of rows with their place, and events with slices; @context is the struct flame. */
void flame_add(void *context, const struct row_batch *b);
/* Add all of @from, before flame_finish(). */
void flame_merge(struct flame *f, struct flame *from);
/* The spot after @slot (NULL: the first one) in no order, before flame_finish(); NULL at the end */
struct flame_spot **flame_next(struct flame *f, struct flame_spot **slot);
/* Build the tree. */
void flame_finish(struct flame *f);
/*
 * Build one tree of two recordings, whose flames are not finished, in @f, which is all zeros.
 * Processes match by their names, files by theirs without folders; threads are not told apart.
 */
void flame_compare(struct flame *f, struct flame *old, const struct session *old_names,
		   struct flame *new, const struct session *new_names);
void flame_free(struct flame *f);

/* What frame_tables.c keeps and frames.c fills.  Each returns the number in its array. */

struct frame;
struct frame_function;
struct frames;

uint32_t frames_function(struct frames *f, const struct frame_function *function);
uint32_t frames_frame(struct frames *f, const struct frame *frame);
/* @caller: the path without @frame, or NO_STACK */
uint32_t frames_path(struct frames *f, uint32_t caller, uint32_t frame);

/*
 * profile.c: Samples added up by thread and stack, as viewers of profiles read them.  Memory
 * grows with the number of different sampled places, not with the samples: of too
 * many sums, sorted runs go to a temporary file.
 */

/* Sums in memory.  PERF_SPE_SUMS, a number, replaces it in tests. */
#define PROFILE_SUMS	((size_t)400000)

struct profile_process {
	int32_t pid;		/* NO_ID: not known */
	const char *comm;	/* NULL: not known */
};

struct profile_thread {
	int32_t tid;		/* NO_ID: not known */
	uint32_t process;
	const char *comm;	/* its last name; NULL: the process's, or not known */
	const struct cgroup *group;	/* NULL: not known, or more than one */
};

struct profile_sum {
	uint32_t thread, slice, stack;
	uint64_t value[NR_PROFILE_VALUES];
};

struct profile {
	struct frames frames;
	struct profile_process *processes;
	struct profile_thread *threads;
	size_t nr_processes, nr_threads;
	uint64_t total[NR_PROFILE_VALUES];
	/*
	 * Slices of time.  A sample without a time is in the first one.  If there
	 * are too many sums, slices become longer.
	 */
	uint32_t slices;	/* 0: no slices */
	uint64_t from, width;	/* ns of perf's clock */
	uint64_t period;	/* operations from one sample to the next; 0: not known, or not always the same */
	uint64_t begin;		/* ns since 1970; 0: not known */
	/* ns: how long samples were kept, and how long before the end of the recording this began */
	uint64_t duration, before_end;
	uint8_t id[16];		/* all zeros: none */
	/* Private */
	size_t room_processes, room_threads, most;
	struct hash_table process_table, thread_table, sums;
	struct profile_intervals intervals;
	struct profile_sum *sorted;
	size_t nr_sorted;
	FILE *spill;
	size_t *runs, nr_runs, room_runs;	/* their numbers of sums */
	const char *failed;			/* why */
};

/* Begin with frames by @flags (see frames.c) and so many @slices of time, or none. */
void profile_begin(struct profile *p, const struct rows *r, unsigned int flags, uint32_t slices);
/* The number of a thread; adds it if it is new.  @s may be NULL. */
uint32_t profile_thread(struct profile *p, const struct session *s, const struct owner *owner);
/* Add samples with their callers, if they were found; the rows have their places and events. */
void profile_add(struct profile *p, const struct row_batch *b);
/* The number of a thread that stands for all of @group, which may be NULL: it has no ids and no name. */
uint32_t profile_group(struct profile *p, const struct cgroup *group);
/* Add sums of the caller's own, whose stacks are in p->frames. */
void profile_add_sum(struct profile *p, const struct profile_sum *sum);
/* No more samples will come: required before profile_each(). */
void profile_finish(struct profile *p);

typedef void (*profile_fn)(void *context, const struct profile_sum *sum);

/*
 * Call @fn for each sum, by thread, slice and stack.  May be called several times.
 * Returns NULL, or why the temporary file cannot be used.
 */
const char *profile_each(struct profile *p, profile_fn fn, void *context);
void profile_free(struct profile *p);

#endif
