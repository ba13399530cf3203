/* SPDX-License-Identifier: GPL-2.0-only */
/* Values behind options of the command line. */
#ifndef PERF_SPE_OPTIONS_H
#define PERF_SPE_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

/* A positive number behind an option; false after a message. */
bool parse_count(const char *verb, const char *option, const char *text,
		 uint64_t *count);

#endif
