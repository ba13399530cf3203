// SPDX-License-Identifier: GPL-2.0-only
/*
 * perf runs this program as "perf spe VERB" if it is in PATH.
 */
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "output/text/text.h"
#include "util/util.h"
#include "verbs/verbs.h"

static const struct verb {
	const char *name;
	int (*run)(int argc, char **argv);
	const char *help;
	bool pages;			/* its output needs a pager; report decides itself */
	const char *question;		/* above the verb in the list; NULL: the same */
} verbs[] = {
	{ "doctor", verb_doctor, "check whether this machine can record, and what to fix", false,
	  "Record samples" },
	{ "record", verb_record, "record samples with perf record, with filters by name", false, NULL },
	{ "top", verb_top, "print a live report, every two seconds", false, NULL },
	{ "agent", verb_agent, "profile a server continuously, within a budget", false, NULL },
	{ "advise", verb_advise, "print what to improve, with cycles at stake and evidence", true,
	  "What should I improve, and can I trust the recording?" },
	{ "stat", verb_stat, "print operations, events, latencies, losses, and trust", true, NULL },
	{ "report", verb_report, "print the samples by symbol", false, "Which code takes the time?" },
	{ "annotate", verb_annotate, "print a function's instructions and the samples of each", true, NULL },
	{ "fleet", verb_fleet, "answer questions from the windows of many agents", false, NULL },
	{ "diff", verb_diff, "print what changed between recordings, and what is significant", true, NULL },
	{ "mem", verb_mem, "print which memory was accessed, how often and when", true,
	  "Which data take the time?" },
	{ "sharing", verb_sharing, "print the cache lines that threads share, and their code", true, NULL },
	{ "tier", verb_tier, "print hot pages of another socket's memory; --move moves them", true, NULL },
	{ "layout", verb_layout, "print a structure with the samples of each member", true, NULL },
	{ "export", verb_export, "write the samples as rows, or a profile for a viewer", true,
	  "Use the samples elsewhere" },
	{ "script", verb_export, "print one sample per line; the same as export", true, NULL },
	{ "pgo", verb_pgo, "write a profile for BOLT, AutoFDO or LLVM", false, NULL },
	{ "archive", verb_archive, "write a recording with all that its reports need to one file", false,
	  NULL },
	{ "dump", verb_dump, "print the packets of SPE data", true, "Look at what the hardware wrote" },
	{ "pmbsr", verb_pmbsr, "explain a value of PMBSR_EL1 from the kernel's log", false, NULL },
};

#define NR_VERBS (sizeof(verbs) / sizeof(verbs[0]))

static void usage(FILE *to)
{
	size_t i;

	fputs("usage: perf spe VERB [OPTIONS]\n", to);
	for (i = 0; i < NR_VERBS; i++) {
		if (verbs[i].question)
			fprintf(to, "\n%s\n", verbs[i].question);
		fprintf(to, "  %-8s %s\n", verbs[i].name, verbs[i].help);
	}
	fputs("\nA recording is an argument (perf spe report FILE), or perf.data. For the options of a\n"
	      "verb run 'perf spe help VERB', for the values of an option give it the value help\n"
	      "(perf spe report --by help), for the version 'perf spe --version'. On a terminal long\n"
	      "output goes through a pager ($PAGER, or less); --no-pager prevents this.\n", to);
}

/* Fail if the output could not be written: a cut report is no success. */
static int finish(int rc)
{
	const char *why = NULL;

	pager_end();
	if (fflush(stdout))
		why = strerror(errno);
	else if (ferror(stdout))
		why = "a part was lost";	/* what failed then was overwritten in errno */
	if (!why)
		return rc;
	say("cannot write to standard output: %s; free space on the disk, or let the reader of a pipe read to the end",
	    why);
	return EXIT_INPUT;
}

static const char *verb_name(unsigned int index)
{
	return index < NR_VERBS ? verbs[index].name : NULL;
}

static const struct verb *verb_named(const char *name)
{
	size_t i;

	for (i = 0; i < NR_VERBS; i++)
		if (!strcmp(name, verbs[i].name))
			return &verbs[i];
	return NULL;
}

/* The same; NULL after a message */
static const struct verb *verb_find(const char *name)
{
	const struct verb *verb = verb_named(name);
	const struct perf_name *perf;
	char *near;

	if (verb)
		return verb;
	perf = perf_name_find(PERF_VERB, name, strlen(name));
	if (perf) {
		say("unknown verb '%s': %s; try 'perf-spe help'", name, perf->hint);
		return NULL;
	}
	near = suggest_near(verb_name, name, strlen(name));
	say("unknown verb '%s'%s%s try 'perf-spe help'", name, near ? "; " : ":",
	    near ? near : "");
	free(near);
	return NULL;
}

static bool is_one_of(const char *word, const char *a, const char *b,
		      const char *c)
{
	return !strcmp(word, a) || !strcmp(word, b) || !strcmp(word, c);
}

/* Print the help of the verb, or of all (NULL), so that it fits the terminal. */
static int fitted_help(const struct verb *verb, char **args)
{
	FILE *real = stdout;
	char *text = NULL;
	int rc = EXIT_OK;
	size_t len;

	stdout = open_memstream(&text, &len);
	if (!stdout)
		exit(EXIT_INPUT);
	if (verb)
		rc = verb->run(2, args);
	else
		usage(stdout);
	fclose(stdout);
	stdout = real;
	put_help(stdout, text);
	free(text);
	return rc;
}

/* "help VERB" prints what "VERB --help" does. */
static int help(char *name)
{
	char option[] = "--help", *args[] = { name, option, NULL };
	const struct verb *verb;

	pager_begin();
	if (!name || is_one_of(name, "--help", "-h", "help"))
		return fitted_help(NULL, NULL);
	verb = verb_find(name);
	return verb ? fitted_help(verb, args) : EXIT_USAGE;
}

/* A verb for complete(), or EXIT_USAGE */
static int run_verb(int argc, char **argv)
{
	const struct verb *verb = verb_named(argv[0]);

	return verb ? verb->run(argc, argv) : EXIT_USAGE;
}

/* Take --no-pager out of the arguments: before the verb, or behind one that has a pager. */
static int take_no_pager(int argc, char **argv)
{
	const struct verb *verb;
	int i, to = 1;

	for (i = 1; i < argc && !strcmp(argv[i], "--no-pager"); i++)
		pager_forbid();
	verb = i < argc ? verb_named(argv[i]) : NULL;
	for (; i < argc; i++)
		if (verb && (verb->pages || verb->run == verb_report) &&
		    !strcmp(argv[i], "--no-pager"))
			pager_forbid();
		else
			argv[to++] = argv[i];
	argv[to] = NULL;
	return to;
}

static int run(int argc, char **argv)
{
	const struct verb *verb;

	argc = take_no_pager(argc, argv);
	if (argc < 2) {
		usage(stderr);
		return EXIT_USAGE;
	}
	if (!strcmp(argv[1], "--complete")) {
		complete(argv + 2, verb_name, run_verb);
		return EXIT_OK;
	}
	if (is_one_of(argv[1], "--version", "-V", "version") ||
	    (argc > 2 && !strcmp(argv[2], "--version"))) {
		puts("perf-spe " SPE_VERSION);
		return EXIT_OK;
	}
	if (is_one_of(argv[1], "--help", "-h", "help"))
		return help(argv[2]);
	verb = verb_find(argv[1]);
	if (!verb)
		return EXIT_USAGE;
	if (argc > 2 && (!strcmp(argv[2], "--help") || !strcmp(argv[2], "-h")))
		return help(argv[1]);
	if (verb->pages)
		pager_begin();
	return verb->run(argc - 1, argv + 1);
}

int main(int argc, char **argv)
{
	int rc;

	output_end_with_reader();
	/* A large buffer, as a dump has millions of lines. */
	setvbuf(stdout, NULL, _IOFBF, 1 << 20);
	option_values(values_print);
	rc = run(argc, argv);
	return finish(output_refused() ? EXIT_USAGE : rc);
}
