// SPDX-License-Identifier: GPL-2.0-only
/* A singly and a doubly linked list on the heap */
#include "witness.h"

struct node {
	int key;
	struct node *next;
	uint64_t value;
};

struct link {
	struct link *before, *after;
	short weight;
	int32_t serial;
};

struct node *head;
struct link ring;

static struct node *push(struct node *first, int key)
{
	struct node *n = malloc(sizeof(*n));

	LOCAL(first, struct node *);
	LOCAL(key, int);
	LOCAL(n, struct node *);
	OBJECT(*n, struct node);
	n->key = key;
	n->value = (uint64_t)key * 3;
	n->next = first;
	return n;
}

static struct node *reverse(struct node *first)
{
	struct node *done = NULL, *next;

	LOCAL(first, struct node *);
	LOCAL(done, struct node *);
	LOCAL(next, struct node *);
	while (first) {
		next = first->next;
		first->next = done;
		done = first;
		first = next;
	}
	return done;
}

static uint64_t sum(const struct node *n)
{
	uint64_t total = 0;

	LOCAL(n, const struct node *);
	LOCAL(total, uint64_t);
	for (; n; n = n->next)
		total += n->value + (uint64_t)n->key;
	return total;
}

static void insert(struct link *at, int serial)
{
	struct link *l = calloc(1, sizeof(*l));

	LOCAL(at, struct link *);
	LOCAL(serial, int);
	LOCAL(l, struct link *);
	OBJECT(*l, struct link);
	l->serial = serial;
	l->weight = (short)(serial & 3);
	l->after = at->after;
	l->before = at;
	at->after->before = l;
	at->after = l;
}

static int weigh(void)
{
	struct link *l;
	int total = 0;

	LOCAL(l, struct link *);
	LOCAL(total, int);
	for (l = ring.after; l != &ring; l = l->after)
		total += l->weight;
	for (l = ring.before; l != &ring; l = l->before)
		total -= l->serial;
	return total;
}

int main(void)
{
	uint64_t total;
	int i;

	LOCAL(i, int);
	LOCAL(total, uint64_t);
	OBJECT(head, struct node *);
	OBJECT(ring, struct link);
	MEMBER(struct node, key, int);
	MEMBER(struct node, next, struct node *);
	MEMBER(struct node, value, uint64_t);
	MEMBER(struct link, before, struct link *);
	MEMBER(struct link, after, struct link *);
	MEMBER(struct link, weight, short);
	MEMBER(struct link, serial, int32_t);
	ring.before = ring.after = &ring;
	for (i = 0; i < 8; i++) {
		head = push(head, i);
		insert(&ring, i);
	}
	head = reverse(head);
	total = sum(head) + (uint64_t)weigh();
	printf("# %d\n", (int)total);
	return 0;
}
