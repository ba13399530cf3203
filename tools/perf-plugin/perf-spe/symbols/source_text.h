/* SPDX-License-Identifier: GPL-2.0-only */
/* The lines of a program's source, as its instructions reach them. */
#ifndef PERF_SPE_SOURCE_TEXT_H
#define PERF_SPE_SOURCE_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "symbols/dso.h"

/* Where one is: zeroed at the beginning */
struct source_text {
	char *path;		/* of the file that is in memory */
	char *bytes;		/* NULL: it could not be read */
	char **lines;
	size_t nr_lines;
	int last;		/* line that was told last */
	char *shown;
};

/*
 * Number and text, if it is found, of the line that begins at @address, or NULL
 * where it is the line told last, or not known.  @other: it is the first of the
 * file t->path.  Good until the next call.
 */
const char *source_text_at(struct source_text *t, struct dso *dso,
			   uint64_t address, bool *other);
void source_text_free(struct source_text *t);

#endif
