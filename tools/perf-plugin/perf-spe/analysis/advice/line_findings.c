// SPDX-License-Identifier: GPL-2.0-only
#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>

#include "analysis/advice/advice.h"
#include "input/input.h"
#include "util/util.h"

#define ROWS_SHOWN	4

/* Bytes of a line */
struct bytes {
	unsigned int first, end;
};

/* As the filter of the finding: whether the access begins there */
static bool is_of(const struct access *a, const struct bytes *bytes)
{
	return a->offset >= bytes->first && a->offset < bytes->end;
}

/*
 * The bytes that the finding is about: all, or those from the first to the last that atomics access.
 * Plain accesses to these wait for the line, too: a loop with compare and exchange begins with one, and
 * the exchange then hits.
 */
static struct bytes bytes_with(const struct line *line, unsigned int all, enum finding_kind kind)
{
	struct bytes bytes = { all, 0 };
	size_t i;

	if (kind != FINDING_ATOMICS)
		return (struct bytes){ 0, all };
	for (i = 0; i < line->nr_accesses; i++) {
		const struct access *a = &line->accesses[i];
		const unsigned int end = (unsigned int)a->offset + a->bytes;

		if (!a->atomics)
			continue;
		bytes.first = a->offset < bytes.first ? a->offset : bytes.first;
		bytes.end = end > bytes.end ? end : bytes.end;
	}
	return bytes;
}

/* Add an access to those of @sums: the plain ones (0), and atomics (1) if the finding tells them apart. */
static void add_sums(struct stake_sums sums[2], const struct access *a, enum finding_kind kind)
{
	struct stake_sums plain = { a->timed, (double)a->cycles, a->squares };

	if (kind == FINDING_ATOMICS) {
		plain.count -= a->atomic.count;
		plain.cycles -= a->atomic.cycles;
		plain.squares -= a->atomic.squares;
		stake_merge(&sums[1], &a->atomic);
	}
	stake_merge(&sums[0], &plain);
}

static void add_access_row(struct finding *f, const struct access *a)
{
	const char *object = a->object ? path_short(a->object) : "-";
	char *code = a->symbol ? xformat("%s", a->symbol) : xformat("0x%" PRIx64, a->pc);

	finding_row_add(f, a->count, a->timed ? (double)a->cycles / (double)a->timed : -1,
			xformat("+%u %s %s %s", a->offset, a->store ? "store" : "load", object,
				code));
	free(code);
}

/* The filter with which "perf spe sharing" shows this line, and the accesses to these bytes */
static char *filter_of(const struct line *line, const struct bytes *bytes)
{
	const char *column = line->physical ? "pa" : "va";
	char *owner = line->pid != NO_ID ? xformat(" and pid == %d%s", line->pid,
						      owner_is_guest(line->process) ? " and guest" : "") :
					      xformat("%s", "");
	char *filter = xformat("%s >= 0x%" PRIx64 " and %s < 0x%" PRIx64 "%s", column,
			       line->address + bytes->first, column, line->address + bytes->end, owner);

	free(owner);
	return filter;
}

static void add_line(const struct line *line, const struct bytes *bytes, enum finding_kind kind,
		     uint64_t samples, const struct stake *stake, struct finding_list *to)
{
	struct finding *f = finding_add(to, kind, samples, stake);
	size_t i;

	f->verb = "sharing";
	f->line = line;
	f->what = line->pid != NO_ID ?
		xformat("line 0x%" PRIx64 " %s %d", line->address, line_of(line), line->pid) :
		xformat("%sline 0x%" PRIx64, line->physical ? "physical " : "", line->address);
	f->filter = filter_of(line, bytes);
	for (i = 0; i < line->nr_accesses && f->nr_rows < ROWS_SHOWN; i++)
		if (is_of(&line->accesses[i], bytes))
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
		       const struct line_base *alone, const struct line_base *atomic,
		       struct finding_list *to)
{
	const struct bytes bytes = bytes_with(line, l->bytes, kind);
	struct stake_sums sums[2][2] = { 0 };	/* loads, stores */
	struct stake all = { 0 };
	bool comparable = false;
	uint64_t samples = 0;
	size_t i;

	for (i = 0; i < line->nr_accesses; i++) {
		const struct access *a = &line->accesses[i];

		if (!is_of(a, &bytes))
			continue;
		add_sums(sums[a->store], a, kind);
		samples += a->count;
	}
	for (i = 0; i < 2; i++) {
		const struct stake plain = stake_of(&sums[i][0], &alone[i].sums);
		const struct stake atomics = stake_of(&sums[i][1], &atomic[i].sums);

		all.cycles += plain.cycles + atomics.cycles;
		all.variance += plain.variance + atomics.variance;
		comparable |= (sums[i][0].count && alone[i].hits) || (sums[i][1].count && atomic[i].hits);
	}
	if (samples >= to->limits.samples && !comparable)
		to->unseen[kind] = "too few samples of other lines that hit the first cache to compare with";
	if (finding_counts(to, kind, samples, &all))
		add_line(line, &bytes, kind, samples, &all, to);
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

void line_findings(const struct lines *l, const struct line_base *alone,
		   const struct line_base *atomic, struct finding_list *to)
{
	size_t i;

	for (i = 0; i < l->nr_sorted; i++) {
		const struct line *line = l->sorted[i];
		enum finding_kind kind = line_flaw(line);

		if (kind != NR_FINDING)
			judge_line(l, line, kind, alone, atomic, to);
	}
}
