/* SPDX-License-Identifier: GPL-2.0-only */
/* Source lines in the order of a function's instructions. */
#ifndef PERF_SPE_SOURCE_TEXT_H
#define PERF_SPE_SOURCE_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "symbols/elf/dso.h"

/* The state of a walk over instructions; zero it before the first call. */
struct source_text {
	char *path;		/* of the file that is in memory */
	char *bytes;		/* NULL: it could not be read */
	char **lines;
	size_t nr_lines;
	int last;		/* the line returned last */
	char *shown;
};

/*
 * The source line of the instruction at @address: its number, and its text if
 * the file is found.  NULL if it is the line returned last, or not known.  Sets
 * *other where the line is in another file than the last one; t->path is then
 * the new file.  The text is valid until the next call.
 */
const char *source_text_at(struct source_text *t, struct dso *dso,
			   uint64_t address, bool *other);
void source_text_free(struct source_text *t);

#endif
