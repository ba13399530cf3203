// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>
#include <string.h>

#include "analysis/callers/callers.h"
#include "analysis/rows/rows.h"
#include "analysis/stacks/stacks.h"
#include "armspe.h"
#include "util/util.h"

static void sum_add(struct call_sum *to, const struct call_sum *from)
{
	to->count += from->count;
	to->cycles += from->cycles;
}

static void need_sum(struct call_tree *t, uint32_t stack)
{
	size_t old = t->room;

	if (stack < old)
		return;
	t->room = 2 * (size_t)stack + 256;
	t->sums = xrealloc(t->sums, t->room * sizeof(*t->sums));
	memset(t->sums + old, 0, (t->room - old) * sizeof(*t->sums));
}

void call_tree_add_one(struct call_tree *t, const struct row_batch *b, size_t i, uint32_t *hint)
{
	const struct place_list list = frames_places(b, i);
	uint32_t stack = frames_stack(&t->frames, &list, hint);
	struct call_sum *sum;

	need_sum(t, stack);
	sum = &t->sums[stack];
	sum->count++;
	sum->cycles += batch_cycles(b, i);
	t->all.count++;
	t->all.cycles += batch_cycles(b, i);
}

void call_tree_add(void *context, const struct row_batch *b)
{
	size_t k;

	for (k = 0; k < b->nr; k++)
		call_tree_add_one(context, b, b->kept[k], &b->place[b->kept[k]]->hint);
}

void call_tree_forget_callers(struct call_tree *t)
{
	frames_forget_callers(&t->frames);
}

static const struct hash_kind node_table = {
	HASH_POINTERS,
	.key = {
		HASH_NUMBER(struct call_node, parent), HASH_TEXT(struct call_node, name),
		HASH_TEXT(struct call_node, object),
	},
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
	struct call_node **slot = hash_table_add(&b->nodes, &node_table, &key);

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
		const char *name = b->path[i]->name ? b->path[i]->name : CALL_UNNAMED;

		if (strcmp(name, b->symbol) != 0)
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
	memset(t, 0, sizeof(*t));
}
