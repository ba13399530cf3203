// SPDX-License-Identifier: GPL-2.0-only
#include <pthread.h>
#include <stdlib.h>

#include "analysis/rows/rows.h"
#include "analysis/stacks/stacks.h"
#include "input/input.h"
#include "util/util.h"

/* For fewer bytes a second thread costs more than it gains. */
#define WORTH_IT	((uint64_t)4 << 20)

/* One of two threads, which decodes its half of the pieces */
struct worker {
	pthread_t thread;
	struct row_sink sink;
	struct aux_decoder *decoder;
	struct sample_totals totals;
	const struct piece *pieces;
	const size_t *stream_of;		/* numbers of their streams */
	size_t from, to;
};

static void *worker_run(void *context)
{
	struct worker *w = context;
	size_t i;

	for (i = w->from; i < w->to; i++)
		aux_decoder_piece(w->decoder, w->stream_of[i], &w->pieces[i]);
	return NULL;
}

/* The first piece of the second thread; 0 if one thread is enough */
static size_t second_begin(const struct piece *pieces, size_t count)
{
	unsigned int asked = threads_asked();
	uint64_t all = 0, before = 0;
	size_t i;

	for (i = 0; i < count; i++)
		all += pieces[i].len;
	if (asked ? asked < 2 : all < WORTH_IT || threads_cpus() < 2)
		return 0;
	for (i = 0; i < count && 2 * before < all; i++)
		before += pieces[i].len;
	return i < count ? i : count - 1;
}

/*
 * Whether a record begins in the first half and ends in the second.  The second
 * thread did not have its beginning, so its result is wrong.
 */
static bool splits_record(const struct worker *first, const struct worker *second)
{
	size_t i;

	for (i = second->from; i < second->to; i++)
		if (aux_decoder_cut_at(first->decoder, second->stream_of[i],
				   second->pieces[i].offset))
			return true;
	return false;
}

static void add_totals(struct sample_totals *to, const struct sample_totals *t)
{
	to->decoded.records += t->decoded.records;
	to->decoded.packets += t->decoded.packets;
	to->decoded.unknown += t->decoded.unknown;
	to->decoded.padding += t->decoded.padding;
	to->decoded.damaged += t->decoded.damaged;
	to->decoded.damages += t->decoded.damages;
	to->bytes += t->bytes;
	to->incomplete += t->incomplete;
	to->incomplete_records += t->incomplete_records;
	to->cut_packets += t->cut_packets;
}

static bool run(struct worker workers[2])
{
	bool split = pthread_create(&workers[1].thread, NULL, worker_run, &workers[1]);

	if (!split) {
		worker_run(&workers[0]);
		pthread_join(workers[1].thread, NULL);
		split = splits_record(&workers[0], &workers[1]);
	}
	aux_decoder_end(workers[0].decoder);
	aux_decoder_end(workers[1].decoder);
	return !split;
}

bool rows_parallel(struct rows *r, const struct row_taker *taker, void *first, void *second,
		   struct sample_totals *totals)
{
	const struct piece *pieces;
	struct worker workers[2];
	struct rows *twin;
	size_t i, count, mid, *stream_of;
	bool done;

	pieces = source_pieces(&r->src, &count);
	mid = second_begin(pieces, count);
	if (!mid)
		return false;
	stream_of = source_stream_numbers(&r->src);
	twin = rows_twin(r);
	for (i = 0; i < 2; i++) {
		workers[i] = (struct worker){
			.pieces = pieces, .stream_of = stream_of,
			.from = i ? mid : 0, .to = i ? count : mid,
		};
		row_sink_init(&workers[i].sink, i ? twin : r, taker, i ? second : first);
		workers[i].decoder = row_sink_decoder(&workers[i].sink, &workers[i].totals);
	}
	rows_restart(r);
	rows_progress(r, pieces, mid);
	done = run(workers);
	progress_end();
	*totals = workers[0].totals;
	add_totals(totals, &workers[1].totals);
	r->seen += twin->seen;
	r->kept += twin->kept;
	r->sourced += twin->sourced;
	for (i = 0; i < NR_STACK_STATUS; i++)
		r->stack_count[i] += twin->stack_count[i];
	absent_join(&r->absent, &twin->absent);
	for (i = 0; i < 2; i++)
		row_sink_free(&workers[i].sink);
	rows_twin_free(twin);
	free(stream_of);
	return done;
}
