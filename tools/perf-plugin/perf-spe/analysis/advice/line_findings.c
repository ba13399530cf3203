// SPDX-License-Identifier: GPL-2.0-only
#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>

#include "analysis/advice/advice.h"
#include "input/input.h"
#include "util/util.h"

#define ROWS_SHOWN	4

/* The samples of an access that the finding is about */
static struct stake_sums sums_of(const struct access *a, enum finding_kind kind)
{
	return kind == FINDING_ATOMICS ? a->atomic :
	       (struct stake_sums){ a->timed, (double)a->cycles, a->squares };
}

static uint64_t samples_of(const struct access *a, enum finding_kind kind)
{
	return kind == FINDING_ATOMICS ? a->atomics : a->count;
}

static void add_access_row(struct finding *f, const struct access *a)
{
	const char *object = a->object ? path_short(a->object) : "-";
	char *code = a->symbol ? xformat("%s", a->symbol) : xformat("0x%" PRIx64, a->pc);
	struct stake_sums sums = sums_of(a, f->kind);

	finding_row_add(f, samples_of(a, f->kind),
			sums.count ? sums.cycles / (double)sums.count : -1,
			xformat("+%u %s %s %s", a->offset, a->store ? "store" : "load", object,
				code));
	free(code);
}

/* The filter with which "perf spe sharing" shows this line, and these accesses */
static char *filter_of(const struct lines *l, const struct line *line, enum finding_kind kind)
{
	const char *column = line->physical ? "pa" : "va";
	char *owner = line->pid != NO_ID ? xformat(" and pid == %d%s", line->pid,
						      owner_is_guest(line->process) ? " and guest" : "") :
					      xformat("%s", "");
	char *filter = xformat("%s >= 0x%" PRIx64 " and %s < 0x%" PRIx64 "%s%s", column,
			       line->address, column, line->address + l->bytes, owner,
			       kind == FINDING_ATOMICS ?
			       " and (op_flags has AT or op_flags has EXCL)" : "");

	free(owner);
	return filter;
}

static void add_line(const struct lines *l, const struct line *line, enum finding_kind kind,
		     uint64_t samples, const struct stake *stake, struct finding_list *to)
{
	struct finding *f = finding_add(to, kind, samples, stake);
	size_t i;

	f->verb = "sharing";
	f->line = line;
	f->what = line->pid != NO_ID ?
		xformat("line 0x%" PRIx64 " %s %d", line->address, line_of(line), line->pid) :
		xformat("%sline 0x%" PRIx64, line->physical ? "physical " : "", line->address);
	f->filter = filter_of(l, line, kind);
	for (i = 0; i < line->nr_accesses && f->nr_rows < ROWS_SHOWN; i++)
		if (samples_of(&line->accesses[i], kind))
			add_access_row(f, &line->accesses[i]);
}

/* Whether two sharers access the line by atomics */
static bool is_contended(const struct line *line)
{
	const struct access *first = NULL;
	size_t i;

	for (i = 0; i < line->nr_accesses; i++) {
		const struct access *a = &line->accesses[i];

		if (!a->atomics)
			continue;
		if (first && (first->tid != a->tid || (a->tid == NO_ID && first->cpu != a->cpu)))
			return true;
		first = first ? first : a;
	}
	return false;
}

static void judge_line(const struct lines *l, const struct line *line, enum finding_kind kind,
		       const struct stake_sums *alone, struct finding_list *to)
{
	struct stake_sums sums[2] = { 0 };
	struct stake loads, stores, both;
	uint64_t samples = 0;
	size_t i;

	for (i = 0; i < line->nr_accesses; i++) {
		const struct stake_sums one = sums_of(&line->accesses[i], kind);

		stake_merge(&sums[line->accesses[i].store], &one);
		samples += samples_of(&line->accesses[i], kind);
	}
	loads = stake_of(&sums[0], &alone[0]);
	stores = stake_of(&sums[1], &alone[1]);
	both = (struct stake){ loads.cycles + stores.cycles, loads.variance + stores.variance };
	if (finding_counts(to, kind, samples, &both))
		add_line(l, line, kind, samples, &both, to);
}

enum finding_kind line_flaw(const struct line *line)
{
	if (!line->shared)
		return NR_FINDING;
	if (line->verdict == LINE_FALSE_SHARING)
		return FINDING_SHARING;
	/* Threads on one CPU do not wait for each other; unknown CPUs may differ. */
	return line->verdict == LINE_COMMON && line->cpus != 1 && is_contended(line) ?
	       FINDING_ATOMICS : NR_FINDING;
}

void line_findings(const struct lines *l, const struct stake_sums *alone,
		   const struct stake_sums *atomic, struct finding_list *to)
{
	size_t i;

	for (i = 0; i < l->nr_sorted; i++) {
		const struct line *line = l->sorted[i];
		enum finding_kind kind = line_flaw(line);

		if (kind != NR_FINDING)
			judge_line(l, line, kind, kind == FINDING_SHARING ? alone : atomic, to);
	}
}
