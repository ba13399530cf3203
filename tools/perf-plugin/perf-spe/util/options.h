/* SPDX-License-Identifier: GPL-2.0-only */
/* Parse option values of the command line. */
#ifndef PERF_SPE_OPTIONS_H
#define PERF_SPE_OPTIONS_H

#include <getopt.h>
#include <stdbool.h>
#include <stdint.h>

/* Parse a positive number; false after a message that names @option. */
bool parse_count(const char *verb, const char *option, const char *text,
		 uint64_t *count);

/*
 * getopt_long() without its own messages.  Returns '?' after a message for an
 * option that is unknown, ambiguous, or has no value or one too many.
 */
int option_next(const char *verb, int argc, char **argv, const char *letters,
		const struct option *options);

#endif
