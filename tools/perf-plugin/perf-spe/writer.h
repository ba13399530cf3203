/* SPDX-License-Identifier: GPL-2.0-only */
/* Rows to a file, in one of several formats with the same columns. */
#ifndef PERF_SPE_WRITER_H
#define PERF_SPE_WRITER_H

#include "fields.h"

struct writer {
	const struct format *format;
	const struct field **columns;
	size_t nr_columns;
	const char *path;		/* NULL: standard output */
	FILE *to;			/* of formats that are text */
	void *state;			/* of others */
	bool failed;			/* a message was given */
};

struct format {
	const char *name;
	bool needs_path;
	int (*begin)(struct writer *w);	/* 0, or -1 after a message */
	void (*row)(struct writer *w, const struct row *row);
	int (*end)(struct writer *w);	/* 0, or -1 after a message */
};

/* NULL where there is none of this name */
const struct format *format_find(const char *name);

extern const struct format format_sqlite;

#endif
