/* SPDX-License-Identifier: GPL-2.0-only */
/* Text as JSON strings. */
#ifndef PERF_SPE_JSON_H
#define PERF_SPE_JSON_H

#include <stdio.h>

/*
 * Print a JSON string with its quotes.  U+FFFD stands for each byte that is no
 * valid UTF-8, so that every reader of JSON accepts the result.
 */
void json_text(const char *text, FILE *to);

#endif
