// SPDX-License-Identifier: GPL-2.0-only
/*
 * perf spe top: the report of what runs now, again and again.  Samples go from
 * the kernel's memory to the table; no file is in between.
 */
#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "request.h"
#include "target.h"
#include "verbs.h"
#include "view.h"

struct top {
	struct rows rows;
	struct view view;
	struct target_options options;
	struct target target;
	struct live live;
	struct row_sink sink;
	double interval;		/* seconds */
	uint64_t iterations, seconds;	/* 0: no end */
	bool all, keep;
	struct pollfd *polls;
};

static volatile sig_atomic_t interrupted;

static void usage(FILE *to)
{
	fputs("usage: perf spe top [OPTIONS] [--] [COMMAND...]\n"
	      "       perf spe top [OPTIONS] -a | -C CPUS | -p PIDS | -t TIDS\n"
	      "\n"
	      "Samples and prints what the samples of each interval say, as report does, by\n"
	      "symbol or by other columns. Without COMMAND, -p and -t it is all that runs.\n"
	      "\n"
	      REQUEST_HELP
	      "  -a, -C CPUS, -p PIDS, -t TIDS\n"
	      "                          all CPUs, these, these processes, these threads\n"
	      "  -m PAGES                memory for the samples of each CPU\n"
	      "      --interval SECONDS  between two tables (2)\n"
	      "      --iterations N      end after N tables\n"
	      "      --seconds N         end after N seconds\n"
	      "      --keep              tables of all since the beginning\n"
	      "      --root DIR          ask the sysfs of a machine below DIR\n"
	      "\n"
	      VIEW_HELP ROWS_LIVE_HELP, to);
}

static double now(clockid_t clock)
{
	struct timespec ts;

	clock_gettime(clock, &ts);
	return (double)ts.tv_sec + (double)ts.tv_nsec * 1e-9;
}

static void on_interrupt(int signal)
{
	(void)signal;
	interrupted = 1;
}

static void on_change(void *context)
{
	struct top *t = context;

	rows_forget(&t->rows);
	view_forget(&t->view);
}

/* What is in the rings is taken out before they are full. */
static void wait_until(struct top *t, double end)
{
	size_t i;

	while (!interrupted && !target_ended(&t->target)) {
		double left = end - now(CLOCK_MONOTONIC);
		/* Whether a task has ended nobody tells. */
		int ms = left > 0.1 ? 100 : left > 0 ? (int)(left * 1000) + 1 : 0;

		if (left <= 0)
			return;
		if (poll(t->polls, t->target.nr_spe, ms) <= 0)
			continue;
		for (i = 0; i < t->target.nr_spe; i++)
			if (t->polls[i].revents & ~POLLIN)
				t->polls[i].fd = -1;
		live_drain(&t->live);
		target_go_on(&t->target);
	}
}

/* Where the kernel counted what it could not deliver: of one table */
static void forget_losses(struct session *s)
{
	s->aux_events = s->aux_truncated = s->aux_partial = 0;
	s->aux_collision = s->lost_events = s->lost_records = 0;
}

static void print_table(struct top *t, double seconds, double cpu)
{
	struct sample_totals totals = t->live.totals;

	totals.decoded.records = t->rows.seen;
	if (isatty(STDOUT_FILENO))
		fputs("\033[H\033[2J", stdout);
	printf("# %.1f s, %.2f%% of a CPU to tell\n", seconds,
	       100 * cpu / seconds);
	if (totals.decoded.damaged || t->live.damaged_events)
		printf("# left out: %" PRIu64 " damaged bytes, %" PRIu64
		       " events that make no sense\n", totals.decoded.damaged,
		       t->live.damaged_events);
	view_print(&t->view, stdout, &t->rows, &totals);
	putchar('\n');
}

static void begin_table(struct top *t)
{
	view_clear(&t->view);
	view_begin(&t->view, &t->rows);
	t->rows.seen = t->rows.kept = 0;
	forget_losses(&t->rows.src.session);
}

static bool is_last(const struct top *t, uint64_t tables, double begun)
{
	return interrupted || target_ended((struct target *)&t->target) ||
	       (t->iterations && tables >= t->iterations) ||
	       (t->seconds && now(CLOCK_MONOTONIC) - begun >=
			      (double)t->seconds);
}

static int watch(struct top *t)
{
	double begun = now(CLOCK_MONOTONIC), from = begun;
	double cpu = now(CLOCK_PROCESS_CPUTIME_ID);
	uint64_t tables;

	begin_table(t);
	for (tables = 1;; tables++) {
		double end = from + t->interval, spent, at;

		if (t->seconds && begun + (double)t->seconds < end)
			end = begun + (double)t->seconds;
		wait_until(t, end);
		target_flush(&t->target);
		live_drain(&t->live);
		live_forget(&t->live);
		target_go_on(&t->target);
		at = now(CLOCK_MONOTONIC);
		spent = now(CLOCK_PROCESS_CPUTIME_ID);
		print_table(t, at - (t->keep ? begun : from), spent - cpu);
		if (fflush(stdout) || ferror(stdout))
			return EXIT_INPUT;
		if (is_last(t, tables, begun))
			return EXIT_OK;
		if (t->keep)
			continue;
		begin_table(t);
		from = at;
		cpu = spent;
	}
}

static void catch_interrupt(void)
{
	struct sigaction action = { .sa_handler = on_interrupt };

	sigemptyset(&action.sa_mask);
	sigaction(SIGINT, &action, NULL);
	sigaction(SIGTERM, &action, NULL);
}

static void watch_rings(struct top *t)
{
	size_t i;

	t->polls = xcalloc(t->target.nr_spe, sizeof(*t->polls));
	for (i = 0; i < t->target.nr_spe; i++)
		t->polls[i] = (struct pollfd){ t->target.spe[i], POLLIN, 0 };
}

static int run(struct top *t)
{
	uint64_t type = 0;
	int rc = EXIT_INPUT;

	if (target_open(&t->target, "top", &t->options) < 0) {
		target_close(&t->target);
		return EXIT_INPUT;
	}
	if (t->target.user_only)
		say("top: the kernel may not be sampled here: programs only");
	pmu_number(&t->target.pmus[0], "type", &type);
	t->sink = (struct row_sink){ &t->rows, view_add, &t->view };
	live_init(&t->live, &t->rows.src.session, type,
		  target_period(&t->options), rows_span, &t->sink);
	t->live.changed = on_change;
	t->live.context = t;
	t->live.rings = t->target.rings;
	t->live.nr_rings = t->target.nr_rings;
	t->rows.need = NEED_PLACE;
	if (rows_ready(&t->rows) == EXIT_OK) {
		target_tell(&t->target, &t->live);
		watch_rings(t);
		catch_interrupt();
		target_start(&t->target);
		rc = watch(t);
		view_clear(&t->view);
		free(t->polls);
		rows_finish(&t->rows);
	}
	live_free(&t->live);
	target_close(&t->target);
	return rc;
}

enum { OPT_INTERVAL = 256, OPT_ITERATIONS, OPT_SECONDS, OPT_KEEP, OPT_ROOT };

static bool parse_interval(const char *text, double *seconds)
{
	char *end;

	*seconds = strtod(text, &end);
	if (end != text && !*end && *seconds >= 0.01 && *seconds <= 86400)
		return true;
	say("top: --interval %s: not a number of seconds, 0.01 to 86400", text);
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
	case OPT_SECONDS:
		return parse_count("top", "seconds", optarg, &t->seconds);
	case OPT_KEEP:
		t->keep = true;
		return true;
	case OPT_ROOT:
		t->options.root = optarg;
		return true;
	default:
		usage(stderr);
		return false;
	}
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
	return take_own(t, option);
}

static bool check_options(struct top *t, int argc, char **argv)
{
	const struct target_options *o = &t->options;
	bool tasks = o->pids || o->tids;
	int end = argc;

	if (optind < argc)
		t->options.command = argv + optind;
	if ((o->command && (tasks || t->all)) || (t->all && tasks)) {
		say("top: one of COMMAND, -a and -p or -t");
		return false;
	}
	if (o->pages & (o->pages - 1)) {
		say("top: -m %" PRIu64 ": not a power of two", o->pages);
		return false;
	}
	optind = end;
	return rows_check(&t->rows, argc, argv) && request_check(&o->req) &&
	       view_check(&t->view, "top");
}

int verb_top(int argc, char **argv)
{
	static const struct option options[] = {
		REQUEST_OPTIONS,
		VIEW_OPTIONS,
		{ "interval", required_argument, NULL, OPT_INTERVAL },
		{ "iterations", required_argument, NULL, OPT_ITERATIONS },
		{ "seconds", required_argument, NULL, OPT_SECONDS },
		{ "keep", no_argument, NULL, OPT_KEEP },
		{ "root", required_argument, NULL, OPT_ROOT },
		ROWS_LIVE_OPTIONS,
		{ 0 },
	};
	/* Options behind the command are the command's. */
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
	if (check_options(&t, argc, argv))
		rc = run(&t);
out:
	filter_free(t.rows.filter);
	tally_free(&t.view.tally);
	return rc;
}
