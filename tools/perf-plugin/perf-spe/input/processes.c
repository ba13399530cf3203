// SPDX-License-Identifier: GPL-2.0-only
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "input/input.h"
#include "util/util.h"

/* Most threads have one era, or two: the first is in the table itself. */
struct thread {
	int32_t tid;
	uint32_t nr, room;
	struct era first;
	struct era *more;	/* the others; NULL: none */
	struct summary *summary;	/* of all, where they are many; see summarize() */
	uint64_t stack_start, stack_end;	/* while it runs; 0: not known */
};

static const struct hash_kind threads = {
	HASH_SLOTS(struct thread, nr),
	.key = { HASH_NUMBER(struct thread, tid) },
};

static struct era *era_of(const struct thread *t, size_t i)
{
	return i ? &t->more[i - 1] : (struct era *)&t->first;
}

/* How many eras begin at or before @time */
static size_t eras_until(const struct thread *t, uint64_t time)
{
	size_t low;

	lower_bound(low, t->nr, era_of(t, low)->time <= time);
	return low;
}

static const struct thread *thread_find(const struct processes *p, int32_t tid)
{
	return hash_table_find(&p->threads, &threads, &tid);
}

const struct era *processes_era_span(const struct processes *p, int32_t tid, uint64_t time,
				     uint64_t *from, uint64_t *until)
{
	const struct thread *t = thread_find(p, tid);
	size_t at = t && t->nr > 1 ? eras_until(t, time) : 0;

	*from = at > 1 ? era_of(t, at - 1)->time : 0;
	/* The event that told of the thread may have come late. */
	at = at ? at : 1;
	*until = t && at < t->nr ? era_of(t, at)->time : UINT64_MAX;
	return t ? era_of(t, at - 1) : NULL;
}

const struct era *processes_era(const struct processes *p, int32_t tid, uint64_t time)
{
	uint64_t from, until;

	return processes_era_span(p, tid, time, &from, &until);
}

const struct cgroup *era_group(const struct era *era)
{
	return era->group || !era->process ? era->group : era->process->group;
}

/* What holds in all eras of a thread */
struct summary {
	struct era era;
	int32_t pid;
	bool one;		/* they are of one process */
};

static void always(const struct processes *p, const struct thread *t, struct era *era, int32_t *pid)
{
	size_t i;

	*era = t ? *era_of(t, t->nr - 1) : (struct era){ 0 };
	*pid = t ? era->process->pid : NO_ID;
	era->group = era_group(era);
	for (i = 0; t && i + 1 < t->nr; i++) {
		const struct era *e = era_of(t, i);

		if (p->on_exec && era_of(t, i + 1)->time <= p->begins)
			continue;
		if (e->process != era->process)
			era->process = NULL;
		if (e->process->pid != *pid)
			*pid = NO_ID;
		if (era->comm && (!e->comm || strcmp(e->comm, era->comm)))
			era->comm = NULL;
		if (era_group(e) != era->group)
			era->group = &cgroup_several;
	}
}

const char *processes_last_name(const struct processes *p, int32_t tid,
				const struct process *process)
{
	const struct thread *t = thread_find(p, tid);
	size_t i = t ? t->nr : 0;

	if (process && process->replaced && i)
		i = eras_until(t, process->replaced);
	while (i--)
		if (era_of(t, i)->process == process)
			return era_of(t, i)->comm;
	return NULL;
}

struct process *processes_at(const struct processes *p, int32_t pid, uint64_t time)
{
	const struct era *era = processes_era(p, pid, time);

	return era && era->process->pid == pid ? era->process : NULL;
}

static bool one_process(const struct thread *t)
{
	size_t i;

	for (i = 1; t && i < t->nr; i++)
		if (era_of(t, i)->process != t->first.process)
			return false;
	return true;
}

/* With more eras the answers are worked out once, not for each sample. */
#define MANY_ERAS	16u

static void summarize(const struct processes *p, struct thread *t)
{
	if (t->nr <= MANY_ERAS)
		return;
	if (!t->summary)
		t->summary = xcalloc(1, sizeof(*t->summary));
	always(p, t, &t->summary->era, &t->summary->pid);
	t->summary->one = one_process(t);
}

void processes_always(const struct processes *p, int32_t tid, struct era *era, int32_t *pid)
{
	const struct thread *t = thread_find(p, tid);

	if (t && t->summary) {
		*era = t->summary->era;
		*pid = t->summary->pid;
	} else {
		always(p, t, era, pid);
	}
}

bool processes_one(const struct processes *p, int32_t pid)
{
	const struct thread *t = thread_find(p, pid);

	return t && t->summary ? t->summary->one : one_process(t);
}

bool processes_any_after(const struct processes *p, const struct process *process, process_fn fits)
{
	const struct thread *t = thread_find(p, process->pid);
	size_t i = t ? t->nr : 0;

	while (i--) {
		struct process *at = era_of(t, i)->process;

		if (at == process)
			return false;
		if (at->pid == process->pid && fits(at))
			return true;
	}
	return false;
}

/* Up to so many programs or eras are checked one by one for each sample. */
#define CROWD	512u

/* The code that all programs checked so far have at an address */
struct common {
	uint64_t address, time;
	const struct map *map;		/* NULL: none of them has any */
	enum map_doubt doubt;
};

/* Whether @p, too, has the same code or none */
static bool agrees(struct common *c, const struct process *p)
{
	const struct map *map;

	c->doubt = c->time == UINT64_MAX ? DOUBT_TIME : DOUBT_NONE;
	if (c->time == UINT64_MAX) {
		if (!process_code_only(p, c->address, &map))
			return false;
	} else if (p->replaced && c->time >= p->replaced) {
		return true;
	} else {
		map = process_code_at(p, c->address, c->time);
	}
	if (c->map && map && !map_same_bytes(c->map, map))
		return false;
	c->map = map ? map : c->map;
	c->doubt = DOUBT_NONE;
	return true;
}

static bool all_agree(const struct processes *p, struct common *c)
{
	size_t i;

	for (i = 0; i < p->nr; i++)
		if (!agrees(c, p->all[i]))
			return false;
	return true;
}

static bool all_with_pid_agree(const struct processes *p, int32_t pid, struct common *c)
{
	const struct thread *t = thread_find(p, pid);
	const struct process *last = NULL;
	size_t i;

	if (t && t->nr > CROWD) {
		c->doubt = DOUBT_CROWD;
		return false;
	}
	for (i = 0; t && i < t->nr; i++) {
		const struct process *at = era_of(t, i)->process;

		if (at == last || at->pid != pid)
			continue;
		last = at;
		if (!agrees(c, at))
			return false;
	}
	return true;
}

/* The code of all programs together, made when there are many and the first sample asks for it */
struct crowd {
	struct process code;
	const struct process **owner;	/* of the mapping with this seq */
};

static void crowd_free(struct processes *p)
{
	if (!p->crowd)
		return;
	process_free_maps(&p->crowd->code);
	free(p->crowd->owner);
	free(p->crowd);
	p->crowd = NULL;
}

static struct crowd *crowd_new(const struct processes *p)
{
	struct crowd *c = xcalloc(1, sizeof(*c));
	size_t i, k, room = 0;

	for (i = 0; i < p->nr; i++)
		for (k = 0; k < p->all[i]->nr_maps; k++) {
			c->owner = array_grow(c->owner, c->code.added, &room, sizeof(*c->owner));
			c->owner[c->code.added] = p->all[i];
			process_map_add(&c->code, &p->all[i]->maps[k]);
		}
	process_sort(&c->code);
	return c;
}

static const struct crowd *crowd_of(const struct processes *p)
{
	static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
	struct processes *made = (struct processes *)p;

	pthread_mutex_lock(&lock);
	if (!made->crowd)
		made->crowd = crowd_new(p);
	pthread_mutex_unlock(&lock);
	return made->crowd;
}

struct search {
	const struct crowd *crowd;
	uint64_t time;
	const struct map *found;
};

/* Ends the search at a mapping that is there at the time. */
static bool is_gone(void *context, const struct map *map)
{
	struct search *s = context;
	const struct process *owner = s->crowd->owner[map->seq];

	if (map->time > s->time || (owner->replaced && s->time >= owner->replaced))
		return true;
	s->found = map;
	return false;
}

/* The same as all_agree() if the address had the same code in all programs all the time. */
static bool crowd_agrees(const struct processes *p, struct common *c)
{
	struct search s = { crowd_of(p), c->time, NULL };

	if (process_map_always(&s.crowd->code, c->address, &c->map)) {
		if (!c->map || c->time == UINT64_MAX)
			return true;
		c->map = NULL;
		if (!process_map_find(&s.crowd->code, c->address, c->time))
			return true;
		process_any_all(&s.crowd->code, c->address, is_gone, &s);
		c->map = s.found;
		if (s.found)
			return true;
	}
	c->doubt = DOUBT_CROWD;
	return false;
}

const struct map *processes_common_code(const struct processes *p, int32_t pid, uint64_t address,
					uint64_t time, enum map_doubt *doubt)
{
	struct common c = { .address = address, .time = time };
	bool agree = pid != NO_ID ? all_with_pid_agree(p, pid, &c) :
		     p->nr > CROWD ? crowd_agrees(p, &c) : all_agree(p, &c);

	/* Of a thread that is known, the time would tell the program. */
	*doubt = pid == NO_ID && c.doubt == DOUBT_TIME ? DOUBT_NONE : c.doubt;
	return agree ? c.map : NULL;
}

/* Add an era in its place: a live recording's events may come late. */
static struct era *era_add(struct processes *p, int32_t tid, uint64_t time)
{
	struct thread *t = hash_table_add(&p->threads, &threads, &tid);
	size_t at, room = t->room;
	struct era last;

	if (!t->nr) {
		*t = (struct thread){ .tid = tid, .nr = 1, .first = { .time = time } };
		return &t->first;
	}
	at = eras_until(t, time);
	last = *era_of(t, at ? at - 1 : 0);
	t->more = array_grow(t->more, t->nr - 1, &room, sizeof(*t->more));
	t->room = (uint32_t)room;
	if (!at) {
		memmove(t->more + 1, t->more, (t->nr - 1) * sizeof(*t->more));
		t->more[0] = t->first;
	} else {
		memmove(t->more + at, t->more + at - 1, (t->nr - at) * sizeof(*t->more));
	}
	t->nr++;
	*era_of(t, at) = last;
	era_of(t, at)->time = time;
	return era_of(t, at);
}

static struct process *process_new(struct processes *p, int32_t pid)
{
	struct process *process = xcalloc(1, sizeof(*process));

	process->pid = pid;
	process->number = ++p->numbers;
	p->all = array_grow(p->all, p->nr, &p->room, sizeof(*p->all));
	p->all[p->nr++] = process;
	return process;
}

/* The process with @pid at @time, a new one if no event has told of it */
static struct process *process_get(struct processes *p, int32_t pid, uint64_t time)
{
	struct process *process = processes_at(p, pid, time);
	struct era *era;

	if (process)
		return process;
	process = process_new(p, pid);
	era = era_add(p, pid, time);
	era->process = process;
	era->comm = NULL;
	era->group = NULL;
	return process;
}

/* The thread's era at @time, in a process with @pid */
static struct era *thread_get(struct processes *p, int32_t pid, int32_t tid, uint64_t time)
{
	struct process *process = process_get(p, pid, time);
	const struct era *known = processes_era(p, tid, time);
	struct era *era;

	if (known && known->process == process)
		return (struct era *)known;
	era = era_add(p, tid, time);
	era->process = process;
	era->comm = process->comm;
	era->group = NULL;
	process->threaded |= tid != pid;
	return era;
}

static const char *comm_at(const struct processes *p, int32_t tid, uint64_t time)
{
	const struct era *era = processes_era(p, tid, time);

	return era ? era->comm : NULL;
}

static void thread_begins(struct processes *p, const struct process_change *c)
{
	struct process *process = process_get(p, c->pid, c->time);
	const char *comm = comm_at(p, c->by, c->time);
	const struct map *stack;
	struct thread *t;
	struct era *era;

	/* Events of what was there before come in any order. */
	if (!c->time) {
		thread_get(p, c->pid, c->tid, 0);
		return;
	}
	era = era_add(p, c->tid, c->time);
	era->process = process;
	era->comm = comm ? comm : process->comm;
	era->group = NULL;
	process->threaded = true;
	stack = c->stack ? process_name_stack(process, c->by, c->stack, c->time) : NULL;
	if (stack) {
		t = (struct thread *)thread_find(p, c->tid);
		t->stack_start = stack->start;
		t->stack_end = stack->end;
	}
}

/* The C library keeps the stack for a later thread, which no event tells. */
static void thread_ends(const struct processes *p, const struct process_change *c)
{
	struct thread *t = (struct thread *)thread_find(p, c->tid);
	struct process *process = processes_at(p, c->pid, c->time);
	const struct map map = {
		.start = t ? t->stack_start : 0, .end = t ? t->stack_end : 0, .time = c->time,
		.file = "//anon", .tid = c->tid, .prot = PROT_READ | PROT_WRITE,
	};

	if (!map.end || !process)
		return;
	process_data_add(process, &map);
	t->stack_end = 0;
}

static void process_begins(struct processes *p, const struct process_change *c)
{
	const struct era *by = processes_era(p, c->by, c->time);
	/* The parent's may have changed since. */
	const struct cgroup *group = by && by->process->pid == c->parent ? era_group(by) : NULL;
	struct process *parent, *child;
	struct era *era;

	/* perf has read the mappings of what was there before: nothing is inherited. */
	if (!c->time) {
		thread_get(p, c->pid, c->tid, 0);
		return;
	}
	parent = process_get(p, c->parent, c->time);
	child = process_new(p, c->pid);
	process_inherit(child, parent, c->time, p->copies);
	child->group = group ? group : parent->group;
	era = era_add(p, c->tid, c->time);
	era->process = child;
	era->group = NULL;
	era->comm = comm_at(p, c->by, c->time);
	if (!era->comm)
		era->comm = child->comm;
	else
		child->comm = era->comm;
	if (c->tid != c->pid)
		process_get(p, c->pid, c->time);
}

static void name_changes(struct processes *p, const struct process_change *c)
{
	struct process *process, *old;
	struct era *era;

	if (c->kind == CHANGE_EXEC && c->time) {
		/* What follows has one thread, and none of the mappings of before. */
		old = processes_at(p, c->pid, c->time);
		process = process_new(p, c->pid);
		if (old) {
			old->replaced = c->time;
			process->group = old->group;
			process->grouped = old->grouped;
		}
		if (!p->begins)
			p->begins = c->time;
		/* Another era moves those that are there. */
		if (c->tid != c->pid)
			era_add(p, c->tid, c->time)->process = process;
		era = era_add(p, c->pid, c->time);
		era->process = process;
	} else {
		era = thread_get(p, c->pid, c->tid, c->time);
		process = era->process;
		if (c->time && era->time != c->time)
			era = era_add(p, c->tid, c->time);
	}
	era->comm = c->comm;
	if (c->pid == c->tid || !process->comm)
		process->comm = c->comm;
}

/*
 * An event tells where the thread is when it comes.  Before the first one the thread was there too, as
 * far as is known; a process that was forked may have moved since, as container runtimes do before
 * they execute the program.
 */
static void group_changes(struct processes *p, const struct process_change *c)
{
	struct era *era = (struct era *)processes_era(p, c->tid, c->time);
	struct process *process = era ? era->process : NULL;

	if (!process || process->pid != c->pid)
		return;
	process->group = !process->grouped || process->group == c->group ? c->group : &cgroup_several;
	process->grouped = true;
	if (era->group && era->group != c->group)
		era = era_add(p, c->tid, c->time);
	era->group = c->group;
}

static void apply(struct processes *p, const struct process_change *c)
{
	struct process *process;

	switch (c->kind) {
	case CHANGE_FORK:
		(c->pid == c->parent ? thread_begins : process_begins)(p, c);
		break;
	case CHANGE_COMM:
	case CHANGE_EXEC:
		name_changes(p, c);
		break;
	case CHANGE_MAP:
	case CHANGE_DATA:
		process = process_get(p, c->pid, c->time);
		if (c->tid != NO_ID)
			thread_get(p, c->pid, c->tid, c->time);
		(c->kind == CHANGE_MAP ? process_map_add : process_data_add)(process, &c->map);
		break;
	case CHANGE_SEEN:
		if (c->tid != NO_ID)
			thread_get(p, c->pid, c->tid, c->time);
		break;
	case CHANGE_EXIT:
		thread_ends(p, c);
		process = processes_at(p, c->pid, c->time);
		if (process)
			process->exited = true;
		break;
	case CHANGE_GROUP:
		group_changes(p, c);
		break;
	}
}

void processes_change(struct processes *p, const struct process_change *change)
{
	p->changes = array_grow(p->changes, p->nr_changes, &p->room_changes,
				sizeof(*p->changes));
	p->changes[p->nr_changes] = *change;
	p->changes[p->nr_changes].seq = p->nr_changes;
	p->nr_changes++;
}

static int change_order(const void *a, const void *b)
{
	const struct process_change *x = a, *y = b;

	if (x->time != y->time)
		return x->time < y->time ? -1 : 1;
	return x->seq < y->seq ? -1 : x->seq > y->seq;
}

void processes_apply(struct processes *p)
{
	struct thread *t = NULL;
	size_t i;

	if (!p->nr_changes)
		return;
	crowd_free(p);
	qsort(p->changes, p->nr_changes, sizeof(*p->changes), change_order);
	for (i = 0; i < p->nr_changes; i++)
		apply(p, &p->changes[i]);
	free(p->changes);
	p->changes = NULL;
	p->nr_changes = p->room_changes = 0;
	for (i = 0; i < p->nr; i++)
		process_sort(p->all[i]);
	for (i = 0; i < p->nr; i++)
		p->all[i]->makes_code = p->all[i]->owns_jit = MEMO_NONE;
	while ((t = hash_table_next(&p->threads, &threads, t)))
		summarize(p, t);
}

struct process *processes_numbered(const struct processes *p, uint32_t number)
{
	size_t low;

	/* By number; those of a live recording that are gone are missing. */
	lower_bound(low, p->nr, p->all[low]->number < number);
	return low < p->nr && p->all[low]->number == number ? p->all[low] : NULL;
}

static void process_end(struct process *process)
{
	process_free_maps(process);
	free(process);
}

bool processes_forget(struct processes *p)
{
	struct thread *t = NULL;
	bool forgot = false;
	size_t i, to = 0;

	crowd_free(p);
	for (i = 0; i < p->nr; i++)
		p->all[i]->present = false;
	while ((t = hash_table_next(&p->threads, &threads, t))) {
		t->first = *era_of(t, t->nr - 1);
		t->first.process->present = true;
		t->nr = 1;
		t->room = 0;
		free(t->more);
		t->more = NULL;
		free(t->summary);
		t->summary = NULL;
	}
	for (i = 0; i < p->nr; i++) {
		struct process *process = p->all[i];

		if (!process->present) {
			process_end(process);
			continue;
		}
		forgot |= process_forget_maps(process);
		process_sort(process);
		p->all[to++] = process;
	}
	forgot |= to != p->nr;
	p->nr = to;
	return forgot;
}

static void free_eras(struct thread *t)
{
	free(t->more);
	free(t->summary);
}

void processes_free(struct processes *p)
{
	struct thread *t = NULL;
	size_t i;

	while ((t = hash_table_next(&p->threads, &threads, t)))
		free_eras(t);
	for (i = 0; i < p->nr; i++)
		process_end(p->all[i]);
	crowd_free(p);
	free(p->all);
	free(p->changes);
	hash_table_free(&p->threads);
}
