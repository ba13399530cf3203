// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>
#include <string.h>

#include "analysis/memory/memory.h"
#include "analysis/rows/rows.h"
#include "symbols/data/data.h"
#include "util/util.h"

/* Names are compared by text: threads may have read them by themselves. */
static const struct hash_kind row_table = {
	HASH_POINTERS,
	.key = {
		HASH_NUMBER(struct traffic_row, kind), HASH_NUMBER(struct traffic_row, node),
		HASH_NUMBER(struct traffic_row, block), HASH_TEXT(struct traffic_row, object),
		HASH_TEXT(struct traffic_row, symbol),
	},
};

static struct traffic_row *row_get(struct traffic *t, const struct traffic_row *key)
{
	struct traffic_row **slot = hash_table_add(&t->table, &row_table, key);

	if (!*slot) {
		*slot = xcalloc(1, sizeof(**slot));
		**slot = *key;
	}
	return *slot;
}

static void step_add(struct traffic_step *to, const struct traffic_step *from)
{
	to->count += from->count;
	to->unknown += from->unknown;
	to->accesses += from->accesses;
	to->low += from->low;
	to->high += from->high;
	to->sized += from->sized;
	to->bytes += from->bytes;
}

/* What a sample stands for, as "perf spe stat" estimates it */
static struct spe_mean mean_of(struct traffic *t, const struct row_batch *b)
{
	if (t->piece != b->piece)
		t->mean = spe_cpu_mean(b->rows->resolver.session, b->piece->cpu);
	t->piece = b->piece;
	return t->mean;
}

void traffic_add(struct traffic *t, const struct pages *p, const struct row_batch *b, size_t i,
		 const struct touch *touch)
{
	const size_t at = heat_scale(touch->time, p->last - p->first, TRAFFIC_STEPS);
	const struct spe_mean mean = mean_of(t, b);
	const double accesses = (double)(mean.low + mean.high) / 2;
	unsigned int bytes = access_size(&t->sizes, batch_place(b, i));
	const struct traffic_step one = {
		.count = 1, .unknown = !mean.low, .accesses = accesses, .low = (double)mean.low,
		.high = (double)mean.high, .sized = bytes != 0, .bytes = accesses * bytes,
	};
	struct traffic_row key = {
		.kind = TRAFFIC_NODE, .node = nodes_of_row(&p->nodes, b, i),
	};
	struct data_place data;

	step_add(&row_get(t, &key)->steps[at], &one);
	key = (struct traffic_row){ .kind = TRAFFIC_OBJECT };
	if (batch_memory(b, i, &data)) {
		key.object = data.object;
		key.symbol = data.symbol;
		key.block = data.block;
	}
	step_add(&row_get(t, &key)->steps[at], &one);
}

void traffic_merge(struct traffic *t, const struct traffic *from)
{
	struct traffic_row **slot = NULL;

	while ((slot = hash_table_next(&from->table, &row_table, slot))) {
		struct traffic_row key = **slot, *row;
		size_t i;

		memset(key.steps, 0, sizeof(key.steps));
		row = row_get(t, &key);
		for (i = 0; i < TRAFFIC_STEPS; i++)
			step_add(&row->steps[i], &(*slot)->steps[i]);
	}
}

/* Nodes by number, then objects, those with most samples first */
static int row_order(const void *a, const void *b)
{
	const struct traffic_row *x = *(struct traffic_row *const *)a;
	const struct traffic_row *y = *(struct traffic_row *const *)b;
	int order;

	if (x->kind != y->kind)
		return x->kind < y->kind ? -1 : 1;
	if (x->node != y->node)
		return x->node < y->node ? -1 : 1;
	if (x->all.count != y->all.count)
		return x->all.count > y->all.count ? -1 : 1;
	order = text_order(x->symbol, y->symbol);
	return order ? order : text_order(x->object, y->object);
}

void traffic_finish(struct traffic *t)
{
	struct traffic_row **slot = NULL;
	size_t i;

	t->sorted = xcalloc(t->table.count + 1, sizeof(*t->sorted));
	while ((slot = hash_table_next(&t->table, &row_table, slot))) {
		for (i = 0; i < TRAFFIC_STEPS; i++)
			step_add(&(*slot)->all, &(*slot)->steps[i]);
		t->sorted[t->nr_sorted++] = *slot;
	}
	qsort(t->sorted, t->nr_sorted, sizeof(*t->sorted), row_order);
}

bool traffic_rate(const struct traffic_step *s, double seconds, double *rate, struct interval *i)
{
	const double all = (double)s->count * seconds;

	if (!s->count || s->unknown || seconds <= 0)
		return false;
	*rate = s->accesses / seconds;
	*i = interval_count((double)s->count, 1);
	i->low *= s->low / all;
	i->high *= s->high / all;
	return true;
}

bool traffic_bytes(const struct traffic_step *s, double seconds, double *rate)
{
	if (s->sized != s->count || s->unknown || !s->count || seconds <= 0)
		return false;
	*rate = s->bytes / seconds;
	return true;
}

const char *traffic_unknown(const struct pages *p, const struct session *s)
{
	if (!p->timed)
		return "samples have no time; record with ts_enable=1";
	if (p->last == p->first)
		return "all samples have the same time";
	if (!profile_has_period(s))
		return "the recording has no fixed interval between samples; record with --period";
	return NULL;
}

void traffic_free(struct traffic *t)
{
	struct traffic_row **slot = NULL;

	while ((slot = hash_table_next(&t->table, &row_table, slot)))
		free(*slot);
	hash_table_free(&t->table);
	access_sizes_free(&t->sizes);
	free(t->sorted);
	memset(t, 0, sizeof(*t));
}
