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

/* An event that counts one thread */
struct aux_thread {
	uint64_t id;
	int32_t tid;
	bool used;
};

static const struct hash_kind thread_kind = {
	HASH_SLOTS(struct aux_thread, used),
	.key = { HASH_NUMBER(struct aux_thread, id) },
};

struct aux_window {
	int32_t cpu, tid;
	uint32_t number;	/* from 1 on; 0: the slot is unused */
	const uint8_t *first;	/* bytes of the sample behind the last gap, or of an older one */
	size_t first_len;
	const uint8_t *bytes;	/* of the newest sample */
	uint64_t len;		/* without the padding at the end */
	uint64_t end;		/* offset of the stream behind them */
	uint64_t known;		/* from ->first to there, without a gap */
};

static const struct hash_kind window_kind = {
	HASH_SLOTS(struct aux_window, number),
	.key = { HASH_NUMBER(struct aux_window, cpu), HASH_NUMBER(struct aux_window, tid) },
};

static struct aux_window *window_of(struct aux_samples *a, const struct pd_sample *s)
{
	bool has_cpu = s->has_cpu && s->cpu < CPUS_MOST;
	struct aux_window key = {
		.cpu = has_cpu ? (int32_t)s->cpu : NO_ID,
		.tid = has_cpu || !s->has_tid ? NO_ID : s->tid,
	}, *w;
	const struct aux_thread *of_thread = s->has_id ?
		hash_table_find(&a->threads, &thread_kind, &s->id) : NULL;

	if (of_thread) {
		key.cpu = NO_ID;
		key.tid = of_thread->tid;
	}
	w = hash_table_add(&a->windows, &window_kind, &key);
	if (!w->number) {
		key.number = (uint32_t)a->windows.count;
		*w = key;
	}
	return w;
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
	struct aux_thread *t = hash_table_add(&a->threads, &thread_kind, &id);

	*t = (struct aux_thread){ id, tid, true };
}

static void add(struct aux_samples *a, const struct aux_window *w, struct piece p, bool older)
{
	p.idx = 2 * (w->number - 1) + older;
	p.cpu = w->cpu;
	p.tid = w->tid;
	a->pieces = array_grow(a->pieces, a->nr, &a->room, sizeof(*a->pieces));
	a->pieces[a->nr++] = p;
}

void aux_samples_add(struct aux_samples *a, uint64_t file_offset, const struct pd_sample *s)
{
	struct aux_window *w = window_of(a, s);
	uint64_t len = without_padding(s->aux, s->aux_len), skip = overlap(w, s);
	struct piece p = { .file_offset = file_offset };

	/* No record */
	if (!len)
		return;
	if (skip > w->known) {
		/* A larger sample than those before also has older bytes, up to a whole record there. */
		p.bytes = s->aux;
		p.len = skip - w->known + record_rest(w->first, w->first_len);
		p.inside = true;
		p.offset = w->end - skip;
		add(a, w, p, true);
		w->first = s->aux;
		w->first_len = s->aux_len;
		w->known = skip;
	}
	/* Nothing is newer. */
	if (len <= skip)
		return;
	p.inside = !skip;
	if (!skip) {
		w->first = s->aux;
		w->first_len = s->aux_len;
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
	hash_table_free(&a->windows);
	hash_table_free(&a->threads);
	memset(a, 0, sizeof(*a));
}
