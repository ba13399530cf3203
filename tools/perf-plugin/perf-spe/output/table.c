// SPDX-License-Identifier: GPL-2.0-only
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "armspe.h"
#include "analysis/fields.h"
#include "analysis/groups.h"
#include "analysis/hist.h"
#include "analysis/tally.h"
#include "input/gaps.h"
#include "input/session.h"
#include "output/table.h"
#include "util/message.h"
#include "util/percent.h"

void table_latency(FILE *to, const struct hist *h)
{
	if (h->count)
		fprintf(to, " %8.1f %6u %6u", hist_mean(h), hist_percentile(h, 50),
		       hist_percentile(h, 99));
	else
		fprintf(to, " %8s %6s %6s", "-", "-", "-");
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

void table_flags(FILE *to, const struct session *s)
{
	if (!s)
		return;
	if (s->aux_truncated || s->aux_partial || s->aux_collision)
		fprintf(to, "# AUX data: %" PRIu64 " times truncated, %" PRIu64
		       " partial, %" PRIu64 " with collisions\n",
		       s->aux_truncated, s->aux_partial, s->aux_collision);
	if (s->lost_records)
		fprintf(to, "# lost: %" PRIu64 " perf records\n", s->lost_records);
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

static void print_latencies(FILE *to)
{
	size_t i;

	fprintf(to, "#\n# %8s %7s %22s %22s %22s\n", "", "", "total latency",
		"issue latency", "translation latency");
	fprintf(to, "# %8s %7s", "count", "share");
	for (i = 0; i < 3; i++)
		fprintf(to, " %8s %6s %6s", "mean", "p50", "p99");
}

static void print_heads(FILE *to, const struct tally *t)
{
	size_t i;

	print_latencies(to);
	for (i = 0; i < t->nr_events; i++)
		fprintf(to, " %12s", armspe_event_name(t->event_bit[i]));
	for (i = 0; i < t->nr_by; i++)
		fprintf(to, i + 1 < t->nr_by ? "  %-24s" : "  %s",
			t->by[i]->name);
	putc('\n', to);
}

static void print_row(FILE *to, const struct tally *t, const struct tally_row *row)
{
	char text[1024];
	size_t i;

	fprintf(to, "%10" PRIu64 " %6.2f%%", row->count,
	       percent(row->count, t->count));
	for (i = 0; i < 3; i++)
		table_latency(to, &row->latency[i]);
	for (i = 0; i < t->nr_events; i++)
		fprintf(to, " %11.2f%%", percent(row->event[i], row->count));
	for (i = 0; i < t->nr_by; i++) {
		table_key(t->by[i], &row->key[i], text, sizeof(text));
		fputs("  ", to);
		put_name(text, to);
		if (i + 1 < t->nr_by && strlen(text) < 24)
			fprintf(to, "%*s", (int)(24 - strlen(text)), "");
	}
	putc('\n', to);
}

void table_tally(FILE *to, const struct tally *t, const struct session *s,
		 uint64_t limit)
{
	size_t i, rows = t->nr_sorted;

	fprintf(to, "# %" PRIu64 " samples, %zu rows\n", t->count, t->nr_sorted);
	table_flags(to, s);
	print_heads(to, t);
	if (limit && limit < rows)
		rows = (size_t)limit;
	for (i = 0; i < rows; i++)
		print_row(to, t, t->sorted[i]);
	if (rows < t->nr_sorted)
		fprintf(to, "# %zu more rows\n", t->nr_sorted - rows);
}

/* Only the file name of a path, because rows are long. */
static const char *object_name(const char *object)
{
	const char *slash = strrchr(object, '/');

	return slash && slash[1] ? slash + 1 : object;
}

static void print_column(FILE *to, const char *name)
{
	size_t len = strlen(name);

	fprintf(to, "  ");
	put_name(name, to);
	fprintf(to, "%*s ", len < 24 ? (int)(24 - len) : 0, "");
}

static void print_group(FILE *to, const struct group *g, uint64_t records)
{
	fprintf(to, "%10" PRIu64 " %6.2f%%", g->count,
	       percent(g->count, records));
	table_latency(to, &g->latency[0]);
	table_latency(to, &g->latency[1]);
	table_latency(to, &g->latency[2]);
	print_column(to, object_name(g->place.object));
	if (g->place.symbol) {
		put_name(g->place.symbol, to);
		putc('\n', to);
	} else if (!g->place.has_address) {
		fputs("[no address]\n", to);
	} else if (g->place.address) {
		fprintf(to, "0x%" PRIx64 "\n", g->place.address);
	} else {
		fputs("[no symbol]\n", to);
	}
}

void table_groups(FILE *to, const struct groups *g, const struct table_of *of)
{
	size_t i, rows = g->nr_sorted;

	fprintf(to, "# %" PRIu64 " records, %" PRIu64 " with an address, %zu symbols\n",
		of->kept, g->with_pc, g->nr_sorted);
	if (of->kept != of->records)
		fprintf(to, "# of %" PRIu64 " records\n", of->records);
	table_flags(to, of->session);
	print_latencies(to);
	fprintf(to, "  %-24s symbol\n", "object");
	if (of->limit && of->limit < rows)
		rows = (size_t)of->limit;
	for (i = 0; i < rows; i++)
		print_group(to, g->sorted[i], of->kept);
	if (rows < g->nr_sorted)
		fprintf(to, "# %zu more rows\n", g->nr_sorted - rows);
}
