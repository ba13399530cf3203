// SPDX-License-Identifier: GPL-2.0-only
/*
 * Decode the records of AUX data that perf has cut into pieces.
 */
#include <stdlib.h>
#include <string.h>

#include "armspe.h"
#include "input/input.h"
#include "util/util.h"

/*
 * One AUX area.  Between two pieces it keeps the beginning of a record that the
 * first one cuts.
 */
struct stream {
	uint64_t next;			/* offset at which it goes on */
	uint8_t *cut;
	size_t cut_len;			/* at most SPE_RECORD_BYTES_MAX */
	bool lost;			/* the last piece ended in damage */
};

struct aux_decoder {
	sample_fn fn;
	batch_fn batch_fn;		/* if there are columns, instead of fn */
	struct armspe_columns *cols;
	void *context;
	const struct session *session;
	const struct piece *piece;	/* as the caller has it; the functions below have its bytes too */
	struct sample_totals *totals;
	bool more;			/* more windows of the piece follow */
	struct armspe_decoder *dec;	/* the layouts it learns serve all streams */
	const uint8_t *bytes;		/* what the decoder was fed last */
	size_t len;
	uint64_t offset;
	size_t pos;			/* where decode() stopped in these bytes */
	bool lost;			/* damage, up to their end */
	struct stream *stream;
	size_t nr_streams, room_streams;
	uint8_t *window;		/* if there are columns: room for COPIED bytes */
	bool mapped;			/* bytes of the piece were read where they are mapped */
};

static bool ends_between_packets(const uint8_t *bytes, size_t len)
{
	struct armspe_packet packet;

	while (armspe_packet_decode(bytes, len, &packet) == ARMSPE_OK) {
		bytes += armspe_packet_bytes(&packet);
		len -= armspe_packet_bytes(&packet);
	}
	return !len;
}

/* The next piece does not continue this stream: count the cut record as lost. */
static void stream_give_up(struct aux_decoder *d, struct stream *st)
{
	if (!st->cut_len)
		return;
	d->totals->incomplete += st->cut_len;
	d->totals->incomplete_records++;
	if (!ends_between_packets(st->cut, st->cut_len))
		d->totals->cut_packets++;
	free(st->cut);
	st->cut = NULL;
	st->cut_len = 0;
}

static void stream_keep(struct stream *st, const uint8_t *bytes, size_t len)
{
	uint8_t *kept = NULL;

	if (len)
		kept = memcpy(xrealloc(NULL, len), bytes, len);
	free(st->cut);
	st->cut = kept;
	st->cut_len = len;
}

/*
 * Report [from, to) of the decoder's bytes.  The first @before of them come from
 * earlier pieces; the others begin at offset @skip of this piece.
 */
static void emit(struct aux_decoder *d, struct sample_span *span, size_t from,
		 size_t to, size_t before, size_t skip)
{
	span->carried = d->bytes + from;
	span->carried_len = from < before ? (to < before ? to : before) - from :
					    0;
	span->from = from < before ? 0 : from - before + skip;
	span->to = to < before ? 0 : to - before + skip;
	d->fn(d->context, span);
}

static void feed(struct aux_decoder *d, const uint8_t *bytes, size_t len,
		 uint64_t offset)
{
	armspe_decoder_feed(d->dec, bytes, len, offset);
	d->bytes = bytes;
	d->len = len;
	d->offset = offset;
	d->pos = 0;
}

/* A piece is decoded in windows of this size, so that memory use is bounded. */
#define WINDOW		((size_t)16 << 20)
/* Batches are decoded from copies of the file's bytes.  Copies of this size stay in a cache. */
#define COPIED		((size_t)256 << 10)

/*
 * Whether the end of the window decided where damage ends.  resync.c skips
 * padding and then looks ahead by at most two records with padding between them.
 */
#define LOOK_AHEAD	(3 * SPE_RECORD_BYTES_MAX)

static bool damage_needs_more(const struct aux_decoder *d)
{
	size_t left = armspe_decoder_left(d->dec), run = 0;

	while (run < left && !d->bytes[d->len - left + run])
		run++;
	return left - run < LOOK_AHEAD;
}

static void flush(struct aux_decoder *d)
{
	if (d->cols->rows)
		d->batch_fn(d->context, d->piece, d->cols);
	d->cols->rows = 0;
}

/* Decode one record to the columns, or with @many as many as fit. */
static enum armspe_status next_records(struct aux_decoder *d, bool many)
{
	size_t room = d->cols->room;
	enum armspe_status status;

	d->cols->room = many ? room : d->cols->rows + 1;
	status = armspe_columns_next(d->dec, d->cols);
	d->cols->room = room;
	return status;
}

/* Take the decoder back to where @damage bytes begin that it has just skipped. */
static void undo_damage(struct aux_decoder *d, uint64_t damage)
{
	struct armspe_totals totals = *armspe_decoder_totals(d->dec);

	totals.damaged -= damage;
	totals.damages--;
	armspe_decoder_rewind(d->dec, armspe_decoder_position(d->dec) - damage, &totals);
}

/* As decode(), to batches */
static bool decode_batches(struct aux_decoder *d, size_t stop)
{
	bool many = stop == d->len, again = false;
	enum armspe_status status = ARMSPE_OK;

	while (d->pos < stop && (status == ARMSPE_OK || status == ARMSPE_DAMAGED)) {
		status = next_records(d, many);
		again = status == ARMSPE_DAMAGED && d->more && damage_needs_more(d);
		if (again)
			undo_damage(d, d->cols->skipped_bytes);
		d->pos = armspe_decoder_position(d->dec);
		if (again)
			break;
		d->lost = status == ARMSPE_DAMAGED && d->pos == d->len;
		if (d->cols->rows == d->cols->room)
			flush(d);
	}
	flush(d);
	return again;
}

/*
 * Decode until @stop is passed or a record is cut; @before and @skip as above.
 * Returns true if damage remains that only a longer window can delimit.
 */
static bool decode(struct aux_decoder *d, const struct piece *p, size_t stop,
		   size_t before, size_t skip)
{
	struct sample_span span = { .piece = p };
	struct armspe_totals totals = { 0 };
	struct armspe_record rec;

	if (d->cols)
		return decode_batches(d, stop);
	while (d->pos < stop) {
		size_t from;

		if (d->more)
			totals = *armspe_decoder_totals(d->dec);
		span.status = armspe_record_next(d->dec, &rec);
		span.rec = span.status == ARMSPE_OK ? &rec : NULL;
		if (span.status == ARMSPE_DAMAGED && d->more &&
		    damage_needs_more(d)) {
			armspe_decoder_rewind(d->dec, d->pos, &totals);
			return true;
		}
		/* The decoder has also skipped padding that no record follows. */
		d->pos = armspe_decoder_position(d->dec);
		if (span.status == ARMSPE_END ||
		    (span.status == ARMSPE_CUT && d->more))
			break;
		from = d->pos;
		if (span.status != ARMSPE_CUT)
			from = (size_t)(rec.offset - d->offset);
		d->lost = span.status == ARMSPE_DAMAGED && d->pos == d->len;
		emit(d, &span, from, span.status == ARMSPE_CUT ? d->len :
		     from + rec.bytes, before, skip);
		if (span.status == ARMSPE_CUT)
			break;
	}
	return false;
}

static bool begins_with_damage(struct aux_decoder *d)
{
	struct armspe_totals totals = *armspe_decoder_totals(d->dec);
	struct armspe_record rec;
	bool damaged = armspe_record_next(d->dec, &rec) == ARMSPE_DAMAGED;

	armspe_decoder_rewind(d->dec, 0, &totals);
	return damaged;
}

static void copy(uint8_t *to, const uint8_t *from, size_t len)
{
	if (mapped_file_read(from, len, to) != to)
		memcpy(to, from, len);
}

/*
 * Complete the record that the last piece cut.  Returns how many bytes of @p it
 * takes; all of them if @p cuts the record again.
 *
 *   cut record           | this piece
 *   PC | LAT | EV | OP ..|.. | VA | TS | PC | LAT ...
 *   <------ cut ------>   <- append as many bytes as a record can have ->
 *
 * If the bytes are damaged, only the whole piece shows where decoding resumes.
 */
static size_t stream_join(struct aux_decoder *d, struct stream *st,
			  const struct piece *p)
{
	size_t cut = st->cut_len, len = (size_t)p->len, used;
	size_t take = len < SPE_RECORD_BYTES_MAX ? len : SPE_RECORD_BYTES_MAX;
	uint8_t *joined = xrealloc(NULL, cut + take);

	memcpy(joined, st->cut, cut);
	copy(joined + cut, p->bytes, take);
	feed(d, joined, cut + take, p->offset - cut);
	if (take < len && begins_with_damage(d)) {
		take = len;
		joined = xrealloc(joined, cut + take);
		memcpy(joined + cut, p->bytes, take);
		d->mapped = true;
		feed(d, joined, cut + take, p->offset - cut);
	}
	decode(d, p, cut, cut, 0);
	if (d->pos >= cut) {
		used = d->pos - cut;
		stream_keep(st, NULL, 0);
	} else {
		/* The piece ends before the record does. */
		used = take;
		stream_keep(st, joined + d->pos, d->len - d->pos);
	}
	free(joined);
	return used;
}

/*
 * Decode @p from @from on, window by window, because a piece may be larger than
 * memory.  The next window begins with the record that this one cuts.  If this
 * one cuts damage, the next window is the rest of the piece.
 */
static size_t stream_windows(struct aux_decoder *d, const struct piece *p,
			     size_t from)
{
	const size_t usual = d->cols ? COPIED : WINDOW;
	size_t window = usual;

	for (;;) {
		size_t left = (size_t)p->len - from;
		size_t len = left < window ? left : window;
		const uint8_t *bytes = p->bytes + from;

		if (d->cols && len <= COPIED)
			bytes = mapped_file_read(bytes, len, d->window);
		d->mapped |= bytes != d->window;
		feed(d, bytes, len, p->offset + from);
		d->more = len < left;
		window = decode(d, p, len, 0, from) ? left : usual;
		if (!d->more)
			return d->len - d->pos;
		if (d->mapped)
			mapped_file_forget(p->bytes + from, d->pos);
		from += d->pos;
		progress_at(d->totals->bytes - p->len + from);
	}
}

/*
 * A piece may begin with the rest of a record whose beginning is not there.  Returns the
 * length of the rest.
 */
static size_t stream_rest(struct aux_decoder *d, const struct piece *p)
{
	struct sample_span span = { .piece = p, .status = ARMSPE_CUT, .rest = true };

	span.to = record_rest(p->bytes, (size_t)p->len);
	if (span.to) {
		d->totals->incomplete += span.to;
		d->totals->incomplete_records++;
		if (d->fn)
			d->fn(d->context, &span);
	}
	return span.to;
}

static void stream_piece(struct aux_decoder *d, struct stream *st,
			 const struct piece *p)
{
	struct sample_span end = {
		.piece = p, .status = ARMSPE_END,
		.from = (size_t)p->len, .to = (size_t)p->len,
	};
	size_t from = 0, left;

	d->totals->bytes += p->len;
	if (st->next != p->offset) {
		stream_give_up(d, st);
		st->lost = false;
	}
	st->next = p->offset + p->len;
	d->lost = false;
	/* Without columns their callers read them there. */
	d->mapped = !d->cols || p->inside || st->lost;
	if (st->cut_len)
		from = stream_join(d, st, p);
	else if (p->inside || st->lost)
		from = stream_rest(d, p);
	if (!st->cut_len) {
		left = stream_windows(d, p, from);
		stream_keep(st, d->bytes + d->len - left, left);
	}
	st->lost = d->lost;
	if (d->fn)
		d->fn(d->context, &end);
	/* It takes a moment also where no page is mapped. */
	if (d->mapped)
		mapped_file_forget(p->bytes, (size_t)p->len);
	progress_at(d->totals->bytes);
}

struct armspe_decoder *decoder_new(void)
{
	size_t size = armspe_decoder_size();

	return armspe_decoder_init(xapart(size), size);
}

struct aux_decoder *aux_decoder_new(const struct session *s, sample_fn fn, void *context,
			    struct sample_totals *totals)
{
	struct aux_decoder *d = xapart(sizeof(*d));

	memset(totals, 0, sizeof(*totals));
	d->session = s;
	d->fn = fn;
	d->context = context;
	d->totals = totals;
	d->dec = decoder_new();
	return d;
}

struct aux_decoder *aux_decoder_batches(const struct session *s, batch_fn fn, void *context,
					struct armspe_columns *cols, struct sample_totals *totals)
{
	struct aux_decoder *d = aux_decoder_new(s, NULL, context, totals);

	d->batch_fn = fn;
	d->cols = cols;
	d->window = xrealloc(NULL, COPIED);
	return d;
}

void aux_decoder_piece(struct aux_decoder *d, size_t nr, const struct piece *p)
{
	struct piece whole = *p;
	uint8_t *made = NULL;

	while (nr >= d->nr_streams) {
		d->stream = array_grow(d->stream, d->nr_streams,
				       &d->room_streams, sizeof(*d->stream));
		memset(&d->stream[d->nr_streams++], 0, sizeof(*d->stream));
	}
	if (p->samples)
		whole.bytes = made = record_samples_bytes(d->session, p);
	d->piece = p;
	stream_piece(d, &d->stream[nr], &whole);
	free(made);
	d->totals->decoded = *armspe_decoder_totals(d->dec);
}

bool aux_decoder_cut_at(const struct aux_decoder *d, size_t nr, uint64_t offset)
{
	return nr < d->nr_streams && d->stream[nr].next == offset &&
	       (d->stream[nr].cut_len || d->stream[nr].lost);
}

void aux_decoder_end(struct aux_decoder *d)
{
	size_t i;

	for (i = 0; i < d->nr_streams; i++)
		stream_give_up(d, &d->stream[i]);
	free(d->stream);
	free(d->window);
	free(d->dec);
	free(d);
}
