// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>
#include <string.h>

#include "input/aux_samples.h"
#include "input/ids.h"
#include "input/record_rest.h"
#include "input/sample_event.h"
#include "util/memory.h"

/*
 * Fewer equal bytes may be chance.  A record's end has at least a timestamp, whose 9 bytes
 * are never those of another record, and part of an address.
 */
#define OVERLAP_LEAST	12

struct aux_window {
	int32_t cpu, tid;
	const uint8_t *bytes;
	uint64_t len;		/* without the padding at the end */
	uint64_t end;		/* offset of the stream behind them */
};

static struct aux_window *window_of(struct aux_samples *a, const struct pd_sample *s)
{
	int32_t cpu = s->has_cpu ? (int32_t)s->cpu : NO_ID;
	int32_t tid = s->has_cpu || !s->has_tid ? NO_ID : s->tid;
	size_t i;

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

/* How many of the first bytes of @s the window ends with; 0: a gap is between them */
static uint64_t overlap(const struct aux_window *w, const struct pd_sample *s)
{
	uint64_t at = w->len > s->aux_len ? w->len - s->aux_len : 0;

	for (; at + OVERLAP_LEAST <= w->len; at++)
		if (!memcmp(w->bytes + at, s->aux, w->len - at))
			return w->len - at;
	return 0;
}

void aux_samples_add(struct aux_samples *a, uint64_t file_offset, const struct pd_sample *s)
{
	struct aux_window *w = window_of(a, s);
	uint64_t len = without_padding(s->aux, s->aux_len), skip = overlap(w, s);
	struct piece *p;

	/* Nothing is newer: no record, or those of the sample before. */
	if (len <= skip)
		return;
	if (!skip) {
		skip = record_rest(s->aux, s->aux_len);
		w->end++;		/* another offset: the piece continues no record */
	}
	w->bytes = s->aux;
	w->len = len;
	a->pieces = array_grow(a->pieces, a->nr, &a->room, sizeof(*a->pieces));
	p = &a->pieces[a->nr++];
	*p = (struct piece){
		.file_offset = file_offset, .bytes = s->aux + skip, .len = s->aux_len - skip,
		.offset = w->end, .idx = (uint32_t)(w - a->windows), .cpu = w->cpu, .tid = w->tid,
	};
	w->end += p->len;
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
	memset(a, 0, sizeof(*a));
}
