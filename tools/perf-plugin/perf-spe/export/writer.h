/* SPDX-License-Identifier: GPL-2.0-only */
/* Rows to a file, in one of several formats with the same columns. */
#ifndef PERF_SPE_WRITER_H
#define PERF_SPE_WRITER_H

#include "analysis/fields.h"

struct writer {
	const struct format *format;
	const struct field **columns;
	size_t nr_columns;
	const char *path;		/* NULL: standard output */
	const char *host;		/* NULL: not known */
	FILE *to;			/* of formats that are text */
	void *state;			/* of others */
	/* Of those that gather rows: completes many at once, or NULL */
	rows_late_fn late;
	void *late_context;
	bool failed;			/* a message was given */
};

struct format {
	const char *name;
	const char *suffix;		/* of its files */
	bool needs_path;		/* of a file that is not there yet */
	const char *missing;		/* why there is none here, or NULL */
	bool gathers;			/* looks at rows when there are many */
	int (*begin)(struct writer *w);	/* 0, or -1 after a message */
	void (*row)(struct writer *w, const struct row *row);
	int (*end)(struct writer *w);	/* 0, or -1 after a message */
};

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

extern const struct format format_sqlite, format_parquet, format_arrow;

#endif
