// SPDX-License-Identifier: GPL-2.0-only
#include <endian.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/rows/rows.h"
#include "armspe.h"
#include "export/columnar/columnar.h"
#include "export/format/format.h"
#include "util/util.h"

/* Keys that are looked up together */
#define KEYS	64

struct column_batch *column_batch_new(const struct field *const *columns, size_t count, size_t most)
{
	struct column_batch *b = xcalloc(1, sizeof(*b));
	size_t i, room = most + ROW_BATCH;

	b->columns = xcalloc(count, sizeof(*b->columns));
	b->nr_columns = count;
	b->most = most;
	for (i = 0; i < count; i++) {
		struct batch_column *c = &b->columns[i];

		c->field = columns[i];
		c->bytes = c->field->bits / 8;
		c->values = xcalloc(room, c->bytes);
		c->valid = xcalloc(room / 8 + 2, 1);
		if (c->field->kind == FIELD_TEXT)
			c->dictionary = xcalloc(1, sizeof(*c->dictionary));
	}
	return b;
}

void column_batch_free(struct column_batch *b)
{
	size_t i;

	for (i = 0; i < b->nr_columns; i++) {
		free(b->columns[i].values);
		free(b->columns[i].valid);
		if (b->columns[i].dictionary)
			dictionary_free(b->columns[i].dictionary);
		free(b->columns[i].dictionary);
	}
	free(b->columns);
	free(b);
}

void column_batch_begin(struct column_batch *b, bool forget)
{
	size_t i;

	b->rows = 0;
	for (i = 0; i < b->nr_columns; i++) {
		b->columns[i].absent = 0;
		if (forget && b->columns[i].dictionary)
			dictionary_forget(b->columns[i].dictionary);
	}
}

/* The number of the text of row @k */
static uint32_t text_number(struct column_batch *b, struct batch_column *c,
			    const struct row_batch *rows, size_t k)
{
	struct row row = batch_row(rows);
	struct value v;
	uint32_t number;
	char *repaired;

	batch_row_at(rows, rows->kept[k], &row);
	v.present = false;
	c->field->get(&row, c->field->arg, &v);
	if (!v.present)
		return NO_NUMBER;
	/* Parquet's and Arrow's text is UTF-8. */
	repaired = utf8_repaired(v.text);
	number = dictionary_number(c->dictionary, repaired ? repaired : v.text);
	free(repaired);
	/* Signed numbers, as Arrow's dictionaries have them */
	if (number != NO_NUMBER && number >> (c->field->bits - 1))
		number = NO_NUMBER;
	b->full |= number == NO_NUMBER;
	return number;
}

/*
 * Look up the numbers of texts by their keys.  The loop has no branch on data,
 * because the CPU would mispredict it.  Returns false if a key is not known.
 */
static bool look_up_numbers(const struct batch_column *c, struct block *k, size_t from, size_t to)
{
	uint32_t unknown = 0;
	size_t i;

	for (i = from; i < to; i++) {
		uint64_t key = k->numbers[i];
		const struct dictionary_known *known = dictionary_known(c->dictionary, key);
		uint32_t hit = known->used & (known->key == key);
		uint32_t there = k->present[i] & (known->number != NO_NUMBER);

		unknown |= k->present[i] & !hit;
		k->found[i] = known->number & -there;
		k->there[i] = (uint8_t)there;
	}
	return !unknown;
}

/* The same for keys that are new, or were replaced in the cache of known keys */
static void learn_numbers(struct column_batch *b, struct batch_column *c,
			  const struct row_batch *rows, struct block *k, size_t from, size_t to)
{
	size_t i;

	for (i = from; i < to; i++) {
		uint64_t key = k->numbers[i];
		struct dictionary_known *known = dictionary_known(c->dictionary, key);

		if (k->present[i] && !(known->used && known->key == key))
			*known = (struct dictionary_known){
				key, text_number(b, c, rows, i), 1,
			};
		k->there[i] = k->present[i] && known->number != NO_NUMBER;
		k->found[i] = k->there[i] ? known->number : 0;
	}
}

/* Whether all rows have the same key, or all have none: often true for neighbours */
static bool all_alike(const struct block *k, size_t nr)
{
	uint64_t differ = 0;
	size_t i;

	for (i = 0; i < nr; i++)
		differ |= (k->numbers[i] ^ k->numbers[0]) | (k->present[i] ^ k->present[0]);
	return !differ;
}

/* From the keys of texts to their numbers in the dictionary */
static void number_keys(struct column_batch *b, struct batch_column *c,
			const struct row_batch *rows, struct block *k)
{
	size_t from, to, i;

	if (all_alike(k, rows->nr)) {
		learn_numbers(b, c, rows, k, 0, 1);
		for (i = 1; i < rows->nr; i++)
			k->found[i] = k->found[0];
		memset(k->there, k->there[0], rows->nr);
		return;
	}
	for (from = 0; from < rows->nr; from = to) {
		to = from + KEYS < rows->nr ? from + KEYS : rows->nr;
		if (!look_up_numbers(c, k, from, to))
			learn_numbers(b, c, rows, k, from, to);
	}
}

/* A column without keys, row by row */
static void get_each(struct column_batch *b, struct batch_column *c,
		     const struct row_batch *rows, struct block *k)
{
	struct row row = batch_row(rows);
	struct value v;
	uint32_t number;
	size_t i;

	for (i = 0; i < rows->nr; i++) {
		if (c->dictionary) {
			number = text_number(b, c, rows, i);
			k->present[i] = number != NO_NUMBER;
			k->numbers[i] = k->present[i] ? number : 0;
		} else {
			batch_row_at(rows, rows->kept[i], &row);
			v.present = false;
			c->field->get(&row, c->field->arg, &v);
			k->present[i] = v.present;
			k->numbers[i] = v.present ? v.number : 0;
		}
	}
}

#define STORE(bits)							\
static void store_##bits(uint##bits##_t *restrict to,			\
			 const uint64_t *restrict from, size_t nr)	\
{									\
	size_t i;							\
									\
	for (i = 0; i < nr; i++)					\
		to[i] = (uint##bits##_t)from[i];			\
}

STORE(8)
STORE(16)
STORE(32)

static void store(struct batch_column *c, size_t at, const uint64_t *numbers, size_t nr)
{
	void *to = (uint8_t *)c->values + at * c->bytes;

	switch (c->bytes) {
	case 1:
		store_8(to, numbers, nr);
		break;
	case 2:
		store_16(to, numbers, nr);
		break;
	case 4:
		store_32(to, numbers, nr);
		break;
	default:
		memcpy(to, numbers, nr * sizeof(*numbers));
	}
}

static size_t count_present(const uint8_t *present, size_t nr)
{
	unsigned int there = 0;
	size_t i;

	for (i = 0; i < nr; i++)
		there += present[i];
	return there;
}

/*
 * Pack eight flags into the bits of a byte by a multiplication: it copies flag n
 * from bit 8n to bit 56 + n, and no two copies overlap.
 */
static uint8_t pack(const uint8_t *present)
{
	uint64_t flags;

	memcpy(&flags, present, 8);
	return le64toh(flags) * 0x0102040810204080ULL >> 56;
}

/* Append @nr flags behind @at bits, and zeros up to the end of the last byte. */
static void append_flags(uint8_t *valid, size_t at, uint8_t *present, size_t nr)
{
	unsigned int shift = at % 8;
	size_t i;

	valid += at / 8;
	valid[0] &= (uint8_t)((1u << shift) - 1);
	memset(present + nr, 0, 8);
	for (i = 0; i < nr; i += 8) {
		unsigned int bits = (unsigned int)pack(present + i) << shift;

		valid[i / 8] |= (uint8_t)bits;
		valid[i / 8 + 1] = (uint8_t)(bits >> 8);
	}
}

/* The flags are read only if a value is absent, so make them at the first absent value. */
static void store_valid(struct batch_column *c, size_t at, uint8_t *present, size_t nr)
{
	size_t absent = nr - count_present(present, nr);

	if (!c->absent && absent)
		memset(c->valid, 0xff, at / 8 + 1);
	c->absent += absent;
	if (c->absent)
		append_flags(c->valid, at, present, nr);
}

static void fill_column(struct column_batch *b, struct batch_column *c,
			const struct row_batch *rows)
{
	struct block *k = &b->block;
	bool keys = c->dictionary && c->field->each;

	if (c->field->each)
		c->field->each(rows, c->field->arg, k->numbers, k->present);
	else
		get_each(b, c, rows, k);
	if (keys)
		number_keys(b, c, rows, k);
	store(c, b->rows, keys ? k->found : k->numbers, rows->nr);
	store_valid(c, b->rows, keys ? k->there : k->present, rows->nr);
}

bool column_batch_add(struct column_batch *b, const struct row_batch *rows)
{
	size_t i;

	for (i = 0; rows->nr && i < b->nr_columns; i++)
		fill_column(b, &b->columns[i], rows);
	b->rows += rows->nr;
	return b->rows >= b->most;
}
