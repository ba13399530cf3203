// SPDX-License-Identifier: GPL-2.0-only
/*
 * perf spe top: a live report.  Samples go from the kernel's AUX buffers to the
 * table without a file in between.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "analysis/groups/groups.h"
#include "analysis/rows/rows.h"
#include "output/text/text.h"
#include "system/system.h"
#include "util/util.h"
#include "verbs/verbs.h"

static void usage(FILE *to)
{
	fputs("usage: perf spe top [OPTIONS] [--] [COMMAND...]\n"
	      "       perf spe top [OPTIONS] -a | -C CPUS | -p PIDS | -t TIDS\n"
	      "\n"
	      "Samples the running machine and prints a report of each interval, by symbol or\n"
	      "by other columns. Without COMMAND, -p and -t it samples everything that runs.\n"
	      "\n"
	      REQUEST_HELP
	      "  -a, -C CPUS, -p PIDS, -t TIDS\n"
	      "                          sample all CPUs, or these CPUs, processes or threads\n"
	      "  -m PAGES                size of each CPU's AUX buffer, a power of two\n"
	      "      --interval SECONDS  time from one table to the next (default 2)\n"
	      "      --iterations N      end after N tables\n"
	      "      --once              print one table as text: --iterations 1 --text\n"
	      "      --seconds N         end after N seconds\n"
	      "      --keep              print all samples since the start in each table\n"
	      "      --samples           sample with the PMU spe_sample_N, as record --samples does\n"
	      "      --stacks            also sample call stacks, by frame pointers, and print each\n"
	      "                          function's callers; key t on a terminal\n"
	      "      --root DIR          read the PMUs from DIR/sys instead of /sys\n"
	      "\n"
	      VIEW_HELP DATA_HELP ROWS_SOURCE_HELP ROWS_LIVE_HELP, to);
}

enum { OPT_INTERVAL = 256, OPT_ITERATIONS, OPT_ONCE, OPT_SECONDS, OPT_KEEP, OPT_ROOT, OPT_STACKS, OPT_SAMPLES };

static bool parse_interval(const char *text, double *seconds)
{
	char *end;

	*seconds = strtod(text, &end);
	if (end != text && !*end && *seconds >= 0.01 && *seconds <= 86400)
		return true;
	say("top: --interval needs 0.01 to 86400 seconds, not '%s'", text);
	return false;
}

/* The rings cannot hold copies of stacks: 8 MB a second from each CPU. */
static bool take_stacks(enum stack_method *stacks)
{
	if (!stacks_parse("top", optarg, stacks))
		return false;
	if (*stacks != STACKS_DWARF)
		return true;
	say("top: --stacks=dwarf is not available, as perf would copy up to 8 MB of stack a second from each CPU, more than top's buffers hold: give --stacks=fp, or use 'perf spe record --stacks=dwarf', then 'perf spe report'");
	return false;
}

static bool take_own(struct top *t, int option)
{
	switch (option) {
	case 'a':
		t->all = true;
		return true;
	case 'C':
		t->options.cpus = optarg;
		return true;
	case 'p':
		t->options.pids = optarg;
		return true;
	case 't':
		t->options.tids = optarg;
		return true;
	case 'm':
		return parse_count("top", "m", optarg, &t->options.pages);
	case OPT_INTERVAL:
		return parse_interval(optarg, &t->interval);
	case OPT_ITERATIONS:
		return parse_count("top", "iterations", optarg, &t->iterations);
	case OPT_ONCE:
		t->iterations = 1;
		return t->view.text = true;
	case OPT_SECONDS:
		return parse_count("top", "seconds", optarg, &t->seconds);
	case OPT_KEEP:
		t->keep = true;
		return true;
	case OPT_STACKS:
		return take_stacks(&t->options.stacks);
	case OPT_SAMPLES:
		return t->options.samples = true;
	case OPT_ROOT:
		t->options.root = optarg;
		return true;
	default:
		return false;
	}
}

/* The other tables need a recording. */
const char *top_table(unsigned int index)
{
	return index ? NULL : "rows";
}

static bool take_option(void *verb, int option)
{
	struct top *t = verb;
	enum request_taken request = request_take(&t->options.req, option);
	enum view_taken view = view_take(&t->view, "top", option);

	if (request != REQUEST_OTHER)
		return request == REQUEST_GOOD;
	if (view != VIEW_OTHER)
		return view == VIEW_GOOD;
	if (data_option(option))
		return data_take(&t->data, "top", top_table, option);
	return take_own(t, option);
}

/* Columns and filters of callers need stacks. */
static bool check_stacks(const struct top *t)
{
	bool filter = t->rows.filter && filter_need(t->rows.filter) >= NEED_STACK;

	if (t->options.stacks != STACKS_NONE ||
	    (!filter && view_need(&t->view) < NEED_STACK))
		return true;
	say("top: %s asks for call stacks, and top samples none: add --stacks",
	    filter ? "--filter" : "--by");
	return false;
}

static bool check_options(struct top *t, int argc, char **argv)
{
	const struct target_options *o = &t->options;
	bool tasks = o->pids || o->tids;
	int end = argc;

	if (optind < argc)
		t->options.command = argv + optind;
	if ((o->command && (tasks || t->all)) || (t->all && tasks)) {
		say("top: a command, -a and -p or -t exclude each other: give one of them");
		return false;
	}
	if (o->pages & (o->pages - 1)) {
		say("top: -m needs a power of two, not %" PRIu64, o->pages);
		return false;
	}
	if (o->samples && o->stacks != STACKS_NONE) {
		say("top: --samples and --stacks exclude each other: remove one");
		return false;
	}
	/* Call stacks are joined with AUX data only. */
	t->options.else_samples = o->stacks == STACKS_NONE;
	optind = end;
	return rows_check(&t->rows, argc, argv) && request_check(&o->req) &&
	       view_check(&t->view, "top") && check_stacks(t);
}

/* On many CPUs, or if perf takes few, take fewer samples than usual: top has to decode them meanwhile. */
static void choose_period(struct top *t)
{
	const struct target_options *o = &t->options;
	bool all = !o->command && !o->pids && !o->tids;
	size_t count;
	struct pmu *pmus = (o->samples ? pmus_find_samplers : pmus_find)(o->root, &count);
	struct volume v = volume_read(o->root, pmus, count, o->cpus, o->samples);
	uint64_t period = volume_period(&v, all);
	char *reason;

	pmus_free(pmus, count);
	if (o->req.period || o->req.freq || period <= target_period(o))
		return;
	reason = volume_reason(&v, all);
	if (!reason)
		reason = xformat("%zu CPUs would write up to %.0f MB/s with %" PRIu64, v.cpus,
				 volume_rate(&v, target_period(o), v.cpus) / 1e6, target_period(o));
	say("top: chose period %" PRIu64 ", as %s; --period N changes it", period, reason);
	free(reason);
	t->options.req.period = period;
}

int verb_top(int argc, char **argv)
{
	static const struct option options[] = {
		REQUEST_OPTIONS,
		VIEW_OPTIONS,
		DATA_OPTIONS,
		{ "interval", required_argument, NULL, OPT_INTERVAL },
		{ "iterations", required_argument, NULL, OPT_ITERATIONS },
		{ "once", no_argument, NULL, OPT_ONCE },
		{ "seconds", required_argument, NULL, OPT_SECONDS },
		{ "keep", no_argument, NULL, OPT_KEEP },
		{ "samples", no_argument, NULL, OPT_SAMPLES },
		{ "stacks", optional_argument, NULL, OPT_STACKS },
		{ "root", required_argument, NULL, OPT_ROOT },
		ROWS_SOURCE_OPTIONS,
		ROWS_LIVE_OPTIONS,
		{ 0 },
	};
	/* "+": options after the command are the command's. */
	static const struct rows_grammar grammar = {
		.letters = "+k:haC:p:t:m:" VIEW_SHORT, .options = options,
		.usage = usage, .take = take_option,
	};
	struct top t = {
		.rows.verb = "top", .interval = 2,
		.options = { .root = "", .req.verb = "top" },
	};
	int rc;

	rc = rows_options(&t.rows, &grammar, &t, argc, argv);
	if (rc >= 0)
		goto out;
	rc = EXIT_USAGE;
	if (check_options(&t, argc, argv)) {
		choose_period(&t);
		rc = top_run(&t);
	}
out:
	filter_free(t.rows.filter);
	tally_free(&t.view.tally);
	return rc;
}
