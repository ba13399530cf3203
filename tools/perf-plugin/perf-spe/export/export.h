/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PERF_SPE_EXPORT_EXPORT_H
#define PERF_SPE_EXPORT_EXPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "export/format/format.h"

/*
 * partition.c: Write the rows of recordings from many machines below one folder.  The names of
 * its subfolders say which rows they hold: host=H/date=D/hour=N, in UTC.
 */

/* Files open at the same time; each has a batch of rows in memory. */
#define PARTITION_FILES	4
/* A recording needs fewer files, unless its timestamps are damaged. */
#define PARTITION_MOST	4096

struct partition {
	const struct writer *like;	/* format, columns, and path: the folder */
	bool recorded;			/* partition_recorded() was called */
	char *host;
	char *times;			/* the command that shows times of samples */
	uint64_t id;			/* of the recording, in files' names */
	bool has_clock;			/* samples have times of perf's clock */
	uint64_t latest;		/* perf's clock at the last sample, when the recording ended */
	int64_t end;			/* s: when the recording ended */
	size_t nr_paths;		/* of all files */
	/* Files that are complete but not named yet */
	struct output **done;
	size_t nr_done, room_done;
	unsigned int in_use;		/* open files, least recently used first */
	struct partition_file {
		int64_t hour;		/* since 1970 */
		struct writer writer;
		char *path;		/* the writer's */
	} files[PARTITION_FILES];
	struct row_batch *run;		/* the rows of a batch that are of one hour */
	bool failed;			/* after a message */
};

/* Parse --recorded: when the recording ended; false after a message. */
bool partition_recorded(struct partition *p, const char *text);
/* Without --recorded, take the time of the file for p->end; false if the input is none. */
bool partition_dated(struct partition *p, const struct source *src);

/*
 * Find out which host made the recording @r and when; @host NULL takes the file's
 * host.  Returns 0, or -1 after a message; call partition_end() in both cases.
 */
int partition_begin(struct partition *p, struct rows *r, const char *host);
void partition_batch(struct partition *p, const struct row_batch *b);
/*
 * Give all files their final names, or remove them if anything failed, so that
 * readers of the folder see all of a recording or nothing.  Returns 0, or -1 after
 * a message, now or earlier.
 */
int partition_end(struct partition *p);
/* @name as a folder's name, to be freed: other characters than A to Z, a to z, 0 to 9, ".", "_" and "-" become %XX. */
char *partition_escape(const char *name);
/* "host=H/date=D/hour=HH" of an hour since 1970, to be freed */
char *partition_folder(const char *host, int64_t hour);

/* writer.c: Write rows to a file in one of the formats. */

/* NULL if no format has this name */
const struct format *format_find(const char *name);
/*
 * The format whose files have names as @path, such as "x.csv" or "x.sqlite"; text for names without
 * an ending.  NULL, and @ending is set, if no format has this one.
 */
const struct format *format_of_file(const char *path, const char **ending);
/* The names of the formats: a word_fn */
const char *format_name(unsigned int index);

/*
 * Begin the file of the writer's path.  Returns 0, or -1 after a message.  Call
 * writer_end() only after success.
 */
int writer_begin(struct writer *w);
int writer_end(struct writer *w);
/* Begin the file of writer_begin() anew.  Returns what writer_begin() returns. */
int writer_restart(struct writer *w);
/* The same, but output_keep() has yet to name the writer's file, which is NULL after a failure. */
int writer_close(struct writer *w);

void writer_batch(struct writer *w, const struct row_batch *b);

#endif
