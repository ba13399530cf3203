/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * An export format is a set of functions that write rows.  All formats of rows have
 * the same columns; those of profiles have none.
 */
#ifndef PERF_SPE_FORMAT_H
#define PERF_SPE_FORMAT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "analysis/rows/fields.h"
#include "analysis/rows/profile_value.h"
#include "analysis/rows/rows.h"

struct writer {
	const struct format *format;
	const struct field **columns;
	size_t nr_columns;
	const char *path;		/* NULL: standard output */
	const char *host;		/* NULL: not known */
	const struct rows *rows;	/* open */
	enum profile_value value;	/* of formats that hold profiles */
	FILE *to;			/* of text formats */
	void *state;			/* of other formats */
	/* Completes many rows at once, for formats that gather; or NULL */
	rows_late_fn late;
	void *late_context;
	bool failed;			/* a message was given */
};

/* What a format holds */
enum format_profile {
	PROFILE_NONE,			/* rows, with columns */
	PROFILE_ONE_VALUE,		/* samples added up, by one value */
	PROFILE_VALUES,			/* by all values; one is shown first */
	PROFILE_EACH,			/* each sample, with all values */
};

struct format {
	const char *name;
	const char *suffix;		/* of its files */
	bool needs_path;		/* writes a new file, never to stdout */
	const char *missing;		/* message if not built in, or NULL */
	bool gathers;			/* collects rows before reading them */
	enum format_profile profile;
	bool binary;			/* does not go to a terminal */
	int (*begin)(struct writer *w);	/* 0, or -1 after a message */
	void (*row)(struct writer *w, const struct row *row);
	int (*end)(struct writer *w);	/* 0, or -1 after a message */
};

#endif
