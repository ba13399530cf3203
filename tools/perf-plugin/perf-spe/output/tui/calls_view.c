// SPDX-License-Identifier: GPL-2.0-only
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/callers/callers.h"
#include "analysis/rows/rows.h"
#include "analysis/stacks/stacks.h"
#include "output/sentences/sentences.h"
#include "output/text/text.h"
#include "output/tui/tui.h"
#include "util/util.h"

#define INDENT		2
#define INDENT_MOST	60	/* deeper nodes say how deep they are */

/* Samples of the function itself */
struct calls_count {
	uint64_t all;
	uint64_t stacks[NR_STACK_STATUS];	/* of these */
};

struct shown_node {
	struct call_node *node;
	unsigned int depth;
};

struct calls_view {
	char *symbol, *object;
	enum call_order order;
	struct call_tree tree;		/* collects samples */
	struct calls_count count;
	struct call_node *root;		/* shown, with @shown_count; NULL: nothing yet */
	struct calls_count shown_count;
	struct shown_node *rows;	/* of the last grid */
	size_t nr_rows, room_rows;
};

struct calls_view *calls_view_new(const char *symbol, const char *object)
{
	struct calls_view *v = xcalloc(1, sizeof(*v));

	v->symbol = xformat("%s", symbol);
	v->object = object ? xformat("%s", object) : NULL;
	v->order = CALLS_CALLERS;
	return v;
}

static bool is_of(const struct calls_view *v, const struct place *place)
{
	return place->symbol && !strcmp(place->symbol, v->symbol) &&
	       (!v->object || (place->object && strstr(place->object, v->object)));
}

void calls_view_add(struct calls_view *v, const struct row_batch *b)
{
	size_t k;

	for (k = 0; k < b->nr; k++) {
		size_t i = b->kept[k];
		bool own = is_of(v, b->place[i]);

		v->count.all += own;
		if (own && b->rows->finder)
			v->count.stacks[b->stack[i]]++;
		/* What the function called has samples of other functions. */
		if (own || v->order == CALLS_CALLEES)
			call_tree_add_one(&v->tree, b, i, &b->place[i]->hint);
	}
}

static bool same_name(const struct call_node *a, const struct call_node *b)
{
	return a->name == b->name || (a->name && b->name && !strcmp(a->name, b->name));
}

/* Expand the nodes of @to that are expanded in the tree @from, of other samples. */
static void keep_open(struct call_node *to, const struct call_node *from)
{
	struct call_node *t;
	const struct call_node *f;

	to->open = from->open;
	for (t = to->open ? to->child : NULL; t; t = t->next) {
		for (f = from->child; f && !same_name(f, t); f = f->next)
			;
		if (f)
			keep_open(t, f);
	}
}

/* Expand the function, and the only way that leads on from there. */
static void open_first(struct call_node *root)
{
	struct call_node *n;

	for (n = root; n; n = n->child && !n->child->next ? n->child : NULL)
		n->open = true;
}

void calls_view_finish(struct calls_view *v)
{
	struct call_tree *one = &v->tree;
	struct call_node *root = call_tree_build(&one, 1, v->order, v->symbol);

	if (v->root && v->root->child)
		keep_open(root, v->root);
	else
		open_first(root);
	if (v->root)
		call_nodes_free(v->root);
	v->root = root;
	v->shown_count = v->count;
}

void calls_view_restart(struct calls_view *v)
{
	call_tree_free(&v->tree);
	v->count = (struct calls_count){ 0 };
}

void calls_view_forget_callers(struct calls_view *v)
{
	call_tree_forget_callers(&v->tree);
}

static void add_row(struct calls_view *v, struct call_node *n, unsigned int depth)
{
	v->rows = array_grow(v->rows, v->nr_rows, &v->room_rows, sizeof(*v->rows));
	v->rows[v->nr_rows++] = (struct shown_node){ n, depth };
}

/* List the nodes whose parents are all expanded. */
static void list_rows(struct calls_view *v)
{
	struct call_node *n = v->root ? v->root->child : NULL;
	unsigned int depth = 0;

	v->nr_rows = 0;
	while (n) {
		add_row(v, n, depth);
		if (n->open && n->child) {
			n = n->child;
			depth++;
			continue;
		}
		while (n && !n->next) {
			n = n->parent == v->root ? NULL : n->parent;
			depth--;
		}
		n = n ? n->next : NULL;
	}
}

static void put_node(const struct calls_view *v, const struct shown_node *row, struct grid *g)
{
	const struct call_sum *all = &v->root->sum, *sum = &row->node->sum;
	unsigned int indent = INDENT * row->depth;
	char *name = call_name(row->node);
	char mark = !row->node->child ? ' ' : row->node->open ? '-' : '+';

	grid_format(g, "%.2f%%", percent(sum->cycles, all->cycles));
	grid_format(g, "%.2f%%", percent(sum->count, all->count));
	grid_format(g, "%" PRIu64, sum->count);
	grid_format(g, "%.1f", sum->count ? (double)sum->cycles / (double)sum->count : 0);
	if (indent > INDENT_MOST)
		grid_format(g, "%*s%c (%u) %s", INDENT_MOST, "", mark, row->depth, name);
	else
		grid_format(g, "%*s%c %s", (int)indent, "", mark, name);
	free(name);
}

void calls_view_grid(struct calls_view *v, struct grid *g)
{
	bool callers = v->order == CALLS_CALLERS;
	const struct calls_count *count = &v->shown_count;
	uint64_t below = v->root ? v->root->sum.count : 0, found = count->stacks[STACK_FOUND];
	/* A few without one need no reason. */
	char *why = 2 * found < count->all ? stacks_none_text(count->stacks) : NULL;
	char *symbol = xformat("%s", v->symbol);
	size_t i;

	clean_name(symbol, "");
	grid_above(g, xformat("# %s of %s\n# %" PRIu64 " of %" PRIu64 " sample%s of %s ha%s a call stack; shares are of %" PRIu64 " sample%s in the tree\n%s%s%s",
			      callers ? "callers" : "callees", symbol, found,
			      count->all, plural(count->all), symbol,
			      found == 1 ? "s" : "ve", below, plural(below),
			      why ? "# " : "", why ? why : "", why ? "\n" : ""));
	free(why);
	free(symbol);
	grid_column(g, GRID_NUMBER, "", "cost", -1);
	grid_column(g, GRID_NUMBER, "", "share", -1);
	grid_column(g, GRID_NUMBER, "", "count", -1);
	grid_column(g, GRID_NUMBER, "", "mean", -1);
	grid_column(g, GRID_TAIL, "", callers ? "function, below it its callers" :
						"function, below it what it called", -1);
	list_rows(v);
	for (i = 0; i < v->nr_rows; i++)
		put_node(v, &v->rows[i], g);
}

bool calls_view_toggle(struct calls_view *v, size_t row)
{
	struct call_node *n = row < v->nr_rows ? v->rows[row].node : NULL;

	if (!n || !n->child)
		return false;
	n->open = !n->open;
	return true;
}

void calls_view_toggle_all(struct calls_view *v, size_t row)
{
	struct call_node *top = row < v->nr_rows ? v->rows[row].node : NULL, *n = top;
	bool open = top && !top->open;

	while (n) {
		n->open = open;
		if (n->child) {
			n = n->child;
			continue;
		}
		while (n != top && !n->next)
			n = n->parent;
		n = n == top ? NULL : n->next;
	}
}

void calls_view_turn(struct calls_view *v)
{
	v->order = v->order == CALLS_CALLERS ? CALLS_CALLEES : CALLS_CALLERS;
	if (v->root)
		call_nodes_free(v->root);
	v->root = NULL;
	v->nr_rows = 0;
	calls_view_restart(v);
}

const char *calls_view_symbol(const struct calls_view *v)
{
	return v->symbol;
}

void calls_view_free(struct calls_view *v)
{
	if (!v)
		return;
	if (v->root)
		call_nodes_free(v->root);
	call_tree_free(&v->tree);
	free(v->symbol);
	free(v->object);
	free(v->rows);
	free(v);
}
