/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * An export format is a set of functions that write rows.  All formats have the
 * same columns.
 */
#ifndef PERF_SPE_FORMAT_H
#define PERF_SPE_FORMAT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "analysis/fields.h"

struct writer {
	const struct format *format;
	const struct field **columns;
	size_t nr_columns;
	const char *path;		/* NULL: standard output */
	const char *host;		/* NULL: not known */
	FILE *to;			/* of text formats */
	void *state;			/* of other formats */
	/* Completes many rows at once, for formats that gather; or NULL */
	rows_late_fn late;
	void *late_context;
	bool failed;			/* a message was given */
};

struct format {
	const char *name;
	const char *suffix;		/* of its files */
	bool needs_path;		/* writes a new file, never to stdout */
	const char *missing;		/* message if not built in, or NULL */
	bool gathers;			/* collects rows before reading them */
	int (*begin)(struct writer *w);	/* 0, or -1 after a message */
	void (*row)(struct writer *w, const struct row *row);
	int (*end)(struct writer *w);	/* 0, or -1 after a message */
};

#endif
