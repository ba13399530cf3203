// SPDX-License-Identifier: GPL-2.0-only
/* A filter over the columns of a batch: each comparison looks at all rows that may still be kept. */
#include <string.h>

#include "analysis/rows/filter.h"
#include "analysis/rows/rows.h"
#include "armspe.h"

/* The rows of a batch that a part of the filter begins with */
struct rows_before {
	size_t nr;
	uint16_t row[ROW_BATCH];
};

static void remember(struct rows_before *before, const struct row_batch *b)
{
	before->nr = b->nr;
	memcpy(before->row, b->kept, b->nr * sizeof(*b->kept));
}

/* Keep the rows of @before that are not kept. */
static void invert(struct row_batch *b, const struct rows_before *before)
{
	uint16_t dropped[ROW_BATCH];
	size_t i, k = 0, nr = 0;

	for (i = 0; i < before->nr; i++) {
		if (k < b->nr && b->kept[k] == before->row[i])
			k++;
		else
			dropped[nr++] = before->row[i];
	}
	memcpy(b->kept, dropped, nr * sizeof(*dropped));
	b->nr = nr;
}

static void keep_events(struct row_batch *b, uint64_t events)
{
	size_t k, nr = 0;

	for (k = 0; k < b->nr; k++) {
		uint16_t i = b->kept[k];

		b->kept[nr] = i;
		nr += (batch_events(b, i) & events) == events;
	}
	b->nr = nr;
}

/* What a text's key was found to mean */
struct verdict {
	uint64_t key;
	bool known, keep;
};

#define VERDICTS	64		/* a power of two */

static bool text_matches(const struct filter *f, size_t at, const struct row_batch *b, uint16_t i,
			 uint64_t key, struct verdict *verdict)
{
	struct row row;

	if (!verdict->known || verdict->key != key) {
		row = batch_row(b);
		batch_row_at(b, i, &row);
		*verdict = (struct verdict){ key, true, filter_node_matches(f, at, &row) };
	}
	return verdict->keep;
}

/* By the column's numbers, or keys of texts */
static void keep_each(const struct filter *f, size_t at, struct row_batch *b)
{
	const struct node *node = &f->nodes[at];
	struct verdict verdicts[VERDICTS] = { 0 };
	uint64_t numbers[ROW_BATCH];
	uint8_t present[ROW_BATCH];
	size_t k, nr = 0;
	bool keep;

	node->field->each(b, node->field->arg, numbers, present);
	for (k = 0; k < b->nr; k++) {
		if (!present[k])
			keep = false;
		else if (node->field->kind == FIELD_TEXT)
			keep = text_matches(f, at, b, b->kept[k], numbers[k],
					    &verdicts[hash_mix(numbers[k]) & (VERDICTS - 1)]);
		else
			keep = node->kind == NODE_PRESENT ||
			       filter_number_matches(node, numbers[k]);
		b->kept[nr] = b->kept[k];
		nr += keep;
	}
	b->nr = nr;
}

/* A column that only rows have */
static void keep_rows(const struct filter *f, size_t at, struct row_batch *b)
{
	struct row row = batch_row(b);
	size_t k, nr = 0;

	for (k = 0; k < b->nr; k++) {
		batch_row_at(b, b->kept[k], &row);
		if (filter_node_matches(f, at, &row))
			b->kept[nr++] = b->kept[k];
	}
	b->nr = nr;
}

static void keep(const struct filter *f, size_t at, struct row_batch *b);

static void drop(const struct filter *f, size_t at, struct row_batch *b)
{
	struct rows_before before;

	remember(&before, b);
	keep(f, at, b);
	invert(b, &before);
}

/* Those that no term of the list drops are the ones to drop. */
static void keep_either(const struct filter *f, size_t at, struct row_batch *b)
{
	struct rows_before before;

	remember(&before, b);
	for (; f->nodes[at].kind == NODE_OR; at = f->nodes[at].right)
		drop(f, f->nodes[at].left, b);
	drop(f, at, b);
	invert(b, &before);
}

static void keep(const struct filter *f, size_t at, struct row_batch *b)
{
	for (; f->nodes[at].kind == NODE_AND; at = f->nodes[at].right)
		keep(f, f->nodes[at].left, b);
	if (f->nodes[at].kind == NODE_OR)
		keep_either(f, at, b);
	else if (f->nodes[at].kind == NODE_NOT)
		drop(f, f->nodes[at].left, b);
	else if (f->nodes[at].kind == NODE_EVENT)
		keep_events(b, f->nodes[at].number);
	else if (f->nodes[at].field->each)
		keep_each(f, at, b);
	else
		keep_rows(f, at, b);
}

void filter_batch(const struct filter *f, struct row_batch *b)
{
	keep(f, f->root, b);
}
