// SPDX-License-Identifier: GPL-2.0-only
#include <stdbool.h>
#include <stdlib.h>

#include "analysis/memory/memory.h"
#include "analysis/rows/rows.h"
#include "input/input.h"
#include "output/sentences/sentences.h"
#include "symbols/data/data.h"
#include "util/util.h"

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

char *sharing_who(const struct access *a)
{
	const char *guest = owner_is_guest(a->process) ? "guest in " : "";

	if (a->tid != NO_ID)
		return xformat("%s%d %s", guest, a->tid, a->comm ? a->comm : "");
	return a->cpu != NO_ID ? xformat("%sCPU %d", guest, a->cpu) : xformat("%s(unknown)", guest);
}

char *sharing_why_none(const struct rows *r, const struct lines *l)
{
	static const char advice[] = "record again with --loads --stores";

	if (!l->samples && l->unknown)
		return rows_why_none(r, "of a known process has a data address",
				     "use a perf.data file of perf spe record, which says whose samples they are");
	if (!l->samples)
		return rows_why_none(r, "has a data address", advice);
	if (!lines_know_sharers(l))
		return rows_why_none(r, "has a known thread or CPU, so nothing tells which lines several use",
				     "use a perf.data file of perf spe record");
	if (!lines_written(l))
		return rows_why_none(r, "is a store or an atomic operation, and lines without one are not listed",
				     advice);
	switch (lines_reach(l)) {
	case LINES_ONE_THREAD:
		return r->filter ?
			rows_why_none(r, "is of a second thread, and lines that one thread uses are not listed", advice) :
			xformat("all samples with an address are of one thread, and lines that one thread uses are not listed");
	case LINES_ONE_CPU:
		return r->filter && !l->nr_sorted && !session_one_cpu(r->resolver.session) ?
			rows_why_none(r, "is of a second CPU, and what other CPUs do to a line is not seen", advice) :
			NULL;
	case LINES_SEVERAL:
		break;
	}
	return NULL;
}

/* How many names a line shows; more are "..." */
#define NAMES 3

/* "left+0x40 in shared" if it begins before the line, "left at +8 in shared" if after */
static char *name_of(const struct data_place *place)
{
	struct data_place start = *place;
	char *symbol, *text;

	if (!place->symbol || (int64_t)place->base <= 0)
		return data_place_text(place, 0);
	symbol = xformat("%s at +%d", place->symbol, (int)place->base);
	start.symbol = symbol;
	start.base = 0;
	text = data_place_text(&start, 0);
	free(symbol);
	return text;
}

char *sharing_names(const struct line *line)
{
	char *text = xformat("%s", "");
	size_t i;

	for (i = 0; i < line->nr_names && i <= NAMES; i++) {
		char *name = i < NAMES ? name_of(&line->names[i].place) : xformat("...");
		char *more = xformat("%s%s%s", text, i ? ", " : "", name);

		free(name);
		free(text);
		text = more;
	}
	return text;
}
