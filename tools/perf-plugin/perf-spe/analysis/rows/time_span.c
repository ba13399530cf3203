// SPDX-License-Identifier: GPL-2.0-only
#include "analysis/rows/rows.h"
#include "symbols/symbols.h"

void time_span_merge(struct time_span *span, const struct time_span *from)
{
	if (from->samples && (!span->samples || from->first < span->first))
		span->first = from->first;
	if (from->samples && (!span->samples || from->last > span->last))
		span->last = from->last;
	span->samples += from->samples;
}
