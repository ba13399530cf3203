// SPDX-License-Identifier: GPL-2.0-only
/*
 * perf spe record: run perf record with events made from options.  Check before
 * that the machine's PMUs have every filter that the user wants.
 */
#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "armspe.h"
#include "live/pmu.h"
#include "live/preload.h"
#include "live/request.h"
#include "live/stack_event.h"
#include "live/volume.h"
#include "util/memory.h"
#include "util/message.h"
#include "util/options.h"
#include "util/plural.h"
#include "verbs/verbs.h"

struct record {
	const char *root;
	bool print;
	struct pmu_request req;
	bool target;		/* -a, -C, -p or -t given: needs no command */
	bool all;		/* -a or -C: all that runs on the CPUs */
	const char *cpus;	/* of -C */
	bool own_period;	/* --perf -c or --perf -F */
	enum stack_method stacks;
	bool heap;
	const char *output;	/* of -o; NULL: perf.data */
	char **args;		/* of perf record */
	size_t nr_args, room_args;
};

static void usage(FILE *to)
{
	unsigned int bit;
	size_t column = 7;

	fputs("usage: perf spe record [OPTIONS] [--] COMMAND...\n"
	      "       perf spe record [OPTIONS] -a | -C CPUS | -p PID | -t TID\n"
	      "\n"
	      "Records SPE samples with perf record, on every SPE PMU of the machine. Without\n"
	      "--period and --freq it chooses a period whose samples perf and a disk can take\n"
	      "from all CPUs, and says how much data it expects.\n"
	      "\n"
	      REQUEST_HELP
	      "      --stacks            also record call stacks, with samples of cycles, by frame\n"
	      "                          pointers; --stacks=dwarf does without these, more slowly\n"
	      "      --heap              also log the blocks of the command's heap to FILE.heap\n"
	      "  -a, -C CPUS, -p PID, -t TID, -o FILE, -m PAGES\n"
	      "                          passed on to perf record\n"
	      "      --perf OPTION       pass one more word on to perf record\n"
	      "      --print             print the perf command without running it\n"
	      "      --root DIR          read the PMUs from DIR/sys instead of /sys\n"
	      "  -h, --help              this text\n"
	      "\n"
	      "Events:", to);
	for (bit = 0; bit < SPE_EVENT_COUNT; bit++) {
		const char *name = armspe_event_name(bit);

		if (!strncmp(name, "impdef", 6) || !strncmp(name, "reserved", 8))
			continue;
		if (column + strlen(name) > 76)
			column = (size_t)fprintf(to, "\n       ") - 1;
		column += (size_t)fprintf(to, " %s", name);
	}
	fputs("\n        impdef-N (the CPU's manual defines what event N is)\n", to);
}

static void add_arg(struct record *r, char *arg)
{
	r->args = array_grow(r->args, r->nr_args, &r->room_args,
			     sizeof(*r->args));
	r->args[r->nr_args++] = arg;
}

static void add_text(struct record *r, const char *text)
{
	add_arg(r, xformat("%s", text));
}

/* Samples of all CPUs that are expected to be busy, in MB a second */
static double megabytes(const struct record *r, const struct volume *v, bool all)
{
	size_t cpus = all ? v->cpus : 1;

	return (r->req.freq ? (double)(r->req.freq * VOLUME_RECORD * cpus) :
			      volume_rate(v, r->req.period, cpus)) / 1e6;
}

/* Say what the period that perf-spe chose, or @v's machine with the user's, writes. */
static void say_volume(const struct record *r, const struct volume *v, bool chosen)
{
	char *assumed = xformat("a CPU executes at most %.1f G operations a second and a sample has %d bytes",
				(double)v->hz * VOLUME_IPC / 1e9, VOLUME_RECORD);
	double one = megabytes(r, v, false), all = megabytes(r, v, true);

	if (chosen && (r->all || v->cpus == 1))
		say("record: chose period %" PRIu64 " for %zu CPU%s: at most %.0f MB/s, if %s; --period N changes it",
		    r->req.period, v->cpus, plural(v->cpus), all, assumed);
	else if (chosen)
		say("record: chose period %" PRIu64 ": at most %.0f MB/s for each busy CPU and %.0f MB/s for all %zu, if %s; --period N changes it",
		    r->req.period, one, all, v->cpus, assumed);
	else if ((r->all ? all : one) * 1e6 > (double)VOLUME_MOST)
		say("record: --%s %" PRIu64 " writes up to %.0f MB/s from %s, more than perf and a disk take, so samples will be lost: give a %s one, as --period %" PRIu64,
		    r->req.freq ? "freq" : "period",
		    r->req.freq ? r->req.freq : r->req.period, r->all ? all : one,
		    r->all ? "all CPUs" : "each busy CPU",
		    r->req.freq ? "lower" : "larger", volume_period(v, r->all));
	free(assumed);
}

/* Choose a period if the user has not, and tell the volume of data. */
static void choose_period(struct record *r, const struct pmu *pmus, size_t count)
{
	struct volume v = volume_read(r->root, pmus, count, r->cpus);
	bool chosen = !r->req.period && !r->req.freq;

	if (r->own_period)
		return;
	if (chosen)
		r->req.period = volume_period(&v, r->all);
	say_volume(r, &v, chosen);
}

/*
 * Chains of frame pointers lack the caller of a function that has no frame: the link register
 * tells it.
 */
static void add_stacks(struct record *r)
{
	if (r->stacks == STACKS_NONE)
		return;
	if (r->stacks == STACKS_FP)
		add_text(r, "--user-regs=lr");
	add_text(r, "-e");
	add_arg(r, stack_event(r->root, r->stacks, &r->req));
}

/* Add -e EVENT for each PMU; false after a message for each missing filter. */
static bool add_events(struct record *r)
{
	size_t count, i;
	struct pmu *pmus = pmus_find(r->root, &count);
	bool ok = count;

	if (!count)
		say("record: this machine has no SPE PMU: run 'perf spe doctor' for the cause");
	for (i = 0; i < count; i++) {
		char *event = pmu_event(&pmus[i], &r->req);

		ok &= event && request_period(&r->req, &pmus[i]);
		if (!event)
			continue;
		add_text(r, "-e");
		add_arg(r, event);
	}
	if (ok)
		choose_period(r, pmus, count);
	add_stacks(r);
	pmus_free(pmus, count);
	return ok;
}

/* Print a word, quoted for a shell if needed. */
static void print_word(const char *word)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyz"
		"ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-=,./:@%+";

	if (*word && !word[strspn(word, plain)]) {
		fputs(word, stdout);
		return;
	}
	putchar('\'');
	for (; *word; word++) {
		if (*word == '\'')
			fputs("'\\''", stdout);
		else
			putchar(*word);
	}
	putchar('\'');
}

static int start(struct record *r)
{
	const char *perf = getenv("PERF") ? getenv("PERF") : "perf";
	size_t i;

	r->args[0] = xformat("%s", perf);
	add_arg(r, NULL);
	if (r->print) {
		for (i = 0; r->args[i]; i++) {
			if (i)
				putchar(' ');
			print_word(r->args[i]);
		}
		putchar('\n');
		return EXIT_OK;
	}
	execvp(perf, r->args);
	say("record: cannot run %s: %s%s", perf, strerror(errno),
	    errno == ENOENT ? "; install perf, or set the variable PERF to its path" :
	    "; set the variable PERF to a perf that runs");
	return EXIT_INPUT;
}

/* perf itself must not have the library, so env(1) sets the variables for the command alone. */
static bool add_heap(struct record *r, const char *command)
{
	struct preload p = { 0 };
	bool good = preload_prepare(&p, r->output ? r->output : "perf.data", r->print);

	if (good) {
		preload_check(command);
		add_text(r, "env");
		add_text(r, p.library);
		add_text(r, p.folder);
		add_text(r, p.id);
	}
	preload_free(&p);
	return good;
}

static int run(struct record *r, char **command)
{
	char *amount = NULL;

	if (!add_events(r))
		return EXIT_INPUT;
	if (r->req.period)
		amount = xformat("%" PRIu64, r->req.period);
	else if (r->req.freq)
		amount = xformat("%" PRIu64, r->req.freq);
	if (amount) {
		add_text(r, r->req.period ? "-c" : "-F");
		add_arg(r, amount);
	}
	if (*command)
		add_text(r, "--");
	if (r->heap && !add_heap(r, *command))
		return EXIT_INPUT;
	for (; *command; command++)
		add_text(r, *command);
	return start(r);
}

enum { OPT_PERF = 256, OPT_HEAP, OPT_PRINT, OPT_ROOT, OPT_STACKS };

static const struct option options[] = {
	REQUEST_OPTIONS,
	{ "heap", no_argument, NULL, OPT_HEAP },
	{ "perf", required_argument, NULL, OPT_PERF },
	{ "print", no_argument, NULL, OPT_PRINT },
	{ "root", required_argument, NULL, OPT_ROOT },
	{ "stacks", optional_argument, NULL, OPT_STACKS },
	{ "help", no_argument, NULL, 'h' },
	{ 0 },
};

/* Whether a word for perf record sets the period or the frequency */
static bool sets_period(const char *word)
{
	return !strncmp(word, "-c", 2) || !strncmp(word, "-F", 2) ||
	       !strncmp(word, "--count", 7) || !strncmp(word, "--freq", 6);
}

static bool parse_option(struct record *r, int option)
{
	enum request_taken taken = request_take(&r->req, option);

	if (taken != REQUEST_OTHER)
		return taken == REQUEST_GOOD;
	switch (option) {
	case OPT_HEAP:
		r->heap = true;
		return true;
	case OPT_PRINT:
		r->print = true;
		return true;
	case OPT_ROOT:
		r->root = optarg;
		return true;
	case OPT_STACKS:
		return stacks_parse("record", optarg, &r->stacks);
	case OPT_PERF:
		r->own_period |= sets_period(optarg);
		add_text(r, optarg);
		return true;
	case 'a': case 'C': case 'p': case 't': case 'o': case 'm':
		r->target |= strchr("aCpt", option) != NULL;
		r->all |= option == 'a' || option == 'C';
		if (option == 'C')
			r->cpus = optarg;
		if (option == 'o')
			r->output = optarg;
		add_arg(r, xformat("-%c", option));
		if (optarg)
			add_text(r, optarg);
		return true;
	default:
		return false;
	}
}

static bool check_options(const struct record *r, char **command)
{
	if (!*command && !r->target) {
		say("record: no command given: add one after --, or select a target with -a, -C, -p or -t");
		return false;
	}
	if (r->heap && (!*command || r->target)) {
		say("record: --heap follows a command that it starts: give one after --, without -a, -C, -p and -t");
		return false;
	}
	if (r->heap && r->output && !strcmp(r->output, "-")) {
		say("record: --heap needs a file for the data, because the logs are beside it: give -o FILE");
		return false;
	}
	return request_check(&r->req);
}

int verb_record(int argc, char **argv)
{
	struct record r = { .root = "", .req.verb = "record" };
	int option, rc = EXIT_USAGE;
	size_t i;

	add_arg(&r, NULL);
	add_text(&r, "record");
	/* Without mappings of data, heap and stack would have no names. */
	add_text(&r, "-d");
	/* "+": options after the command are the command's. */
	while ((option = option_next("record", argc, argv, "+aC:p:t:o:m:h",
				     options)) != -1) {
		if (option == 'h') {
			usage(stdout);
			rc = EXIT_OK;
			goto out;
		}
		if (!parse_option(&r, option))
			goto out;
	}
	if (check_options(&r, argv + optind))
		rc = run(&r, argv + optind);
out:
	for (i = 0; i < r.nr_args; i++)
		free(r.args[i]);
	free(r.args);
	return rc;
}
