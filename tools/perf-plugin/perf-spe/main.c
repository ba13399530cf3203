// SPDX-License-Identifier: GPL-2.0-only
/*
 * perf-spe: "perf spe VERB" when this program is in PATH.
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
	{ "annotate", verb_annotate, "print a function's instructions with their samples" },
	{ "doctor", verb_doctor, "tell why SPE does not work here, and what to do" },
	{ "dump", verb_dump, "print the packets of SPE data" },
	{ "export", verb_export, "write the samples as text, CSV, JSON, SQLite or Parquet" },
	{ "mem", verb_mem, "print which memory was touched, and its heat over time" },
	{ "pgo", verb_pgo, "write a program's branches for BOLT or AutoFDO" },
	{ "pmbsr", verb_pmbsr, "explain a buffer syndrome, as in the kernel's log" },
	{ "record", verb_record, "record samples: perf record, asked in words" },
	{ "report", verb_report, "print the samples by symbol" },
	{ "sharing", verb_sharing, "print the cache lines that tasks share, and their code" },
	{ "stat", verb_stat, "print what a recording consists of" },
	{ "top", verb_top, "print what runs now, again and again" },
	{ "script", verb_export, "print the samples, one a line: export as text" },
};

#define NR_VERBS (sizeof(verbs) / sizeof(verbs[0]))

static void usage(FILE *to)
{
	size_t i;

	fputs("usage: perf spe VERB [OPTIONS]\n\n", to);
	for (i = 0; i < NR_VERBS; i++)
		fprintf(to, "  %-8s %s\n", verbs[i].name, verbs[i].help);
	fputs("\n'perf spe VERB --help' tells a verb's options.\n", to);
}

/* A report that did not reach its reader must not look like a success. */
static int finish(int rc)
{
	if (fflush(stdout) || ferror(stdout)) {
		say("cannot write the output: %s", strerror(errno));
		return EXIT_INPUT;
	}
	return rc;
}

int main(int argc, char **argv)
{
	size_t i;

	/* A dump has millions of lines. */
	setvbuf(stdout, NULL, _IOFBF, 1 << 20);
	if (argc < 2) {
		usage(stderr);
		return EXIT_USAGE;
	}
	if (!strcmp(argv[1], "-h") || !strcmp(argv[1], "--help") ||
	    !strcmp(argv[1], "help")) {
		usage(stdout);
		return finish(EXIT_OK);
	}
	for (i = 0; i < NR_VERBS; i++)
		if (!strcmp(argv[1], verbs[i].name))
			return finish(verbs[i].run(argc - 1, argv + 1));
	say("no verb '%s'", argv[1]);
	usage(stderr);
	return EXIT_USAGE;
}
