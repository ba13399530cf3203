/* SPDX-License-Identifier: GPL-2.0-only */
/* Messages to the user, and exit codes. */
#ifndef PERF_SPE_MESSAGE_H
#define PERF_SPE_MESSAGE_H

#include <stdio.h>

/* Exit codes of every verb. */
#define EXIT_OK		0
#define EXIT_INPUT	1	/* unreadable, foreign or damaged input */
#define EXIT_USAGE	2

/*
 * Print a name from a file.  Control characters become question marks: they
 * could move the terminal's cursor or break the line.
 */
void put_name(const char *name, FILE *to);

/*
 * Print "perf-spe: ..." on standard error, without control characters.  A message
 * says what failed, why, and what to do next.
 */
void say(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
