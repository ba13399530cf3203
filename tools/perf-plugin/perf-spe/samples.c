// SPDX-License-Identifier: GPL-2.0-only
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "samples.h"

int source_open(struct source *src)
{
	if (!src->raw)
		return session_load(&src->session, src->path);
	if (input_open(&src->in, src->path) < 0)
		return -1;
	if (src->in.size >= 8 && !memcmp(src->in.bytes, "PERFILE2", 8)) {
		say("%s: is a perf.data file: use -i, not --raw", src->path);
		input_close(&src->in);
		return -1;
	}
	src->whole.bytes = src->in.bytes;
	src->whole.len = src->in.size;
	src->whole.cpu = src->whole.tid = NO_ID;
	return 0;
}

void source_close(struct source *src)
{
	if (src->raw)
		input_close(&src->in);
	else
		session_free(&src->session);
}

struct session *source_session(struct source *src)
{
	return src->raw ? NULL : &src->session;
}

const struct piece *source_pieces(const struct source *src, size_t *count)
{
	*count = src->raw ? 1 : src->session.nr_pieces;
	return src->raw ? &src->whole : src->session.pieces;
}

/* One AUX area: pieces with the same index, CPU and thread follow each other. */
struct stream {
	sample_fn fn;
	void *context;
	struct sample_totals *totals;
	uint64_t next;			/* offset at which it goes on */
	uint8_t cut[SPE_RECORD_BYTES_MAX];	/* a record's beginning */
	size_t cut_len;
	struct armspe_decoder dec;
};

bool samples_whole_packets(const uint8_t *bytes, size_t len)
{
	struct armspe_packet packet;

	while (armspe_packet_decode(bytes, len, &packet) == ARMSPE_OK) {
		bytes += armspe_packet_bytes(&packet);
		len -= armspe_packet_bytes(&packet);
	}
	return !len;
}

/* What was cut has no continuation. */
static void stream_give_up(struct stream *st)
{
	if (!st->cut_len)
		return;
	st->totals->incomplete += st->cut_len;
	st->totals->incomplete_records++;
	if (!samples_whole_packets(st->cut, st->cut_len))
		st->totals->cut_packets++;
	st->cut_len = 0;
}

/* Decode up to @stop or a cut record, what comes first; what is left then. */
static size_t stream_decode(struct stream *st, const struct piece *p,
			    size_t stop)
{
	struct armspe_record rec;
	enum armspe_status status;

	while (st->dec.pos < stop) {
		status = armspe_record_next(&st->dec, &rec);
		if (status == ARMSPE_OK)
			st->fn(st->context, p, &rec);
		else if (status != ARMSPE_DAMAGED)
			break;
	}
	return armspe_decoder_left(&st->dec);
}

/*
 * Complete the record that the last piece cut.  Returns how many bytes of @p
 * that took; all of them where it is cut again.
 *
 *   cut record           | this piece
 *   PC | LAT | EV | OP ..|.. | VA | TS | PC | LAT ...
 *   <------ cut ------>   <- at most 2048 bytes are put behind it ->
 */
static size_t stream_join(struct stream *st, const struct piece *p)
{
	uint8_t joined[2 * SPE_RECORD_BYTES_MAX];
	size_t take = p->len < SPE_RECORD_BYTES_MAX ? (size_t)p->len :
						      SPE_RECORD_BYTES_MAX;
	size_t cut = st->cut_len;

	memcpy(joined, st->cut, cut);
	memcpy(joined + cut, p->bytes, take);
	armspe_decoder_feed(&st->dec, joined, cut + take, p->offset - cut);
	stream_decode(st, p, cut);
	if (st->dec.pos >= cut) {
		st->cut_len = 0;
		return st->dec.pos - cut;
	}
	/* Only less than 2048 bytes in all can still be incomplete. */
	st->cut_len = armspe_decoder_left(&st->dec);
	memcpy(st->cut, joined + st->dec.pos, st->cut_len);
	return take;
}

static void stream_piece(struct stream *st, const struct piece *p)
{
	size_t from = 0, left;

	st->totals->bytes += p->len;
	if (st->cut_len && st->next != p->offset)
		stream_give_up(st);
	st->next = p->offset + p->len;
	if (st->cut_len)
		from = stream_join(st, p);
	if (st->cut_len)
		return;
	armspe_decoder_feed(&st->dec, p->bytes + from, (size_t)p->len - from,
			    p->offset + from);
	left = stream_decode(st, p, (size_t)p->len - from);
	memcpy(st->cut, p->bytes + p->len - left, left);
	st->cut_len = left;
}

void samples_totals_add(struct armspe_totals *sum,
			const struct armspe_totals *add)
{
	sum->records += add->records;
	sum->packets += add->packets;
	sum->unknown += add->unknown;
	sum->padding += add->padding;
	sum->damaged += add->damaged;
	sum->damages += add->damages;
}

static bool same_stream(const struct piece *a, const struct piece *b)
{
	return a->idx == b->idx && a->cpu == b->cpu && a->tid == b->tid;
}

/* Stream by stream, each in the order of the file */
static int piece_order(const void *a, const void *b)
{
	const struct piece *x = *(const struct piece *const *)a;
	const struct piece *y = *(const struct piece *const *)b;

	if (x->idx != y->idx)
		return x->idx < y->idx ? -1 : 1;
	if (x->cpu != y->cpu)
		return x->cpu < y->cpu ? -1 : 1;
	if (x->tid != y->tid)
		return x->tid < y->tid ? -1 : 1;
	return x < y ? -1 : x > y;
}

void samples_each(const struct source *src, sample_fn fn, void *context,
		  struct sample_totals *totals)
{
	const struct piece *pieces, **sorted;
	struct stream *st = xcalloc(1, sizeof(*st));
	size_t i, count;

	memset(totals, 0, sizeof(*totals));
	st->fn = fn;
	st->context = context;
	st->totals = totals;
	pieces = source_pieces(src, &count);
	sorted = xcalloc(count, sizeof(*sorted));
	for (i = 0; i < count; i++)
		sorted[i] = &pieces[i];
	qsort(sorted, count, sizeof(*sorted), piece_order);

	/* Layouts that the decoder learnt serve all streams. */
	armspe_decoder_init(&st->dec, NULL, 0, 0);
	for (i = 0; i < count; i++) {
		if (i && !same_stream(sorted[i], sorted[i - 1]))
			stream_give_up(st);
		stream_piece(st, sorted[i]);
	}
	stream_give_up(st);
	samples_totals_add(&totals->decoded, &st->dec.totals);
	free(sorted);
	free(st);
}

int samples_verdict(const struct source *src,
		    const struct sample_totals *totals)
{
	const struct armspe_totals *d = &totals->decoded;
	int rc = EXIT_OK;

	if (!d->records && d->damaged) {
		say("%s: no SPE record in %" PRIu64 " bytes: is this SPE data?",
		    src->path, totals->bytes);
		return EXIT_INPUT;
	}
	/* Text and programs decode too, mostly to packets that nobody defined. */
	if (2 * d->unknown > d->packets) {
		say("%s: %" PRIu64 " of %" PRIu64
		    " packets are unknown: is this SPE data?", src->path,
		    d->unknown, d->packets);
		rc = EXIT_INPUT;
	}
	if (d->damaged) {
		say("%s: %" PRIu64 " damaged bytes in %" PRIu64
		    " places were left out", src->path, d->damaged, d->damages);
		rc = EXIT_INPUT;
	}
	if (totals->incomplete)
		say("%s: %" PRIu64 " bytes of %" PRIu64
		    " incomplete records were left out: the data ends inside them",
		    src->path, totals->incomplete, totals->incomplete_records);
	if (totals->cut_packets)
		rc = EXIT_INPUT;
	return rc;
}
