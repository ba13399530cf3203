/* SPDX-License-Identifier: GPL-2.0-only */
/* What record --heap adds to a command, so that the heap's library follows it. */
#ifndef PERF_SPE_PRELOAD_H
#define PERF_SPE_PRELOAD_H

#include <stdbool.h>

struct preload {
	char *library;		/* "LD_PRELOAD=..." */
	char *folder;		/* "PERF_SPE_HEAP=..." */
	char *id;		/* "PERF_SPE_HEAP_ID=..." */
};

/*
 * The variables for a recording in the file @data; false after a message if there is no
 * library.  Without @print the folder for the logs is made, and an earlier one is kept as
 * FOLDER.old, as perf does with the file.
 */
bool preload_prepare(struct preload *p, const char *data, bool print);
/* Warn if the loader will not preload a library into the program @name. */
void preload_check(const char *name);
void preload_free(struct preload *p);

#endif
