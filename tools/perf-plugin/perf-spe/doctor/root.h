/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Files of the machine that doctor examines: this machine, or a copy of another
 * machine's files below a folder.  A copy is hostile: a file can be huge, binary, a
 * FIFO or a dangling link.
 */
#ifndef PERF_SPE_DOCTOR_ROOT_H
#define PERF_SPE_DOCTOR_ROOT_H

#include <stdbool.h>
#include <stddef.h>

/* The root of this machine is "". */
static inline bool root_is_here(const char *root)
{
	return !*root;
}

/*
 * The content of a file: the end of it if it is longer than 8 MiB.  Spaces replace
 * zero bytes, and newlines at the end are removed.  NULL if it cannot be read.
 */
char *root_text(const char *root, const char *path);
/* The same, with the number of bytes in *size and all bytes as they are */
char *root_bytes(const char *root, const char *path, size_t *size);
/* Whether the file can be read and contains @word */
bool root_has(const char *root, const char *path, const char *word);
bool root_exists(const char *root, const char *path);
bool root_can_list(const char *root, const char *folder);
/* The last part of the path to which a symbolic link leads, or NULL */
char *root_link_name(const char *root, const char *path);

/* The sorted names in a folder that begin with @prefix and end with @suffix */
struct names {
	char **at;
	size_t count;
};

struct names root_names(const char *root, const char *folder, const char *prefix,
			const char *suffix);
void names_free(struct names *names);

#endif
