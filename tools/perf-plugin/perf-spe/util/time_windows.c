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

void time_windows_add(struct time_windows *m, uint64_t time)
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

double time_windows_common(const struct time_windows *a, const struct time_windows *b, unsigned int most)
{
	struct time_windows x = *a, y = *b;
	uint64_t first, last, both;
	int few, more;

	if (!x.windows || !y.windows)
		return 0;
	for (;;) {
		while (x.shift < y.shift)
			widen(&x);
		while (y.shift < x.shift)
			widen(&y);
		first = x.first < y.first ? x.first : y.first;
		last = last_of(&x) > last_of(&y) ? last_of(&x) : last_of(&y);
		if (last - first < most)
			break;
		widen(&x);
	}
	x.windows <<= x.first - first;
	y.windows <<= y.first - first;
	both = x.windows & y.windows;
	few = __builtin_popcountll(x.windows);
	more = __builtin_popcountll(y.windows);
	if (few > more)
		few = more;
	return (double)__builtin_popcountll(both) / few;
}
