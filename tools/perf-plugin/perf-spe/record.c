// SPDX-License-Identifier: GPL-2.0-only
/*
 * perf spe record: perf record, asked in words.  What the machine lacks is
 * said before anything runs.
 */
#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "armspe.h"
#include "pmu.h"
#include "verbs.h"

struct record {
	const char *root;
	bool print;
	struct pmu_request req;
	uint64_t period, freq;
	bool target;		/* of -a, -C, -p, -t: no command is needed */
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
	      "Records SPE samples with perf record, on every SPE PMU of the machine.\n"
	      "\n"
	      "      --loads, --stores, --branches, --simd, --float\n"
	      "                          only these operations (several: any of them)\n"
	      "      --event LIST        only where each of these events happened\n"
	      "      --not-event LIST    only where none of these happened\n"
	      "      --min-latency N     only what took at least N cycles\n"
	      "      --data-source LIST  of loads, only those from these sources: names of\n"
	      "                          this CPU's (as 'dram'), or codes\n"
	      "      --period N          one sample in N operations\n"
	      "      --freq N            N samples a second, where driver and perf can\n"
	      "      --physical          physical addresses too; privileged\n"
	      "      --user, --kernel    only the one\n"
	      "  -a, -C CPUS, -p PID, -t TID, -o FILE, -m PAGES\n"
	      "                          as perf record has them\n"
	      "      --perf OPTION       any other option of perf record, one word\n"
	      "      --print             print the command that would run, no more\n"
	      "      --root DIR          ask the sysfs of a machine below DIR\n"
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
	fputs("\n        impdef-N (what N is the CPU's manual tells)\n", to);
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

/* Interval: steps of 256 operations in 32 bits of PMSIRR_EL1 */
#define PERIOD_MAX UINT64_C(0xffffff00)

static bool check_period(const struct record *r, const struct pmu *pmu)
{
	uint64_t least;

	if (r->period > PERIOD_MAX) {
		say("record: --period is at most %" PRIu64, PERIOD_MAX);
		return false;
	}
	if (r->period && pmu_number(pmu, "caps/min_interval", &least) &&
	    r->period < least)
		say("record: %s: below a period of %" PRIu64
		    " samples collide and are dropped", pmu->name, least);
	return true;
}

/* -e EVENT for each PMU; false after messages for all that is lacking */
static bool add_events(struct record *r)
{
	size_t count, i;
	struct pmu *pmus = pmus_find(r->root, &count);
	bool ok = count;

	if (!count)
		say("record: this machine has no SPE PMU: 'perf spe doctor' tells why");
	for (i = 0; i < count; i++) {
		char *event = pmu_event(&pmus[i], &r->req);

		ok &= event && check_period(r, &pmus[i]);
		if (!event)
			continue;
		add_text(r, "-e");
		add_arg(r, event);
	}
	pmus_free(pmus, count);
	return ok;
}

/* A word as a shell reads it back */
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
	    errno == ENOENT ? "; install it, or name it in the variable PERF" :
	    "");
	return EXIT_INPUT;
}

static int run(struct record *r, char **command)
{
	char *amount = NULL;

	if (!add_events(r))
		return EXIT_INPUT;
	if (r->period)
		amount = xformat("%" PRIu64, r->period);
	else if (r->freq)
		amount = xformat("%" PRIu64, r->freq);
	if (amount) {
		add_text(r, r->period ? "-c" : "-F");
		add_arg(r, amount);
	}
	if (*command)
		add_text(r, "--");
	for (; *command; command++)
		add_text(r, *command);
	return start(r);
}

enum {
	OPT_LOADS = 256, OPT_STORES, OPT_BRANCHES, OPT_SIMD, OPT_FLOAT,
	OPT_EVENT, OPT_NOT_EVENT, OPT_MIN_LATENCY, OPT_SOURCE, OPT_PERIOD,
	OPT_FREQ, OPT_PHYSICAL, OPT_USER, OPT_KERNEL, OPT_PERF, OPT_PRINT,
	OPT_ROOT,
};

static const struct option options[] = {
	{ "loads", no_argument, NULL, OPT_LOADS },
	{ "stores", no_argument, NULL, OPT_STORES },
	{ "branches", no_argument, NULL, OPT_BRANCHES },
	{ "simd", no_argument, NULL, OPT_SIMD },
	{ "float", no_argument, NULL, OPT_FLOAT },
	{ "event", required_argument, NULL, OPT_EVENT },
	{ "not-event", required_argument, NULL, OPT_NOT_EVENT },
	{ "min-latency", required_argument, NULL, OPT_MIN_LATENCY },
	{ "data-source", required_argument, NULL, OPT_SOURCE },
	{ "period", required_argument, NULL, OPT_PERIOD },
	{ "freq", required_argument, NULL, OPT_FREQ },
	{ "physical", no_argument, NULL, OPT_PHYSICAL },
	{ "user", no_argument, NULL, OPT_USER },
	{ "kernel", no_argument, NULL, OPT_KERNEL },
	{ "perf", required_argument, NULL, OPT_PERF },
	{ "print", no_argument, NULL, OPT_PRINT },
	{ "root", required_argument, NULL, OPT_ROOT },
	{ "help", no_argument, NULL, 'h' },
	{ 0 },
};

/* Options without value; false where @option is none */
static bool parse_switch(struct record *r, int option)
{
	bool *const switches[] = {
		&r->req.load, &r->req.store, &r->req.branch, &r->req.simd,
		&r->req.fp,
	};

	if (option >= OPT_LOADS && option <= OPT_FLOAT)
		*switches[option - OPT_LOADS] = true;
	else if (option == OPT_PHYSICAL)
		r->req.physical = true;
	else if (option == OPT_USER)
		r->req.user = true;
	else if (option == OPT_KERNEL)
		r->req.kernel = true;
	else if (option == OPT_PRINT)
		r->print = true;
	else
		return false;
	return true;
}

static bool parse_option(struct record *r, int option)
{
	switch (option) {
	case OPT_EVENT:
		return pmu_event_bits(optarg, &r->req.events);
	case OPT_NOT_EVENT:
		return pmu_event_bits(optarg, &r->req.not_events);
	case OPT_MIN_LATENCY:
		return parse_count("record", "min-latency", optarg, &r->req.min_latency);
	case OPT_SOURCE:
		r->req.sources = optarg;
		return true;
	case OPT_PERIOD:
		return parse_count("record", "period", optarg, &r->period);
	case OPT_FREQ:
		return parse_count("record", "freq", optarg, &r->freq);
	case OPT_ROOT:
		r->root = optarg;
		return true;
	case OPT_PERF:
		add_text(r, optarg);
		return true;
	case 'a': case 'C': case 'p': case 't': case 'o': case 'm':
		r->target |= strchr("aCpt", option) != NULL;
		add_arg(r, xformat("-%c", option));
		if (optarg)
			add_text(r, optarg);
		return true;
	default:
		if (parse_switch(r, option))
			return true;
		usage(stderr);
		return false;
	}
}

static bool check_options(const struct record *r, char **command)
{
	if (!*command && !r->target) {
		say("record: what? COMMAND, -a, -C CPUS, -p PID or -t TID");
		return false;
	}
	if (r->period && r->freq) {
		say("record: --period and --freq exclude each other");
		return false;
	}
	if (r->req.user && r->req.kernel) {
		say("record: --user and --kernel exclude each other");
		return false;
	}
	if (r->req.events & r->req.not_events) {
		say("record: an event is in --event and in --not-event");
		return false;
	}
	return true;
}

int verb_record(int argc, char **argv)
{
	struct record r = { .root = "" };
	int option, rc = EXIT_USAGE;
	size_t i;

	add_arg(&r, NULL);
	add_text(&r, "record");
	/* Options behind the command are the command's. */
	while ((option = getopt_long(argc, argv, "+aC:p:t:o:m:h", options,
				     NULL)) != -1) {
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
