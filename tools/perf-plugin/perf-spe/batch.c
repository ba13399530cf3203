// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>
#include <string.h>

#include "batch.h"

/* What a block of rows has in one column */
struct block {
	size_t rows;
	uint64_t numbers[BATCH_BLOCK];
	uint8_t present[BATCH_BLOCK];
};

struct batch *batch_new(const struct field *const *columns, size_t count,
			size_t room)
{
	struct batch *b = xcalloc(1, sizeof(*b));
	size_t i;

	b->columns = xcalloc(count, sizeof(*b->columns));
	b->nr_columns = count;
	b->room = (room + BATCH_BLOCK - 1) / BATCH_BLOCK * BATCH_BLOCK;
	for (i = 0; i < count; i++) {
		struct batch_column *c = &b->columns[i];

		c->field = columns[i];
		c->bytes = c->field->bits ? c->field->bits / 8 : 4;
		c->values = xcalloc(b->room, c->bytes);
		c->valid = xcalloc(b->room / 8, 1);
		if (c->field->kind == FIELD_TEXT)
			c->words = xcalloc(1, sizeof(*c->words));
	}
	return b;
}

void batch_free(struct batch *b)
{
	size_t i;

	for (i = 0; i < b->nr_columns; i++) {
		free(b->columns[i].values);
		free(b->columns[i].valid);
		if (b->columns[i].words)
			words_free(b->columns[i].words);
		free(b->columns[i].words);
	}
	free(b->columns);
	free(b);
}

void batch_begin(struct batch *b, bool forget)
{
	size_t i;

	b->rows = b->waiting = 0;
	for (i = 0; i < b->nr_columns; i++) {
		b->columns[i].absent = 0;
		if (forget && b->columns[i].words)
			words_forget(b->columns[i].words);
	}
}

static uint32_t word_of(struct batch *b, struct batch_column *c,
			const struct row *row)
{
	struct value v;
	uint32_t word;

	v.present = false;
	c->field->get(row, c->field->arg, &v);
	if (!v.present)
		return NO_WORD;
	word = words_number(c->words, v.text);
	b->full |= word == NO_WORD;
	return word;
}

/* Numbers of words in the place of keys, which most rows have seen before */
static void find_words(struct batch *b, struct batch_column *c,
		       struct block *k)
{
	size_t i;

	for (i = 0; i < k->rows; i++) {
		uint64_t key = k->numbers[i];
		struct words_known *known = words_known(c->words, key);

		k->numbers[i] = 0;
		if (!k->present[i])
			continue;
		if (!known->used || known->key != key)
			*known = (struct words_known){
				true, key, word_of(b, c, &b->row[i]),
			};
		k->present[i] = known->word != NO_WORD;
		if (k->present[i])
			k->numbers[i] = known->word;
	}
}

static void ask_words(struct batch *b, struct batch_column *c, struct block *k)
{
	size_t i;

	for (i = 0; i < k->rows; i++) {
		uint32_t word = word_of(b, c, &b->row[i]);

		k->present[i] = word != NO_WORD;
		k->numbers[i] = k->present[i] ? word : 0;
	}
}

static void store(struct batch_column *c, size_t at, const struct block *k)
{
	size_t i;

	switch (c->bytes) {
	case 1:
		for (i = 0; i < k->rows; i++)
			((uint8_t *)c->values)[at + i] = (uint8_t)k->numbers[i];
		break;
	case 2:
		for (i = 0; i < k->rows; i++)
			((uint16_t *)c->values)[at + i] =
				(uint16_t)k->numbers[i];
		break;
	case 4:
		for (i = 0; i < k->rows; i++)
			((uint32_t *)c->values)[at + i] =
				(uint32_t)k->numbers[i];
		break;
	default:
		memcpy((uint64_t *)c->values + at, k->numbers,
		       k->rows * sizeof(k->numbers[0]));
	}
}

/*
 * Eight flags to a byte of bits, by a product: of flag n, at bit 8n, a copy
 * comes to bit 56 + n, and no two copies meet.
 */
static void store_valid(struct batch_column *c, size_t at, struct block *k)
{
	size_t i, there = 0;

	memset(k->present + k->rows, 0, BATCH_BLOCK - k->rows);
	for (i = 0; i < BATCH_BLOCK; i += 8) {
		uint64_t flags = 0;
		unsigned int n;

		for (n = 0; n < 8; n++)
			flags |= (uint64_t)k->present[i + n] << 8 * n;
		flags = flags * 0x0102040810204080ULL >> 56;
		c->valid[(at + i) / 8] = (uint8_t)flags;
		there += (size_t)__builtin_popcountll(flags);
	}
	c->absent += k->rows - there;
}

/* @at is a multiple of BATCH_BLOCK: only the last block is a short one. */
static void fill(struct batch *b)
{
	struct block k = { .rows = b->waiting };
	size_t i;

	for (i = 0; i < b->nr_columns; i++) {
		struct batch_column *c = &b->columns[i];

		if (c->field->each)
			c->field->each(b->row, k.rows, c->field->arg,
				       k.numbers, k.present);
		if (c->words && c->field->each)
			find_words(b, c, &k);
		else if (c->words)
			ask_words(b, c, &k);
		store(c, b->rows, &k);
		store_valid(c, b->rows, &k);
	}
	b->rows += b->waiting;
	b->waiting = 0;
}

bool batch_add(struct batch *b, const struct row *row)
{
	b->rec[b->waiting] = *row->rec;
	b->row[b->waiting] = *row;
	b->row[b->waiting].rec = &b->rec[b->waiting];
	if (++b->waiting == BATCH_BLOCK)
		fill(b);
	return b->rows == b->room;
}

void batch_finish(struct batch *b)
{
	if (b->waiting)
		fill(b);
}
