// SPDX-License-Identifier: GPL-2.0-only
/*
 * Compare the columns of a batch, and what filters keep of it, with the values that
 * each record gives by itself; and test the dictionary of a column.
 */
#include <stdlib.h>

#include "analysis/rows/rows.h"
#include "export/columnar/columnar.h"
#include "export/format/format.h"
#include "input/input.h"
#include "test.h"

#define ROWS	3000

static struct armspe_record recs[ROWS];
static struct row rows[ROWS];
static struct place places[ROWS];
static struct piece pieces[4];
static struct armspe_op ops[ROW_OPS];
static struct rows input = { .need = NEED_STACK, .ops = ops };
static struct row_sink sink;
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

/* Which piece a row is of: runs of different lengths */
static const struct piece *piece_of(size_t row)
{
	return &pieces[row / 77 * 5 % 4];
}

static void make_rows(void)
{
	static const char *const symbols[] = { NULL, "", "one", "two" };
	uint8_t *bytes = (uint8_t *)recs;
	size_t i;

	for (i = 0; i < 4 * 256; i++)
		armspe_op_decode((unsigned int)i / 256, (uint8_t)i, &ops[i]);
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
			.rec = &recs[i], .piece = piece_of(i),
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

#define PUT(need, type, name, field)	b->name[i] = rec->field;

/* Store record @rec as row @i of the batch's columns. */
static void put_record(struct row_batch *b, size_t i, const struct armspe_record *rec)
{
	unsigned int n;

	ROW_FOR_EACH_COLUMN(PUT)
	b->op[i] = row_op_number(rec->valid, rec->op_class, rec->op_payload);
	for (n = 0; n < SPE_INDEX_COUNT; n++) {
		if (!(SPE_INDEX_IMPDEF_MASK >> n & 1))
			continue;
		b->cols.addr[n][i] = rec->addr[n];
		b->cols.counter[n][i] = rec->counter[n];
	}
}

/*
 * A batch of the rows @from to @to, which are of one piece.  Between them are rows that a filter
 * dropped if @dropped is set.
 */
static struct row_batch *make_batch(size_t from, size_t to, bool dropped)
{
	const struct row_taker taker = { .columns = ROW_ALL };
	size_t step = dropped ? 2 : 1, k;
	struct row_batch *b;

	if (!sink.batch)
		row_sink_init(&sink, &input, &taker, NULL);
	b = sink.batch;
	b->piece = piece_of(from);
	b->placed = true;
	b->nr = to - from;
	b->cols.rows = b->nr * step;
	for (k = 0; k < b->nr; k++) {
		size_t i = k * step;

		b->kept[k] = (uint16_t)i;
		put_record(b, i, &recs[from + k]);
		b->owners[i] = rows[from + k].owner;
		b->owner[i] = (uint16_t)i;
		b->place[i] = &places[from + k];
	}
	return b;
}

/* The end of the next batch: as many rows of one piece as fit */
static size_t batch_end(size_t from, bool dropped)
{
	size_t to = from + 1, most = dropped ? ROW_BATCH / 2 : ROW_BATCH;

	while (to < ROWS && to - from < most && piece_of(to) == piece_of(from))
		to++;
	return to;
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
			if (c->absent && (c->valid[at / 8] >> at % 8 & 1) != v.present)
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

/* @slowly: also the columns that have no keys */
static struct column_batch *all_columns(size_t most, bool slowly)
{
	const struct field *columns[64];
	size_t i, count = 0;

	for (i = 0; i < nr_fields; i++)
		if (slowly || fields[i].each)
			columns[count++] = &fields[i];
	if (slowly)
		columns[count++] = &slow;
	return column_batch_new(columns, count, most);
}

static void same_as_rows(bool slowly, bool dropped)
{
	struct column_batch *b = all_columns(ROWS + 1, slowly);
	size_t from, to;

	make_rows();
	for (from = 0; from < ROWS; from = to) {
		to = batch_end(from, dropped);
		CHECK(!column_batch_add(b, make_batch(from, to, dropped)));
	}
	compare(b, 0, ROWS);
	column_batch_free(b);
}

static void from_columns(void)
{
	same_as_rows(false, false);
}

static void without_keys(void)
{
	same_as_rows(true, false);
}

static void from_kept_rows(void)
{
	same_as_rows(false, true);
	same_as_rows(true, true);
}

/* @forget: as for Parquet */
static void batch_by_batch(bool forget)
{
	struct column_batch *b = all_columns(100, false);
	size_t from, to, begin = 0;

	make_rows();
	for (from = 0; from < ROWS; from = to) {
		to = batch_end(from, false);
		if (!column_batch_add(b, make_batch(from, to, false))) {
			CHECK(to - begin < 100);
			continue;
		}
		CHECK(to - begin >= 100);
		compare(b, begin, to);
		begin = to;
		column_batch_begin(b, forget);
	}
	compare(b, begin, ROWS);
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
	struct column_batch *b = all_columns(1, true);

	CHECK(!column_batch_add(b, make_batch(0, 0, false)));
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
	column_batch_add(b, make_batch(0, 128, false));
	compare(b, 0, 128);
	dictionary_forget(b->columns[0].dictionary);
	dictionary_number(b->columns[0].dictionary, "one more");
	column_batch_begin(b, false);
	column_batch_add(b, make_batch(0, 128, false));
	CHECK(b->full);
	CHECK_EQ(b->columns[0].absent, 1);
	column_batch_free(b);
}

static const char *const filters[] = {
	"total", "total > 30000", "total <= 5 or total >= 65000", "not total", "pc < 0x8000000000000000",
	"op == load", "op != load", "not op == load", "subclass", "op_flags has FP", "vector_bits > 64",
	"events has l1d-refill", "not events has retired", "events ~ impdef", "events has impdef-12",
	"symbol", "not symbol", "symbol == one", "symbol ~ t or object_address", "object like obj*",
	"impdef", "impdef ~ address-9", "va_tag == 3 or pa_space == realm", "source_name or core",
	"total > 100 and (op == store or events has tlb-access and not (el == 1 or el == 2))",
	"cpu == 0 or cpu == 1 or cpu == 2 and issue < 100 or not (altclk_issue or target)",
	"(symbol or cache_line < 5) and (translation > 9 and not previous_target or event_bits > 8)",
};

static void compare_filter(const struct filter *f, bool dropped)
{
	size_t from, to, row, k, step = dropped ? 2 : 1;

	for (from = 0; from < ROWS; from = to) {
		struct row_batch *b;

		to = batch_end(from, dropped);
		b = make_batch(from, to, dropped);
		filter_batch(f, b);
		for (row = from, k = 0; row < to; row++) {
			bool kept = k < b->nr && b->kept[k] == (row - from) * step;

			k += kept;
			if (kept != filter_match(f, &rows[row]))
				test_fail(__FILE__, __LINE__, "%s, row %zu", filter_text(f), row);
		}
		CHECK_EQ(k, b->nr);
	}
}

static void filters_keep(void)
{
	size_t i;

	make_rows();
	for (i = 0; i < sizeof(filters) / sizeof(filters[0]); i++) {
		struct filter *f = filter_parse("test", filters[i]);

		CHECK(f);
		if (!f)
			continue;
		compare_filter(f, false);
		compare_filter(f, true);
		filter_free(f);
	}
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
	{ "batch: columns say what rows say", from_columns },
	{ "batch: the same where columns have no keys", without_keys },
	{ "batch: the same of the rows that a filter keeps", from_kept_rows },
	{ "batch: one batch after another, words kept", numbers_stay },
	{ "batch: one batch after another, words forgotten", numbers_forgotten },
	{ "batch: no rows at all", no_rows },
	{ "batch: more words than a column has numbers", too_many_texts },
	{ "batch: a filter keeps the rows that it keeps one by one", filters_keep },
	{ "words: each once, by number", many_texts },
	{ 0 },
};
