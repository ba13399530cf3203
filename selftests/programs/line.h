/* SPDX-License-Identifier: GPL-2.0-only */
/* A line of the model's record log holds a record's bytes, two hexadecimal digits each. */
#ifndef SPE_PROGRAMS_LINE_H
#define SPE_PROGRAMS_LINE_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* Returns the number of bytes, or 0 if the line is no record. */
static inline size_t read_line(const char *line, uint8_t *bytes, size_t room)
{
	size_t n = 0;
	int used;

	while (n < room && sscanf(line, "%2hhx%n", &bytes[n], &used) == 1 && used == 2) {
		line += used;
		n++;
	}
	return *line == '\n' || !*line ? n : 0;
}

#endif /* SPE_PROGRAMS_LINE_H */
