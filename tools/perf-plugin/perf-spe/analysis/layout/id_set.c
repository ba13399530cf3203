// SPDX-License-Identifier: GPL-2.0-only
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/layout/layout.h"
#include "util/util.h"

void id_set_add(struct id_set *s, int32_t id)
{
	size_t low;

	lower_bound(low, s->nr, s->ids[low] < id);
	if (low < s->nr && s->ids[low] == id)
		return;
	s->ids = array_grow(s->ids, s->nr, &s->room, sizeof(*s->ids));
	memmove(s->ids + low + 1, s->ids + low, (s->nr - low) * sizeof(*s->ids));
	s->ids[low] = id;
	s->nr++;
}

char *id_set_text(const struct id_set *s)
{
	char *text = xformat("%s", ""), *longer;
	size_t i, end;

	for (i = 0; i < s->nr; i = end) {
		for (end = i + 1; end < s->nr && s->ids[end] == s->ids[end - 1] + 1; end++)
			;
		longer = end - i == 1 ?
			xformat("%s%s%" PRId32, text, *text ? "," : "", s->ids[i]) :
			xformat("%s%s%" PRId32 "-%" PRId32, text, *text ? "," : "", s->ids[i],
				s->ids[end - 1]);
		free(text);
		text = longer;
	}
	return text;
}

void id_set_free(struct id_set *s)
{
	free(s->ids);
}
