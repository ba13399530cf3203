// SPDX-License-Identifier: GPL-2.0-only
#include <string.h>

#include "input/input.h"
#include "system/system.h"

/*
 * The event at @at, of which @left bytes are in the ring.  An event that wraps is
 * copied to @room.  NULL if the bytes are not an event.
 */
static const struct perf_event_header *event_at(const struct ring *r,
						uint64_t at, uint64_t left,
						uint8_t *room)
{
	uint64_t from = at & (r->events_size - 1), first = r->events_size - from;
	struct perf_event_header header;

	/* Events are multiples of 8 bytes, so the end never cuts a header. */
	memcpy(&header, r->events + from, sizeof(header));
	if (header.size < sizeof(header) || header.size % 8 ||
	    header.size > left || header.size > r->events_size)
		return NULL;
	if (header.size <= first)
		return (const void *)(r->events + from);
	memcpy(room, r->events + from, first);
	memcpy(room + first, r->events, header.size - first);
	return (const void *)room;
}

bool ring_events(struct ring *r, ring_event_fn fn, void *context)
{
	/* Pairs with the kernel's barrier: bytes before the head are written. */
	uint64_t head = __atomic_load_n(&r->page->data_head, __ATOMIC_ACQUIRE);
	uint64_t at = r->page->data_tail;
	_Alignas(8) uint8_t room[UINT16_MAX + 1];
	const struct perf_event_header *event;

	for (; at != head; at += event->size) {
		event = event_at(r, at, head - at, room);
		if (!event)
			break;
		fn(context, event);
	}
	/* The kernel may overwrite the events after this store. */
	__atomic_store_n(&r->page->data_tail, head, __ATOMIC_RELEASE);
	return at == head;
}

size_t ring_aux(const struct ring *r, struct piece piece[2])
{
	uint64_t head, at;
	size_t n = 0;

	if (!r->aux_size)
		return 0;
	head = __atomic_load_n(&r->page->aux_head, __ATOMIC_ACQUIRE);
	at = r->page->aux_tail;
	if (head - at > r->aux_size)
		at = head - r->aux_size;
	for (; at != head; n++) {
		uint64_t from = at % r->aux_size, len = r->aux_size - from;

		if (len > head - at)
			len = head - at;
		piece[n] = (struct piece){
			.bytes = r->aux + from, .len = len, .offset = at,
			.idx = r->idx, .cpu = r->cpu, .tid = r->tid,
		};
		at += len;
	}
	return n;
}

void ring_aux_free(struct ring *r, const struct piece *piece)
{
	__atomic_store_n(&r->page->aux_tail, piece->offset + piece->len,
			 __ATOMIC_RELEASE);
}

double ring_fill(const struct ring *r)
{
	uint64_t head = __atomic_load_n(&r->page->data_head, __ATOMIC_ACQUIRE);
	double events = (double)(head - r->page->data_tail) / (double)r->events_size, aux;

	if (!r->aux_size)
		return events;
	head = __atomic_load_n(&r->page->aux_head, __ATOMIC_ACQUIRE);
	aux = (double)(head - r->page->aux_tail) / (double)r->aux_size;
	return aux > events ? aux : events;
}

struct time_conv ring_time(const struct ring *r)
{
	const struct perf_event_mmap_page *page = r->page;
	struct time_conv tc;
	uint32_t lock;
	int tries = 1000;

	/* A seqcount: odd while the kernel writes (linux/perf_event.h). */
	do {
		lock = __atomic_load_n(&page->lock, __ATOMIC_ACQUIRE);
		memset(&tc, 0, sizeof(tc));
		tc.valid = page->cap_user_time && page->cap_user_time_zero &&
			   page->time_shift < 64;
		tc.shift = page->time_shift;
		tc.mult = page->time_mult;
		tc.zero = page->time_zero;
		tc.is_short = page->cap_user_time_short;
		tc.cycles = page->time_cycles;
		tc.mask = page->time_mask;
		__atomic_thread_fence(__ATOMIC_ACQUIRE);
	} while ((lock & 1 || page->lock != lock) && --tries);
	return tc;
}
