// SPDX-License-Identifier: GPL-2.0-only
/* Lists whose links are members of the structures that they join */
#include "witness.h"

struct links {
	struct links *prev, *next;
};
struct task {
	int32_t id;
	struct links all, waiting;
	uint64_t runtime;
	struct task *parent;
};

#define task_of(link, member) \
	((struct task *)((char *)(link) - offsetof(struct task, member)))

static struct links all = { &all, &all }, waiting = { &waiting, &waiting };

static inline void links_add(struct links *l, struct links *at)
{
	LOCAL(l, struct links *);
	LOCAL(at, struct links *);
	l->prev = at->prev;
	l->next = at;
	at->prev->next = l;
	at->prev = l;
}

static inline void links_remove(struct links *l)
{
	LOCAL(l, struct links *);
	l->prev->next = l->next;
	l->next->prev = l->prev;
}

struct task *spawn(struct task *parent, int id)
{
	struct task *t = calloc(1, sizeof(*t));

	LOCAL(parent, struct task *);
	LOCAL(id, int);
	LOCAL(t, struct task *);
	OBJECT(*t, struct task);
	t->id = id;
	t->parent = parent;
	links_add(&t->all, &all);
	if (id & 1)
		links_add(&t->waiting, &waiting);
	return t;
}

uint64_t run(void)
{
	struct links *l, *next;
	uint64_t total = 0;
	struct task *t;

	LOCAL(l, struct links *);
	LOCAL(next, struct links *);
	LOCAL(total, uint64_t);
	LOCAL(t, struct task *);
	for (l = waiting.next; l != &waiting; l = next) {
		next = l->next;
		t = task_of(l, waiting);
		t->runtime += (uint64_t)t->id;
		if (t->parent)
			t->parent->runtime++;
		if (t->id > 4)
			links_remove(&t->waiting);
	}
	for (l = all.next; l != &all; l = l->next)
		total += task_of(l, all)->runtime;
	return total;
}

int main(void)
{
	struct task *t = NULL;
	int i;

	LOCAL(t, struct task *);
	LOCAL(i, int);
	OBJECT(all, struct links);
	OBJECT(waiting, struct links);
	MEMBER(struct links, prev, struct links *);
	MEMBER(struct links, next, struct links *);
	MEMBER(struct task, id, int32_t);
	MEMBER(struct task, all, struct links);
	MEMBER(struct task, waiting, struct links);
	MEMBER(struct task, runtime, uint64_t);
	MEMBER(struct task, parent, struct task *);
	for (i = 0; i < 9; i++)
		t = spawn(t, i);
	printf("# %d %d\n", (int)run(), (int)run());
	return 0;
}
