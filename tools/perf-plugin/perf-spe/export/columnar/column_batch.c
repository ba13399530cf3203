// SPDX-License-Identifier: GPL-2.0-only
#include <endian.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/rows/rows.h"
#include "armspe.h"
#include "export/columnar/columnar.h"
#include "export/format/format.h"
#include "util/util.h"

_Static_assert(sizeof(struct armspe_record) ==
	       offsetof(struct armspe_record, addr) +
	       SPE_INDEX_COUNT * sizeof(uint64_t) && SPE_INDEX_COUNT == 32,
	       "addresses are a record's end, and their bits fill a word");

/* The values of one column in a block of rows */
struct block {
	size_t rows;
	uint64_t numbers[COLUMN_BLOCK];
	uint8_t present[COLUMN_BLOCK];
};

struct column_batch *column_batch_new(const struct field *const *columns, size_t count,
			size_t room)
{
	struct column_batch *b = xcalloc(1, sizeof(*b));
	size_t i;

	b->columns = xcalloc(count, sizeof(*b->columns));
	b->nr_columns = count;
	b->room = (room + COLUMN_BLOCK - 1) / COLUMN_BLOCK * COLUMN_BLOCK;
	for (i = 0; i < count; i++) {
		struct batch_column *c = &b->columns[i];

		c->field = columns[i];
		c->bytes = c->field->bits / 8;
		c->values = xcalloc(b->room, c->bytes);
		c->valid = xcalloc(b->room / 8, 1);
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

	b->rows = b->waiting = 0;
	for (i = 0; i < b->nr_columns; i++) {
		b->columns[i].absent = 0;
		if (forget && b->columns[i].dictionary)
			dictionary_forget(b->columns[i].dictionary);
	}
}

static uint32_t text_number(struct column_batch *b, struct batch_column *c,
			const struct row *row)
{
	struct value v;
	uint32_t number;
	char *repaired;

	v.present = false;
	c->field->get(row, c->field->arg, &v);
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

/* Enter the key of each row that has one into the dictionary's known keys. */
static void learn_numbers(struct column_batch *b, struct batch_column *c,
			const struct block *k)
{
	size_t i;

	for (i = 0; i < k->rows; i++) {
		uint64_t key = k->numbers[i];
		struct dictionary_known *known = dictionary_known(c->dictionary, key);

		if (k->present[i] && !(known->used && known->key == key))
			*known = (struct dictionary_known){
				key, text_number(b, c, &b->row[i]), 1,
			};
	}
}

/*
 * Look up the numbers of texts by their keys.  The loop has no branch on data,
 * because the CPU would mispredict it.  Returns false if a key is not known.
 */
static bool look_up_numbers(const struct batch_column *c,
			  const struct block *restrict keys,
			  struct block *restrict to)
{
	uint32_t unknown = 0;
	size_t i;

	for (i = 0; i < keys->rows; i++) {
		uint64_t key = keys->numbers[i];
		const struct dictionary_known *known = dictionary_known(c->dictionary, key);
		uint32_t hit = known->used & (known->key == key);
		uint32_t there = keys->present[i] & (known->number != NO_NUMBER);

		unknown |= keys->present[i] & !hit;
		to->numbers[i] = known->number & -there;
		to->present[i] = (uint8_t)there;
	}
	return !unknown;
}

static void number_rows(struct column_batch *b, struct batch_column *c,
		      const struct block *keys, struct block *to)
{
	size_t i;

	for (i = 0; i < to->rows; i++) {
		uint32_t number = !keys || keys->present[i] ?
				text_number(b, c, &b->row[i]) : NO_NUMBER;

		to->present[i] = number != NO_NUMBER;
		to->numbers[i] = to->present[i] ? number : 0;
	}
}

/* Whether all rows have the same key, as neighbours often have */
static bool all_alike(const struct block *keys)
{
	uint64_t differ = 0;
	size_t i;

	for (i = 0; i < COLUMN_BLOCK; i++)
		differ |= (keys->numbers[i] ^ keys->numbers[0]) |
			  (keys->present[i] ^ 1);
	return !differ;
}

static void number_alike(struct column_batch *b, struct batch_column *c,
		     const struct block *keys, struct block *to)
{
	struct block first;
	size_t i;

	first.rows = 1;
	first.numbers[0] = keys->numbers[0];
	first.present[0] = 1;
	learn_numbers(b, c, &first);
	look_up_numbers(c, &first, to);
	for (i = 1; i < COLUMN_BLOCK; i++)
		to->numbers[i] = to->numbers[0];
	memset(to->present, to->present[0], COLUMN_BLOCK);
}

/* If two keys of a block need the same entry, find each row's text itself. */
static void number_block(struct column_batch *b, struct batch_column *c,
		       const struct block *keys, struct block *to)
{
	if (all_alike(keys)) {
		number_alike(b, c, keys, to);
		return;
	}
	if (look_up_numbers(c, keys, to))
		return;
	learn_numbers(b, c, keys);
	if (!look_up_numbers(c, keys, to))
		number_rows(b, c, keys, to);
}

#define STORE(bits)							\
static void store_##bits(uint##bits##_t *restrict to,			\
			 const uint64_t *restrict from)			\
{									\
	size_t i;							\
									\
	for (i = 0; i < COLUMN_BLOCK; i++)				\
		to[i] = (uint##bits##_t)from[i];			\
}

STORE(8)
STORE(16)
STORE(32)
STORE(64)

/* Stores a whole block, even a short one: fixed loop counts are faster. */
static void store(struct batch_column *c, size_t at, const struct block *k)
{
	void *to = (uint8_t *)c->values + at * c->bytes;

	switch (c->bytes) {
	case 1:
		store_8(to, k->numbers);
		break;
	case 2:
		store_16(to, k->numbers);
		break;
	case 4:
		store_32(to, k->numbers);
		break;
	default:
		store_64(to, k->numbers);
	}
}

static size_t count_present(const struct block *k)
{
	size_t i;
	unsigned int there = 0;

	for (i = 0; i < COLUMN_BLOCK; i++)
		there += k->present[i];
	return there;
}

/*
 * Pack eight flags into the bits of a byte by a multiplication: it copies flag n
 * from bit 8n to bit 56 + n, and no two copies overlap.
 */
static void store_valid(uint8_t *valid, const uint8_t *present)
{
	size_t i;

	for (i = 0; i < COLUMN_BLOCK; i += 8) {
		uint64_t flags;

		memcpy(&flags, present + i, 8);
		flags = le64toh(flags) * 0x0102040810204080ULL;
		valid[i / 8] = flags >> 56;
	}
}

/* Many columns have no value in most blocks. */
static void store_nothing(struct batch_column *c, size_t at)
{
	memset((uint8_t *)c->values + at * c->bytes, 0, COLUMN_BLOCK * c->bytes);
	memset(c->valid + at / 8, 0, COLUMN_BLOCK / 8);
}

/* The values of one column in a block: @k, or @room if they are made from @k */
static const struct block *column_block(struct column_batch *b, struct batch_column *c,
			       struct block *k, struct block *room)
{
	if (!c->field->each) {
		number_rows(b, c, NULL, room);
		return room;
	}
	c->field->each(b->row, k->rows, c->field->arg, k->numbers, k->present);
	if (!c->dictionary || !count_present(k))
		return k;
	number_block(b, c, k, room);
	return room;
}

static void fill_column(struct column_batch *b, struct batch_column *c,
			const struct block *k)
{
	size_t there = count_present(k);

	c->absent += k->rows - there;
	if (!there) {
		store_nothing(c, b->rows);
		return;
	}
	store(c, b->rows, k);
	if (there == COLUMN_BLOCK)
		memset(c->valid + b->rows / 8, 0xff, COLUMN_BLOCK / 8);
	else
		store_valid(c->valid + b->rows / 8, k->present);
}

/* b->rows is a multiple of COLUMN_BLOCK, as only the last block is short. */
static void fill(struct column_batch *b)
{
	/* Zeroed, so that no value is present after the rows of a short block. */
	struct block k = { .rows = b->waiting }, room = k;
	size_t i;

	if (b->late)
		b->late(b->late_context, b->row, b->waiting);
	for (i = 0; i < b->nr_columns; i++) {
		struct batch_column *c = &b->columns[i];

		fill_column(b, c, column_block(b, c, &k, &room));
	}
	b->rows += b->waiting;
	b->waiting = 0;
}

/*
 * Copy only the addresses in use: they are most of a record's bytes.  For a length that
 * it does not know gcc writes "rep movs", which is slow to start; so in steps of 32.
 */
static void copy_record(struct armspe_record *to,
			const struct armspe_record *from)
{
	size_t addresses = from->addr_valid ?
			   32 - (size_t)__builtin_clz(from->addr_valid) : 0;
	size_t i;

	memcpy(to, from, offsetof(struct armspe_record, addr));
	for (i = 0; i < addresses; i += 4)
		memcpy(&to->addr[i], &from->addr[i], 4 * sizeof(from->addr[0]));
}

/* Two parts, since gcc copies a whole row by "rep movs", which is slow to start. */
static void copy_row(struct row *to, const struct row *from)
{
	const size_t part = offsetof(struct row, place);

	memcpy(to, from, part);
	to->place = from->place;
	memcpy((char *)to + part + sizeof(to->place),
	       (const char *)from + part + sizeof(from->place),
	       sizeof(*to) - part - sizeof(to->place));
}

bool column_batch_add(struct column_batch *b, const struct row *row)
{
	copy_record(&b->rec[b->waiting], row->rec);
	copy_row(&b->row[b->waiting], row);
	b->row[b->waiting].rec = &b->rec[b->waiting];
	if (++b->waiting == COLUMN_BLOCK)
		fill(b);
	return b->rows == b->room;
}

void column_batch_finish(struct column_batch *b)
{
	if (b->waiting)
		fill(b);
}
