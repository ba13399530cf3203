// SPDX-License-Identifier: GPL-2.0-only
/*
 * perf runs this program as "perf spe VERB" if it is in PATH.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "util/message.h"
#include "verbs/verbs.h"

static const struct verb {
	const char *name;
	int (*run)(int argc, char **argv);
	const char *help;
} verbs[] = {
	{ "annotate", verb_annotate, "print a function's instructions and the samples of each" },
	{ "doctor", verb_doctor, "check whether this machine can record, and what to fix" },
	{ "dump", verb_dump, "print the packets of SPE data" },
	{ "export", verb_export, "write the samples as text, CSV, JSON, SQLite or Parquet" },
	{ "mem", verb_mem, "print which memory was accessed, how often and when" },
	{ "pgo", verb_pgo, "write a program's branches for BOLT or AutoFDO" },
	{ "pmbsr", verb_pmbsr, "explain a value of PMBSR_EL1 from the kernel's log" },
	{ "record", verb_record, "record samples with perf record, with filters by name" },
	{ "report", verb_report, "print the samples by symbol" },
	{ "sharing", verb_sharing, "print the cache lines that threads share, and their code" },
	{ "stat", verb_stat, "print operations, events, latencies and losses" },
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
	fputs("\nFor the options of a verb run 'perf spe VERB --help',\n"
	      "for the version 'perf spe --version'.\n", to);
}

/* Fail if the output could not be written: a cut report is no success. */
static int finish(int rc)
{
	if (fflush(stdout) || ferror(stdout)) {
		say("cannot write to standard output: %s; is the disk full, or the reader gone?",
		    strerror(errno));
		return EXIT_INPUT;
	}
	return rc;
}

int main(int argc, char **argv)
{
	size_t i;

	/* A large buffer, as a dump has millions of lines. */
	setvbuf(stdout, NULL, _IOFBF, 1 << 20);
	if (argc < 2) {
		usage(stderr);
		return EXIT_USAGE;
	}
	if (!strcmp(argv[1], "--version")) {
		puts("perf-spe " SPE_VERSION);
		return finish(EXIT_OK);
	}
	if (!strcmp(argv[1], "-h") || !strcmp(argv[1], "--help") ||
	    !strcmp(argv[1], "help")) {
		usage(stdout);
		return finish(EXIT_OK);
	}
	for (i = 0; i < NR_VERBS; i++)
		if (!strcmp(argv[1], verbs[i].name))
			return finish(verbs[i].run(argc - 1, argv + 1));
	say("no verb '%s': choose one of those below", argv[1]);
	usage(stderr);
	return EXIT_USAGE;
}
