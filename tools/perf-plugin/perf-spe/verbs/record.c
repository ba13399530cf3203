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
#include "system/system.h"
#include "util/util.h"
#include "verbs/verbs.h"

/* What the logs of --heap have at most, in MiB */
#define HEAP_MIB	1024u

struct record {
	struct record_events events;
	bool print;
	bool target;		/* -a, -C, -p or -t given: needs no command */
	bool heap;
	uint64_t heap_limit;	/* MiB; 0: the default */
	const char *output;	/* of -o; NULL: perf.data */
	struct args perf;	/* perf record and all that follows */
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
	      "      --guests[=only]     also sample the guests of KVM on this machine, or only them; needs\n"
	      "                          privilege\n"
	      "      --stacks            also record call stacks, with samples of cycles, by frame\n"
	      "                          pointers; --stacks=dwarf does without these, more slowly\n"
	      "      --aux-sample[=BYTES]\n"
	      "                          with --stacks: keep only the newest records at each sample\n"
	      "                          with a stack, 4096 bytes by default\n"
	      "      --samples           record with the PMU spe_sample_N: each record is a sample of\n"
	      "                          perf, with its thread, for programs that read samples\n"
	      "      --batch N           with --samples: interrupt for each N records, 1 to 64\n"
	      "      --heap              also log the blocks of the command's heap to FILE.heap\n"
	      "      --heap-limit MIB    with --heap: end the logs when they have this size together,\n"
	      "                          1024 by default\n"
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

static int start(struct record *r)
{
	const char *perf = r->perf.args[0];

	if (r->print) {
		args_print(&r->perf);
		return EXIT_OK;
	}
	args_end(&r->perf);
	execvp(perf, r->perf.args);
	say("record: cannot run %s: %s%s", perf, strerror(errno),
	    errno == ENOENT ? "; install perf, or set the variable PERF to its path" :
	    "; set the variable PERF to a perf that runs");
	return EXIT_INPUT;
}

/* perf itself must not have the library, so env(1) sets the variables for the command alone. */
static bool add_heap(struct record *r, const char *command)
{
	struct preload p = { 0 };
	bool good = preload_prepare(&p, r->output ? r->output : "perf.data",
				    (r->heap_limit ? r->heap_limit : HEAP_MIB) << 20, r->print);

	if (good) {
		preload_check(command);
		args_add(&r->perf, "env");
		args_add(&r->perf, p.library);
		args_add(&r->perf, p.folder);
		args_add(&r->perf, p.id);
	}
	preload_free(&p);
	return good;
}

static int run(struct record *r, char **command)
{
	if (!record_events(&r->events, &r->perf))
		return EXIT_INPUT;
	if (*command)
		args_add(&r->perf, "--");
	if (r->heap && !add_heap(r, *command))
		return EXIT_INPUT;
	for (; *command; command++)
		args_add(&r->perf, *command);
	return start(r);
}

#define BATCH_MOST	64u

enum { OPT_PERF = 256, OPT_AUX_SAMPLE, OPT_BATCH, OPT_GUESTS, OPT_SAMPLES, OPT_HEAP, OPT_HEAP_LIMIT, OPT_PRINT, OPT_ROOT, OPT_STACKS };

static const struct option options[] = {
	REQUEST_OPTIONS,
	{ "aux-sample", optional_argument, NULL, OPT_AUX_SAMPLE },
	{ "batch", required_argument, NULL, OPT_BATCH },
	{ "guests", optional_argument, NULL, OPT_GUESTS },
	{ "samples", no_argument, NULL, OPT_SAMPLES },
	{ "heap", no_argument, NULL, OPT_HEAP },
	{ "heap-limit", required_argument, NULL, OPT_HEAP_LIMIT },
	{ "perf", required_argument, NULL, OPT_PERF },
	{ "print", no_argument, NULL, OPT_PRINT },
	{ "root", required_argument, NULL, OPT_ROOT },
	{ "stacks", optional_argument, NULL, OPT_STACKS },
	{ "help", no_argument, NULL, 'h' },
	{ 0 },
};

const char *record_guests_word(unsigned int index)
{
	return index ? NULL : "only";
}

/* Take the value of --guests, NULL for none; false after a message. */
static bool guests_parse(const char *text, enum guests_wanted *guests)
{
	*guests = text ? GUESTS_ONLY : GUESTS_TOO;
	if (!text || !strcmp(text, record_guests_word(0)))
		return true;
	say("record: --guests takes no value, or 'only' to leave the host out, not '%s'", text);
	return false;
}

/* Whether a word for perf record sets the period or the frequency */
static bool sets_period(const char *word)
{
	return !strncmp(word, "-c", 2) || !strncmp(word, "-F", 2) ||
	       !strncmp(word, "--count", 7) || !strncmp(word, "--freq", 6);
}

/* Whether a word for perf record asks for call chains */
static bool sets_chains(const char *word)
{
	return !strncmp(word, "-g", 2) || !strncmp(word, "--call-graph", 12);
}

static bool parse_option(struct record *r, int option)
{
	enum request_taken taken = request_take(&r->events.req, option);

	if (taken != REQUEST_OTHER)
		return taken == REQUEST_GOOD;
	switch (option) {
	case OPT_AUX_SAMPLE:
		return aux_sample_parse("record", optarg, &r->events.aux_sample);
	case OPT_BATCH:
		return parse_count("record", "batch", optarg, &r->events.req.batch);
	case OPT_GUESTS:
		return guests_parse(optarg, &r->events.req.guests);
	case OPT_SAMPLES:
		r->events.samples = true;
		return true;
	case OPT_HEAP:
		r->heap = true;
		return true;
	case OPT_HEAP_LIMIT:
		return parse_count("record", "heap-limit", optarg, &r->heap_limit);
	case OPT_PRINT:
		r->print = true;
		return true;
	case OPT_ROOT:
		r->events.root = optarg;
		return true;
	case OPT_STACKS:
		return stacks_parse("record", optarg, &r->events.stacks);
	case OPT_PERF:
		r->events.own_period |= sets_period(optarg);
		r->events.own_chains |= sets_chains(optarg);
		args_add(&r->perf, optarg);
		return true;
	case 'a': case 'C': case 'p': case 't': case 'o': case 'm':
		r->target |= strchr("aCpt", option) != NULL;
		r->events.all |= option == 'a' || option == 'C';
		if (option == 'C')
			r->events.cpus = optarg;
		if (option == 'o')
			r->output = optarg;
		args_take(&r->perf, xformat("-%c", option));
		if (optarg)
			args_add(&r->perf, optarg);
		return true;
	default:
		return false;
	}
}

static bool check_samples(const struct record_events *e)
{
	if (e->req.batch && !e->samples)
		say("record: --batch is the number of samples for each interrupt: add --samples");
	else if (e->req.batch > BATCH_MOST)
		say("record: --batch takes 1 to %u records, not %" PRIu64, BATCH_MOST, e->req.batch);
	else if (e->samples && e->aux_sample)
		say("record: --samples and --aux-sample exclude each other: remove one");
	else if (e->samples && e->req.guests != GUESTS_NONE)
		say("record: --samples and --guests exclude each other, as a sample of perf does not say that it is of a guest: remove one");
	else
		return true;
	return false;
}

static bool check_options(const struct record *r, char **command)
{
	if (!*command && !r->target) {
		say("record: no command given: add one after --, or select a target with -a, -C, -p or -t");
		return false;
	}
	if (r->heap && (!*command || r->target)) {
		say("record: --heap needs a command to start: give one after --, and remove -a, -C, -p and -t");
		return false;
	}
	if (r->heap_limit && !r->heap) {
		say("record: --heap-limit limits the logs of --heap: add --heap");
		return false;
	}
	if (r->heap_limit > UINT64_MAX >> 20) {
		say("record: --heap-limit takes MiB, at most %" PRIu64 ": give less", UINT64_MAX >> 20);
		return false;
	}
	if (r->heap && r->output && !strcmp(r->output, "-")) {
		say("record: --heap needs a file for the data, because the logs are beside it: give -o FILE");
		return false;
	}
	if (r->events.aux_sample && r->events.stacks == STACKS_NONE) {
		say("record: --aux-sample puts records into the samples with call stacks: add --stacks");
		return false;
	}
	return check_samples(&r->events) && request_check(&r->events.req);
}

int verb_record(int argc, char **argv)
{
	struct record r = { .events = { .root = "", .req.verb = "record" } };
	int option, rc = EXIT_USAGE;

	args_add(&r.perf, getenv("PERF") ? getenv("PERF") : "perf");
	args_add(&r.perf, "record");
	/* Without mappings of data, heap and stack would have no names. */
	args_add(&r.perf, "-d");
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
	args_free(&r.perf);
	return rc;
}
