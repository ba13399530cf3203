// SPDX-License-Identifier: GPL-2.0-only
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "analysis/rows/rows.h"
#include "analysis/stacks/stacks.h"
#include "input/input.h"
#include "util/util.h"

/* For fewer bytes more threads cost more than they gain. */
#define WORTH_IT	((uint64_t)4 << 20)
/*
 * A thread takes pieces of PART bytes at a time, or less if there would be fewer than PARTS parts
 * for each thread: small parts let all threads end at about the same time.
 */
#define PART		((uint64_t)1 << 20)
#define PARTS		4

/* What the threads share */
struct job {
	const struct piece *pieces;
	size_t count;
	size_t threads;
	size_t *stream_of;		/* numbers of their streams */
	bool *cut;			/* whether a record or damage goes on behind the piece */
	size_t *part;			/* the first piece of each part; one more behind the last */
	size_t nr_parts;
	_Atomic size_t next;		/* part */
	const struct row_taker *taker;
	/* Of takers of parts: */
	pthread_mutex_t lock;
	pthread_cond_t passed;		/* the turn */
	size_t turn;			/* the first part that has not ended */
	bool split;			/* a record begins in an ended part and ends in another */
};

/* The part that a thread works on */
struct rows_part {
	struct job *job;
	size_t number;
};

/* One of the threads */
struct worker {
	struct job *job;
	struct rows *rows;
	struct row_sink sink;
	void *context;
	struct rows_part part;
	struct aux_decoder *decoder;
	struct sample_totals totals;
};

bool rows_turn(const struct rows *r)
{
	struct job *job = r->part ? r->part->job : NULL;
	bool split;

	if (!job)
		return true;
	pthread_mutex_lock(&job->lock);
	while (job->turn != r->part->number && !job->split)
		pthread_cond_wait(&job->passed, &job->lock);
	split = job->split;
	pthread_mutex_unlock(&job->lock);
	return !split;
}

/*
 * Whether a record begins in this part and ends in another one.  The thread of that one did
 * not have its beginning, so its result is wrong.
 */
static bool splits_record(const struct job *job, size_t part)
{
	size_t i, k;

	for (i = job->part[part]; i < job->part[part + 1]; i++) {
		if (!job->cut[i])
			continue;
		for (k = i + 1; k < job->count && job->stream_of[k] != job->stream_of[i];)
			k++;
		if (k < job->count && k >= job->part[part + 1] &&
		    job->pieces[k].offset == job->pieces[i].offset + job->pieces[i].len)
			return true;
	}
	return false;
}

static void end_part(struct worker *w)
{
	struct job *job = w->job;

	if (!rows_turn(w->rows))
		return;
	job->taker->part_end(w->context);
	pthread_mutex_lock(&job->lock);
	job->turn++;
	job->split = job->threads > 1 && splits_record(job, w->part.number);
	pthread_cond_broadcast(&job->passed);
	pthread_mutex_unlock(&job->lock);
}

static void work_on_part(struct worker *w)
{
	struct job *job = w->job;
	size_t i;

	for (i = job->part[w->part.number]; i < job->part[w->part.number + 1]; i++) {
		const struct piece *p = &job->pieces[i];

		aux_decoder_piece(w->decoder, job->stream_of[i], p);
		job->cut[i] = aux_decoder_cut_at(w->decoder, job->stream_of[i],
						 p->offset + p->len);
	}
	if (job->taker->part_end)
		end_part(w);
}

static void worker_run(void *context, size_t number)
{
	struct worker *w = (struct worker *)context + number;

	while ((w->part.number = w->job->next++) < w->job->nr_parts)
		work_on_part(w);
}

static void make_parts(struct job *job)
{
	const struct row_taker *taker = job->taker;
	uint64_t all = 0, least = PART, bytes;
	size_t i;

	for (i = 0; i < job->count; i++)
		all += job->pieces[i].len;
	if (all / (PARTS * job->threads) < least)
		least = all / (PARTS * job->threads);
	if (taker->part_end)
		least = taker->part_bytes;
	bytes = least;
	job->part = xcalloc(job->count + 1, sizeof(*job->part));
	for (i = 0; i < job->count; i++) {
		if (bytes >= least) {
			job->part[job->nr_parts++] = i;
			bytes = 0;
		}
		bytes += job->pieces[i].len;
	}
	job->part[job->nr_parts] = job->count;
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

/* Add what the thread counted, and free it.  Thread 0 has the caller's rows. */
static void worker_end(struct worker *w, struct rows *r, struct sample_totals *totals)
{
	size_t i;

	aux_decoder_end(w->decoder);
	add_totals(totals, &w->totals);
	row_sink_free(&w->sink);
	if (w->rows == r)
		return;
	r->seen += w->rows->seen;
	r->kept += w->rows->kept;
	r->guests += w->rows->guests;
	r->sourced |= w->rows->sourced;
	r->physical |= w->rows->physical;
	for (i = 0; i < NR_STACK_STATUS; i++)
		r->stack_count[i] += w->rows->stack_count[i];
	absent_join(&r->absent, &w->rows->absent);
	if (w->rows->data)
		absent_data(&r->absent, data_names_doubts(w->rows->data));
	rows_twin_free(w->rows);
}

size_t rows_threads(const struct rows *r)
{
	size_t asked = threads_asked(), i, count;
	const struct piece *pieces = source_pieces(&r->src, &count);
	uint64_t all = 0;

	for (i = 0; i < count; i++)
		all += pieces[i].len;
	if (!asked)
		asked = all < WORTH_IT ? 1 : threads_cpus();
	return asked < count ? asked : count ? count : 1;
}

static void worker_begin(struct worker *w, struct job *job, struct rows *rows, void *context)
{
	w->job = job;
	w->rows = rows;
	w->context = context;
	w->part.job = job;
	w->rows->part = job->taker->part_end ? &w->part : NULL;
	row_sink_init(&w->sink, rows, job->taker, context);
	w->decoder = row_sink_decoder(&w->sink, &w->totals);
}

bool rows_parallel(struct rows *r, const struct row_taker *taker, void *const *contexts,
		   size_t threads, struct sample_totals *totals)
{
	struct job job = {
		.taker = taker, .threads = threads, .lock = PTHREAD_MUTEX_INITIALIZER,
		.passed = PTHREAD_COND_INITIALIZER,
	};
	struct worker *workers;
	size_t i;

	if (threads < 2 && !taker->part_end)
		return false;
	job.pieces = source_pieces(&r->src, &job.count);
	job.stream_of = source_stream_numbers(&r->src);
	job.cut = xcalloc(job.count, sizeof(*job.cut));
	make_parts(&job);
	rows_restart(r);
	workers = xcalloc(threads, sizeof(*workers));
	for (i = 0; i < threads; i++)
		worker_begin(&workers[i], &job, i ? rows_twin(r) : r, contexts[i]);
	rows_progress(r, job.pieces, job.count, threads);
	/* The threads that start do the work of those that do not. */
	threads_each(threads, worker_run, workers);
	progress_end();
	for (i = 0; threads > 1 && !job.split && i < job.nr_parts; i++)
		job.split = splits_record(&job, i);
	*totals = (struct sample_totals){ 0 };
	for (i = 0; i < threads; i++)
		worker_end(&workers[i], r, totals);
	r->part = NULL;
	free(workers);
	free(job.stream_of);
	free(job.cut);
	free(job.part);
	return !job.split;
}

void rows_read(struct rows *r, const struct row_taker *taker, void *context,
	       const struct row_parts *parts, struct sample_totals *totals)
{
	size_t i, threads = taker->in_order ? 1 : rows_threads(r);
	void **of = xcalloc(threads, sizeof(*of));
	bool done;

	parts->begin(context, context);
	of[0] = context;
	for (i = 1; i < threads; i++) {
		of[i] = xapart(parts->size);
		parts->begin(of[i], context);
	}
	done = rows_parallel(r, taker, of, threads, totals);
	for (i = 1; i < threads; i++) {
		if (done)
			parts->merge(context, of[i]);
		parts->free(of[i]);
		free(of[i]);
	}
	free(of);
	if (done)
		return;
	parts->begin(context, context);
	rows_take_again(r, taker, context, totals);
}
