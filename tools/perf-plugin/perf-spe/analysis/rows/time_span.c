// SPDX-License-Identifier: GPL-2.0-only
#include "analysis/rows/rows.h"
#include "symbols/symbols.h"

bool batch_time(const struct row_batch *b, size_t i, uint64_t *time)
{
	const struct session *s = b->rows->resolver.session;

	*time = b->time[i];
	if (*time == UINT64_MAX && s && b->valid[i] & ARMSPE_HAS_TIMESTAMP && s->tc.valid)
		*time = session_time_of(&s->tc, b->timestamp[i]);
	return *time != UINT64_MAX;
}

struct time_span time_span_of(const struct row_batch *b)
{
	struct time_span span = { .first = UINT64_MAX };
	uint64_t time;
	size_t k;

	for (k = 0; k < b->nr; k++) {
		if (!batch_time(b, b->kept[k], &time))
			continue;
		span.samples++;
		span.first = time < span.first ? time : span.first;
		span.last = time > span.last ? time : span.last;
	}
	return span;
}

void time_span_merge(struct time_span *span, const struct time_span *from)
{
	if (from->samples && (!span->samples || from->first < span->first))
		span->first = from->first;
	if (from->samples && (!span->samples || from->last > span->last))
		span->last = from->last;
	span->samples += from->samples;
}
