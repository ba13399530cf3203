// SPDX-License-Identifier: GPL-2.0-only
/* How long a filter may keep samples, by what it says of their time and CPU */
#include <stdlib.h>
#include <string.h>

#include "analysis/rows/filter.h"
#include "analysis/rows/rows.h"
#include "input/input.h"
#include "util/util.h"

/* What a part of the filter can be for a sample of which only the CPU and any time are known */
enum { CAN_DROP = 1, CAN_KEEP = 2 };

struct when {
	const struct filter *f;
	const struct session *s;
	int32_t cpu;
	bool timed;
	uint64_t time;
};

/* Whether the node compares times, and with which one */
static bool node_time(const struct when *w, const struct node *node, uint64_t *time)
{
	const bool ticks = node->field && !strcmp(node->field->name, "timestamp");

	if (!node->field || (!ticks && strcmp(node->field->name, "time")))
		return false;
	*time = node->number;
	return !ticks || (w->s && session_time(w->s, node->number, time));
}

static unsigned int node_can(const struct when *w, const struct node *node)
{
	struct node at = *node;
	bool keeps;

	if (node_time(w, node, &at.number))
		keeps = w->timed && (at.kind == NODE_PRESENT || filter_number_matches(&at, w->time));
	else if (node->field && !strcmp(node->field->name, "cpu") && w->cpu != NO_ID)
		keeps = at.kind == NODE_PRESENT || filter_number_matches(&at, (uint32_t)w->cpu);
	else
		return CAN_DROP | CAN_KEEP;
	return keeps ? CAN_KEEP : CAN_DROP;
}

static unsigned int swapped(unsigned int can)
{
	return (can & CAN_KEEP ? CAN_DROP : 0) | (can & CAN_DROP ? CAN_KEEP : 0);
}

/* "and" keeps what each term keeps, and drops what one of them drops; "or" is the reverse. */
static unsigned int can(const struct when *w, size_t at)
{
	const struct node *node = &w->f->nodes[at];
	const enum node_kind kind = node->kind;
	const unsigned int one = kind == NODE_AND ? CAN_DROP : CAN_KEEP;
	unsigned int term, all = CAN_DROP | CAN_KEEP, any = 0;

	if (kind == NODE_NOT)
		return swapped(can(w, node->left));
	if (kind != NODE_AND && kind != NODE_OR)
		return node_can(w, node);
	for (; w->f->nodes[at].kind == kind; at = w->f->nodes[at].right) {
		term = can(w, w->f->nodes[at].left);
		all &= term;
		any |= term;
	}
	term = can(w, at);
	return ((all & term) & ~one) | ((any | term) & one);
}

bool filter_seconds(const struct filter *f, const struct session *s, uint64_t *seconds)
{
	const uint64_t ns = 1000000000;
	size_t i;

	for (i = 0; s->first >= ns && i < f->nr_nodes; i++) {
		const struct node *node = &f->nodes[i];

		*seconds = node->number;
		if (node->field && !strcmp(node->field->name, "time") && node->kind != NODE_PRESENT &&
		    *seconds >= s->first / ns && *seconds <= s->last / ns + 1)
			return true;
	}
	return false;
}

bool filter_may_keep_untimed(const struct filter *f, const struct session *s, int32_t cpu)
{
	const struct when w = { .f = f, .s = s, .cpu = cpu };

	return !f || can(&w, f->root) & CAN_KEEP;
}

bool filter_may_keep(const struct filter *f, const struct session *s, int32_t cpu, uint64_t time,
		     struct filter_memo *memo)
{
	const struct when w = { .f = f, .s = s, .cpu = cpu, .timed = true, .time = time };
	uint64_t other;
	size_t i;

	if (!f || (time > memo->after && time < memo->before))
		return !f || memo->keeps;
	*memo = (struct filter_memo){ .before = UINT64_MAX, .keeps = can(&w, f->root) & CAN_KEEP };
	for (i = 0; i < f->nr_nodes; i++) {
		if (!node_time(&w, &f->nodes[i], &other))
			continue;
		if (other <= time && other > memo->after)
			memo->after = other;
		if (other >= time && other < memo->before)
			memo->before = other;
	}
	return memo->keeps;
}

static int time_order(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

struct filter_time filter_time(const struct filter *f, const struct session *s, int32_t cpu,
			       uint64_t from, uint64_t to)
{
	struct filter_time kept = { .begin = to };
	struct when w = { .f = f, .s = s, .cpu = cpu, .timed = true };
	uint64_t *times;
	size_t i, nr = 0;

	if (to <= from)
		return kept;
	if (!f)
		return (struct filter_time){ from, to - from };
	times = xcalloc(f->nr_nodes + 2, sizeof(*times));
	times[nr++] = from;
	for (i = 0; i < f->nr_nodes; i++)
		if (node_time(&w, &f->nodes[i], &times[nr]) && times[nr] > from && times[nr] < to)
			nr++;
	times[nr++] = to;
	qsort(times, nr, sizeof(*times), time_order);
	/* Between two of these times, no comparison changes. */
	for (i = 1; i < nr; i++) {
		w.time = times[i - 1] + (times[i] - times[i - 1]) / 2;
		if (!(can(&w, f->root) & CAN_KEEP))
			continue;
		if (!kept.ns)
			kept.begin = times[i - 1];
		kept.ns += times[i] - times[i - 1];
	}
	free(times);
	return kept;
}
