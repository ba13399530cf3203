// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>
#include <string.h>

#include "analysis/stacks/stacks.h"
#include "input/input.h"
#include "symbols/dwarf/dwarf.h"
#include "symbols/symbols.h"
#include "util/util.h"

/*
 * What was found for a function between two samples of a thread.  It holds for all records
 * there but for the limit, which depends on the record's time.
 */
struct found {
	size_t after;			/* the number of the later sample, plus 1; 0: unused */
	const struct stack_thread *thread;
	const char *object, *symbol;
	const struct stack_function *function;	/* NULL: in no stack */
	bool alternates;			/* see stack_function_alternates() */
	const struct caller *frame[2];	/* the function before and after, or NULL */
	uint64_t time[2];
	/* What the last record got, as would all from time @from on up to @to */
	uint64_t from, to;		/* equal: it got none */
	const struct process *process;	/* of that record */
	const struct caller *callers;
};

#define MEMORY	1024		/* a power of two */

struct stack_finder {
	const struct stacks *s;
	const struct stack_thread *thread;	/* of the last record, with its */
	size_t after;				/* first sample behind that record */
	struct found *memory, *last;
	bool *met;				/* callers by their number, for stack_meet() */
	char *text;
	size_t text_len, text_room;
};

struct stack_finder *stack_finder_new(const struct stacks *s)
{
	struct stack_finder *f = xcalloc(1, sizeof(*f));

	f->s = s;
	f->memory = f->last = xzeroed(MEMORY, sizeof(*f->memory));
	f->met = xcalloc(stacks_callers(s), sizeof(*f->met));
	return f;
}

void stack_finder_free(struct stack_finder *f)
{
	if (!f)
		return;
	free(f->memory);
	free(f->met);
	free(f->text);
	free(f);
}

static const struct stack_thread *thread_find(const struct stacks *s, int32_t tid)
{
	const struct stack_thread key = { .tid = tid };
	struct stack_thread **slot = hash_table_find(&s->threads, &stack_threads, &key);

	return slot ? *slot : NULL;
}

/* The number of the thread's first sample after @time; how many it has if there is none */
static size_t sample_after(const struct stack_thread *t, uint64_t time)
{
	size_t at;

	lower_bound(at, t->nr, t->samples[at].time <= time);
	return at;
}

/* Most records are between the same samples as the one before. */
static bool move_to(struct stack_finder *f, int32_t tid, uint64_t time)
{
	const struct stack_thread *t = f->thread;

	if (!t || t->tid != tid) {
		f->thread = t = thread_find(f->s, tid);
		f->after = 0;
	}
	if (!t)
		return false;
	if ((f->after && t->samples[f->after - 1].time > time) ||
	    (f->after < t->nr && t->samples[f->after].time <= time))
		f->after = sample_after(t, time);
	return true;
}

/* The innermost frame of @function in the stack, or NULL */
static const struct caller *frame_of(const struct caller *leaf, uint32_t function)
{
	while (leaf && leaf->function != function)
		leaf = leaf->outer;
	return leaf;
}

/*
 * The nearest sample whose stack has @function, before and after the gap in front of sample
 * @after.  Samples that are too far from every record in the gap are not searched.
 */
static void search(const struct stacks *s, const struct stack_thread *t, uint32_t function,
		   struct found *found)
{
	const struct stack_sample *samples = t->samples;
	size_t after = found->after - 1, i;

	for (i = after; i && !found->frame[0]; i--) {
		if (samples[after - 1].time - samples[i - 1].time > s->within)
			break;
		found->frame[0] = frame_of(samples[i - 1].leaf, function);
		found->time[0] = samples[i - 1].time;
	}
	for (i = after; i < t->nr && !found->frame[1]; i++) {
		if (samples[i].time - samples[after].time > s->within)
			break;
		found->frame[1] = frame_of(samples[i].leaf, function);
		found->time[1] = samples[i].time;
	}
}

static bool is_found(const struct stack_finder *f, const struct found *found,
		     const struct place *place)
{
	return found->after == f->after + 1 && found->thread == f->thread &&
	       found->symbol == place->symbol && found->object == place->object;
}

/* Most records are in the same function as the one before. */
static const struct stack_function *function_of(const struct stack_finder *f,
						const struct place *place)
{
	const struct stack_function key = { place->object, place->symbol, 0 };

	if (f->last->after && f->last->symbol == place->symbol && f->last->object == place->object)
		return f->last->function;
	return hash_table_find(&f->s->functions, &stack_functions, &key);
}

static struct found *find(struct stack_finder *f, const struct place *place)
{
	const struct stack_function *function;
	struct found *found = f->last;

	if (is_found(f, found, place))
		return found;
	function = function_of(f, place);
	found = &f->memory[hash_mix(f->after ^ (uintptr_t)place->symbol) & (MEMORY - 1)];
	f->last = found;
	if (is_found(f, found, place))
		return found;
	*found = (struct found){ .after = f->after + 1, .thread = f->thread, .function = function,
				 .object = place->object, .symbol = place->symbol };
	if (!function)
		return found;
	/* Records in samples of other events are much nearer to these than the samples to one another. */
	found->alternates = !f->s->session->aux_samples.nr && stack_function_alternates(f->s, function->number);
	search(f->s, f->thread, function->number, found);
	return found;
}

/* Whether any sample of the thread is near enough to @time */
static bool sample_near(const struct stack_finder *f, uint64_t time)
{
	const struct stack_thread *t = f->thread;

	return (f->after && time - t->samples[f->after - 1].time <= f->s->within) ||
	       (f->after < t->nr && t->samples[f->after].time - time <= f->s->within);
}

static bool same_callers(const struct caller *a, const struct caller *b)
{
	return a->outer == b->outer ||
	       (a->outer && b->outer && a->outer->path == b->outer->path);
}

/* The thread may have run another program at @time, or another thread may have had its id. */
static bool ran_then(const struct stack_finder *f, struct owner owner, uint64_t time)
{
	const struct era *era = processes_era(&f->s->session->processes, owner.tid, time);

	return era && (!owner.process || era->process == owner.process);
}

static enum stack_status choose(const struct stack_finder *f, const struct found *found,
				struct owner owner, uint64_t time, const struct caller **callers)
{
	uint64_t within = f->s->within;
	bool before = found->frame[0] && time - found->time[0] <= within &&
		      ran_then(f, owner, found->time[0]);
	bool after = found->frame[1] && found->time[1] - time <= within &&
		     ran_then(f, owner, found->time[1]);

	if (!before && !after)
		return sample_near(f, time) ? STACK_NOT_IN : STACK_NO_SAMPLE;
	if (before && after && !same_callers(found->frame[0], found->frame[1]))
		return STACK_DIFFER;
	if (found->alternates)
		return STACK_ALTERNATE;
	/* The same functions, but maybe other calls in them: take the nearer ones. */
	if (before && after && time - found->time[0] > found->time[1] - time)
		before = false;
	*callers = found->frame[before ? 0 : 1]->outer;
	return STACK_FOUND;
}

static void split(struct found *found, uint64_t at, uint64_t time)
{
	if (time < at)
		found->to = found->to < at ? found->to : at;
	else
		found->from = found->from > at ? found->from : at;
}

/*
 * From when to when records get @callers, as the one at @time did: as long as they are in the
 * same gap, near the same samples, and nearer to the same one.
 */
static void remember(const struct stack_finder *f, struct found *found, uint64_t time,
		     const struct caller *callers)
{
	const struct stack_thread *t = f->thread;
	const struct stacks *s = f->s;

	found->callers = callers;
	found->from = f->after ? t->samples[f->after - 1].time : 0;
	found->to = f->after < t->nr ? t->samples[f->after].time : UINT64_MAX;
	if (found->frame[0] && found->time[0] < UINT64_MAX - s->within)
		split(found, found->time[0] + s->within + 1, time);
	if (found->frame[1] && found->time[1] > s->within)
		split(found, found->time[1] - s->within, time);
	if (found->frame[0] && found->frame[1])
		split(found, found->time[0] + (found->time[1] - found->time[0]) / 2 + 1, time);
}

/* Most records are in the same function as the one before, and get the same. */
static bool is_remembered(const struct stack_finder *f, struct owner owner,
			  const struct place *place, uint64_t time)
{
	const struct found *found = f->last;

	return time >= found->from && time < found->to && found->symbol == place->symbol &&
	       found->object == place->object && found->thread->tid == owner.tid &&
	       found->process == owner.process;
}

/* A record that is a sample has its own stack, at its own time.  NULL if it has none */
static const struct caller *own_frame(struct stack_finder *f, struct owner owner,
				      const struct place *place, uint64_t time)
{
	const struct stack_function *function;
	const struct stack_sample *sample;

	if (!f->s->session->sampled || owner.tid == NO_ID || !place->symbol ||
	    !move_to(f, owner.tid, time) || !f->after)
		return NULL;
	sample = &f->thread->samples[f->after - 1];
	function = sample->time == time ? function_of(f, place) : NULL;
	return function ? frame_of(sample->leaf, function->number) : NULL;
}

enum stack_status stack_find(struct stack_finder *f, struct owner owner, const struct place *place,
			     uint64_t time, const struct caller **callers)
{
	const struct caller *own = own_frame(f, owner, place, time);
	enum stack_status status;
	struct found *found;

	if (own) {
		*callers = own->outer;
		return STACK_FOUND;
	}
	if (is_remembered(f, owner, place, time)) {
		*callers = f->last->callers;
		return STACK_FOUND;
	}
	*callers = NULL;
	if (owner.tid == NO_ID || !place->symbol)
		return STACK_NO_KEY;
	if (!move_to(f, owner.tid, time))
		return STACK_NO_SAMPLE;
	found = find(f, place);
	found->from = found->to = 0;
	status = choose(f, found, owner, time, callers);
	found->process = owner.process;
	if (status == STACK_FOUND)
		remember(f, found, time, *callers);
	return status;
}

static void add_name(struct stack_finder *f, const char *name)
{
	size_t len = strlen(name);

	while (f->text_len + len + 2 > f->text_room) {
		f->text_room = f->text_room ? 2 * f->text_room : 1024;
		f->text = xrealloc(f->text, f->text_room);
	}
	if (f->text_len)
		f->text[f->text_len++] = '|';
	memcpy(f->text + f->text_len, name, len + 1);
	f->text_len += len;
}

bool stack_meet(struct stack_finder *f, const struct caller *caller)
{
	const bool met = f->met[caller->number];

	f->met[caller->number] = true;
	return !met;
}

static void add_place(struct stack_finder *f, const struct place *place)
{
	struct inline_frame in[INLINE_DEPTH];
	size_t count, i;

	count = place->dso ? inline_find(place->dso, place->file_address, in, INLINE_DEPTH) : 0;
	for (i = 0; i + 1 < count; i++)
		if (in[i].name)
			add_name(f, in[i].name);
	add_name(f, place->symbol ? place->symbol : place->object);
}

const char *stack_text(struct stack_finder *f, const struct place *place,
		       const struct caller *callers)
{
	f->text_len = 0;
	add_place(f, place);
	for (; callers; callers = callers->outer)
		add_place(f, callers->place);
	return f->text;
}
