/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a format of an export is: functions that write rows.  Every format has
 * the same columns.
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

#endif
