// SPDX-License-Identifier: GPL-2.0-only
#include <stdbool.h>
#include <stdlib.h>

#include "analysis/memory/lines.h"
#include "input/ids.h"
#include "input/process.h"
#include "input/session.h"
#include "output/words/sharing_text.h"
#include "symbols/data_place.h"
#include "util/memory.h"
#include "util/plural.h"

const char *sharing_verdict(const struct line *line)
{
	switch (line->verdict) {
	case LINE_FALSE_SHARING:
		return line->apart ? "no byte shared: false sharing?" :
				     "few bytes shared: false sharing?";
	case LINE_ONE_CPU:
		return "all on one CPU";
	case LINE_IN_TURN:
		return "one after the other";
	case LINE_FEW:
		return "too few samples to tell";
	default:
		return "";
	}
}

char *sharing_cpus(const struct line *line)
{
	return line->cpus ? xformat("%zu CPU%s", line->cpus, plural(line->cpus)) :
			    xformat("unknown CPUs");
}

char *sharing_who(const struct session *s, const struct access *a)
{
	const struct process *p = s && a->pid != NO_ID ?
		session_process(s, a->pid) : NULL;

	if (a->tid != NO_ID)
		return xformat("%d %s", a->tid, p && p->comm ? p->comm : "");
	return a->cpu != NO_ID ? xformat("CPU %d", a->cpu) : xformat("(unknown)");
}

/* How many names a line shows; more are "..." */
#define NAMES 3

static bool same_data(const struct data_place *a, const struct data_place *b)
{
	return a->object == b->object && a->symbol == b->symbol &&
	       (!a->symbol || a->base == b->base);
}

/* "left+0x40 in shared" if it begins before the line, "left at +8 in shared" if after */
static char *name_of(const struct data_place *place)
{
	const struct data_place start = {
		.object = place->object, .symbol = place->symbol,
		.has_base = true,
	};
	char *text, *name;

	if (!place->symbol || (int64_t)place->base <= 0)
		return data_place_text(place, 0);
	name = data_place_text(&start, 0);
	text = xformat("%s at +%d", name, (int)place->base);
	free(name);
	return text;
}

char *sharing_names(const struct line *line)
{
	char *text = xformat("%s", "");
	size_t i, j;
	int count = 0;

	for (i = 0; i < line->nr_accesses && count <= NAMES; i++) {
		const struct data_place *place = &line->accesses[i].data;
		char *more, *name;

		for (j = 0; j < i; j++)
			if (same_data(&line->accesses[j].data, place))
				break;
		if (j < i || !place->object)
			continue;
		name = count < NAMES ? name_of(place) : xformat("...");
		more = xformat("%s%s%s", text, count ? ", " : "", name);
		free(name);
		free(text);
		text = more;
		count++;
	}
	return text;
}
