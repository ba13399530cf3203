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

void time_span_merge(struct time_span *span, const struct time_span *from)
{
	if (from->samples && (!span->samples || from->first < span->first))
		span->first = from->first;
	if (from->samples && (!span->samples || from->last > span->last))
		span->last = from->last;
	span->samples += from->samples;
}
