/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Print packets as lines "OFFSET: BYTES TEXT" for dump, much faster than with one
 * call of armspe_text_packet() each.  The text is the same.
 */
#ifndef PERF_SPE_PACKET_LINES_H
#define PERF_SPE_PACKET_LINES_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct packet_lines;

/* Lines are buffered and go to @to. */
struct packet_lines *packet_lines_new(FILE *to);
/* Drops buffered lines: call packet_lines_flush() first. */
void packet_lines_free(struct packet_lines *lines);
void packet_lines_flush(struct packet_lines *lines);

/*
 * Print a line for each packet in [@from, @to) of @bytes, of which @len bytes can
 * be read.  Returns @to, or the offset of a packet that @to cuts.
 */
size_t packet_lines_put(struct packet_lines *lines, const uint8_t *bytes,
			size_t from, size_t to, size_t len);

/* Print a line of @len bytes, at most 16, with @text. */
void packet_lines_say(struct packet_lines *lines, size_t offset,
		      const uint8_t *bytes, size_t len, const char *text);

#endif
