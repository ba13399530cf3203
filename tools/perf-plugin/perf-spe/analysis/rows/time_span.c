// SPDX-License-Identifier: GPL-2.0-only
#include "analysis/rows/rows.h"
#include "symbols/symbols.h"

bool time_span_add(struct time_span *span, const struct row *row, uint64_t *time)
{
	/* Also where events have no times to compare it with */
	if (row->time != UINT64_MAX)
		*time = row->time;
	else if (row->session && row->rec->valid & ARMSPE_HAS_TIMESTAMP && row->session->tc.valid)
		*time = session_time_of(&row->session->tc, row->rec->timestamp);
	else
		return false;
	if (!span->samples++)
		span->first = span->last = *time;
	if (*time < span->first)
		span->first = *time;
	if (*time > span->last)
		span->last = *time;
	return true;
}

void time_span_merge(struct time_span *span, const struct time_span *from)
{
	if (from->samples && (!span->samples || from->first < span->first))
		span->first = from->first;
	if (from->samples && (!span->samples || from->last > span->last))
		span->last = from->last;
	span->samples += from->samples;
}
