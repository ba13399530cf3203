/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Packets as lines, "OFFSET: BYTES TEXT", the text being that of
 * armspe_text_packet(): what dump prints.
 */
#ifndef PERF_SPE_PACKET_LINES_H
#define PERF_SPE_PACKET_LINES_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct packet_lines;

/* Lines go to @to, many at a time. */
struct packet_lines *packet_lines_new(FILE *to);
/* What is not yet written is lost: flush first. */
void packet_lines_free(struct packet_lines *lines);
void packet_lines_flush(struct packet_lines *lines);

/*
 * A line for each packet in [@from, @to) of @bytes, of which @len can be read;
 * offsets are those in @bytes.  Returns @to, or where a packet begins that is
 * cut there.
 */
size_t packet_lines_put(struct packet_lines *lines, const uint8_t *bytes,
			size_t from, size_t to, size_t len);

/* One line of @len bytes, at most 16, with a text of one's own */
void packet_lines_say(struct packet_lines *lines, size_t offset,
		      const uint8_t *bytes, size_t len, const char *text);

#endif
