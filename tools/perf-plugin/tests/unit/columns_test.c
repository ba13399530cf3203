// SPDX-License-Identifier: GPL-2.0-only
/*
 * Columns against records: the same bytes decoded both ways, and each record
 * once more packet by packet.
 */
#include <stdlib.h>

#include "internal.h"
#include "test.h"

#define ROWS	300		/* no multiple of a batch */
#define SIZE	(1u << 17)

static struct armspe_decoder *columns_dec, *records_dec;
static uint64_t offset[ROWS], events[ROWS], timestamp[ROWS];
static uint64_t addr[SPE_INDEX_COUNT][ROWS];
static uint32_t bytes_of[ROWS], valid[ROWS], addr_valid[ROWS];
static uint32_t counter_valid[ROWS], context[SPE_CONTEXT_COUNT][ROWS];
static uint16_t packets[ROWS], padding[ROWS], unknown[ROWS], source[ROWS];
static uint16_t counter[SPE_INDEX_COUNT][ROWS];
static uint8_t context_valid[ROWS], source_bytes[ROWS], op_class[ROWS];
static uint8_t op_payload[ROWS];

static struct armspe_columns all_columns(size_t room)
{
	struct armspe_columns cols = {
		.room = room, .offset = offset, .bytes = bytes_of,
		.valid = valid, .addr_valid = addr_valid,
		.counter_valid = counter_valid, .context_valid = context_valid,
		.packets = packets, .padding = padding, .unknown = unknown,
		.events = events, .timestamp = timestamp, .source = source,
		.source_bytes = source_bytes, .op_class = op_class,
		.op_payload = op_payload,
	};
	unsigned int i;

	for (i = 0; i < SPE_INDEX_COUNT; i++) {
		cols.addr[i] = addr[i];
		cols.counter[i] = counter[i];
	}
	for (i = 0; i < SPE_CONTEXT_COUNT; i++)
		cols.context[i] = context[i];
	return cols;
}

static void row_to_record(size_t row, struct armspe_record *rec)
{
	unsigned int i;

	rec->offset = offset[row];
	rec->bytes = bytes_of[row];
	rec->valid = valid[row];
	rec->addr_valid = addr_valid[row];
	rec->counter_valid = counter_valid[row];
	rec->context_valid = context_valid[row];
	rec->packets = packets[row];
	rec->padding = padding[row];
	rec->unknown = unknown[row];
	rec->events = events[row];
	rec->timestamp = timestamp[row];
	rec->source = source[row];
	rec->source_bytes = source_bytes[row];
	rec->op_class = op_class[row];
	rec->op_payload = op_payload[row];
	for (i = 0; i < SPE_INDEX_COUNT; i++) {
		rec->addr[i] = addr[i][row];
		rec->counter[i] = counter[i][row];
	}
	for (i = 0; i < SPE_CONTEXT_COUNT; i++)
		rec->context[i] = context[i][row];
}

/* Rows @from to @to - 1, at the end of whose piece @len bytes end */
static void check_rows(const uint8_t *bytes, size_t len, size_t from,
		       size_t to)
{
	struct armspe_record got, want, fresh;

	for (; from < to; from++) {
		row_to_record(from, &got);
		CHECK(armspe_record_next(records_dec, &want) == ARMSPE_OK);
		CHECK_EQ(got.offset, want.offset);
		test_same_record(&got, &want);
		CHECK(armspe_record_parse(bytes + got.offset,
					  len - (size_t)got.offset,
					  &fresh) == ARMSPE_OK);
		test_same_record(&got, &fresh);
	}
}

static void check_status(enum armspe_status status,
			 const struct armspe_columns *cols)
{
	struct armspe_record want;

	if (status == ARMSPE_OK) {
		CHECK_EQ(cols->rows, cols->room);
		return;
	}
	CHECK(armspe_record_next(records_dec, &want) == status);
	if (status == ARMSPE_DAMAGED) {
		CHECK_EQ(cols->skipped_offset, want.offset);
		CHECK_EQ(cols->skipped_bytes, want.bytes);
	}
}

void test_columns_agree(const uint8_t *bytes, size_t len, size_t room)
{
	struct armspe_columns cols = all_columns(room);
	const struct armspe_totals *a, *b;
	enum armspe_status status;

	test_decoder(&columns_dec, bytes, len, 0);
	test_decoder(&records_dec, bytes, len, 0);
	a = armspe_decoder_totals(columns_dec);
	b = armspe_decoder_totals(records_dec);
	do {
		size_t from = cols.rows;

		status = armspe_columns_next(columns_dec, &cols);
		check_rows(bytes, len, from, cols.rows);
		check_status(status, &cols);
		if (cols.rows == cols.room)
			cols.rows = 0;
	} while (status == ARMSPE_OK || status == ARMSPE_DAMAGED);
	CHECK_EQ(armspe_decoder_position(columns_dec),
		 armspe_decoder_position(records_dec));
	CHECK_EQ(a->records, b->records);
	CHECK_EQ(a->packets, b->packets);
	CHECK_EQ(a->unknown, b->unknown);
	CHECK_EQ(a->padding, b->padding);
	CHECK_EQ(a->damaged, b->damaged);
	CHECK_EQ(a->damages, b->damages);
}

/* -------------------------------------------- streams of a few layouts */

struct layout {
	uint8_t bytes[256];
	size_t len;
	size_t align;		/* 1: the next record follows at once */
};

/* A record whose packets, but the last, stand in any order */
static void make_layout(struct test_random *r, struct layout *l)
{
	struct armspe_packet p[64];
	uint16_t at[65];
	struct armspe_encoder enc;
	struct armspe_record rec;
	uint8_t in_order[256];
	size_t n, pos, i;

	do {
		armspe_encode_init(&enc, in_order, sizeof(in_order));
		test_random_record(r, &enc, &rec);
		/* Mostly of the size that cores write */
	} while (enc.len > 64 && test_random_below(r, 8));
	for (n = pos = 0; pos < enc.len; pos += armspe_packet_bytes(&p[n++])) {
		armspe_packet_decode(in_order + pos, enc.len - pos, &p[n]);
		at[n] = (uint16_t)pos;
	}
	l->len = 0;
	for (i = 0; i < n; i++) {
		size_t pick = i + 1 < n ? i + test_random_below(r,
					(unsigned int)(n - 1 - i)) : i;
		size_t len = armspe_packet_bytes(&p[pick]);

		memcpy(l->bytes + l->len, in_order + at[pick], len);
		l->len += len;
		p[pick] = p[i];
		at[pick] = at[i];
	}
	l->align = (size_t)1 << test_random_below(r, 8);
}

/* The layout's record with other values */
static size_t put_layout(struct test_random *r, const struct layout *l,
			 uint8_t *to)
{
	struct armspe_packet p;
	size_t pos, i, len;

	memcpy(to, l->bytes, l->len);
	for (pos = 0; pos < l->len; pos += armspe_packet_bytes(&p)) {
		armspe_packet_decode(to + pos, l->len - pos, &p);
		for (i = 0; i < p.payload_bytes; i++)
			to[pos + p.header_bytes + i] = (uint8_t)test_random(r);
	}
	len = (l->len + l->align - 1) / l->align * l->align;
	memset(to + l->len, 0, len - l->len);
	return len;
}

static uint8_t *exact_copy(const uint8_t *bytes, size_t len)
{
	uint8_t *copy = malloc(len ? len : 1);

	return memcpy(copy, bytes, len);
}

static size_t make_stream(struct test_random *r, uint8_t *bytes,
			  unsigned int nr_layouts, size_t size)
{
	struct layout layouts[64];
	size_t len = 0;
	unsigned int i;

	for (i = 0; i < nr_layouts; i++)
		make_layout(r, &layouts[i]);
	while (len < size - 512)
		len += put_layout(r, &layouts[test_random_below(r, nr_layouts)],
				  bytes + len);
	return len;
}

/* An allocation that ends where the bytes do: the sanitizers see the rest. */
static void streams(unsigned int damages, size_t room, size_t size)
{
	struct test_random r = { 31 + damages + room };
	static uint8_t bytes[SIZE];
	unsigned int layouts, i;
	uint8_t *copy;
	size_t len;

	for (layouts = 1; layouts <= 64; layouts += layouts > 8 ? 11 : 1) {
		len = make_stream(&r, bytes, layouts, size);
		for (i = 0; i < damages; i++)
			bytes[test_random_below(&r, (unsigned int)len)] ^=
				(uint8_t)(1u << test_random_below(&r, 8));
		copy = exact_copy(bytes, len);
		test_columns_agree(copy, len, room);
		if (!damages)
			CHECK_EQ(armspe_decoder_totals(columns_dec)->damaged, 0);
		free(copy);
	}
}

static void sound_streams(void)
{
	streams(0, ROWS, SIZE);
	streams(0, 1, TEST_ROUNDS(SIZE));
}

static void damaged_streams(void)
{
	streams(1, ROWS, SIZE);
	streams(200, ROWS, TEST_ROUNDS(SIZE));
	streams(200, 7, TEST_ROUNDS(SIZE));
}

/* One layout a core has nearly always: whole batches are recognised. */
static void recognised(void)
{
	static uint8_t bytes[64 * 1000];
	struct armspe_columns cols = all_columns(ROWS);
	struct armspe_encoder enc;
	unsigned int i;

	armspe_encode_init(&enc, bytes, sizeof(bytes));
	for (i = 0; i < 1000; i++) {
		armspe_encode_address(&enc, SPE_ADDR_PC, i);
		armspe_encode_counter(&enc, SPE_COUNTER_TOTAL,
				      (uint16_t)(2 * i));
		armspe_encode_events(&enc, 2, i & 0xff);
		armspe_encode_op(&enc, SPE_OP_CLASS_OTHER, 0);
		armspe_encode_timestamp(&enc, 3 * i);
		armspe_encode_align(&enc, 64);
	}
	CHECK(!enc.overflow);
	test_decoder(&columns_dec, bytes, enc.len, 1 << 20);
	CHECK(armspe_columns_next(columns_dec, &cols) == ARMSPE_OK);
	CHECK_EQ(cols.rows, ROWS);
	for (i = 0; i < ROWS; i++) {
		CHECK_EQ(offset[i], (1 << 20) + 64 * i);
		CHECK_EQ(addr[SPE_ADDR_PC][i], i);
		CHECK_EQ(counter[SPE_COUNTER_TOTAL][i], 2 * i);
		CHECK_EQ(events[i], i & 0xff);
		CHECK_EQ(timestamp[i], 3 * i);
		CHECK_EQ(valid[i], ARMSPE_HAS_OP | ARMSPE_HAS_EVENTS |
				   ARMSPE_HAS_TIMESTAMP);
	}
}

static void not_wanted(void)
{
	struct armspe_columns none = { .room = ROWS };
	struct test_random r = { 32 };
	static uint8_t bytes[SIZE];
	size_t len = make_stream(&r, bytes, 5, SIZE);
	uint64_t records = 0;
	enum armspe_status status;

	test_decoder(&columns_dec, bytes, len, 0);
	do {
		none.rows = 0;
		status = armspe_columns_next(columns_dec, &none);
		records += none.rows;
	} while (status == ARMSPE_OK);
	CHECK(status == ARMSPE_END);
	CHECK_EQ(records, armspe_decoder_totals(columns_dec)->records);
	CHECK(records > 1000);
	/* No room is no error. */
	none.room = none.rows = 0;
	CHECK(armspe_columns_next(columns_dec, &none) == ARMSPE_OK);
}

/* Each column is the same whichever others are asked for. */
static void some_wanted(void)
{
	static uint64_t only_events[ROWS];
	static uint16_t only_source[ROWS];
	static uint8_t only_op[ROWS];
	struct test_random r = { 34 };
	static uint8_t bytes[SIZE];
	size_t len = make_stream(&r, bytes, 6, SIZE), row;
	unsigned int mask;

	for (mask = 0; mask < 16; mask++) {
		struct armspe_columns all = all_columns(ROWS);
		struct armspe_columns some = {
			.room = ROWS,
			.events = mask & 1 ? only_events : NULL,
			.source = mask & 2 ? only_source : NULL,
			.op_payload = mask & 4 ? only_op : NULL,
			.timestamp = mask & 8 ? timestamp : NULL,
		};

		test_decoder(&columns_dec, bytes, len, 0);
		CHECK(armspe_columns_next(columns_dec, &all) == ARMSPE_OK);
		test_decoder(&columns_dec, bytes, len, 0);
		CHECK(armspe_columns_next(columns_dec, &some) == ARMSPE_OK);
		for (row = 0; row < ROWS; row++) {
			if (mask & 1 && valid[row] & ARMSPE_HAS_EVENTS)
				CHECK_EQ(only_events[row], events[row]);
			if (mask & 2 && valid[row] & ARMSPE_HAS_SOURCE)
				CHECK_EQ(only_source[row], source[row]);
			if (mask & 4 && valid[row] & ARMSPE_HAS_OP)
				CHECK_EQ(only_op[row], op_payload[row]);
		}
	}
}

/* A stream in pieces: what one piece cuts stands in front of the next. */
static void in_pieces(void)
{
	struct test_random r = { 33 };
	static uint8_t bytes[SIZE];
	size_t len = make_stream(&r, bytes, 9, SIZE), pos = 0;
	struct armspe_columns cols = all_columns(ROWS);

	test_decoder(&columns_dec, NULL, 0, 0);
	test_decoder(&records_dec, bytes, len, 0);
	while (pos < len) {
		size_t left = armspe_decoder_left(columns_dec);
		size_t more = 1 + test_random_below(&r, 3000);
		uint8_t *piece;
		enum armspe_status status;

		if (more > len - pos)
			more = len - pos;
		piece = exact_copy(bytes + pos - left, left + more);
		armspe_decoder_feed(columns_dec, piece, left + more,
				    pos - left);
		pos += more;
		do {
			cols.rows = 0;
			status = armspe_columns_next(columns_dec, &cols);
			check_rows(bytes, len, 0, cols.rows);
		} while (status == ARMSPE_OK);
		CHECK(status == ARMSPE_CUT || status == ARMSPE_END);
		free(piece);
	}
	CHECK_EQ(armspe_decoder_totals(columns_dec)->records,
		 armspe_decoder_totals(records_dec)->records);
	CHECK_EQ(armspe_decoder_totals(columns_dec)->damaged, 0);
}

const struct test_case columns_cases[] = {
	{ "columns: values of recognised records", recognised },
	{ "columns: as records, 1 to 64 layouts in any order", sound_streams },
	{ "columns: as records, with flipped bits", damaged_streams },
	{ "columns: as records, cut to pieces", in_pieces },
	{ "columns: some wanted", some_wanted },
	{ "columns: none wanted, no room", not_wanted },
	{ 0 },
};
