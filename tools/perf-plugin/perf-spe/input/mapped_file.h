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
 * Map a file.  "-" is standard input, which is copied to a temporary file first.
 * Returns 0, or -1 after a message, also for empty files and directories.  If
 * another program truncates a mapped file, a handler of SIGBUS ends perf-spe with a
 * message, which names the path: it must last.
 */
int mapped_file_open(struct mapped_file *in, const char *path);
/* perf-spe is done with these bytes: if they are a mapped file's, the kernel may drop their pages. */
void mapped_file_forget(const uint8_t *from, size_t len);
void mapped_file_close(struct mapped_file *in);

#endif
