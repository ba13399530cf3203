// SPDX-License-Identifier: GPL-2.0-only
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/groups/groups.h"
#include "analysis/rows/rows.h"
#include "analysis/stats/stats.h"
#include "armspe.h"
#include "input/input.h"
#include "output/text/text.h"
#include "symbols/data/data.h"
#include "util/util.h"

void table_latency(FILE *to, const struct hist *h)
{
	if (h->count)
		fprintf(to, " %8.1f %6u %6u", hist_mean(h), hist_percentile(h, 50),
		       hist_percentile(h, 99));
	else
		fprintf(to, " %8s %6s %6s", "-", "-", "-");
}

void table_cost(FILE *to, uint64_t timed, uint64_t cycles, uint64_t all)
{
	if (timed)
		fprintf(to, "%8.2f%%", percent(cycles, all));
	else
		fprintf(to, "%9s", "-");
}

static void print_gaps(FILE *to, const struct session *s)
{
	size_t count, i;
	struct gap *gaps = session_gaps(s, &count);

	for (i = 0; i < count; i++) {
		const struct gap *gap = &gaps[i];

		fprintf(to, "# CPU %u went offline: no samples of it after %.6f", gap->cpu,
			(double)gap->from / 1e9);
		if (gap->to > gap->from)
			fprintf(to, ", in the last %.6f seconds of the recording",
				(double)(gap->to - gap->from) / 1e9);
		putc('\n', to);
	}
	free(gaps);
}

void table_names(FILE *to, const struct resolver *r)
{
	const char *missing = data_names_missing(r);

	if (missing)
		put_sentence(to, "# ", xformat("# names of data: %s", missing));
}

void table_flags(FILE *to, const struct session *s)
{
	if (!s)
		return;
	if (s->pd.damaged)
		fputs("# file: truncated or damaged, so a part of the recording is missing\n", to);
	if (s->aux_truncated || s->aux_partial || s->aux_collision)
		fprintf(to, "# AUX data: %" PRIu64 " time%s truncated, %" PRIu64
		       " partial, %" PRIu64 " with collisions\n",
		       s->aux_truncated, plural(s->aux_truncated),
		       s->aux_partial, s->aux_collision);
	if (s->lost_records)
		fprintf(to, "# lost: %" PRIu64 " perf record%s\n", s->lost_records,
			plural(s->lost_records));
	print_gaps(to, s);
}

void table_key(const struct field *field, const struct tally_key *key,
	       char *text, size_t size)
{
	if (!key->present)
		snprintf(text, size, "-");
	else if (field->kind == FIELD_TEXT)
		snprintf(text, size, "%s", *key->text ? key->text : "(none)");
	else if (field->kind == FIELD_ADDRESS)
		snprintf(text, size, "0x%" PRIx64, key->number);
	else
		snprintf(text, size, "%" PRIu64, key->number);
}

char *table_keys(const struct tally *t, const struct tally_row *row)
{
	char *keys = xformat("%s", ""), key[1024];
	size_t n;

	for (n = 0; n < t->nr_by; n++) {
		table_key(t->by[n], &row->key[n], key, sizeof(key));
		/* Of the column guest a reader would see a bare "yes". */
		if (!(t->by[n]->columns & ROW_GUEST))
			keys = xappend(keys, "%s%s", n ? " " : "", key);
		else if (row->key[n].present)
			keys = xappend(keys, " (guest)");
	}
	return keys;
}

/* The lines above a table */
static char *above(const struct session *s, const char *first)
{
	char *text = NULL;
	size_t len;
	FILE *to = open_memstream(&text, &len);

	if (!to)
		exit(EXIT_INPUT);
	fputs(first, to);
	table_flags(to, s);
	fclose(to);
	return text;
}

static char *below(size_t rows, size_t all)
{
	return rows < all ? xformat("# %zu more row%s\n", all - rows,
				    plural(all - rows)) : NULL;
}

static size_t nr_rows(size_t all, uint64_t limit)
{
	return limit && limit < all ? (size_t)limit : all;
}

/* The heading of intervals */
#define INTERVAL "95% CI"

static void add_columns(struct grid *g, const struct columns *c,
			const struct tally *t)
{
	size_t i;

	for (i = 0; i < c->nr; i++) {
		const unsigned int index = c->list[i].index;
		const enum measure m = (enum measure)index;

		switch (c->list[i].kind) {
		case COLUMN_MEASURE:
			grid_column(g, GRID_NUMBER, measure_latency(m),
				    measure_heading(m), (int)m);
			if (c->intervals)
				grid_column(g, GRID_NUMBER, measure_latency(m),
					    INTERVAL, -1);
			break;
		case COLUMN_KEY:
			grid_column(g, GRID_NAME, "", columns_key(t, index),
				    MEASURE_NAME);
			break;
		case COLUMN_EVENT:
			grid_column(g, GRID_NUMBER, "",
				    armspe_event_name(t->event_bit[index]), -1);
			if (c->intervals)
				grid_column(g, GRID_NUMBER, "", INTERVAL, -1);
			break;
		}
	}
}

static void add_measure(struct grid *g, const struct columns *c,
			unsigned int index, const struct measured *row,
			const struct measured_all *sum)
{
	char text[64];

	measure_text((enum measure)index, row, sum, text, sizeof(text));
	grid_cell(g, text);
	if (!c->intervals)
		return;
	precision_text((enum measure)index, row, sum, text, sizeof(text));
	grid_cell(g, text);
}

static void add_tally_cell(struct grid *g, const struct columns *c, size_t n,
			   const struct tally *t, const struct tally_row *row)
{
	const struct measured measured = { row->count, row->latency, &row->lag };
	const struct column *column = &c->list[n];
	char text[1024];

	switch (column->kind) {
	case COLUMN_MEASURE:
		add_measure(g, c, column->index, &measured, &t->sum);
		break;
	case COLUMN_KEY:
		table_key(t->by[column->index], &row->key[column->index], text,
			  sizeof(text));
		grid_cell(g, text);
		break;
	case COLUMN_EVENT:
		grid_format(g, "%.2f%%", percent(row->event[column->index],
						 row->count));
		if (!c->intervals)
			break;
		precision_event(row->event[column->index], row->count, text,
				sizeof(text));
		grid_cell(g, text);
		break;
	}
}

void table_tally(struct grid *g, const struct columns *c, const struct tally *t,
		 const struct session *s, uint64_t limit)
{
	size_t i, n, rows = nr_rows(t->nr_sorted, limit);
	char *first = xformat("# %" PRIu64 " sample%s, %zu row%s\n",
			      t->count, plural(t->count), t->nr_sorted,
			      plural(t->nr_sorted));

	grid_above(g, above(s, first));
	free(first);
	add_columns(g, c, t);
	for (i = 0; i < rows; i++)
		for (n = 0; n < c->nr; n++)
			add_tally_cell(g, c, n, t, t->sorted[i]);
	grid_below(g, below(rows, t->nr_sorted));
}

static void add_place(struct grid *g, unsigned int key, const struct place *place)
{
	if (key)
		/* Only the file name of a path, because rows are long. */
		grid_cell(g, path_short(place->object));
	else if (place->symbol)
		grid_cell(g, place->symbol);
	else if (!place->has_address)
		grid_cell(g, "[no address]");
	else if (place->address)
		grid_format(g, "0x%" PRIx64, place->address);
	else
		grid_cell(g, NO_SYMBOL);
}

void table_groups(struct grid *g, const struct columns *c,
		  const struct groups *groups, const struct table_of *of)
{
	static const struct tally none;
	size_t i, n, rows = nr_rows(groups->nr_sorted, of->limit);
	char *first = xformat("# %" PRIu64 " record%s, %" PRIu64
			      " with an address, %zu symbol%s\n", of->kept,
			      plural(of->kept), groups->with_pc,
			      groups->nr_sorted, plural(groups->nr_sorted));
	char *all = of->kept == of->records ? xformat("%s", first) :
		xformat("%s# of %" PRIu64 " record%s\n", first, of->records,
			plural(of->records));

	grid_above(g, above(of->session, all));
	free(all);
	free(first);
	add_columns(g, c, &none);
	for (i = 0; i < rows; i++) {
		const struct group *group = groups->sorted[i];
		const struct measured measured = { group->count,
						   group->latency,
						   &group->lag };

		for (n = 0; n < c->nr; n++) {
			if (c->list[n].kind == COLUMN_KEY)
				add_place(g, c->list[n].index, &group->place);
			else
				add_measure(g, c, c->list[n].index, &measured,
					    &groups->sum);
		}
	}
	grid_below(g, below(rows, groups->nr_sorted));
}

static void put(FILE *to, const struct interval *i, int digits, const char *unit)
{
	char text[64];

	interval_text(i, digits, unit, text, sizeof(text));
	fprintf(to, " %*s", TABLE_INTERVAL, text);
}

static void put_none(FILE *to)
{
	fprintf(to, " %*s", TABLE_INTERVAL, "-");
}

void table_interval_event(FILE *to, const struct lag_bits *lag, unsigned int bit,
			  uint64_t count, const struct measured_all *all)
{
	struct interval i;

	if (!lag->of) {
		put_none(to);
		return;
	}
	i = precision_bit(lag, bit, count, all);
	put(to, &i, 2, "%");
}

void table_interval_measure(FILE *to, enum measure m, const struct measured *row,
			    const struct measured_all *all)
{
	char text[64];

	precision_text(m, row, all, text, sizeof(text));
	fprintf(to, " %*s", TABLE_INTERVAL, text);
}

void table_interval_percentile(FILE *to, const struct hist *h, double percent)
{
	struct interval i;

	if (!h->count) {
		put_none(to);
		return;
	}
	i = precision_percentile(h, percent / 100);
	put(to, &i, 0, "");
}
