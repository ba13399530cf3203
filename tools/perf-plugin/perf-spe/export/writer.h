/* SPDX-License-Identifier: GPL-2.0-only */
/* Write rows to a file in one of the formats. */
#ifndef PERF_SPE_WRITER_H
#define PERF_SPE_WRITER_H

#include "analysis/rows/fields.h"
#include "export/format.h"

/* NULL if no format has this name */
const struct format *format_find(const char *name);
/* The names of the formats: a word_fn */
const char *format_name(unsigned int index);

/*
 * Begin the file of the writer's path.  Returns 0, or -1 after a message.  Call
 * writer_end() only after success.
 */
int writer_begin(struct writer *w);
int writer_end(struct writer *w);

static inline void writer_row(struct writer *w, const struct row *row)
{
	if (!w->failed)
		w->format->row(w, row);
}

#endif
