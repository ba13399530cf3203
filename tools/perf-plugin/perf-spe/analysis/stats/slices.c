// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>
#include <string.h>

#include "analysis/rows/rows.h"
#include "analysis/stats/stats.h"
#include "util/util.h"

static const struct hash_kind sum_table = {
	HASH_SLOTS(struct slice_sum, count),
	.key = {
		HASH_NUMBER(struct slice_sum, address), HASH_NUMBER(struct slice_sum, number),
		HASH_NUMBER(struct slice_sum, part), HASH_NUMBER(struct slice_sum, slice),
	},
};

void slices_init(struct slices *s, const struct time_span *span)
{
	memset(s, 0, sizeof(*s));
	/* Samples of one instant have no range that could be selected. */
	s->timed = span->samples && span->last > span->first;
	s->first = span->first;
	s->last = span->last;
	s->per_ns = TIME_SLICES / ((double)(s->last - s->first) + 1);
	s->of = xcalloc(ROW_BATCH, sizeof(*s->of));
}

void slices_find(struct slices *s, const struct row_batch *b)
{
	const uint64_t first = s->first, span = s->timed ? s->last - s->first : 0;
	const double per_ns = s->per_ns;
	uint8_t *of = s->of;
	uint64_t time;
	size_t k;

	for (k = 0; k < b->nr; k++) {
		const size_t i = b->kept[k];

		time = b->time[i];
		if (time == UINT64_MAX && !batch_time(b, i, &time))
			time = first - 1;	/* as one after the last */
		of[i] = time - first > span || !s->timed ? TIME_SLICES :
			(uint8_t)((double)(time - first) * per_ns);
	}
}

void slices_add(struct slices *s, const struct slice_sum *sample)
{
	struct slice_sum *sum;

	if (sample->slice == TIME_SLICES || !sample->count)
		return;
	sum = hash_table_add(&s->sums, &sum_table, sample);
	if (!sum->count) {
		*sum = *sample;
		return;
	}
	sum->count += sample->count;
	sum->timed += sample->timed;
	sum->cycles += sample->cycles;
	sum->snooped += sample->snooped;
}

static int thing_order(const struct slice_sum *a, const struct slice_sum *b)
{
	if (a->part != b->part)
		return a->part < b->part ? -1 : 1;
	if (a->number != b->number)
		return a->number < b->number ? -1 : 1;
	return a->address < b->address ? -1 : a->address > b->address;
}

static int sum_order(const void *a, const void *b)
{
	const struct slice_sum *x = a, *y = b;
	int order = thing_order(x, y);

	return order ? order : (int)x->slice - (int)y->slice;
}

void slices_finish(struct slices *s)
{
	const struct slice_sum *sum = NULL;

	s->sorted = xcalloc(s->sums.count + 1, sizeof(*s->sorted));
	while ((sum = hash_table_next(&s->sums, &sum_table, sum)))
		s->sorted[s->nr_sorted++] = *sum;
	qsort(s->sorted, s->nr_sorted, sizeof(*s->sorted), sum_order);
}

const struct slice_sum *slices_of(const struct slices *s, uint8_t part, uint32_t number,
				  uint64_t address, size_t *count)
{
	const struct slice_sum key = { .part = part, .number = number, .address = address };
	size_t low, end;

	lower_bound(low, s->nr_sorted, thing_order(&s->sorted[low], &key) < 0);
	for (end = low; end < s->nr_sorted && !thing_order(&s->sorted[end], &key); end++)
		;
	*count = end - low;
	return &s->sorted[low];
}

void slices_free(struct slices *s)
{
	hash_table_free(&s->sums);
	free(s->of);
	free(s->sorted);
	memset(s, 0, sizeof(*s));
}
