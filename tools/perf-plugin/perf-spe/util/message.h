/* SPDX-License-Identifier: GPL-2.0-only */
/* Messages to the user, and the exit codes that follow from them. */
#ifndef PERF_SPE_MESSAGE_H
#define PERF_SPE_MESSAGE_H

#include <stdio.h>

/* Exit codes of every verb. */
#define EXIT_OK		0
#define EXIT_INPUT	1	/* unreadable, foreign or damaged input */
#define EXIT_USAGE	2

/*
 * A name from a file: control characters, which could act on a terminal or
 * break a line, become question marks.
 */
void put_name(const char *name, FILE *to);

/* "perf-spe: ..." on standard error, with put_name()'s care. */
void say(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
