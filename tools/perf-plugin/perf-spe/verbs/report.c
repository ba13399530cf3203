// SPDX-License-Identifier: GPL-2.0-only
/*
 * perf spe report: samples by symbol or other columns, with counts and
 * latencies.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/callers/callers.h"
#include "analysis/groups/groups.h"
#include "analysis/rows/rows.h"
#include "input/input.h"
#include "output/sentences/sentences.h"
#include "output/text/text.h"
#include "output/tui/tui.h"
#include "symbols/elf/elf.h"
#include "util/util.h"
#include "verbs/verbs.h"

#define HISTOGRAMS	10u	/* of the first rows, without --limit */

struct report {
	struct rows rows;
	struct view view;
	bool summary, histogram;
	struct data_options data;
	const char *html;
	bool calls;			/* --callers or --callees */
	enum call_order order;
	const char *function;		/* whose; NULL: of all */
	char *demangled;
};

static void usage(FILE *to)
{
	fputs("usage: perf spe report [OPTIONS] [FILE]\n"
	      "       perf spe report --callers | --callees [OPTIONS] [FUNCTION] [FILE]\n"
	      "\n"
	      "Prints the samples of Arm SPE data by symbol, the symbol with most cycles first:\n"
	      "its cost, which is its share of all cycles of latency, then its share of the\n"
	      "samples, and mean, median and 99th percentile of latencies in cycles. Operations\n"
	      "overlap, so the sum of their latencies is not a time.\n"
	      "\n"
	      VIEW_HELP
	      "      --summary       print totals only, as 'key: value' lines\n"
	      "      --histogram     below the table, print the distribution of the total latency\n"
	      "                      of each row and what it looks like: peaks, a long tail (of\n"
	      "                      10 rows, or as --limit says)\n"
	      "      --callers       of a recording with call stacks: functions and their callers\n"
	      "      --callees       functions and what they called, from the outermost on\n"
	      "      --html FILE     write the whole recording to one page instead: findings,\n"
	      "                      functions, flame graph, code, structures, heat map, shared\n"
	      "                      lines, summary; - is standard output\n"
	      DATA_HELP
	      ROWS_SOURCE_HELP
	      ROWS_HELP, to);
}

static void print_number(const char *key, uint64_t value)
{
	printf("%s: %" PRIu64 "\n", key, value);
}

static void print_summary(const struct report *r, const struct sample_totals *t)
{
	const struct groups *g = &r->view.groups;
	const struct session *s = r->rows.resolver.session;
	size_t pieces;

	source_pieces(&r->rows.src, &pieces);
	print_number("records", t->decoded.records);
	print_number("records_with_pc", g->with_pc);
	print_number("records_with_process", g->with_pid);
	print_number("records_of_guests", r->rows.guests);
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

const char *report_table(unsigned int index)
{
	static const char *const names[] = {
		"rows", "shapes", "peaks", "histograms", "recording", "offline_cpus", "messages",
	};

	return index < sizeof(names) / sizeof(names[0]) ? names[index] : NULL;
}

static void print_data(struct report *r)
{
	struct data d;

	rows_say_lacks(&r->rows);
	data_begin(&d, &r->data, "report", stdout);
	table_recording_data(&d, &r->rows);
	view_data(&r->view, &d);
	/* In CSV the name of a table asks for it. */
	histograms_data(&r->view, r->histogram || (r->data.form == DATA_CSV && strcmp(r->data.table, report_table(0))),
			r->view.limit, &d);
	data_end(&d);
}

static void say_advice(struct report *r)
{
	advice_say(&r->view.groups, &r->rows.symbols);
	rows_none_kept(&r->rows);
}

/* Interactive report: reads the samples again when filter or grouping change. */
static int browse(struct report *r)
{
	struct browse b = {
		.verb = "report", .what = r->rows.src.path, .rows = &r->rows,
		.view = &r->view, .shown = &r->view,
		.no_stacks = "no call stacks: record with 'perf spe record --stacks'",
	};
	enum browse_act act = BROWSE_SAMPLES;
	struct sample_totals totals;

	browse_begin(&b, filter_text(r->rows.filter));
	r->rows.on_terminal = true;
	while (act != BROWSE_QUIT) {
		if (act == BROWSE_SAMPLES) {
			browse_restart(&b);
			tui_say("reading the samples");
			if (b.inside || b.calls)
				rows_take_again(&r->rows, &browse_taker, &b, &totals);
			else
				view_read(&r->view, &r->rows, &totals);
			browse_finish(&b);
			tui_say("");
			if (r->rows.seen && !r->rows.kept) {
				free(b.hint);
				b.hint = xformat("none of the %" PRIu64 " sample%s is kept: press f to change the filter",
						 r->rows.seen, plural(r->rows.seen));
			}
		}
		if (act != BROWSE_NOTHING)
			browse_show(&b);
		browse_hint(&b);
		act = browse_key(&b, tui_key(true));
	}
	say_advice(r);
	browse_end(&b);
	tui_end();
	return samples_verdict(&r->rows.src, &totals);
}

static int print(struct report *r)
{
	struct sample_totals totals;
	int rc;

	pager_begin();
	view_read(&r->view, &r->rows, &totals);
	rc = samples_verdict(&r->rows.src, &totals);
	/* The values have the messages, so say all of them before. */
	if (r->data.form)
		say_advice(r);
	if (r->summary) {
		print_summary(r, &totals);
	} else if (r->data.form && (totals.decoded.records || rc == EXIT_OK)) {
		print_data(r);
	} else if (totals.decoded.records || rc == EXIT_OK) {
		heading_print(stdout, &r->rows);
		view_print(&r->view, stdout);
		if (r->histogram)
			histograms_print(&r->view, r->view.limit ? r->view.limit : HISTOGRAMS, stdout);
	}
	if (!r->data.form)
		say_advice(r);
	return rc;
}

/*
 * The functions below a root, some more than once.  A word_fn has no argument for the root, and
 * is called with 0, 1, 2 and so on.
 */
static const struct call_node *called_root;

static const char *called_name(unsigned int index)
{
	static const struct call_node *called;

	if (!index)
		called = called_root;
	do {
		if (called->child) {
			called = called->child;
			continue;
		}
		while (called->parent && !called->next)
			called = called->parent;
		called = called->next;
	} while (called && !called->name);
	return called ? called->name : NULL;
}

static int say_no_function(const struct report *r, struct call_tree *const *trees, size_t nr)
{
	struct call_node *all = call_tree_build(trees, nr, CALLS_CALLEES, NULL);
	char *command = rows_command(&r->rows, "report --callees", NULL), *near;

	called_root = all;
	near = suggest_near(called_name, r->function, strlen(r->function));
	if (!near)
		near = rows_nameless(&r->rows);
	say("report: no call stack contains '%s'%s%s%s to see the functions, run: %s", r->function,
	    r->rows.filter ? " in the samples that are kept" : "", near ? ": " : ":", near ? near : "", command);
	call_nodes_free(all);
	free(near);
	free(command);
	return EXIT_INPUT;
}

/* Print the tree of calls. */
static int print_calls(struct report *r)
{
	static const struct row_taker taker = { .take = call_tree_add };
	size_t i, nr = rows_threads(&r->rows);
	struct call_tree **trees = xcalloc(nr, sizeof(*trees));
	struct call_sum all = { 0 };
	struct sample_totals totals;
	struct call_node *root;
	int rc;

	pager_begin();
	for (i = 0; i < nr; i++)
		trees[i] = xapart(sizeof(**trees));
	if (!rows_parallel(&r->rows, &taker, (void *const *)trees, nr, &totals)) {
		for (i = 0; i < nr; i++)
			call_tree_free(trees[i]);
		rows_forget(&r->rows);
		rows_take_again(&r->rows, &taker, trees[0], &totals);
	}
	rc = samples_verdict(&r->rows.src, &totals);
	for (i = 0; i < nr; i++) {
		all.count += trees[i]->all.count;
		all.cycles += trees[i]->all.cycles;
	}
	root = call_tree_build(trees, nr, r->order, same_string(r->function, NO_SYMBOL) ? CALL_UNNAMED : r->function);
	if (rows_none_kept(&r->rows)) {
		;
	} else if (r->function && !root->child) {
		rc = say_no_function(r, trees, nr);
	} else {
		heading_print(stdout, &r->rows);
		table_flags(stdout, r->rows.resolver.session);
		call_text_print(root, r->order, &all, r->view.limit, stdout);
	}
	call_nodes_free(root);
	for (i = 0; i < nr; i++) {
		call_tree_free(trees[i]);
		free(trees[i]);
	}
	free(trees);
	return rc;
}

static int run_calls(struct report *r)
{
	int rc;

	r->rows.need = NEED_STACK;
	rc = rows_open(&r->rows);
	if (rc != EXIT_OK)
		return rc;
	rc = print_calls(r);
	rows_close(&r->rows);
	return rc;
}

static int run(struct report *r)
{
	bool interactive = !r->summary && !r->histogram && !r->view.text && !r->data.form && tui_possible();
	int rc;

	if (r->calls)
		return run_calls(r);
	if (r->html)
		return report_html(&r->rows, r->html, r->view.sort, r->view.limit);
	/* --summary needs no symbols.  The interactive view may need all. */
	r->view.totals_only = r->summary;
	r->rows.stacks_if_any = interactive;
	r->rows.need = interactive ? NEED_PLACE : view_need(&r->view);
	rc = rows_open(&r->rows);
	if (rc != EXIT_OK)
		return rc;
	rc = interactive && tui_begin() ? browse(r) : print(r);
	view_clear(&r->view);
	rows_close(&r->rows);
	return rc;
}

enum { OPT_SUMMARY = 256, OPT_HTML, OPT_CALLERS, OPT_CALLEES, OPT_HISTOGRAM };

static bool take_calls(struct report *r, enum call_order order)
{
	if (r->calls && r->order != order) {
		say("report: --callers and --callees exclude each other: remove one");
		return false;
	}
	r->calls = true;
	r->order = order;
	if (optarg)
		r->function = optarg;
	return true;
}

static bool take_option(void *verb, int option)
{
	struct report *r = verb;
	enum view_taken taken = view_take(&r->view, "report", option);

	if (taken != VIEW_OTHER)
		return taken == VIEW_GOOD;
	if (data_option(option))
		return data_take(&r->data, "report", report_table, option);
	if (option == OPT_CALLERS || option == OPT_CALLEES)
		return take_calls(r, option == OPT_CALLERS ? CALLS_CALLERS : CALLS_CALLEES);
	if (option == OPT_HTML) {
		r->html = optarg;
		return output_named("report", "--html", optarg);
	}
	if (option == OPT_SUMMARY)
		r->summary = true;
	else if (option == OPT_HISTOGRAM)
		r->histogram = true;
	return option == OPT_SUMMARY || option == OPT_HISTOGRAM;
}

/* Both are NULL or options that exclude each other; false after a message. */
static bool excludes(const char *option, const char *other)
{
	if (option && other)
		say("report: %s and %s exclude each other: remove one", option, other);
	return !option || !other;
}

static const char *first_of(const char *a, const char *b, const char *c)
{
	return a ? a : b ? b : c;
}

/*
 * The page and a tree of calls have tables and columns of their own.  --json and --csv print the
 * table, and the histograms are those of its rows.
 */
static bool check_exclusive(const struct report *r)
{
	const char *summary = r->summary ? "--summary" : NULL, *html = r->html ? "--html" : NULL;
	const char *by = r->view.tally.nr_by ? "--by" : NULL;
	const char *columns = r->view.columns_text ? "--columns" : NULL;
	const char *histogram = r->histogram ? "--histogram" : NULL;
	const char *calls = !r->calls ? NULL : r->order == CALLS_CALLERS ? "--callers" : "--callees";
	const char *sort = r->view.sort != MEASURE_COST ? "--sort" : NULL, *ci = r->view.ci ? "--ci" : NULL;
	const char *limit = r->view.limit ? "--limit" : NULL;
	const char *data = !r->data.form ? NULL : r->data.form == DATA_JSON ? "--json" : "--csv";

	return excludes(summary, first_of(by, columns, first_of(sort, ci, limit))) &&
	       excludes(histogram, first_of(summary, html, calls)) &&
	       excludes(html, first_of(summary, by, columns)) &&
	       excludes(calls, first_of(summary, html, first_of(by, columns, sort))) &&
	       excludes(first_of(calls, html, NULL), ci) &&
	       excludes(data, first_of(summary, html, calls));
}

static bool check_options(struct report *r, int argc, char **argv)
{
	if (r->calls && !r->function && optind < argc)
		r->function = argv[optind++];
	if (r->function && !r->rows.symbol_options.mangled_names)
		r->demangled = demangle(r->function);
	if (r->demangled)
		r->function = r->demangled;

	if (!rows_check(&r->rows, argc, argv))
		return false;
	return check_exclusive(r) && view_check(&r->view, "report");
}

int verb_report(int argc, char **argv)
{
	static const struct option options[] = {
		VIEW_OPTIONS,
		{ "summary", no_argument, NULL, OPT_SUMMARY },
		{ "html", required_argument, NULL, OPT_HTML },
		{ "histogram", no_argument, NULL, OPT_HISTOGRAM },
		{ "callers", optional_argument, NULL, OPT_CALLERS },
		{ "callees", optional_argument, NULL, OPT_CALLEES },
		DATA_OPTIONS,
		ROWS_SOURCE_OPTIONS,
		ROWS_OPTIONS,
		{ 0 },
	};
	static const struct rows_grammar grammar = {
		.letters = ROWS_SHORT VIEW_SHORT, .options = options,
		.usage = usage, .take = take_option,
	};
	struct report r = { .rows.verb = "report" };
	int rc;

	rc = rows_options(&r.rows, &grammar, &r, argc, argv);
	if (rc < 0)
		rc = check_options(&r, argc, argv) ? run(&r) : EXIT_USAGE;
	free(r.demangled);
	filter_free(r.rows.filter);
	tally_free(&r.view.tally);
	return rc;
}
