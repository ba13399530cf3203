/* SPDX-License-Identifier: GPL-2.0-only */
/* Text as UTF-8, which formats of files require. */
#ifndef PERF_SPE_UTF8_H
#define PERF_SPE_UTF8_H

#include <stddef.h>
#include <stdint.h>

/* The length of the UTF-8 character at @s, 0 if it is invalid */
size_t utf8_len(const uint8_t *s);
/* A copy, with U+FFFD for each byte that is no valid UTF-8; to be freed */
char *utf8_text(const char *text);

#endif
