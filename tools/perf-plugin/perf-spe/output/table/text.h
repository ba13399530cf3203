/* SPDX-License-Identifier: GPL-2.0-only */
/* Names and numbers as text for people. */
#ifndef PERF_SPE_TEXT_H
#define PERF_SPE_TEXT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* Escape text for XML and HTML, also inside quotes; drop control characters. */
void put_escaped(const char *text, FILE *to);

/* Nanoseconds, or as many steps where @timed is not set; to be freed. */
char *span_text(uint64_t span, bool timed);
/* Bytes in the largest binary unit that gives at least 1; to be freed. */
char *size_text(uint64_t bytes);

#endif
