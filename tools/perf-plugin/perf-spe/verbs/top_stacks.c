// SPDX-License-Identifier: GPL-2.0-only
#include <time.h>

#include "analysis/callers/callers.h"
#include "analysis/rows/rows.h"
#include "analysis/stacks/stacks.h"
#include "output/sentences/sentences.h"
#include "output/text/text.h"
#include "output/tui/tui.h"
#include "system/system.h"
#include "verbs/verbs.h"

/*
 * Each reading of the rings sorts the new call stacks among those since the last turn, so do not
 * read more often than every so many seconds.
 */
#define READ_EVERY	0.05

static void wait_ms(long ms)
{
	const struct timespec time = { .tv_nsec = ms * 1000000 };

	nanosleep(&time, NULL);
}

/* A stack from up to this time after a record counts, as in a report. */
static void settle(void *context)
{
	(void)context;
	wait_ms(STACKS_WITHIN_MS);
}

static void join(void *context)
{
	struct top *t = context;

	if (!rows_add_stacks(&t->rows)) {
		call_tree_forget_callers(&t->calls);
		browse_forget_callers(&t->browse);
		rows_restack(&t->rows);
	}
	t->drained = clock_seconds(CLOCK_MONOTONIC);
}

void top_stacks_begin(struct top *t)
{
	if (t->options.stacks == STACKS_NONE)
		return;
	live_stacks(&t->live, &t->target.stack_attr);
	t->live.settle = settle;
	t->live.ready = join;
	t->rows.stacks_if_any = true;
}

/* The tree of callers is printed below a table by symbol. */
static bool has_tree(const struct top *t)
{
	return t->rows.finder && !t->interactive && !t->view.tally.nr_by;
}

static void add(void *top, const struct row_batch *b)
{
	struct top *t = top;
	size_t k;

	browse_add(&t->browse, b);
	/* Hints would outlive the tree. */
	for (k = 0; has_tree(t) && k < b->nr; k++)
		call_tree_add_one(&t->calls, b, b->kept[k], NULL);
}

/* The user of the terminal may ask for any column. */
struct row_taker top_taker(const struct top *t)
{
	return (struct row_taker){
		.take = add, .columns = t->options.quiet ? ROW_ALL : tally_columns(&t->view.tally),
	};
}

void top_restart(struct top *t)
{
	browse_restart(&t->browse);
	call_tree_free(&t->calls);
}

static bool is_filling(const struct live *l)
{
	size_t i;

	for (i = 0; i < l->nr_rings; i++)
		if (ring_fill(&l->rings[i]) > 0.5)
			return true;
	return false;
}

void top_stacks_wait(struct top *t)
{
	if (!t->rows.finder)
		return;
	while (clock_seconds(CLOCK_MONOTONIC) - t->drained < READ_EVERY && !is_filling(&t->live))
		wait_ms(5);
}

void top_stacks_print(struct top *t, FILE *to)
{
	struct call_tree *one = &t->calls;
	struct call_node *root;

	heading_stacks(&t->rows, heading_line, to);
	if (!has_tree(t) || !t->rows.kept)
		return;
	root = call_tree_build(&one, 1, CALLS_CALLERS, NULL);
	call_text_print(root, CALLS_CALLERS, &t->calls.all, t->view.limit, to);
	call_nodes_free(root);
}
