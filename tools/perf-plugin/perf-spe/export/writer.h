/* SPDX-License-Identifier: GPL-2.0-only */
/* Rows to a file, in one of the formats. */
#ifndef PERF_SPE_WRITER_H
#define PERF_SPE_WRITER_H

#include "analysis/fields.h"
#include "export/format.h"

/* NULL where there is none of this name */
const struct format *format_find(const char *name);

/*
 * A file of the writer's path.  0, or -1 after a message; writer_end() only
 * after a writer_begin() that went well.
 */
int writer_begin(struct writer *w);
int writer_end(struct writer *w);

static inline void writer_row(struct writer *w, const struct row *row)
{
	if (!w->failed)
		w->format->row(w, row);
}

#endif
