// SPDX-License-Identifier: GPL-2.0-only
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "armspe.h"
#include "table.h"

void table_latency(const struct hist *h)
{
	if (h->count)
		printf(" %8.1f %6u %6u", hist_mean(h), hist_percentile(h, 50),
		       hist_percentile(h, 99));
	else
		printf(" %8s %6s %6s", "-", "-", "-");
}

void table_flags(const struct session *s)
{
	if (!s)
		return;
	if (s->aux_truncated || s->aux_partial || s->aux_collision)
		printf("# AUX data: %" PRIu64 " times truncated, %" PRIu64
		       " partial, %" PRIu64 " with collisions\n",
		       s->aux_truncated, s->aux_partial, s->aux_collision);
	if (s->lost_records)
		printf("# lost: %" PRIu64 " perf records\n", s->lost_records);
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

static void print_heads(const struct tally *t)
{
	size_t i;

	printf("#\n# %8s %7s %22s %22s %22s\n", "", "", "total latency",
	       "issue latency", "translation latency");
	printf("# %8s %7s", "count", "share");
	for (i = 0; i < 3; i++)
		printf(" %8s %6s %6s", "mean", "p50", "p99");
	for (i = 0; i < t->nr_events; i++)
		printf(" %12s", armspe_event_name(t->event_bit[i]));
	for (i = 0; i < t->nr_by; i++)
		printf(i + 1 < t->nr_by ? "  %-24s" : "  %s", t->by[i]->name);
	putchar('\n');
}

static void print_row(const struct tally *t, const struct tally_row *row)
{
	char text[1024];
	size_t i;

	printf("%10" PRIu64 " %6.2f%%", row->count,
	       100.0 * (double)row->count / (double)t->count);
	for (i = 0; i < 3; i++)
		table_latency(&row->latency[i]);
	for (i = 0; i < t->nr_events; i++)
		printf(" %11.2f%%", 100.0 * (double)row->event[i] /
		       (double)row->count);
	for (i = 0; i < t->nr_by; i++) {
		table_key(t->by[i], &row->key[i], text, sizeof(text));
		fputs("  ", stdout);
		put_name(text, stdout);
		if (i + 1 < t->nr_by && strlen(text) < 24)
			printf("%*s", (int)(24 - strlen(text)), "");
	}
	putchar('\n');
}

void table_tally(const struct tally *t, const struct session *s, uint64_t limit)
{
	size_t i, rows = t->nr_sorted;

	printf("# %" PRIu64 " samples, %zu rows\n", t->count, t->nr_sorted);
	table_flags(s);
	print_heads(t);
	if (limit && limit < rows)
		rows = (size_t)limit;
	for (i = 0; i < rows; i++)
		print_row(t, t->sorted[i]);
	if (rows < t->nr_sorted)
		printf("# %zu more rows\n", t->nr_sorted - rows);
}
