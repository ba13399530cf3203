// SPDX-License-Identifier: GPL-2.0-only
/*
 * perf runs this program as "perf spe VERB" if it is in PATH.
 */
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "util/util.h"
#include "verbs/verbs.h"

static const struct verb {
	const char *name;
	int (*run)(int argc, char **argv);
	const char *help;
} verbs[] = {
	{ "advise", verb_advise, "print what to improve, with cycles at stake and evidence" },
	{ "annotate", verb_annotate, "print a function's instructions and the samples of each" },
	{ "diff", verb_diff, "print what changed between recordings, and what is significant" },
	{ "doctor", verb_doctor, "check whether this machine can record, and what to fix" },
	{ "dump", verb_dump, "print the packets of SPE data" },
	{ "export", verb_export, "write the samples as rows, or a profile for a viewer" },
	{ "layout", verb_layout, "print a structure with the samples of each member" },
	{ "mem", verb_mem, "print which memory was accessed, how often and when" },
	{ "pgo", verb_pgo, "write a profile for BOLT, AutoFDO or LLVM" },
	{ "pmbsr", verb_pmbsr, "explain a value of PMBSR_EL1 from the kernel's log" },
	{ "record", verb_record, "record samples with perf record, with filters by name" },
	{ "report", verb_report, "print the samples by symbol" },
	{ "sharing", verb_sharing, "print the cache lines that threads share, and their code" },
	{ "stat", verb_stat, "print operations, events, latencies, losses, and trust" },
	{ "top", verb_top, "print a live report, every two seconds" },
	{ "script", verb_export, "print one sample per line; the same as export" },
};

#define NR_VERBS (sizeof(verbs) / sizeof(verbs[0]))

static void usage(FILE *to)
{
	size_t i;

	fputs("usage: perf spe VERB [OPTIONS]\n\n", to);
	for (i = 0; i < NR_VERBS; i++)
		fprintf(to, "  %-8s %s\n", verbs[i].name, verbs[i].help);
	fputs("\nFor the options of a verb run 'perf spe help VERB' or 'perf spe VERB --help',\n"
	      "for the version 'perf spe --version'.\n", to);
}

/* Fail if the output could not be written: a cut report is no success. */
static int finish(int rc)
{
	if (fflush(stdout) || ferror(stdout)) {
		say("cannot write to standard output: %s; free space on the disk, or let the reader of a pipe read to the end",
		    strerror(errno));
		return EXIT_INPUT;
	}
	return rc;
}

static const char *verb_name(unsigned int index)
{
	return index < NR_VERBS ? verbs[index].name : NULL;
}

static const struct verb *verb_find(const char *name)
{
	char *near;
	size_t i;

	for (i = 0; i < NR_VERBS; i++)
		if (!strcmp(name, verbs[i].name))
			return &verbs[i];
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

/* "help VERB" prints what "VERB --help" does. */
static int help(char *name)
{
	char option[] = "--help", *args[] = { name, option, NULL };
	const struct verb *verb;

	if (!name || is_one_of(name, "--help", "-h", "help")) {
		usage(stdout);
		return EXIT_OK;
	}
	verb = verb_find(name);
	return verb ? verb->run(2, args) : EXIT_USAGE;
}

/* A verb for complete(), or EXIT_USAGE */
static int run_verb(int argc, char **argv)
{
	size_t i;

	for (i = 0; i < NR_VERBS; i++)
		if (!strcmp(argv[0], verbs[i].name))
			return verbs[i].run(argc, argv);
	return EXIT_USAGE;
}

static int run(int argc, char **argv)
{
	const struct verb *verb;

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
	return verb ? verb->run(argc - 1, argv + 1) : EXIT_USAGE;
}

int main(int argc, char **argv)
{
	int rc;

	/* A large buffer, as a dump has millions of lines. */
	setvbuf(stdout, NULL, _IOFBF, 1 << 20);
	rc = run(argc, argv);
	return finish(output_refused() ? EXIT_USAGE : rc);
}
