// SPDX-License-Identifier: GPL-2.0-only
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/line_findings.h"
#include "input/ids.h"
#include "util/memory.h"

#define ROWS_SHOWN	4

static void add_access_row(struct finding *f, const struct access *a)
{
	const char *slash = a->object ? strrchr(a->object, '/') : NULL;
	const char *object = slash && slash[1] ? slash + 1 : a->object ? a->object : "-";
	char *code = a->symbol ? xformat("%s", a->symbol) : xformat("0x%" PRIx64, a->pc);

	finding_row_add(f, a->count, a->timed ? (double)a->cycles / (double)a->timed : -1,
			xformat("+%u %s %s %s", a->offset, a->store ? "store" : "load", object,
				code));
	free(code);
}

static void add_line(const struct lines *l, const struct line *line, uint64_t samples,
		     const struct stake *stake, struct finding_list *to)
{
	struct finding *f = finding_add(to, FINDING_SHARING, samples, stake);
	const char *column = line->physical ? "pa" : "va";
	size_t i;

	f->verb = "sharing";
	f->line = line;
	f->what = line->pid != NO_ID ?
		xformat("line 0x%" PRIx64 " of process %d", line->address, line->pid) :
		xformat("%sline 0x%" PRIx64, line->physical ? "physical " : "", line->address);
	f->filter = line->pid != NO_ID ?
		xformat("%s >= 0x%" PRIx64 " and %s < 0x%" PRIx64 " and pid == %d", column,
			line->address, column, line->address + l->bytes, line->pid) :
		xformat("%s >= 0x%" PRIx64 " and %s < 0x%" PRIx64, column, line->address, column,
			line->address + l->bytes);
	for (i = 0; i < line->nr_accesses && i < ROWS_SHOWN; i++)
		add_access_row(f, &line->accesses[i]);
}

void line_findings(const struct lines *l, const struct stake_sums *alone,
		   struct finding_list *to)
{
	size_t i, j;

	for (i = 0; i < l->nr_sorted; i++) {
		const struct line *line = l->sorted[i];
		struct stake_sums sums[2] = { 0 };
		struct stake loads, stores, both;

		if (line->verdict != LINE_FALSE_SHARING)
			continue;
		for (j = 0; j < line->nr_accesses; j++) {
			const struct access *a = &line->accesses[j];
			const struct stake_sums one = { a->timed, (double)a->cycles, a->squares };

			stake_merge(&sums[a->store], &one);
		}
		loads = stake_of(&sums[0], &alone[0]);
		stores = stake_of(&sums[1], &alone[1]);
		both = (struct stake){ loads.cycles + stores.cycles,
				       loads.variance + stores.variance };
		if (finding_counts(to, FINDING_SHARING, line->loads + line->stores, &both))
			add_line(l, line, line->loads + line->stores, &both, to);
	}
}
