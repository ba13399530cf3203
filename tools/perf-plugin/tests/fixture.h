/* SPDX-License-Identifier: GPL-2.0-only */
/* What of the fixture program has a file of its own. */
#ifndef FIXTURE_H
#define FIXTURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* Ends the program. */
void fail(const char *what, const char *line);
/* The next word of the line, and as a number */
char *word(void);
uint64_t number(void);
/* The same where there may be no more: NULL */
char *more_words(void);

/*
 * A line about the header's features; false where it is about something else.
 *
 *   osrelease NAME
 *   buildid HEX NAME             an entry of the list
 *   text FEATURE NAME            a string: 3 host, 8 processor
 *   words FEATURE WORD...        strings: 11 command
 *   cpus ONLINE / memtotal KIB
 *   pmus TYPE NAME ...
 *   names COUNT NAME...          of the attributes
 *   numa NODE CPUS ...           - for none
 *   blocks BYTES NODE BITS ...   memory blocks: at most 64
 *   feature FEATURE BYTE...      any bytes, in hex
 */
bool feature_line(const char *verb);
/* Which there are, as in a file's header */
uint64_t feature_bits(void);
/* Behind the events, at offset @at: where each lies, then they */
void feature_write(FILE *f, uint64_t at);
/* The bytes of one */
const uint8_t *feature_bytes(unsigned int feature, size_t *len);

#endif
