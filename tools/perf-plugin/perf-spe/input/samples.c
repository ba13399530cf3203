// SPDX-License-Identifier: GPL-2.0-only
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "input/samples.h"

bool source_option(struct source *src, const char *path, bool raw)
{
	if (src->path) {
		say("one input at a time: -i FILE or --raw FILE, once");
		return false;
	}
	src->path = path;
	src->raw = raw;
	return true;
}

int source_open(struct source *src)
{
	if (!src->path)
		src->path = "perf.data";
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

const struct input *source_input(const struct source *src)
{
	return src->raw ? &src->in : &src->session.pd.in;
}

static bool same_stream(const struct piece *a, const struct piece *b)
{
	return a->idx == b->idx && a->cpu == b->cpu && a->tid == b->tid;
}

static int stream_order(const void *a, const void *b)
{
	const struct piece *x = *(const struct piece *const *)a;
	const struct piece *y = *(const struct piece *const *)b;

	if (x->idx != y->idx)
		return x->idx < y->idx ? -1 : 1;
	if (x->cpu != y->cpu)
		return x->cpu < y->cpu ? -1 : 1;
	return x->tid < y->tid ? -1 : x->tid > y->tid;
}

size_t *source_streams(const struct source *src)
{
	const struct piece **sorted, *pieces;
	size_t i, count, streams = 0, *of;

	pieces = source_pieces(src, &count);
	sorted = xcalloc(count, sizeof(*sorted));
	of = xcalloc(count, sizeof(*of));
	for (i = 0; i < count; i++)
		sorted[i] = &pieces[i];
	qsort(sorted, count, sizeof(*sorted), stream_order);
	for (i = 0; i < count; i++) {
		streams += !i || !same_stream(sorted[i], sorted[i - 1]);
		of[sorted[i] - pieces] = streams - 1;
	}
	free(sorted);
	return of;
}

void samples_each(const struct source *src, sample_fn fn, void *context,
		  struct sample_totals *totals)
{
	struct streams *streams = streams_new(fn, context, totals,
					      source_input(src));
	const struct piece *pieces;
	size_t i, count, *of;

	pieces = source_pieces(src, &count);
	of = source_streams(src);
	for (i = 0; i < count; i++)
		streams_piece(streams, of[i], &pieces[i]);
	streams_end(streams);
	free(of);
}

int samples_verdict(const struct source *src,
		    const struct sample_totals *totals)
{
	const struct armspe_totals *d = &totals->decoded;
	int rc = EXIT_OK;

	if (!d->records && (d->damaged || totals->incomplete)) {
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
