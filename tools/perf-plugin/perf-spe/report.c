// SPDX-License-Identifier: GPL-2.0-only
/*
 * perf spe report: samples by symbol or other columns, with counts and
 * latencies.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "groups.h"
#include "rows.h"
#include "table.h"
#include "verbs.h"

struct report {
	struct rows rows;
	struct tally tally;	/* with --by */
	enum group_sort sort;
	bool summary;
	uint64_t limit;		/* rows; 0: all */
};

static void usage(FILE *to)
{
	fputs("usage: perf spe report [OPTIONS]\n"
	      "\n"
	      "Prints the samples of Arm SPE data by symbol: count, share, and mean, median\n"
	      "and 99th percentile of the total, issue and translation latency in cycles.\n"
	      "\n"
	      "      --by LIST       by one or two columns of an export instead: source_name,\n"
	      "                      cache_line, comm, pc, ...\n"
	      "      --events LIST   with --by: how many in a hundred had these events\n"
	      "  -s, --sort KEY      count (default), total, issue, translation (means),\n"
	      "                      or symbol (with --by: its columns)\n"
	      "      --limit N       print at most N rows\n"
	      "      --summary       print totals only, as 'key: value' lines\n"
	      ROWS_HELP, to);
}

static void print_number(const char *key, uint64_t value)
{
	printf("%s: %" PRIu64 "\n", key, value);
}

static void print_summary(const struct report *r, const struct groups *g,
			  const struct sample_totals *t)
{
	const struct session *s = r->rows.resolver.session;
	size_t pieces;

	source_pieces(&r->rows.src, &pieces);
	print_number("records", t->decoded.records);
	print_number("records_with_pc", g->with_pc);
	print_number("records_with_process", g->with_pid);
	print_number("packets", t->decoded.packets);
	print_number("unknown_packets", t->decoded.unknown);
	print_number("buffers", pieces);
	print_number("bytes", t->bytes);
	print_number("padding_bytes", t->decoded.padding);
	print_number("damaged_bytes", t->decoded.damaged);
	print_number("incomplete_bytes", t->incomplete);
	print_number("aux_events", s ? s->aux_events : 0);
	print_number("aux_truncated", s ? s->aux_truncated : 0);
	print_number("aux_partial", s ? s->aux_partial : 0);
	print_number("aux_collision", s ? s->aux_collision : 0);
	print_number("lost", s ? s->lost_records : 0);
}

/* A file by its last name, as the report's rows are long enough. */
static const char *object_name(const char *object)
{
	const char *slash = strrchr(object, '/');

	return slash && slash[1] ? slash + 1 : object;
}

static void print_column(const char *name)
{
	size_t len = strlen(name);

	printf("  ");
	put_name(name, stdout);
	printf("%*s ", len < 24 ? (int)(24 - len) : 0, "");
}

static void print_row(const struct group *g, uint64_t records)
{
	printf("%10" PRIu64 " %6.2f%%", g->count,
	       100.0 * (double)g->count / (double)records);
	table_latency(&g->latency[0]);
	table_latency(&g->latency[1]);
	table_latency(&g->latency[2]);
	print_column(object_name(g->place.object));
	if (g->place.symbol) {
		put_name(g->place.symbol, stdout);
		putchar('\n');
	} else if (!g->place.has_address) {
		puts("[no address]");
	} else if (g->place.address) {
		printf("0x%" PRIx64 "\n", g->place.address);
	} else {
		puts("[no symbol]");
	}
}

static void print_table(struct report *r, const struct groups *g,
			const struct sample_totals *t)
{
	size_t i, rows = g->nr_sorted;

	printf("# %" PRIu64 " records, %" PRIu64 " with an address, %zu symbols\n",
	       r->rows.kept, g->with_pc, g->nr_sorted);
	if (r->rows.kept != t->decoded.records)
		printf("# of %" PRIu64 " records\n", t->decoded.records);
	table_flags(r->rows.resolver.session);
	printf("#\n# %8s %7s %22s %22s %22s\n", "", "", "total latency",
	       "issue latency", "translation latency");
	printf("# %8s %7s", "count", "share");
	for (i = 0; i < 3; i++)
		printf(" %8s %6s %6s", "mean", "p50", "p99");
	printf("  %-24s symbol\n", "object");
	if (r->limit && r->limit < rows)
		rows = (size_t)r->limit;
	for (i = 0; i < rows; i++)
		print_row(g->sorted[i], r->rows.kept);
	if (rows < g->nr_sorted)
		printf("# %zu more rows\n", g->nr_sorted - rows);
}

static int by_symbol(struct report *r)
{
	struct sample_totals totals;
	struct groups groups;
	int rc;

	groups_init(&groups, r->rows.resolver.session, &r->rows.symbols);
	groups.totals_only = r->summary;
	rc = rows_each(&r->rows, groups_add, &groups, &totals);
	groups_sort(&groups, r->sort);
	if (r->summary)
		print_summary(r, &groups, &totals);
	else if (totals.decoded.records || rc == EXIT_OK)
		print_table(r, &groups, &totals);
	groups_free(&groups);
	return rc;
}

static int by_columns(struct report *r)
{
	struct sample_totals totals;
	int rc = rows_each(&r->rows, tally_add, &r->tally, &totals);

	tally_sort(&r->tally, r->sort);
	if (totals.decoded.records || rc == EXIT_OK)
		table_tally(&r->tally, r->rows.resolver.session, r->limit);
	return rc;
}

static int run(struct report *r)
{
	int rc;

	/* Totals need no symbols. */
	r->rows.need = r->tally.nr_by ? tally_need(&r->tally) :
		       r->summary ? NEED_OWNER : NEED_PLACE;
	rc = rows_open(&r->rows);
	if (rc != EXIT_OK)
		return rc;
	/* Groups find places themselves, where they know them not yet. */
	if (!r->tally.nr_by && !r->rows.filter)
		r->rows.need = NEED_OWNER;
	rc = r->tally.nr_by ? by_columns(r) : by_symbol(r);
	rows_close(&r->rows);
	return rc;
}

static bool parse_sort(const char *text, enum group_sort *sort)
{
	static const char *const names[] = {
		[SORT_COUNT] = "count", [SORT_TOTAL] = "total",
		[SORT_ISSUE] = "issue", [SORT_XLAT] = "translation",
		[SORT_SYMBOL] = "symbol",
	};
	size_t i;

	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (!strcmp(text, names[i])) {
			*sort = (enum group_sort)i;
			return true;
		}
	}
	say("report: --sort %s: not one of count, total, issue, translation, symbol",
	    text);
	return false;
}

enum { OPT_LIMIT = 256, OPT_SUMMARY, OPT_BY, OPT_EVENTS };

static bool take_option(void *verb, int option)
{
	struct report *r = verb;

	switch (option) {
	case 's':
		return parse_sort(optarg, &r->sort);
	case OPT_LIMIT:
		return parse_count("report", "limit", optarg, &r->limit);
	case OPT_SUMMARY:
		r->summary = true;
		return true;
	case OPT_BY:
		return tally_by(&r->tally, "report", optarg);
	case OPT_EVENTS:
		return tally_events(&r->tally, "report", optarg);
	default:
		usage(stderr);
		return false;
	}
}

static bool check_options(const struct report *r, int argc, char **argv)
{
	if (!rows_check(&r->rows, argc, argv))
		return false;
	if (r->tally.nr_by && r->summary) {
		say("report: --by and --summary exclude each other");
		return false;
	}
	if (r->tally.nr_events && !r->tally.nr_by) {
		say("report: --events needs --by, as --by object,symbol");
		return false;
	}
	return true;
}

int verb_report(int argc, char **argv)
{
	static const struct option options[] = {
		{ "sort", required_argument, NULL, 's' },
		{ "limit", required_argument, NULL, OPT_LIMIT },
		{ "summary", no_argument, NULL, OPT_SUMMARY },
		{ "by", required_argument, NULL, OPT_BY },
		{ "events", required_argument, NULL, OPT_EVENTS },
		ROWS_OPTIONS,
		{ 0 },
	};
	static const struct rows_grammar grammar = {
		.letters = ROWS_SHORT "s:", .options = options,
		.usage = usage, .take = take_option,
	};
	struct report r = { .rows.verb = "report" };
	int rc;

	rc = rows_options(&r.rows, &grammar, &r, argc, argv);
	if (rc >= 0)
		goto out;
	rc = EXIT_USAGE;
	if (check_options(&r, argc, argv))
		rc = run(&r);
out:
	filter_free(r.rows.filter);
	tally_free(&r.tally);
	return rc;
}
