// SPDX-License-Identifier: GPL-2.0-only
/*
 * Compare the columns of a batch with the values that each row gives by itself,
 * and test the dictionary of a column.
 */
#include <stdlib.h>

#include "analysis/rows/rows.h"
#include "export/columnar/columnar.h"
#include "export/format/format.h"
#include "input/input.h"
#include "test.h"

#define ROWS	1000		/* no multiple of a block */

static struct armspe_record recs[ROWS];
static struct row rows[ROWS];
static struct place places[ROWS];
static struct piece pieces[4];
static uint64_t state = 1;

static uint64_t any(void)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return state;
}

/* A column of this test that has no keys (struct field.each) */
static void get_slow(const struct row *row, unsigned int arg, struct value *v)
{
	(void)arg;
	snprintf(v->room, sizeof(v->room), "%u", row->rec->op_payload);
	set_text(v, row->rec->op_payload & 1 ? v->room : NULL);
}

static const struct field slow = {
	.name = "slow", .kind = FIELD_TEXT, .get = get_slow, .bits = 16,
};

static void make_rows(void)
{
	static const char *const symbols[] = { NULL, "", "one", "two" };
	uint8_t *bytes = (uint8_t *)recs;
	size_t i;

	for (i = 0; i < sizeof(recs); i++)
		bytes[i] = (uint8_t)any();
	for (i = 0; i < 4; i++)
		pieces[i].cpu = (int32_t)i - 1;
	for (i = 0; i < ROWS; i++) {
		struct row *row = &rows[i];

		/* Few sets of events at first, as in recordings, then random ones */
		if (i < ROWS / 2)
			recs[i].events &= 0x18;
		*row = (struct row){
			.rec = &recs[i], .piece = &pieces[any() % 4],
			.owner = { (int32_t)(any() % 3) - 1, 7, true },
			.place = &places[i],
		};
		places[i] = (struct place){ .object = "object", .symbol = symbols[any() % 4],
					    .has_address = any() & 1 };
		if (recs[i].valid & ARMSPE_HAS_OP)
			armspe_op_decode(recs[i].op_class & 3,
					 recs[i].op_payload, &row->op);
	}
}

static uint64_t element(const struct batch_column *c, size_t at)
{
	switch (c->bytes) {
	case 1:
		return ((const uint8_t *)c->values)[at];
	case 2:
		return ((const uint16_t *)c->values)[at];
	case 4:
		return ((const uint32_t *)c->values)[at];
	default:
		return ((const uint64_t *)c->values)[at];
	}
}

static bool is_text(const struct dictionary *w, size_t number, const char *text)
{
	size_t begin = number ? (size_t)w->end[number - 1] : 0;
	size_t len = number < w->count ? (size_t)w->end[number] - begin : 0;

	return number < w->count && strlen(text) == len &&
	       !memcmp(w->bytes + begin, text, len);
}

/* Check that the batch has the test's rows @from to @to. */
static void compare(const struct column_batch *b, size_t from, size_t to)
{
	size_t i, row;

	CHECK_EQ(b->rows, to - from);
	CHECK(!b->full);
	for (i = 0; i < b->nr_columns; i++) {
		const struct batch_column *c = &b->columns[i];
		size_t absent = 0;

		for (row = from; row < to; row++) {
			size_t at = row - from;
			struct value v;

			v.present = false;
			c->field->get(&rows[row], c->field->arg, &v);
			absent += !v.present;
			if ((c->valid[at / 8] >> at % 8 & 1) != v.present)
				test_fail(__FILE__, __LINE__, "%s, row %zu: present",
					  c->field->name, row);
			else if (v.present &&
				 !(c->dictionary ? is_text(c->dictionary, element(c, at), v.text) :
					      element(c, at) == v.number))
				test_fail(__FILE__, __LINE__, "%s, row %zu",
					  c->field->name, row);
		}
		CHECK_EQ(c->absent, absent);
	}
}

static struct column_batch *all_columns(size_t room)
{
	const struct field *columns[64];
	size_t i;

	for (i = 0; i < nr_fields; i++)
		columns[i] = &fields[i];
	columns[i++] = &slow;
	return column_batch_new(columns, i, room);
}

static void same_as_rows(void)
{
	struct column_batch *b = all_columns(ROWS);
	size_t i;

	make_rows();
	for (i = 0; i < ROWS; i++)
		CHECK(!column_batch_add(b, &rows[i]));
	column_batch_finish(b);
	compare(b, 0, ROWS);
	column_batch_free(b);
}

/* @forget: as for Parquet */
static void batch_by_batch(bool forget)
{
	struct column_batch *b = all_columns(2 * COLUMN_BLOCK - 1);
	size_t i, from = 0;

	make_rows();
	CHECK_EQ(b->room, 2 * COLUMN_BLOCK);
	for (i = 0; i < ROWS; i++) {
		if (!column_batch_add(b, &rows[i]))
			continue;
		compare(b, from, i + 1);
		CHECK_EQ(i + 1 - from, 2 * COLUMN_BLOCK);
		from = i + 1;
		column_batch_begin(b, forget);
	}
	column_batch_finish(b);
	compare(b, from, ROWS);
	column_batch_free(b);
}

static void numbers_stay(void)
{
	batch_by_batch(false);
}

static void numbers_forgotten(void)
{
	batch_by_batch(true);
}

static void no_rows(void)
{
	struct column_batch *b = all_columns(1);

	column_batch_finish(b);
	CHECK_EQ(b->rows, 0);
	column_batch_free(b);
}

/* A column of bytes has numbers for 128 texts; the batch reports when it has more. */
static void too_many_texts(void)
{
	struct field narrow = slow;
	const struct field *column = &narrow;
	struct column_batch *b;
	size_t i;

	narrow.bits = 8;
	b = column_batch_new(&column, 1, ROWS);
	make_rows();
	for (i = 0; i < 128; i++)
		recs[i].op_payload = (uint8_t)(2 * i + 1);
	for (i = 0; i < 128; i++)
		column_batch_add(b, &rows[i]);
	compare(b, 0, 128);
	dictionary_forget(b->columns[0].dictionary);
	dictionary_number(b->columns[0].dictionary, "one more");
	column_batch_begin(b, false);
	for (i = 0; i < 128; i++)
		column_batch_add(b, &rows[i]);
	CHECK(b->full);
	CHECK_EQ(b->columns[0].absent, 1);
	column_batch_free(b);
}

static void many_texts(void)
{
	struct dictionary *w = calloc(1, sizeof(*w));
	char text[16];
	uint32_t i;
	int again;

	for (again = 0; again < 2; again++) {
		for (i = 0; i < 5000; i++) {
			snprintf(text, sizeof(text), "%x", i);
			CHECK_EQ(dictionary_number(w, i ? text : ""), i);
		}
		CHECK_EQ(w->count, 5000);
	}
	CHECK(is_text(w, 0, "") && is_text(w, 4999, "1387"));
	dictionary_forget(w);
	CHECK_EQ(dictionary_number(w, "x"), 0);
	dictionary_free(w);
	free(w);
}

const struct test_case batch_cases[] = {
	{ "batch: columns say what rows say", same_as_rows },
	{ "batch: one batch after another, words kept", numbers_stay },
	{ "batch: one batch after another, words forgotten", numbers_forgotten },
	{ "batch: no rows at all", no_rows },
	{ "batch: more words than a column has numbers", too_many_texts },
	{ "words: each once, by number", many_texts },
	{ 0 },
};
