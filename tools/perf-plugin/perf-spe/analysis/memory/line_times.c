// SPDX-License-Identifier: GPL-2.0-only
#include "analysis/memory/memory.h"

/* Whose samples are added to those of an access: see line_when(). */
enum more { MORE_NONE, MORE_CODE, MORE_SHARER, NR_MORE };

/* So many samples, from the first to the last one */
struct span {
	uint64_t samples, begin, end;
};

static bool belongs(const struct access *other, const struct access *a, enum more more)
{
	return other == a || (more != MORE_NONE && other->when.windows &&
			      access_sharer(other) == access_sharer(a) &&
			      (more == MORE_SHARER || access_same_code(other, a)));
}

static struct span span_of(const struct line *line, const struct access *a, enum more more)
{
	struct span s = { 0, a->when.begin, a->when.end };
	size_t i;

	if (more == MORE_NONE) {
		s.samples = a->count;
		return s;
	}
	for (i = 0; i < line->nr_accesses && i < LINE_PAIRED; i++) {
		const struct access *other = &line->accesses[i];

		if (!belongs(other, a, more))
			continue;
		s.samples += other->count;
		if (other->when.begin < s.begin)
			s.begin = other->when.begin;
		if (other->when.end > s.end)
			s.end = other->when.end;
	}
	return s;
}

/* The least number of orders of the samples, if one in 20 of them may have all of one first */
#define ORDERS	40.0

/*
 * Whether all samples of one come before all of the other.  *@chance: in so many of the orders that
 * n and m samples can have, which are (n + m)! / n! / m!, two are such.
 */
static bool is_apart(const struct span *a, const struct span *b, bool *chance)
{
	uint64_t few = a->samples < b->samples ? a->samples : b->samples;
	double more = (double)(a->samples + b->samples - few), orders = 1;
	uint64_t i;

	for (i = 1; i <= few && orders < ORDERS; i++)
		orders *= (more + (double)i) / (double)i;
	*chance = orders < ORDERS;
	return a->end < b->begin || b->end < a->begin;
}

static bool in_common_windows(const struct access *a, const struct access *b, uint64_t rarer)
{
	unsigned int most = rarer / 2 > TIME_WINDOWS ? TIME_WINDOWS :
			    rarer / 2 < 2 ? 2 : (unsigned int)rarer / 2;

	return time_windows_common(&a->when, &b->when, most) > 0.5;
}

enum line_when line_when(const struct line *line, const struct access *a, const struct access *b)
{
	uint64_t rarer = a->count < b->count ? a->count : b->count;
	enum more more;
	bool chance;

	if (!a->when.windows || !b->when.windows)
		return LINE_AT_ONCE;
	for (more = MORE_NONE; more < NR_MORE; more++) {
		struct span x = span_of(line, a, more), y = span_of(line, b, more);

		if (!is_apart(&x, &y, &chance))
			break;
		if (!chance)
			return LINE_APART;
	}
	if (in_common_windows(a, b, rarer))
		return LINE_AT_ONCE;
	return rarer < LINES_ENOUGH ? LINE_WHEN_UNKNOWN : LINE_APART;
}
