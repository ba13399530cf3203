/* SPDX-License-Identifier: GPL-2.0-only */
/* A whole input file, mapped read only. */
#ifndef PERF_SPE_MAPPED_FILE_H
#define PERF_SPE_MAPPED_FILE_H

#include <stddef.h>
#include <stdint.h>

struct mapped_file {
	const char *path;
	const uint8_t *bytes;
	size_t size;
};

/*
 * 0, or -1 after a message.  Empty files and directories are refused; "-" is
 * standard input, kept in a temporary file.  One input is open at a time: when
 * its file becomes shorter the program ends with a message.
 */
int mapped_file_open(struct mapped_file *in, const char *path);
/* These bytes of the mapping were used: memory may do without them. */
void mapped_file_forget(const struct mapped_file *in, const uint8_t *from,
			size_t len);
void mapped_file_close(struct mapped_file *in);

#endif
