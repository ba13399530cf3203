// SPDX-License-Identifier: GPL-2.0-only
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "output/layout/layout.h"
#include "output/text/text.h"
#include "util/util.h"

/* Characters of "read by" and "written by" */
#define WHO	12
/* Characters of a row before the definition; narrow: with fewer numbers, on a terminal below WIDE columns */
#define BEFORE		106
#define BEFORE_NARROW	53
#define WIDE		120u

/* "CPU 0-3", "tid 10,11", "-"; only the number if there are too many.  To be freed. */
static char *who_text(const struct id_set *cpus, const struct id_set *threads)
{
	const struct id_set *s = cpus->nr ? cpus : threads;
	char *ids = id_set_text(s), *text;

	text = s->nr ? xformat("%s %s", s == cpus ? "CPU" : "tid", ids) : xformat("-");
	if (strlen(text) > WHO) {
		free(text);
		text = xformat("%zu %s", s->nr, s == cpus ? "CPUs" : "threads");
	}
	free(ids);
	return text;
}

static void put_latency(const struct layout_view *v, const struct hist *total, FILE *to)
{
	if (total->count)
		fprintf(to, " %8.1f", hist_mean(total));
	else
		fprintf(to, " %8s", "-");
	if (!v->narrow && total->count)
		fprintf(to, " %6u", hist_percentile(total, 99));
	else if (!v->narrow)
		fprintf(to, " %6s", "-");
}

static void put_who(const struct layout_sums *s, FILE *to)
{
	char *reads = who_text(&s->cpus[0], &s->threads[0]);
	char *writes = who_text(&s->cpus[1], &s->threads[1]);

	fprintf(to, "  %-*s  %-*s", WHO, reads, WHO, writes);
	free(reads);
	free(writes);
}

static void put_sums(const struct layout_view *v, const struct layout_sums *s, const char *shared, FILE *to)
{
	fprintf(to, " %6.2f%% %8" PRIu64, percent(s->samples, v->heat->all.samples), s->samples);
	if (!v->narrow)
		fprintf(to, " %8" PRIu64 " %8" PRIu64, s->loads, s->stores);
	put_latency(v, &s->total, to);
	if (!v->narrow)
		put_who(s, to);
	fprintf(to, "  %-10s", *shared ? shared : "-");
}

static void put_extent(const struct layout_row *row, FILE *to)
{
	char *at;

	if (!row->bit_field && row->kind != LAYOUT_BITS) {
		fprintf(to, " %7" PRIu64 " %6" PRIu64, row->low / 8, (row->high - row->low) / 8);
		return;
	}
	at = xformat("%" PRIu64 ":%" PRIu64, row->low / 8, row->low % 8);
	fprintf(to, " %7s %6s", at, "");
	free(at);
}

static void put_totals(const struct layout_view *v, FILE *to)
{
	const struct layout *l = v->heat->layout;
	uint64_t bytes = v->heat->lines.bytes, sum = 0, hole = 0, bits = 0, padding = 0;
	size_t i, holes = 0;

	for (i = 0; i < l->nr; i = l->rows[i].end) {
		const struct layout_row *row = &l->rows[i];
		uint64_t extent = (row->high - row->low) / 8;

		if (row->type) {
			sum += row->bit_field ? 0 : extent;
		} else if (row->kind == LAYOUT_BITS) {
			bits += row->high - row->low;
		} else if (layout_is_padding(l, i)) {
			padding += extent;
		} else {
			holes++;
			hole += extent;
		}
	}
	fprintf(to, "# %zu member%s: %" PRIu64 " bytes without bit-fields", l->members, plural(l->members), sum);
	if (holes)
		fprintf(to, ", %zu hole%s of %" PRIu64 " bytes", holes, plural(holes), hole);
	if (bits)
		fprintf(to, ", bit-fields leave %" PRIu64 " bits", bits);
	if (padding)
		fprintf(to, ", padding of %" PRIu64 " bytes", padding);
	fprintf(to, ", %" PRIu64 " bytes in the last cache line\n", l->size % bytes ? l->size % bytes : bytes);
}

static void put_samples(const struct layout_view *v, FILE *to)
{
	const struct layout_sums *all = &v->heat->all;

	fprintf(to, "# %" PRIu64 " sample%s of it: %" PRIu64 " load%s, %" PRIu64 " store%s\n", all->samples,
		plural(all->samples), all->loads, plural(all->loads), all->stores, plural(all->stores));
	if (v->heat->astride)
		put_sentence(to, "# ", xformat("# %.2f%% of them in instances that do not begin with a cache line: there its lines begin elsewhere",
					   percent(v->heat->astride, all->samples)));
	if (v->heat->unknown)
		fprintf(to, "# %" PRIu64 " of them in an (unknown) member\n", v->heat->unknown);
	if (v->heat->layout->incomplete)
		fputs("# members are missing: the debugging information is damaged, or has too many\n", to);
}

static void put_summary(const struct layout_view *v, FILE *to)
{
	const struct layout *l = v->heat->layout;
	uint64_t bytes = v->heat->lines.bytes, lines = (l->size + bytes - 1) / bytes;
	char *objects = layout_objects(v->type);

	fputs("# ", to);
	put_name(l->name, to);
	fputs(" in ", to);
	put_name(objects, to);
	free(objects);
	if (l->source) {
		fputs(", declared at ", to);
		put_name(l->source, to);
	}
	fprintf(to, ": %" PRIu64 " byte%s, %" PRIu64 " cache line%s of %" PRIu64 " bytes\n", l->size,
		plural(l->size), lines, plural(lines), bytes);
}

static void put_heads(const struct layout_view *v, FILE *to)
{
	fprintf(to, "# %6s %8s", "share", "count");
	if (v->narrow)
		fprintf(to, " %8s", "mean");
	else
		fprintf(to, " %8s %8s %8s %6s  %-*s  %-*s", "loads", "stores", "mean", "p99", WHO, "read by",
			WHO, "written by");
	fprintf(to, "  %-10s %7s %6s  %s\n", "sharing", "offset", "size", "definition");
}

static void put_definition(const struct layout_view *v, FILE *to)
{
	const struct layout *l = v->heat->layout;
	struct layout_lines lines = {
		.layout = l, .bytes = v->heat->lines.bytes, .open = -1,
		.before = v->narrow ? BEFORE_NARROW : BEFORE,
	};
	size_t i;

	put_heads(v, to);
	layout_lines_begin(&lines, to);
	for (i = 0; i < l->nr; i++) {
		layout_lines_before(&lines, i, to);
		put_sums(v, &v->heat->rows[i], layout_shared(v->sharing, i), to);
		put_extent(&l->rows[i], to);
		layout_lines_row(&lines, i, to);
	}
	layout_lines_end(&lines, to);
	put_totals(v, to);
	layout_words(v, to);
}

void layout_text(struct layout_view *v)
{
	const size_t width = fitted_width();
	struct fitted fitted;
	FILE *to;

	v->narrow = width && width < WIDE;
	heading_print(stdout, v->rows);
	to = fitted_begin(&fitted);
	put_summary(v, to);
	put_samples(v, to);
	table_flags(to, v->rows->resolver.session);
	table_names(to, &v->rows->resolver);
	put_definition(v, to);
	fitted_end(&fitted);
	if (v->narrow)
		put_sentence(stdout, "# ", xformat("# loads, stores, p99, readers and writers: a terminal of %u columns, a pipe or --csv has them", WIDE));
}

void layout_text_short(const struct layout_view *v, FILE *to)
{
	put_summary(v, to);
	put_samples(v, to);
	put_definition(v, to);
}
