// SPDX-License-Identifier: GPL-2.0-only
/*
 * perf spe report: samples by symbol, with counts and latencies.
 */
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "groups.h"
#include "samples.h"
#include "verbs.h"

struct report {
	struct source src;
	struct symbol_options symbols;
	enum group_sort sort;
	bool summary;
	uint64_t limit;		/* rows; 0: all */
};

static void usage(FILE *to)
{
	fputs("usage: perf spe report [-i FILE | --raw FILE] [OPTIONS]\n"
	      "\n"
	      "Prints the samples of Arm SPE data by symbol: count, share, and mean, median\n"
	      "and 99th percentile of the total, issue and translation latency in cycles.\n"
	      "\n"
	      "  -i, --input FILE     perf.data file (default: perf.data)\n"
	      "      --raw FILE       bare SPE bytes\n"
	      "      --symfs DIR      look for programs, libraries and the kernel's symbols\n"
	      "                       below DIR, as for a guest or another machine\n"
	      "  -k, --vmlinux FILE   the kernel's symbols from this ELF file\n"
	      "      --kallsyms FILE  the kernel's symbols from a copy of /proc/kallsyms\n"
	      "  -s, --sort KEY       count (default), total, issue, translation (means),\n"
	      "                       or symbol\n"
	      "      --limit N        print at most N rows\n"
	      "      --summary        print totals only, as 'key: value' lines\n"
	      "  -h, --help           this text\n", to);
}

static void print_number(const char *key, uint64_t value)
{
	printf("%s: %" PRIu64 "\n", key, value);
}

static void print_summary(const struct report *r, const struct groups *g,
			  const struct sample_totals *t)
{
	const struct session *s = r->src.raw ? NULL : &r->src.session;
	size_t pieces;

	source_pieces(&r->src, &pieces);
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

static void print_latency(const struct hist *h)
{
	if (h->count)
		printf(" %8.1f %6u %6u", hist_mean(h), hist_percentile(h, 50),
		       hist_percentile(h, 99));
	else
		printf(" %8s %6s %6s", "-", "-", "-");
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
	print_latency(&g->latency[0]);
	print_latency(&g->latency[1]);
	print_latency(&g->latency[2]);
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

static void print_flags(const struct session *s)
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

static void print_table(struct report *r, const struct groups *g,
			const struct sample_totals *t)
{
	size_t i, rows = g->nr_sorted;

	printf("# %" PRIu64 " records, %" PRIu64 " with an address, %zu symbols\n",
	       t->decoded.records, g->with_pc, g->nr_sorted);
	print_flags(source_session(&r->src));
	printf("#\n# %8s %7s %22s %22s %22s\n", "", "", "total latency",
	       "issue latency", "translation latency");
	printf("# %8s %7s", "count", "share");
	for (i = 0; i < 3; i++)
		printf(" %8s %6s %6s", "mean", "p50", "p99");
	printf("  %-24s symbol\n", "object");
	if (r->limit && r->limit < rows)
		rows = (size_t)r->limit;
	for (i = 0; i < rows; i++)
		print_row(g->sorted[i], t->decoded.records);
	if (rows < g->nr_sorted)
		printf("# %zu more rows\n", g->nr_sorted - rows);
}

static int run(struct report *r)
{
	struct sample_totals totals;
	struct symbols symbols = { 0 };
	struct groups groups;
	int rc = EXIT_INPUT;

	if (source_open(&r->src) < 0)
		return EXIT_INPUT;
	/* Totals need no symbols. */
	if (r->summary || !symbols_init(&symbols, &r->symbols,
					source_session(&r->src))) {
		groups_init(&groups, source_session(&r->src), &symbols);
		groups.totals_only = r->summary;
		samples_each(&r->src, groups_add, &groups, &totals);
		rc = samples_verdict(&r->src, &totals);
		groups_sort(&groups, r->sort);
		if (r->summary)
			print_summary(r, &groups, &totals);
		else if (totals.decoded.records || rc == EXIT_OK)
			print_table(r, &groups, &totals);
		groups_free(&groups);
	}
	symbols_free(&symbols);
	source_close(&r->src);
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

static bool parse_limit(const char *text, uint64_t *limit)
{
	char *end;

	*limit = strtoull(text, &end, 10);
	if (*text >= '0' && *text <= '9' && !*end && *limit)
		return true;
	say("report: --limit %s: not a positive number", text);
	return false;
}

enum { OPT_RAW = 256, OPT_SYMFS, OPT_KALLSYMS, OPT_LIMIT, OPT_SUMMARY };

static bool parse_option(struct report *r, int option)
{
	switch (option) {
	case 'i':
	case OPT_RAW:
		return source_option(&r->src, optarg, option == OPT_RAW);
	case 'k':
		r->symbols.vmlinux = optarg;
		return true;
	case 's':
		return parse_sort(optarg, &r->sort);
	case OPT_SYMFS:
		r->symbols.symfs = optarg;
		return true;
	case OPT_KALLSYMS:
		r->symbols.kallsyms = optarg;
		return true;
	case OPT_LIMIT:
		return parse_limit(optarg, &r->limit);
	case OPT_SUMMARY:
		r->summary = true;
		return true;
	default:
		usage(stderr);
		return false;
	}
}

int verb_report(int argc, char **argv)
{
	static const struct option options[] = {
		{ "input", required_argument, NULL, 'i' },
		{ "raw", required_argument, NULL, OPT_RAW },
		{ "symfs", required_argument, NULL, OPT_SYMFS },
		{ "vmlinux", required_argument, NULL, 'k' },
		{ "kallsyms", required_argument, NULL, OPT_KALLSYMS },
		{ "sort", required_argument, NULL, 's' },
		{ "limit", required_argument, NULL, OPT_LIMIT },
		{ "summary", no_argument, NULL, OPT_SUMMARY },
		{ "help", no_argument, NULL, 'h' },
		{ 0 },
	};
	struct report r = { 0 };
	int option;

	while ((option = getopt_long(argc, argv, "i:k:s:h", options, NULL)) !=
	       -1) {
		if (option == 'h') {
			usage(stdout);
			return EXIT_OK;
		}
		if (!parse_option(&r, option))
			return EXIT_USAGE;
	}
	if (optind < argc) {
		say("report: unexpected argument '%s'", argv[optind]);
		return EXIT_USAGE;
	}
	if (r.symbols.vmlinux && r.symbols.kallsyms) {
		say("report: --vmlinux and --kallsyms exclude each other");
		return EXIT_USAGE;
	}
	return run(&r);
}
