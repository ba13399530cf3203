// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>
#include <string.h>

#include "analysis/rows/rows.h"
#include "analysis/stacks/stacks.h"
#include "armspe.h"
#include "input/input.h"
#include "symbols/symbols.h"
#include "util/util.h"

/* Columns of so many records, or so many whole records, stay in a cache. */
#define ROOM		1024
#define ROOM_RECORDS	128

static const unsigned int latency_index[3] = {
	SPE_COUNTER_TOTAL, SPE_COUNTER_ISSUE, SPE_COUNTER_XLAT,
};

static bool uses_rows(const struct row_sink *sink)
{
	const struct rows *r = sink->rows;

	return sink->taker.one || sink->taker.rows || r->filter;
}

static void columns_new(struct armspe_columns *cols)
{
	size_t i;

	cols->valid = xcalloc(ROOM, sizeof(*cols->valid));
	cols->addr_valid = xcalloc(ROOM, sizeof(*cols->addr_valid));
	cols->counter_valid = xcalloc(ROOM, sizeof(*cols->counter_valid));
	cols->context_valid = xcalloc(ROOM, sizeof(*cols->context_valid));
	cols->timestamp = xcalloc(ROOM, sizeof(*cols->timestamp));
	cols->addr[SPE_ADDR_PC] = xcalloc(ROOM, sizeof(**cols->addr));
	for (i = 0; i < 2; i++)
		cols->context[i] = xcalloc(ROOM, sizeof(**cols->context));
	for (i = 0; i < 3; i++)
		cols->counter[latency_index[i]] = xcalloc(ROOM, sizeof(**cols->counter));
}

static void columns_free(struct armspe_columns *cols)
{
	size_t i;

	free(cols->valid);
	free(cols->addr_valid);
	free(cols->counter_valid);
	free(cols->context_valid);
	free(cols->timestamp);
	free(cols->addr[SPE_ADDR_PC]);
	for (i = 0; i < 2; i++)
		free(cols->context[i]);
	for (i = 0; i < 3; i++)
		free(cols->counter[latency_index[i]]);
}

void row_sink_init(struct row_sink *sink, struct rows *r, const struct row_taker *taker,
		   void *context)
{
	struct row_batch *b = xapart(sizeof(*b));
	size_t i;

	*sink = (struct row_sink){ r, *taker, context, b };
	b->rows = r;
	columns_new(&b->in.cols);
	b->time = xcalloc(ROOM, sizeof(*b->time));
	b->owners = xcalloc(ROOM, sizeof(*b->owners));
	b->owner = xcalloc(ROOM, sizeof(*b->owner));
	b->place = xcalloc(ROOM, sizeof(*b->place));
	b->kept = xcalloc(ROOM, sizeof(*b->kept));
	b->stack = xcalloc(ROOM, sizeof(*b->stack));
	b->callers = xcalloc(ROOM, sizeof(*b->callers));
	for (i = 0; i < ROOM; i++)
		b->kept[i] = (uint16_t)i;
}

void row_sink_free(struct row_sink *sink)
{
	struct row_batch *b = sink->batch;

	if (!b)
		return;
	columns_free(&b->in.cols);
	free(b->in.records);
	free(b->time);
	free(b->owners);
	free(b->owner);
	free(b->place);
	free(b->kept);
	free(b->stack);
	free(b->callers);
	free(b);
	sink->batch = NULL;
}

/* The columns that owners, places and batches are made of */
static void columns_of_records(struct record_batch *in, bool latencies)
{
	struct armspe_columns *cols = &in->cols;
	size_t i, k;

	for (i = 0; i < cols->rows; i++) {
		const struct armspe_record *rec = &in->records[i];

		cols->valid[i] = rec->valid;
		cols->addr_valid[i] = rec->addr_valid;
		cols->context_valid[i] = rec->context_valid;
		cols->timestamp[i] = rec->timestamp;
		cols->addr[SPE_ADDR_PC][i] = rec->addr[SPE_ADDR_PC];
		cols->context[0][i] = rec->context[0];
		cols->context[1][i] = rec->context[1];
		if (!latencies)
			continue;
		cols->counter_valid[i] = rec->counter_valid;
		for (k = 0; k < 3; k++)
			cols->counter[latency_index[k]][i] = rec->counter[latency_index[k]];
	}
}

static void find_times(struct row_batch *b)
{
	const struct armspe_columns *cols = &b->in.cols;
	const struct session *s = b->rows->resolver.session;
	size_t i;

	if (!s || !s->tc.valid || s->untimed) {
		for (i = 0; i < cols->rows; i++)
			b->time[i] = UINT64_MAX;
		return;
	}
	for (i = 0; i < cols->rows; i++)
		b->time[i] = cols->valid[i] & ARMSPE_HAS_TIMESTAMP ?
			session_time_of(&s->tc, cols->timestamp[i]) : UINT64_MAX;
}

/* How many rows from @from on are of the owner that @memo has, as row @from is */
static size_t alike(const struct row_batch *b, const struct owner_memo *memo, size_t from)
{
	static const uint32_t none[ROOM];
	const struct armspe_columns *cols = &b->in.cols;
	const uint8_t has = cols->context_valid[from];
	const uint32_t *c0 = has & 1 ? cols->context[0] : none;
	const uint32_t *c1 = has & 2 ? cols->context[1] : none;
	const uint64_t width = memo->until - memo->from;
	size_t i;

	for (i = from; i < cols->rows; i++)
		if (((has ^ cols->context_valid[i]) | (c0[i] ^ memo->context[0]) |
		     (c1[i] ^ memo->context[1])) || b->time[i] - memo->from >= width)
			break;
	return i - from;
}

/* Owners rarely change, so each is stored once for many rows. */
static void find_owners(struct row_batch *b)
{
	const struct armspe_columns *cols = &b->in.cols;
	struct owner_memo *memo = &b->rows->owner;
	size_t i, k, run, nr = 0;

	find_times(b);
	for (i = 0; i < cols->rows; i += run) {
		unsigned int has = cols->context_valid[i];
		struct claim claim = {
			b->time[i], { has & 1 ? cols->context[0][i] : 0,
				      has & 2 ? cols->context[1][i] : 0 }, has,
		};

		resolve_owner(&b->rows->resolver, memo, b->piece, &claim, &b->owners[nr]);
		run = 1;
		if (!b->rows->resolver.session)
			run = cols->rows;
		else if (owner_memo_fits(memo, b->piece, &claim))
			run = alike(b, memo, i);
		for (k = i; k < i + run; k++)
			b->owner[k] = (uint16_t)nr;
		nr++;
	}
}

static void find_places(struct row_batch *b)
{
	const uint64_t *restrict pc = b->in.cols.addr[SPE_ADDR_PC], *restrict time = b->time;
	const uint32_t *restrict valid = b->in.cols.addr_valid;
	const uint16_t *restrict kept = b->kept, *restrict owner = b->owner;
	struct place **restrict place = b->place;
	struct places *places = b->rows->places;
	size_t k, last = SIZE_MAX, nr = b->nr;
	const struct place *found;
	uint64_t whose = 0;
	bool doubts = false;

	for (k = 0; k < nr; k++) {
		size_t i = kept[k];

		if (owner[i] != last) {
			last = owner[i];
			whose = places_whose(places, &b->owners[last]);
		}
		place[i] = valid[i] >> SPE_ADDR_PC & 1 ?
			places_find(places, &b->rows->resolver, &b->owners[last], whose, pc[i],
				    time[i]) :
			places_none(places);
		found = place[i];
		doubts |= found->lacking | found->untimed;
	}
	b->placed = true;
	b->doubts = doubts;
}

static void find_stacks(struct row_batch *b)
{
	size_t k;

	for (k = 0; k < b->nr; k++) {
		size_t i = b->kept[k];

		b->stack[i] = rows_stack(b->rows, batch_owner(b, i), b->place[i],
					 b->time[i], &b->callers[i]);
	}
}

/* What all rows of the batch have */
static struct row row_of(const struct row_batch *b)
{
	static const struct place nowhere;
	const struct rows *r = b->rows;

	return (struct row){
		.piece = b->piece, .session = r->resolver.session, .time = UINT64_MAX,
		.owner = OWNER_UNKNOWN, .place = &nowhere, .data = r->data, .heap = r->heap,
		.midr = r->midr, .stacks = r->finder,
	};
}

static inline void row_at(const struct row_batch *b, size_t i, struct row *row)
{
	const struct armspe_record *rec = &b->in.records[i];
	const struct rows *r = b->rows;

	row->rec = rec;
	if (r->need >= NEED_OWNER) {
		row->time = b->time[i];
		row->owner = *batch_owner(b, i);
	}
	if (b->placed) {
		row->place = b->place[i];
		row->hint = &b->place[i]->hint;
	}
	if (r->finder) {
		row->stack = b->stack[i];
		row->callers = b->callers[i];
	}
	if (rec->valid & ARMSPE_HAS_OP)
		row->op = r->ops[(rec->op_class & 3) * 256 + rec->op_payload];
	else
		row->op = (struct armspe_op){ 0 };
}

void batch_each(const struct row_batch *b, row_fn fn, void *context)
{
	struct row row = row_of(b);
	size_t k;

	for (k = 0; k < b->nr; k++) {
		row_at(b, b->kept[k], &row);
		fn(context, &row);
	}
}

static void keep_matches(struct row_batch *b)
{
	struct row row = row_of(b);
	size_t k, nr = 0;

	for (k = 0; k < b->nr; k++) {
		size_t i = b->kept[k];

		row_at(b, i, &row);
		if (filter_match(b->rows->filter, &row))
			b->kept[nr++] = (uint16_t)i;
	}
	b->nr = nr;
}

/* Each step looks only at rows that the filter may still keep. */
static void find_rows(struct row_batch *b)
{
	struct rows *r = b->rows;
	enum field_need filter = r->filter ? filter_need(r->filter) : NEED_RECORD;
	size_t i;

	b->placed = b->doubts = false;
	b->nr = b->in.cols.rows;
	for (i = 0; r->filter && i < b->nr; i++)
		b->kept[i] = (uint16_t)i;
	if (r->need >= NEED_OWNER)
		find_owners(b);
	if (r->filter && filter < NEED_PLACE)
		keep_matches(b);
	if (r->need >= NEED_PLACE && !r->places_later)
		find_places(b);
	if (r->filter && filter == NEED_PLACE)
		keep_matches(b);
	if (b->placed && r->finder)
		find_stacks(b);
	if (r->filter && filter > NEED_PLACE)
		keep_matches(b);
}

static void count_rows(struct row_batch *b)
{
	struct rows *r = b->rows;
	size_t k;

	r->kept += b->nr;
	for (k = 0; !r->sourced && k < b->nr; k++)
		r->sourced = b->in.cols.valid[b->kept[k]] & ARMSPE_HAS_SOURCE;
	for (k = 0; b->doubts && k < b->nr; k++)
		rows_absent(r, b->place[b->kept[k]]);
	for (k = 0; b->placed && r->finder && k < b->nr; k++)
		r->stack_count[b->stack[b->kept[k]]]++;
}

static void take(void *context, const struct piece *piece, struct record_batch *in)
{
	struct row_sink *sink = context;
	struct row_batch *b = sink->batch;

	b->piece = piece;
	sink->rows->seen += in->cols.rows;
	if (in->records)
		columns_of_records(in, sink->taker.many);
	places_trim(sink->rows->places);
	find_rows(b);
	count_rows(b);
	if (sink->taker.many) {
		sink->taker.many(sink->context, b);
		return;
	}
	batch_each(b, sink->taker.one, sink->context);
}

struct aux_decoder *row_sink_decoder(struct row_sink *sink, struct sample_totals *totals)
{
	struct record_batch *in = &sink->batch->in;

	in->cols.room = ROOM;
	if (uses_rows(sink)) {
		in->cols.room = ROOM_RECORDS;
		in->records = xcalloc(ROOM_RECORDS, sizeof(*in->records));
	}
	return aux_decoder_batches(take, sink, in, totals);
}
