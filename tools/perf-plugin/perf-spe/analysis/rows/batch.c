// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>
#include <string.h>

#include "analysis/rows/rows.h"
#include "analysis/stacks/stacks.h"
#include "armspe.h"
#include "input/input.h"
#include "symbols/symbols.h"
#include "util/util.h"

/* A row of IMPLEMENTATION DEFINED addresses and counters */
#define IMPDEF_BYTES	(SPE_INDEX_COUNT * (sizeof(uint64_t) + sizeof(uint16_t)))

static void ask_for_impdef(struct row_batch *b)
{
	uint64_t *addr = b->impdef = xcalloc(ROW_BATCH, IMPDEF_BYTES);
	uint16_t *counter = (uint16_t *)(addr + SPE_INDEX_COUNT * ROW_BATCH);
	unsigned int i;

	for (i = 0; i < SPE_INDEX_COUNT; i++) {
		if (!(SPE_INDEX_IMPDEF_MASK >> i & 1))
			continue;
		b->cols.addr[i] = addr + i * ROW_BATCH;
		b->cols.counter[i] = counter + i * ROW_BATCH;
	}
}

#define ASK_FOR(need, type, name, field)				\
	if (!(need) || columns & (need))				\
		b->cols.field = b->name;

void row_sink_init(struct row_sink *sink, struct rows *r, const struct row_taker *taker,
		   void *context)
{
	struct row_batch *b = xapart(sizeof(*b));
	const unsigned int columns = taker->columns | (r->filter ? filter_columns(r->filter) : 0);

	*sink = (struct row_sink){ r, *taker, context, b };
	b->rows = r;
	b->made = xcalloc(1, sizeof(*b->made));
	b->columns = columns;
	r->names |= columns;
	b->cols.room = ROW_BATCH;
	ROW_FOR_EACH_COLUMN(ASK_FOR)
	if (columns & ROW_IMPDEF)
		ask_for_impdef(b);
}

void row_sink_free(struct row_sink *sink)
{
	if (sink->batch) {
		free(sink->batch->made);
		free(sink->batch->impdef);
	}
	free(sink->batch);
	sink->batch = NULL;
}

/* Whether all rows have a timestamp */
static bool all_timed(const struct row_batch *b)
{
	uint32_t all = ARMSPE_HAS_TIMESTAMP;
	size_t i, rows = b->cols.rows;

	for (i = 0; i < rows; i++)
		all &= b->valid[i];
	return all;
}

static void find_times(struct row_batch *b)
{
	const struct session *s = b->rows->resolver.session;
	bool timed = s && s->tc.valid && !s->untimed;
	size_t i, rows = b->cols.rows;

	if (timed && all_timed(b) && session_times_near(&s->tc, b->timestamp, rows, b->time))
		return;
	for (i = 0; i < rows; i++)
		b->time[i] = timed && b->valid[i] & ARMSPE_HAS_TIMESTAMP ?
			session_time_of(&s->tc, b->timestamp[i]) : UINT64_MAX;
}

/* Whether rows may have another context than the first one has */
static bool contexts_differ(const struct row_batch *b)
{
	const uint8_t has = b->context_valid[0];
	const uint32_t mask1 = has & 1 ? UINT32_MAX : 0, mask2 = has & 2 ? UINT32_MAX : 0;
	const uint32_t c1 = b->context_el1[0], c2 = b->context_el2[0];
	uint32_t differ = 0;
	size_t i, rows = b->cols.rows;

	for (i = 0; i < rows; i++)
		differ |= (uint32_t)(b->context_valid[i] ^ has) |
			  ((b->context_el1[i] ^ c1) & mask1) | ((b->context_el2[i] ^ c2) & mask2);
	return differ;
}

static struct claim claim_of(const struct row_batch *b, size_t i)
{
	const uint8_t has = b->context_valid[i];

	return (struct claim){
		b->time[i], { has & 1 ? b->context_el1[i] : 0, has & 2 ? b->context_el2[i] : 0 }, has,
	};
}

/* Whether row @i has the contexts of row @from */
static inline bool same_contexts(const struct row_batch *b, size_t i, size_t from)
{
	const uint8_t has = b->context_valid[from];

	return b->context_valid[i] == has &&
	       (!(has & 1) || b->context_el1[i] == b->context_el1[from]) &&
	       (!(has & 2) || b->context_el2[i] == b->context_el2[from]);
}

/* How many rows from @from on are of the owner that @memo has, as row @from is */
static size_t alike(const struct row_batch *b, const struct owner_memo *memo, size_t from,
		    bool differ)
{
	const uint64_t width = memo->until - memo->from;
	const uint64_t last = (width < INT64_MAX ? width : INT64_MAX) - 1;
	size_t i, rows = b->cols.rows;
	uint64_t outside = 0;

	/* Mostly all rows are: the sign of these differences shows if not, without a branch for each. */
	for (i = 0; !from && !differ && i < rows; i++)
		outside |= (b->time[i] - memo->from) | (last - (b->time[i] - memo->from));
	if (!from && !differ && !(outside >> 63))
		return rows;
	for (i = from + 1; i < rows && b->time[i] - memo->from < width; i++)
		if (differ && !same_contexts(b, i, from))
			break;
	return i - from;
}

/* Owners rarely change, so each is stored once for many rows. */
static void find_owners(struct row_batch *b)
{
	size_t i, k, run, nr = 0, rows = b->cols.rows;
	const bool differ = contexts_differ(b);

	find_times(b);
	for (i = 0; i < rows; i += run) {
		const struct claim claim = claim_of(b, i);
		const struct owner_memo *memo = owner_memo(&b->rows->owners, &claim);

		resolve_owner(&b->rows->resolver, &b->rows->owners, b->piece, &claim,
			      &b->owners[nr]);
		run = 1;
		if (!b->rows->resolver.session)
			run = rows;
		else if (owner_memo_fits(memo, b->piece, &claim))
			run = alike(b, memo, i, differ);
		for (k = i; k < i + run; k++)
			b->owner[k] = (uint16_t)nr;
		nr++;
	}
}

/* The places of rows of one owner.  Returns whether rows_absent() counts one of them. */
static bool find_places_of(struct row_batch *b, size_t from, size_t to)
{
	const uint64_t *restrict pc = b->pc, *restrict time = b->time;
	const uint32_t *restrict valid = b->addr_valid;
	const uint16_t *restrict kept = b->kept;
	struct place **restrict place = b->place;
	const struct owner *owner = batch_owner(b, kept[from]);
	struct places *places = b->rows->places;
	const uint64_t whose = places_whose(places, owner);
	uint16_t unknown[ROW_BATCH];
	unsigned int doubts = 0;
	size_t i, k, nr = 0;

	/* A loop without calls has its variables in registers. */
	for (k = from; k < to; k++) {
		const struct places_last *last = places_last(places, whose, pc[kept[k]]);

		i = kept[k];
		if (valid[i] >> SPE_ADDR_PC & 1 && places_fit(last, whose, pc[i], time[i])) {
			place[i] = last->place;
			doubts |= last->place->unsaid;
		} else {
			unknown[nr++] = (uint16_t)i;
		}
	}
	for (k = 0; k < nr; k++) {
		i = unknown[k];
		place[i] = valid[i] >> SPE_ADDR_PC & 1 ?
			places_find(places, &b->rows->resolver, owner, whose, pc[i], time[i]) :
			places_none(places);
		doubts |= place[i]->unsaid;
	}
	return doubts;
}

static void find_places(struct row_batch *b)
{
	size_t from, to;

	for (from = 0; from < b->nr; from = to) {
		to = batch_owner_end(b, from);
		b->doubts |= find_places_of(b, from, to);
	}
	b->placed = true;
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

const struct place *batch_place(const struct row_batch *b, size_t i)
{
	const struct owner *owner = batch_owner(b, i);
	struct rows *r = b->rows;
	struct place *place;

	if (b->placed)
		return b->place[i];
	if (!(b->addr_valid[i] >> SPE_ADDR_PC & 1))
		return places_none(r->places);
	place = places_find(r->places, &r->resolver, owner, places_whose(r->places, owner),
			    b->pc[i], b->time[i]);
	rows_absent(r, place);
	return place;
}

struct row batch_row(const struct row_batch *b)
{
	static const struct place nowhere;
	const struct rows *r = b->rows;

	return (struct row){
		.piece = b->piece, .session = r->resolver.session, .time = UINT64_MAX,
		.owner = OWNER_UNKNOWN, .place = &nowhere, .data = r->data, .heap = r->heap,
		.midr = r->midr, .stacks = r->finder,
	};
}

static void get_impdef(const struct row_batch *b, size_t i, struct armspe_record *rec)
{
	unsigned int n;

	for (n = 0; n < SPE_INDEX_COUNT; n++) {
		if (!(SPE_INDEX_IMPDEF_MASK >> n & 1))
			continue;
		rec->addr[n] = b->cols.addr[n][i];
		rec->counter[n] = b->cols.counter[n][i];
	}
}

#define GET(need, type, name, field)					\
	if (!(need) || b->columns & (need))				\
		rec->field = b->name[i];

/* A record with what the columns have */
static const struct armspe_record *record_of(const struct row_batch *b, size_t i)
{
	struct armspe_record *rec = b->made;

	ROW_FOR_EACH_COLUMN(GET)
	if (b->impdef)
		get_impdef(b, i, rec);
	return rec;
}

static inline void row_at(const struct row_batch *b, size_t i, struct row *row)
{
	const struct rows *r = b->rows;

	row->rec = record_of(b, i);
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
	if (b->columns & ROW_OP)
		row->op = r->ops[b->op[i]];
}

void batch_row_at(const struct row_batch *b, size_t i, struct row *row)
{
	row_at(b, i, row);
}

void batch_each(const struct row_batch *b, row_fn fn, void *context)
{
	struct row row = batch_row(b);
	size_t k;

	for (k = 0; k < b->nr; k++) {
		row_at(b, b->kept[k], &row);
		fn(context, &row);
	}
}

static void find_ops(struct row_batch *b)
{
	size_t i, rows = b->cols.rows;

	for (i = 0; i < rows; i++)
		b->op[i] = row_op_number(b->valid[i], b->op_class[i], b->op_payload[i]);
}

/* Each step looks only at rows that the filter may still keep. */
static void find_rows(struct row_batch *b)
{
	struct rows *r = b->rows;
	enum field_need filter = r->filter ? filter_need(r->filter) : NEED_RECORD;
	const size_t rows = b->cols.rows;
	const size_t others = r->filter ? rows : b->unfiltered ? 0 : ROW_BATCH;
	size_t i;

	b->placed = b->doubts = false;
	b->nr = rows;
	for (i = 0; i < others; i++)
		b->kept[i] = (uint16_t)i;
	b->unfiltered = !r->filter;
	if (b->columns & ROW_OP)
		find_ops(b);
	if (r->need >= NEED_OWNER)
		find_owners(b);
	if (r->filter && filter < NEED_PLACE)
		filter_batch(r->filter, b);
	if (r->need >= NEED_PLACE && !r->places_later)
		find_places(b);
	if (r->filter && filter == NEED_PLACE)
		filter_batch(r->filter, b);
	if (b->placed && r->finder)
		find_stacks(b);
	if (r->filter && filter > NEED_PLACE)
		filter_batch(r->filter, b);
}

static void find_span(struct row_batch *b)
{
	uint64_t first = UINT64_MAX, last = 0, time;
	size_t k, samples = 0;

	for (k = 0; k < b->nr; k++) {
		time = b->time[b->kept[k]];
		if (time == UINT64_MAX && !batch_time(b, b->kept[k], &time))
			continue;
		samples++;
		first = time < first ? time : first;
		last = time > last ? time : last;
	}
	b->span = (struct time_span){ samples, first, last };
}

static void count_rows(struct row_batch *b)
{
	struct rows *r = b->rows;
	size_t k;

	r->kept += b->nr;
	for (k = 0; r->resolver.session && r->resolver.session->guests && k < b->nr; k++)
		r->guests += batch_guest(b, b->kept[k]);
	for (k = 0; !r->sourced && k < b->nr; k++)
		r->sourced = b->valid[b->kept[k]] & ARMSPE_HAS_SOURCE;
	for (k = 0; (b->columns & ROW_PHYSICAL) && !r->physical && k < b->nr; k++)
		r->physical = b->addr_valid[b->kept[k]] >> SPE_ADDR_DATA_PA & 1;
	for (k = 0; b->doubts && k < b->nr; k++)
		rows_absent(r, b->place[b->kept[k]]);
	for (k = 0; b->placed && r->finder && k < b->nr; k++) {
		r->stack_count[b->stack[b->kept[k]]]++;
		rows_absent_callers(r, b->callers[b->kept[k]]);
	}
}

static void take(void *context, const struct piece *piece, struct armspe_columns *cols)
{
	struct row_sink *sink = context;
	struct row_batch *b = sink->batch;

	b->piece = piece;
	sink->rows->seen += cols->rows;
	places_trim(sink->rows->places);
	find_rows(b);
	count_rows(b);
	if (b->columns & ROW_SPAN)
		find_span(b);
	sink->taker.take(sink->context, b);
}

struct aux_decoder *row_sink_decoder(struct row_sink *sink, struct sample_totals *totals)
{
	const struct rows *r = sink->rows;

	/* The session of top has no resolver yet. */
	return aux_decoder_batches(r->resolver.session ? r->resolver.session : &r->src.session, take, sink,
				   &sink->batch->cols, totals);
}
