// SPDX-License-Identifier: GPL-2.0-only
/*
 * Pieces of AUX data, one after the other, to the records that they hold.
 */
#include <stdlib.h>
#include <string.h>

#include "input/samples.h"

/*
 * One AUX area.  What is kept between its pieces is a record's beginning.
 */
struct stream {
	uint64_t next;			/* offset at which it goes on */
	uint8_t *cut;
	size_t cut_len;			/* at most SPE_RECORD_BYTES_MAX */
};

struct streams {
	sample_fn fn;
	void *context;
	struct sample_totals *totals;
	const struct input *in;		/* NULL: the pieces are in no file */
	bool more;			/* the window is not the piece's last */
	struct armspe_decoder dec;	/* the layouts it learns serve all streams */
	struct stream *stream;
	size_t nr_streams, room_streams;
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

/* What was cut has no continuation. */
static void stream_give_up(struct streams *w, struct stream *st)
{
	if (!st->cut_len)
		return;
	w->totals->incomplete += st->cut_len;
	w->totals->incomplete_records++;
	if (!ends_between_packets(st->cut, st->cut_len))
		w->totals->cut_packets++;
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
 * Report what stands at [from, to) of the decoder's bytes, of which the first
 * @before are no part of the piece and the others begin at its @skip.
 */
static void emit(struct streams *w, struct sample_span *span, size_t from,
		 size_t to, size_t before, size_t skip)
{
	span->carried = w->dec.bytes + from;
	span->carried_len = from < before ? (to < before ? to : before) - from :
					    0;
	span->from = from < before ? 0 : from - before + skip;
	span->to = to < before ? 0 : to - before + skip;
	w->fn(w->context, span);
}

static void forget(const struct streams *w, const uint8_t *from, size_t len)
{
	if (w->in)
		input_forget(w->in, from, len);
}

/* Bytes of a piece that are decoded, and in memory, at once */
#define WINDOW		((size_t)16 << 20)

/*
 * Whether where damage ended was decided by the end of the window: resync.c
 * looks over padding and then at no more than a record.
 */
static bool damage_needs_more(const struct armspe_decoder *dec)
{
	size_t left = armspe_decoder_left(dec), run = 0;

	while (run < left && !dec->bytes[dec->pos + run])
		run++;
	return left - run < SPE_RECORD_BYTES_MAX;
}

/*
 * Decode until @stop is passed or a record is cut; @before, @skip as above.
 * True where damage is left that a longer window has to be looked at for.
 */
static bool decode(struct streams *w, const struct piece *p, size_t stop,
		   size_t before, size_t skip)
{
	struct sample_span span = { .piece = p };
	struct armspe_totals totals;
	struct armspe_record rec;

	while (w->dec.pos < stop) {
		size_t from = w->dec.pos;

		totals = w->dec.totals;
		span.status = armspe_record_next(&w->dec, &rec);
		span.rec = span.status == ARMSPE_OK ? &rec : NULL;
		if (span.status == ARMSPE_END ||
		    (span.status == ARMSPE_CUT && w->more))
			break;
		if (span.status == ARMSPE_DAMAGED && w->more &&
		    damage_needs_more(&w->dec)) {
			w->dec.pos = from;
			w->dec.totals = totals;
			return true;
		}
		from = w->dec.pos;
		if (span.status != ARMSPE_CUT)
			from = (size_t)(rec.offset - w->dec.offset);
		emit(w, &span, from, span.status == ARMSPE_CUT ? w->dec.len :
		     from + rec.bytes, before, skip);
		if (span.status == ARMSPE_CUT)
			break;
	}
	return false;
}

static bool begins_with_damage(struct streams *w)
{
	struct armspe_totals totals = w->dec.totals;
	struct armspe_record rec;
	bool damaged = armspe_record_next(&w->dec, &rec) == ARMSPE_DAMAGED;

	w->dec.totals = totals;
	w->dec.pos = 0;
	return damaged;
}

/*
 * Complete the record that the last piece cut.  Returns how many bytes of @p
 * that took; all of them where it is cut again.
 *
 *   cut record           | this piece
 *   PC | LAT | EV | OP ..|.. | VA | TS | PC | LAT ...
 *   <------ cut ------>   <- what a record can have is put behind it ->
 *
 * Where decoding goes on behind damage only the whole piece can tell.
 */
static size_t stream_join(struct streams *w, struct stream *st,
			  const struct piece *p)
{
	size_t cut = st->cut_len, len = (size_t)p->len, used;
	size_t take = len < SPE_RECORD_BYTES_MAX ? len : SPE_RECORD_BYTES_MAX;
	uint8_t *joined = xrealloc(NULL, cut + take);

	memcpy(joined, st->cut, cut);
	memcpy(joined + cut, p->bytes, take);
	armspe_decoder_feed(&w->dec, joined, cut + take, p->offset - cut);
	if (take < len && begins_with_damage(w)) {
		take = len;
		joined = xrealloc(joined, cut + take);
		memcpy(joined + cut, p->bytes, take);
		armspe_decoder_feed(&w->dec, joined, cut + take,
				    p->offset - cut);
	}
	decode(w, p, cut, cut, 0);
	if (w->dec.pos >= cut) {
		used = w->dec.pos - cut;
		stream_keep(st, NULL, 0);
	} else {
		/* Less than a whole record is there: it was all of the piece. */
		used = take;
		stream_keep(st, joined + w->dec.pos,
			    armspe_decoder_left(&w->dec));
	}
	free(joined);
	return used;
}

/*
 * What of @p begins at @from, window by window: a piece may be larger than
 * memory.  A record that a window cuts begins the next one; where it cuts
 * damage, the next one is as long as the piece.
 */
static size_t stream_windows(struct streams *w, const struct piece *p,
			     size_t from)
{
	size_t window = WINDOW;

	for (;;) {
		size_t left = (size_t)p->len - from;
		size_t len = left < window ? left : window;

		armspe_decoder_feed(&w->dec, p->bytes + from, len,
				    p->offset + from);
		w->more = len < left;
		window = decode(w, p, len, 0, from) ? left : WINDOW;
		if (!w->more)
			return armspe_decoder_left(&w->dec);
		forget(w, p->bytes + from, w->dec.pos);
		from += w->dec.pos;
		progress_at(w->totals->bytes - p->len + from);
	}
}

static void stream_piece(struct streams *w, struct stream *st,
			 const struct piece *p)
{
	struct sample_span end = {
		.piece = p, .status = ARMSPE_END,
		.from = (size_t)p->len, .to = (size_t)p->len,
	};
	size_t from = 0, left;

	w->totals->bytes += p->len;
	if (st->next != p->offset)
		stream_give_up(w, st);
	st->next = p->offset + p->len;
	if (st->cut_len)
		from = stream_join(w, st, p);
	if (!st->cut_len) {
		left = stream_windows(w, p, from);
		stream_keep(st, p->bytes + p->len - left, left);
	}
	w->fn(w->context, &end);
	forget(w, p->bytes, (size_t)p->len);
	progress_at(w->totals->bytes);
}

struct streams *streams_new(sample_fn fn, void *context,
			    struct sample_totals *totals,
			    const struct input *in)
{
	struct streams *w = xcalloc(1, sizeof(*w));

	memset(totals, 0, sizeof(*totals));
	w->fn = fn;
	w->context = context;
	w->totals = totals;
	w->in = in;
	armspe_decoder_init(&w->dec, NULL, 0, 0);
	return w;
}

void streams_piece(struct streams *w, size_t nr, const struct piece *p)
{
	while (nr >= w->nr_streams) {
		w->stream = array_grow(w->stream, w->nr_streams,
				       &w->room_streams, sizeof(*w->stream));
		memset(&w->stream[w->nr_streams++], 0, sizeof(*w->stream));
	}
	stream_piece(w, &w->stream[nr], p);
	w->totals->decoded = w->dec.totals;
}

bool streams_cut_at(const struct streams *w, size_t nr, uint64_t offset)
{
	return nr < w->nr_streams && w->stream[nr].cut_len &&
	       w->stream[nr].next == offset;
}

void streams_end(struct streams *w)
{
	size_t i;

	for (i = 0; i < w->nr_streams; i++)
		stream_give_up(w, &w->stream[i]);
	free(w->stream);
	free(w);
}
