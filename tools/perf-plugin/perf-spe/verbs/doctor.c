// SPDX-License-Identifier: GPL-2.0-only
/*
 * perf spe doctor: find out why a machine cannot record.  It reads files, so that it
 * can also examine a copy of another machine's files; of this machine it also reads
 * the kernel's log, runs "perf --version" and tries perf_event_open(2).
 */
#include <dirent.h>
#include <errno.h>
#include <getopt.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "doctor/doctor.h"
#include "util/util.h"
#include "verbs/verbs.h"

/* More exit codes; the man page and reference/doctor.md have them too. */
#define EXIT_READY	EXIT_OK
#define EXIT_NOT_READY	EXIT_INPUT
#define EXIT_UNKNOWN	3

static void usage(FILE *to)
{
	fputs("usage: perf spe doctor [--json] [--root DIR]\n"
	      "\n"
	      "Checks whether this machine can record SPE samples. For each problem it prints\n"
	      "what is wrong, why, and what to do. Solve the first one first.\n"
	      "\n"
	      "      --json       print one JSON object\n"
	      "      --root DIR   examine the machine whose files are below DIR: proc, sys, etc,\n"
	      "                   lib/modules, boot, usr/bin, and the output of dmesg in\n"
	      "                   var/log/dmesg\n"
	      "  -h, --help       this text\n"
	      "\n"
	      "Exit status: 0 the machine can record, 1 it cannot, 2 wrong usage, 3 doctor\n"
	      "cannot tell\n", to);
}

/* A mistyped or empty folder must not count as a machine. */
static bool check_root(const char *root)
{
	DIR *dir = opendir(root);
	const char *why = dir ? NULL : strerror(errno);

	if (dir)
		closedir(dir);
	if (!why && !root_exists(root, "proc") && !root_exists(root, "sys"))
		why = "it has neither proc nor sys";
	if (why)
		say("doctor: cannot examine --root %s: %s; name a folder with the files of an Arm machine",
		    root, why);
	return !why;
}

static int status_of(const struct report *report)
{
	if (report->of_level[LEVEL_PROBLEM])
		return EXIT_NOT_READY;
	return report->of_level[LEVEL_UNKNOWN] ? EXIT_UNKNOWN : EXIT_READY;
}

static int diagnose(const char *root, bool json)
{
	struct machine m;
	int status;

	machine_read(&m, root);
	examine(&m);
	if (json)
		print_json(&m, stdout);
	else
		print_text(&m, stdout);
	status = status_of(&m.report);
	machine_free(&m);
	return status;
}

int verb_doctor(int argc, char **argv)
{
	static const struct option options[] = {
		{ "json", no_argument, NULL, 'j' },
		{ "root", required_argument, NULL, 'r' },
		{ "help", no_argument, NULL, 'h' },
		{ 0 },
	};
	const char *root = NULL;
	bool json = false;
	int option;

	while ((option = option_next("doctor", argc, argv, "h", options)) != -1) {
		if (option == 'j') {
			json = true;
		} else if (option == 'r') {
			root = optarg;
		} else {
			if (option == 'h')
				usage(stdout);
			return option == 'h' ? EXIT_OK : EXIT_USAGE;
		}
	}
	if (optind < argc) {
		say("doctor: unexpected argument '%s': try 'perf-spe help doctor'",
		    argv[optind]);
		return EXIT_USAGE;
	}
	if (root && !check_root(root))
		return EXIT_UNKNOWN;
	return diagnose(root ? root : "", json);
}
