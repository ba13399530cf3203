// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>
#include <string.h>

#include "armspe.h"
#include "analysis/call_tree.h"
#include "analysis/caller.h"
#include "analysis/fields.h"
#include "analysis/frames.h"
#include "util/hash.h"
#include "util/hash_table.h"
#include "util/memory.h"
#include "util/names.h"

static void sum_add(struct call_sum *to, const struct call_sum *from)
{
	to->count += from->count;
	to->cycles += from->cycles;
}

/*
 * The stacks of samples that were seen, so that a tree costs about as much time as the table of
 * report.  Nearly always a place was last called as now, which costs one look into a small array.
 * Otherwise a table often has the stack of these callers and this place.
 */
struct call_latest {
	uint32_t callers;	/* see callers_key(); @stack counts only if this is not UNUSED */
	uint32_t stack;
};

struct call_memory {
	uint64_t key;		/* caller and place; 0: unused */
	uint32_t stack;
};

#define MEMORY_BITS	14
#define UNUSED		(UINT32_MAX - 1)

static void need_sum(struct call_tree *t, uint32_t stack)
{
	size_t old = t->room;

	if (stack < old)
		return;
	t->room = 2 * (size_t)stack + 256;
	t->sums = xrealloc(t->sums, t->room * sizeof(*t->sums));
	memset(t->sums + old, 0, (t->room - old) * sizeof(*t->sums));
}

/* 0 where the stack has no callers, then those with a number, UINT32_MAX where there is no stack */
static uint32_t callers_key(const struct row *row)
{
	if (row->callers)
		return row->callers->number + 1;
	return row->stack == STACK_FOUND ? 0 : UINT32_MAX;
}

static void need_latest(struct call_tree *t, uint32_t place)
{
	size_t old = t->room_latest;

	if (place < old)
		return;
	t->room_latest = 2 * (size_t)place + 1024;
	t->latest = xrealloc(t->latest, t->room_latest * sizeof(*t->latest));
	while (old < t->room_latest)
		t->latest[old++].callers = UNUSED;
}

/* The place's number, which the row's hint keeps if it has one */
static uint32_t place_number(struct call_tree *t, const struct row *row)
{
	if (!row->hint)
		return ++t->nr_places;
	if (!*row->hint)
		*row->hint = ++t->nr_places;
	return *row->hint;
}

static uint32_t find_stack(struct call_tree *t, const struct row *row, uint32_t callers,
			   uint32_t place)
{
	uint64_t key = (uint64_t)callers << 32 | place;
	struct place_list list;
	struct call_memory *m;

	if (!t->memory) {
		t->memory = xzeroed(1 << MEMORY_BITS, sizeof(*t->memory));
		t->frames.user_remembers = true;
	}
	m = &t->memory[key * UINT64_C(0x9e3779b97f4a7c15) >> (64 - MEMORY_BITS)];
	if (m->key != key) {
		list = frames_places(row);
		m->key = key;
		m->stack = frames_stack(&t->frames, &list, NULL);
		need_sum(t, m->stack);
	}
	return m->stack;
}

void call_tree_add(void *context, const struct row *row)
{
	const struct armspe_record *rec = row->rec;
	struct call_tree *t = context;
	uint32_t callers = callers_key(row), place = place_number(t, row);
	struct call_latest *latest;
	struct call_sum *sum;
	uint64_t cycles;

	need_latest(t, place);
	latest = &t->latest[place];
	if (latest->callers != callers)
		*latest = (struct call_latest){ callers, find_stack(t, row, callers, place) };
	cycles = rec->counter_valid >> SPE_COUNTER_TOTAL & 1 ? rec->counter[SPE_COUNTER_TOTAL] : 0;
	sum = &t->sums[latest->stack];
	sum->count++;
	sum->cycles += cycles;
	t->all.count++;
	t->all.cycles += cycles;
}

void call_tree_forget_callers(struct call_tree *t)
{
	size_t i;

	frames_forget_callers(&t->frames);
	for (i = 0; i < t->room_latest; i++)
		t->latest[i].callers = UNUSED;
	if (t->memory)
		memset(t->memory, 0, sizeof(*t->memory) << MEMORY_BITS);
}

static uint64_t node_hash(const struct call_node *n)
{
	uint64_t hash = hash_add((uintptr_t)n->parent, hash_string(n->object));

	return n->name ? hash_add(hash, hash_string(n->name)) : hash;
}

static uint64_t node_slot_hash(const void *slot)
{
	return node_hash(*(struct call_node *const *)slot);
}

static bool same_node(const void *slot, const void *key)
{
	const struct call_node *a = *(struct call_node *const *)slot, *b = key;

	return a->parent == b->parent && same_string(a->name, b->name) &&
	       same_string(a->object, b->object);
}

static const struct hash_kind node_table = {
	sizeof(struct call_node *), 256, hash_pointer_used, node_slot_hash, same_node,
};

struct builder {
	struct hash_table nodes;
	const struct frame_function **path;	/* the innermost first */
	size_t depth, room;
	enum call_order order;
	const char *symbol;
};

static struct call_node *descend(struct builder *b, struct call_node *parent,
				 const struct frame_function *function)
{
	const struct call_node key = { .name = function->name, .object = function->object,
				       .parent = parent };
	struct call_node **slot = hash_table_add(&b->nodes, &node_table, node_hash(&key), &key);

	if (!*slot) {
		*slot = xcalloc(1, sizeof(**slot));
		**slot = key;
		(*slot)->next = parent->child;
		parent->child = *slot;
	}
	return *slot;
}

static void read_path(struct builder *b, const struct frames *f, uint32_t stack)
{
	for (b->depth = 0; stack != NO_STACK; stack = f->stacks[stack].caller) {
		b->path = array_grow(b->path, b->depth, &b->room, sizeof(*b->path));
		b->path[b->depth++] = &f->functions[f->frames[f->stacks[stack].frame].function];
	}
}

/* Where in the path the symbol is; its depth if it is not there */
static size_t find_symbol(const struct builder *b)
{
	size_t i, found = b->depth;

	for (i = 0; i < b->depth; i++) {
		if (!same_string(b->path[i]->name, b->symbol))
			continue;
		found = i;
		if (b->order == CALLS_CALLERS)
			break;
	}
	return found;
}

static void add_path(struct builder *b, struct call_node *root, const struct call_sum *sum)
{
	size_t at = b->order == CALLS_CALLERS ? 0 : b->depth - 1;
	struct call_node *node = root;

	if (b->symbol)
		at = find_symbol(b);
	if (at == b->depth)
		return;
	sum_add(&root->sum, sum);
	for (;;) {
		node = descend(b, node, b->path[at]);
		sum_add(&node->sum, sum);
		if (b->order == CALLS_CALLERS ? ++at == b->depth : !at--)
			break;
	}
	sum_add(&node->own, sum);
}

/* Most cycles first, then most samples */
static int heavier(const void *a, const void *b)
{
	const struct call_node *x = *(struct call_node *const *)a;
	const struct call_node *y = *(struct call_node *const *)b;

	if (x->sum.cycles != y->sum.cycles)
		return x->sum.cycles > y->sum.cycles ? -1 : 1;
	if (x->sum.count != y->sum.count)
		return x->sum.count > y->sum.count ? -1 : 1;
	return strcmp(x->name ? x->name : "", y->name ? y->name : "");
}

/* Sort the children of all nodes; the table holds each node but the root. */
static void sort_children(struct call_node *n)
{
	struct call_node **list, *child;
	size_t count = 0, i = 0;

	for (child = n->child; child; child = child->next)
		count++;
	if (count < 2)
		return;
	list = xcalloc(count, sizeof(*list));
	for (child = n->child; child; child = child->next)
		list[i++] = child;
	qsort(list, count, sizeof(*list), heavier);
	for (i = 0; i < count; i++)
		list[i]->next = i + 1 < count ? list[i + 1] : NULL;
	n->child = list[0];
	free(list);
}

struct call_node *call_tree_build(struct call_tree *const *trees, size_t count,
				  enum call_order order, const char *symbol)
{
	struct builder b = { .order = order, .symbol = symbol };
	struct call_node *root = xcalloc(1, sizeof(*root)), **slot = NULL;
	uint32_t stack;
	size_t i;

	for (i = 0; i < count; i++) {
		for (stack = 0; stack < trees[i]->room; stack++) {
			if (!trees[i]->sums[stack].count)
				continue;
			read_path(&b, &trees[i]->frames, stack);
			add_path(&b, root, &trees[i]->sums[stack]);
		}
	}
	sort_children(root);
	while ((slot = hash_table_next(&b.nodes, &node_table, slot)))
		sort_children(*slot);
	hash_table_free(&b.nodes);
	free(b.path);
	return root;
}

/* Deep trees: follow links instead of calling itself. */
void call_nodes_free(struct call_node *root)
{
	struct call_node *n = root, *up;

	while (n) {
		if (n->child) {
			up = n->child;
			n->child = up->next;
			n = up;
			continue;
		}
		up = n == root ? NULL : n->parent;
		free(n);
		n = up;
	}
}

void call_tree_free(struct call_tree *t)
{
	frames_free(&t->frames);
	free(t->sums);
	free(t->memory);
	free(t->latest);
	memset(t, 0, sizeof(*t));
}
