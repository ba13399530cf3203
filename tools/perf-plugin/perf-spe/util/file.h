/* SPDX-License-Identifier: GPL-2.0-only */
/* Opening files whose names come from a recording or from the user. */
#ifndef PERF_SPE_FILE_H
#define PERF_SPE_FILE_H

/*
 * Open a regular file for reading.  Refuse everything else, because opening a
 * FIFO blocks and opening a device may have effects.  Returns the descriptor,
 * or -1 with *why set.
 */
int open_regular(const char *path, const char **why);

/*
 * The same for an absolute path to a folder in which other users write: neither the file nor
 * its folder may be a symbolic link, which could lead to a file that only this user may read.
 * A folder of the root, as /tmp, may be one: only the administrator makes it.
 */
int open_unlinked(const char *path, const char **why);

#endif
