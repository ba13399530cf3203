// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>
#include <string.h>

#include "input/input.h"
#include "util/util.h"

/*
 * Fewer equal bytes may be chance.  A record's end has at least a timestamp, whose 9 bytes
 * are never those of another record, and part of an address.
 */
#define OVERLAP_LEAST	12

/* Longer ends of a sample are not looked for in the next one. */
#define OVERLAP_MOST	64

struct aux_thread {
	uint64_t id;
	int32_t tid;
};

struct aux_window {
	int32_t cpu, tid;
	const uint8_t *bytes;	/* of the newest sample */
	uint64_t len;		/* without the padding at the end */
	uint64_t end;		/* offset of the stream behind them */
	uint64_t known;		/* bytes up to there without a gap, of this sample and others */
	uint64_t rest;		/* of them, the first ones: a record's rest */
};

static struct aux_window *window_of(struct aux_samples *a, const struct pd_sample *s)
{
	int32_t cpu = s->has_cpu ? (int32_t)s->cpu : NO_ID;
	int32_t tid = s->has_cpu || !s->has_tid ? NO_ID : s->tid;
	size_t i;

	for (i = 0; s->has_id && i < a->nr_threads; i++)
		if (a->threads[i].id == s->id) {
			cpu = NO_ID;
			tid = a->threads[i].tid;
		}
	for (i = 0; i < a->nr_windows; i++)
		if (a->windows[i].cpu == cpu && a->windows[i].tid == tid)
			return &a->windows[i];
	a->windows = array_grow(a->windows, a->nr_windows, &a->room_windows,
				sizeof(*a->windows));
	a->windows[a->nr_windows] = (struct aux_window){ .cpu = cpu, .tid = tid };
	return &a->windows[a->nr_windows++];
}

static uint64_t without_padding(const uint8_t *bytes, uint64_t len)
{
	while (len && !bytes[len - 1])
		len--;
	return len;
}

/*
 * How many of the first bytes of @s are old: those up to the window's end.  0: a gap is between
 * them.  A larger sample may begin before the window.
 */
static uint64_t overlap(const struct aux_window *w, const struct pd_sample *s)
{
	uint64_t most = w->len < OVERLAP_MOST ? w->len : OVERLAP_MOST;
	const uint8_t *tail = w->bytes + w->len - most, *found;
	uint64_t at = w->len > s->aux_len ? w->len - s->aux_len : 0;

	if (most >= OVERLAP_LEAST) {
		found = memmem(s->aux, s->aux_len, tail, most);
		if (found)
			return (uint64_t)(found - s->aux) + most;
	}
	if (at < w->len - most)
		at = w->len - most;
	for (; at + OVERLAP_LEAST <= w->len; at++)
		if (!memcmp(w->bytes + at, s->aux, w->len - at))
			return w->len - at;
	return 0;
}

void aux_samples_of_thread(struct aux_samples *a, uint64_t id, int32_t tid)
{
	a->threads = array_grow(a->threads, a->nr_threads, &a->room_threads, sizeof(*a->threads));
	a->threads[a->nr_threads++] = (struct aux_thread){ id, tid };
}

static void add(struct aux_samples *a, const struct aux_window *w, struct piece p, bool older)
{
	p.idx = 2 * (uint32_t)(w - a->windows) + older;
	p.cpu = w->cpu;
	p.tid = w->tid;
	a->pieces = array_grow(a->pieces, a->nr, &a->room, sizeof(*a->pieces));
	a->pieces[a->nr++] = p;
}

void aux_samples_add(struct aux_samples *a, uint64_t file_offset, const struct pd_sample *s)
{
	struct aux_window *w = window_of(a, s);
	uint64_t len = without_padding(s->aux, s->aux_len), skip = overlap(w, s), rest = 0;
	struct piece p = { .file_offset = file_offset };

	/* No record */
	if (!len)
		return;
	if (skip > w->known || !skip)
		rest = record_rest(s->aux, s->aux_len);
	if (skip > w->known) {
		/* A larger sample than those before also has older bytes. */
		p.bytes = s->aux;
		p.len = skip - w->known + w->rest;
		p.inside = true;
		p.offset = w->end - skip;
		add(a, w, p, true);
		w->known = skip;
		w->rest = rest;
	}
	/* Nothing is newer. */
	if (len <= skip)
		return;
	p.inside = !skip;
	if (!skip) {
		w->rest = rest;
		w->known = 0;
		w->end++;		/* another offset: the piece continues no record */
	}
	w->bytes = s->aux;
	w->len = len;
	w->known += len - skip;
	p.bytes = s->aux + skip;
	p.len = s->aux_len - skip;
	p.offset = w->end;
	add(a, w, p, false);
	w->end += p.len;
}

struct piece *aux_samples_take(struct aux_samples *a, size_t *count)
{
	struct piece *pieces = a->pieces;

	*count = a->nr;
	a->pieces = NULL;
	a->nr = a->room = 0;
	return pieces;
}

void aux_samples_free(struct aux_samples *a)
{
	free(a->pieces);
	free(a->windows);
	free(a->threads);
	memset(a, 0, sizeof(*a));
}
