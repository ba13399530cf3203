// SPDX-License-Identifier: GPL-2.0-only
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "analysis/callers/callers.h"
#include "output/sentences/sentences.h"
#include "output/text/text.h"
#include "util/util.h"

#define INDENT		2
#define INDENT_MOST	60	/* deeper nodes say how deep they are */
#define SMALL		200	/* less than one of so many */

struct printer {
	const struct call_sum *all;
	const struct call_node *top;	/* the function at the top of the node */
	FILE *to;
};

char *call_name(const struct call_node *n)
{
	return n->name ? xformat("%s", n->name) :
	       n->object ? xformat(NO_SYMBOL " in %s", path_short(n->object)) : xformat(NO_SYMBOL);
}

static void put_node(const struct printer *p, const struct call_node *n, unsigned int depth)
{
	unsigned int indent = INDENT * depth;
	double mean = n->sum.count ? (double)n->sum.cycles / (double)n->sum.count : 0;
	char *name;

	fprintf(p->to, " %6.2f%% %6.2f%% %9" PRIu64 " %8.1f  ",
		percent(n->sum.cycles, p->all->cycles), percent(n->sum.count, p->all->count),
		n->sum.count, mean);
	if (indent > INDENT_MOST)
		fprintf(p->to, "%*s(%u) ", INDENT_MOST, "", depth);
	else
		fprintf(p->to, "%*s", (int)indent, "");
	name = call_name(n);
	put_name(name, p->to);
	free(name);
	putc('\n', p->to);
}

static bool is_small(const struct printer *p, const struct call_node *n)
{
	return n->sum.cycles * SMALL < p->top->sum.cycles &&
	       n->sum.count * SMALL < p->top->sum.count;
}

/* One line for all small children of @n */
static void put_small(const struct printer *p, const struct call_node *n, unsigned int depth)
{
	struct call_sum sum = { 0, 0 };
	const struct call_node *c;
	uint64_t count = 0;

	for (c = n->child; c; c = c->next) {
		if (!is_small(p, c))
			continue;
		count++;
		sum.count += c->sum.count;
		sum.cycles += c->sum.cycles;
	}
	if (count)
		fprintf(p->to, " %6.2f%% %6.2f%% %9" PRIu64 " %8s  %*s# %" PRIu64 " more function%s\n",
			percent(sum.cycles, p->all->cycles), percent(sum.count, p->all->count),
			sum.count, "", (int)(INDENT * depth < INDENT_MOST ? INDENT * depth : INDENT_MOST),
			"", count, plural(count));
}

/* The next node after @n below p->top, small ones left out, or NULL; *depth goes with it. */
static const struct call_node *next_below(const struct printer *p, const struct call_node *n,
					  unsigned int *depth)
{
	const struct call_node *c = n->child;

	++*depth;
	for (;;) {
		for (; c; c = c->next)
			if (!is_small(p, c))
				return c;
		put_small(p, n, *depth);
		--*depth;
		if (n == p->top)
			return NULL;
		c = n->next;
		n = n->parent;
	}
}

void call_text_print(const struct call_node *root, enum call_order order,
		     const struct call_sum *all, uint64_t limit, FILE *to)
{
	struct printer p = { .all = all, .to = to };
	const struct call_node *top, *n;
	uint64_t shown = 0, left = 0;
	unsigned int depth;

	fprintf(to, "# %" PRIu64 " sample%s, %" PRIu64 " of them below\n", all->count,
		plural(all->count), root->sum.count);
	fprintf(to, "# %6s %7s %9s %8s  function, below it %s\n", "cost", "share", "count",
		"mean", order == CALLS_CALLERS ? "its callers" : "what it called");
	for (top = root->child; top; top = top->next) {
		if (limit && shown == limit) {
			left++;
			continue;
		}
		shown++;
		p.top = top;
		depth = 0;
		for (n = top; n; n = next_below(&p, n, &depth))
			put_node(&p, n, depth);
	}
	if (left)
		fprintf(to, "# %" PRIu64 " more function%s\n", left, plural(left));
}
