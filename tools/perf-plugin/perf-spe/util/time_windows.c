// SPDX-License-Identifier: GPL-2.0-only
#include "util/util.h"

static uint64_t last_of(const struct time_windows *m)
{
	return m->first + 63 - (uint64_t)__builtin_clzll(m->windows);
}

/* Each two windows become one. */
static void widen(struct time_windows *m)
{
	uint64_t windows = 0;
	unsigned int i;

	for (i = 0; i < TIME_WINDOWS; i++)
		if (m->windows >> i & 1)
			windows |= UINT64_C(1) << (((m->first + i) >> 1) - (m->first >> 1));
	m->windows = windows;
	m->first >>= 1;
	m->shift++;
}

void time_windows_extend(struct time_windows *m, uint64_t time)
{
	uint64_t at;

	if (!m->windows)
		*m = (struct time_windows){ 1, time, 0, time, time };
	if (time < m->begin)
		m->begin = time;
	if (time > m->end)
		m->end = time;
	for (;; widen(m)) {
		at = time >> m->shift;
		/* Bit 0 is always set, so that @first is where the span begins. */
		if (at >= m->first && at - m->first < TIME_WINDOWS) {
			m->windows |= UINT64_C(1) << (at - m->first);
			return;
		}
		if (at < m->first && last_of(m) - at < TIME_WINDOWS) {
			m->windows = m->windows << (m->first - at) | 1;
			m->first = at;
			return;
		}
	}
}

/* Make both of the same width, which holds all of both; returns where they begin. */
static uint64_t same_width(struct time_windows *a, struct time_windows *b, unsigned int most)
{
	uint64_t first, last;

	for (;; widen(a)) {
		while (a->shift < b->shift)
			widen(a);
		while (b->shift < a->shift)
			widen(b);
		first = a->first < b->first ? a->first : b->first;
		last = last_of(a) > last_of(b) ? last_of(a) : last_of(b);
		if (last - first < most)
			break;
	}
	a->windows <<= a->first - first;
	b->windows <<= b->first - first;
	return first;
}

void time_windows_merge(struct time_windows *m, const struct time_windows *from)
{
	struct time_windows other = *from;

	if (!other.windows)
		return;
	if (!m->windows) {
		*m = other;
		return;
	}
	m->first = same_width(m, &other, TIME_WINDOWS);
	m->windows |= other.windows;
	if (other.begin < m->begin)
		m->begin = other.begin;
	if (other.end > m->end)
		m->end = other.end;
}

double time_windows_common(const struct time_windows *a, const struct time_windows *b, unsigned int most)
{
	struct time_windows x = *a, y = *b;
	uint64_t both;
	int few, more;

	if (!x.windows || !y.windows)
		return 0;
	same_width(&x, &y, most);
	both = x.windows & y.windows;
	few = __builtin_popcountll(x.windows);
	more = __builtin_popcountll(y.windows);
	if (few > more)
		few = more;
	return (double)__builtin_popcountll(both) / few;
}
